"""What the gate says of figures, times and code; each verdict from the samples alone."""

from __future__ import annotations

from typing import Any

import gate_parts as parts
import pytest

from nesproof.harness.evidence.model import (
    ChangeMeasurement,
    FailedMeasurement,
    Load,
    NoMeasurement,
    SuiteMeasurement,
    UnavailableMeasurement,
)
from nesproof.harness.gate.document import KernelCode


def one(record: Any, **fields: Any) -> Any:
    """The record as the document of it alone has it."""
    return parts.document([record], **fields).claims[0]


def counted(claim: Any, before: Any, after: Any, **fields: Any) -> Any:
    entry = parts.table(claim.kind, before, after)
    return one(parts.record(claim, table=entry.id), tables=(entry,), **fields)


# --- Counted figures


@pytest.mark.parametrize(
    ("after", "verdict", "caveat"),
    [
        (100_000, "PASS", None),
        (100_100, "PASS", None),
        (100_500, "PASS", "worse, within what is let through"),
        (102_000, "PASS", "worse, within what is let through"),
        (102_100, "FAIL", None),
        (90_000, "PASS", None),
    ],
)
def test_instructions_fail_above_two_per_cent(after: float, verdict: str, caveat: str | None) -> None:
    found = counted(parts.claim("instructions"), parts.instructions(100_000), parts.instructions(after))
    assert (found.verdict.value, found.caveat) == (verdict, caveat)
    assert (found.before, found.after) == (100_000, after)
    assert found.change == pytest.approx(after / 100_000 - 1)


def test_a_claim_chooses_its_own_limit() -> None:
    strict = parts.claim("instructions", max_increase=0.001)
    assert counted(strict, parts.instructions(100_000), parts.instructions(100_200)).verdict.value == "FAIL"


def test_max_increase_belongs_to_an_upper_bound() -> None:
    with pytest.raises(ValueError, match="max_increase goes with at_most"):
        parts.claim("ratio", max_increase=0.1)


def test_a_broken_threshold_is_told_of_where_the_rise_is_small() -> None:
    near = parts.claim("instructions", at_most=100_050)
    found = counted(near, parts.instructions(100_000), parts.instructions(100_100))
    assert found.verdict.value == "PASS"
    assert "the claim's own threshold" in found.caveat


def test_more_instructions_pass_where_timing_shows_them_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = parts.claim("instructions")
    entry = parts.table("instructions", parts.instructions(100_000), parts.instructions(104_000))
    for slower, verdict in ((-0.06, "PASS"), (0.0, "FAIL"), (-0.01, "FAIL")):
        timed = parts.timing(parts.change(monkeypatch, parts.FakeProcesses(slower=slower)))
        found = one(parts.record(claim, table=entry.id), tables=(entry,), timings=(timed,))
        assert found.verdict.value == verdict, (slower, found.reason)


@pytest.mark.parametrize(("after", "verdict"), [(4096, "PASS"), (4000, "PASS"), (4097, "FAIL")])
def test_memory_may_not_grow_at_all(after: float, verdict: str) -> None:
    assert counted(parts.claim("memory"), parts.memory(4096), parts.memory(after)).verdict.value == verdict


def test_the_worst_row_decides_even_where_another_is_the_largest() -> None:
    found = counted(parts.claim("static"), parts.spills(sm_80=0, sm_90=48), parts.spills(sm_80=16, sm_90=48))
    assert found.verdict.value == "FAIL"
    assert (found.before, found.after) == (0, 16)
    assert "sm_80" in found.reason


def test_spills_that_stay_are_no_fault_of_the_change() -> None:
    found = counted(parts.claim("static"), parts.spills(sm_80=0, sm_90=48), parts.spills(sm_80=0, sm_90=48))
    assert found.verdict.value == "PASS"
    assert found.caveat == "the base breaks the claim's own threshold already"


WAIVER = {
    "reason": "The compiler parks a barrier there.",
    "settled_by": "A compiler that keeps it.",
    "expires": "2026-06-30",
    "within": 48,
}


@pytest.mark.parametrize(
    ("day", "after", "verdict"),
    [("2026-06-30", 48, "WAIVED"), ("2026-07-01", 48, "FAIL"), ("2026-06-30", 49, "FAIL")],
)
def test_a_waiver_holds_until_its_day_and_as_far_as_it_says(day: str, after: float, verdict: str) -> None:
    waived = parts.claim("static", waiver=WAIVER)
    found = counted(waived, parts.spills(sm_80=0, sm_90=0), parts.spills(sm_80=0, sm_90=after), day=day)
    assert found.verdict.value == verdict


def test_a_counted_run_that_ends_elsewhere_fails_on_the_head_and_is_an_error_on_the_base() -> None:
    claim, right = parts.claim("instructions"), parts.instructions(100_000)
    rows = [({"draw": "none", "idle_skipping": True}, {"instructions_per_frame": 90_000.0})]
    wrong = parts.figures("instructions", rows, found="bb")
    assert counted(claim, right, wrong).verdict.value == "FAIL"
    assert counted(claim, wrong, right).verdict.value == "ERROR"


def test_a_figure_that_is_missing_is_not_measured() -> None:
    found = counted(parts.claim("static"), parts.spills(sm_80=0), parts.spills(sm_80=0))
    assert found.verdict.value == "NOT_MEASURED"


@pytest.mark.parametrize(
    ("absence", "verdict"),
    [
        (
            UnavailableMeasurement(missing="tool:valgrind", reason="No valgrind.", remedy="apt install it"),
            "NOT_APPLICABLE",
        ),
        (FailedMeasurement(stage="Counting", reason="it died"), "ERROR"),
        (NoMeasurement(reason="No budget."), "NOT_MEASURED"),
    ],
)
def test_what_is_absent_says_so(absence: Any, verdict: str) -> None:
    for found in (
        counted(parts.claim("memory"), parts.memory(1), absence),
        one(parts.record(parts.claim("memory"), measurement=absence)),
        one(parts.record(parts.claim(), timing="toy, busy@2, draw none"), timings=(parts.timing(absence),)),
    ):
        assert found.verdict.value == verdict
        assert found.remedy == getattr(absence, "remedy", None)


# --- Exact claims


def exact(head: Any, base: Any | None) -> Any:
    fields: dict[str, Any] = {"suites": (head,)}
    measured = {"measurement": SuiteMeasurement(run=head.id)}
    if base is not None:
        fields["suites_of_base"] = (base,)
        measured["measurement_of_base"] = SuiteMeasurement(run=base.id)
    return one(parts.record(parts.claim("exact"), **measured), **fields)


@pytest.mark.parametrize(
    ("head", "base", "verdict"),
    [
        ({"a": "passed", "b": "passed"}, None, "PASS"),
        ({"a": "failed", "b": "passed"}, None, "FAIL"),
        ({"a": "failed", "b": "passed"}, {"a": "passed", "b": "passed"}, "FAIL"),
        ({"a": "failed", "b": "passed"}, {"a": "failed", "b": "passed"}, "PASS"),
        ({"a": "failed", "b": "passed"}, {"a": "failed", "b": "failed"}, "PASS"),
        ({"a": "failed", "b": "failed"}, {"a": "failed", "b": "passed"}, "FAIL"),
        ({"a": "failed", "b": "passed"}, {"a": "error", "b": "passed"}, "FAIL"),
        ({"a": "failed", "b": "passed"}, {"a": "missing", "b": "passed"}, "FAIL"),
        ({"a": "failed", "b": "passed"}, {"a": "failed", "b": "passed", "problem": "pytest died"}, "FAIL"),
        ({"a": "failed", "b": "missing"}, {"a": "failed", "b": "passed"}, "FAIL"),
    ],
)
def test_what_the_base_fails_as_well_is_no_fault_of_the_change(head: Any, base: Any, verdict: str) -> None:
    found = exact(parts.suite(**head), None if base is None else parts.suite(**base))
    assert found.verdict.value == verdict, found.reason
    assert (found.caveat == "the base breaks the claim already") is (base is not None and verdict == "PASS")


def test_what_the_base_passed_of_a_claim_stands_beside_it() -> None:
    found = exact(parts.suite(a="failed", b="failed"), parts.suite(a="failed", b="passed"))
    assert (found.before, found.after) == (0.5, 0.0)


# --- Times


def judged_timing(measurement: ChangeMeasurement) -> Any:
    entry = parts.timing(measurement)
    return one(parts.record(parts.claim(), timing=entry.id), timings=(entry,))


@pytest.mark.parametrize(("slower", "verdict"), [(0.0, "PASS"), (0.06, "FAIL"), (-0.05, "PASS")])
def test_times_are_judged_with_floor_and_interval(slower: float, verdict: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged_timing(parts.change(monkeypatch, parts.FakeProcesses(slower=slower)))
    assert found.verdict.value == verdict, found.reason
    assert found.change == pytest.approx(slower, abs=0.01)
    assert found.interval[0] <= found.change <= found.interval[1]
    assert 0 < found.floor < 0.015
    assert found.before == pytest.approx(80e6 / 1200 / 1000, rel=0.02)
    assert found.unit == "µs a frame"


def test_wrong_frames_of_the_head_fail_before_a_second_block_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = parts.FakeProcesses(slower=-0.5, wrong="candidate")
    found = judged_timing(parts.change(monkeypatch, fake))
    assert found.verdict.value == "FAIL"
    assert "No digest, no speed" in found.reason
    assert fake.processes <= 8


def test_noise_ends_in_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged_timing(parts.change(monkeypatch, parts.FakeProcesses(noise=0.6)))
    assert found.verdict.value == "INCONCLUSIVE"


def test_a_busy_machine_gives_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = Load(load_average_1min=4, other_cpu_share=0.6, steal_share=0, waited_s=1, busy=True)
    found = judged_timing(parts.change(monkeypatch, parts.FakeProcesses(slower=0.2), load=busy))
    assert found.verdict.value == "INCONCLUSIVE"
    assert "busy" in found.reason


def test_no_time_left_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged_timing(parts.change(monkeypatch, parts.FakeProcesses(), deadline_s=0)).verdict.value == "NOT_MEASURED"


class Watch:
    """A GPU that is throttled over the blocks of these numbers."""

    def __init__(self, throttled: range) -> None:
        self.throttled, self.block = throttled, -1

    def __enter__(self) -> Watch:
        self.block += 1
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def was_throttled(self) -> bool:
        return self.block in self.throttled


def test_blocks_on_a_throttled_gpu_are_timed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fake, watch = parts.FakeProcesses(), Watch(range(3, 7))
    measured = parts.change(monkeypatch, fake, watched=lambda: watch)
    assert judged_timing(measured).verdict.value == "PASS"
    samples = (*measured.samples, *measured.aa_samples)
    assert len(samples) == 5 * (fake.processes - 4 * 4)


def test_a_gpu_that_is_always_throttled_gives_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    fake, watch = parts.FakeProcesses(), Watch(range(10**6))
    measured = parts.change(monkeypatch, fake, watched=lambda: watch)
    assert judged_timing(measured).verdict.value == "NOT_MEASURED"
    assert fake.processes <= 4 * 25


# --- Code


def untouched(claim: Any, **fields: Any) -> Any:
    return one(parts.record(claim), **{"candidate_code": parts.CODE, **fields})


def test_unchanged_needs_equal_code_and_equal_inputs() -> None:
    assert untouched(parts.claim()).verdict.value == "UNCHANGED"
    assert untouched(parts.claim("memory")).verdict.value == "UNCHANGED"
    for part in (".text", ".rodata", ".data"):
        files = {**parts.CODE.files, "libtoy.so": {**parts.CODE.files["libtoy.so"], part: "9"}}
        other = parts.CODE.model_copy(update={"files": files})
        found = untouched(parts.claim(), candidate_code=other)
        assert found.verdict.value == "NOT_MEASURED"
        assert part in found.reason
    python = parts.CODE.model_copy(update={"files": {**parts.CODE.files, "adapter.py": {"syntax": "9"}}})
    assert untouched(parts.claim(), candidate_code=python).verdict.value == "NOT_MEASURED"
    for inputs in ({"the workloads": "9", "the dependencies": "2"}, {"the workloads": "1"}, {}):
        head = parts.revision("b", inputs=inputs)
        assert untouched(parts.claim(), candidate=head).verdict.value == "NOT_MEASURED"
    assert untouched(parts.claim(), candidate_code=None).verdict.value == "NOT_MEASURED"


def test_one_build_for_both_is_unchanged_without_a_look_at_it() -> None:
    head = parts.revision("b", key="a" * 40)
    found = untouched(parts.claim(), candidate=head, baseline_code=None, candidate_code=None)
    assert found.verdict.value == "UNCHANGED"


def test_the_kernels_are_unchanged_only_by_their_machine_code() -> None:
    claim = parts.claim("static")
    assert untouched(claim).verdict.value == "NOT_MEASURED"
    before = parts.CODE.model_copy(update={"kernels": (KernelCode(arch="sm_90", sha256={"steps": "1"}),)})
    after = parts.CODE.model_copy(update={"kernels": (KernelCode(arch="sm_90", sha256={"steps": "2"}),)})
    assert untouched(claim, baseline_code=before, candidate_code=before).verdict.value == "UNCHANGED"
    assert untouched(claim, baseline_code=before, candidate_code=after).verdict.value == "NOT_MEASURED"


def test_an_exact_claim_is_never_unchanged() -> None:
    assert untouched(parts.claim("exact")).verdict.value == "NOT_MEASURED"


def test_exit_codes_are_those_of_any_run() -> None:
    assert parts.document([parts.record(parts.claim())], candidate_code=parts.CODE).exit_code == 0
    entry = parts.table("memory", parts.memory(1), parts.memory(2))
    worse = parts.record(parts.claim("memory"), table=entry.id)
    both = [worse, parts.record(parts.claim())]
    assert parts.document(both, candidate_code=parts.CODE, tables=(entry,)).exit_code == 1
    assert parts.document([parts.record(parts.claim("exact"))]).exit_code == 6
    assert parts.document(both, candidate_code=parts.CODE, tables=(entry,), interrupted=True).exit_code == 130
