"""What a gate's document says, in words: the one view that every format of it prints."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.harness.claims import ExitCode
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.measurements import ChangeMeasurement, FiguresMeasurement, Sample
from nesproof.harness.gate.document import EndState, GateClaim, GateDocument, RevisionRecord
from nesproof.harness.gate.outcome import GateVerdict
from nesproof.reports.figures import counted, duration, moment
from nesproof.reports.plain_text import one_line, plain_record
from nesproof.reports.wording import VERDICT_WORDS

__all__ = ["ABSENT", "GateRow", "GateSide", "GateView", "gate_view"]

ABSENT = "–"
"""Where there is no figure."""

BY_URGENCY = (
    GateVerdict.FAIL,
    GateVerdict.ERROR,
    GateVerdict.NOT_MEASURED,
    GateVerdict.INCONCLUSIVE,
    GateVerdict.WAIVED,
    GateVerdict.PASS,
    GateVerdict.UNCHANGED,
    GateVerdict.NOT_APPLICABLE,
)
"""Every verdict but the one of claims that were not asked for, as a reader wants to see them."""

_TITLES = {
    ExitCode.OK: "Nothing got worse",
    ExitCode.FAIL: "The change makes something worse",
    ExitCode.INCONCLUSIVE: "Nothing is shown to be worse, but something stays open",
    ExitCode.ERROR: "A measurement broke",
    ExitCode.NOT_MEASURED: "Not everything was measured",
    ExitCode.INTERRUPTED: "The gate was interrupted",
}


@dataclass(frozen=True)
class GateSide:
    """A revision: what it is called, which commit it is, and which build."""

    asked: str
    short: str
    commit: str
    subject: str
    build: str


@dataclass(frozen=True)
class GateRow:
    """A claim from the base to the head."""

    anchor: str
    id: str
    sentence: str
    verdict: str
    word: str
    before: str
    after: str
    unit: str
    change: str
    interval: str
    floor: str
    reason: str
    caveat: str | None
    remedy: str | None
    rerun: str
    how: str
    is_settled: bool
    """True where nobody needs to look closer."""


@dataclass(frozen=True)
class GateView:
    """The whole comparison in words."""

    title: str
    mark: str
    exit_code: int
    base: GateSide
    head: GateSide
    merge_base_note: str | None
    judge: str
    held_to: str
    """Which reference says where which build's runs must end."""
    yardstick: tuple[str, ...]
    counts: tuple[tuple[str, str, int], ...]
    """Verdict, word and count, zeros too."""
    not_selected: int
    rows: tuple[GateRow, ...]
    states: tuple[tuple[str, str, str], ...]
    """Subject and workload, what was seen, and a verdict for its mark."""
    plan: tuple[str, ...]
    notes: tuple[str, ...]
    repeat: str
    command: str
    created: str
    duration: str
    machine: str
    version: str
    schema: str


def gate_view(document: GateDocument) -> GateView:
    """The view of a document, whose text may be a stranger's: nothing in the view can act on a terminal."""
    document = plain_record(document)
    counts = document.counts()
    numbered = enumerate((c for c in document.claims if c.verdict is not GateVerdict.NOT_SELECTED), start=1)
    ordered = sorted(numbered, key=lambda item: BY_URGENCY.index(item[1].verdict))
    return GateView(
        title=_TITLES.get(document.exit_code, "The gate has ended"),
        mark=_mark(document),
        exit_code=int(document.exit_code),
        base=_side(document.baseline),
        head=_side(document.candidate),
        merge_base_note=_merge_base_note(document),
        judge=one_line(document.judge),
        held_to=_held_to(document),
        yardstick=tuple(one_line(line) for line in document.yardstick),
        counts=tuple((v.value, _word(v), counts[v]) for v in BY_URGENCY),
        not_selected=counts[GateVerdict.NOT_SELECTED],
        rows=tuple(_row(number, record, document) for number, record in ordered),
        states=tuple(_state(state) for state in document.end_states),
        plan=tuple(one_line(line) for line in document.plan),
        notes=_notes(document),
        repeat=one_line(document.repeat),
        command=one_line(document.command),
        created=moment(document.created_utc),
        duration=duration(document.duration_s),
        machine=_machine(document),
        version=document.source.version,
        schema=f"{document.schema_id} {document.schema_version}",
    )


def _word(verdict: GateVerdict) -> str:
    return "unchanged" if verdict is GateVerdict.UNCHANGED else VERDICT_WORDS[Verdict(verdict.value)]


def _mark(document: GateDocument) -> str:
    marks = {
        ExitCode.OK: "PASS",
        ExitCode.FAIL: "FAIL",
        ExitCode.INCONCLUSIVE: "INCONCLUSIVE",
        ExitCode.ERROR: "ERROR",
    }
    return marks.get(document.exit_code, "NOT_MEASURED")


def _side(record: RevisionRecord) -> GateSide:
    cached = "kept from before" if record.build_was_cached else "built for this gate"
    return GateSide(
        asked=one_line(record.asked),
        short=record.commit[:12],
        commit=record.commit,
        subject=one_line(record.subject),
        build=f"{record.build_key[:12]}, {cached}",
    )


def _merge_base_note(document: GateDocument) -> str | None:
    if document.merge_base_of == document.baseline.commit:
        return None
    asked = document.merge_base_of[:12]
    return f"The base that was asked for is {asked}; compared is where the head's branch left it."


def _held_to(document: GateDocument) -> str:
    if document.own_references:
        base, head = document.baseline.commit[:12], document.candidate.commit[:12]
        return (
            f"runs of {base} to the reference of {base}, runs of {head} to the reference of {head}, which has to pass "
            "what the base claims of a reference"
        )
    return "runs of both builds to the base's reference"


def _row(number: int, record: GateClaim, document: GateDocument) -> GateRow:
    return GateRow(
        anchor=f"claim-{number}",
        id=record.claim.id,
        sentence=record.claim.spoken(),
        verdict=record.verdict.value,
        word=_word(record.verdict),
        before=_figure(record.before, record.unit),
        after=_figure(record.after, record.unit),
        unit=record.unit,
        change=_percent(record.change) if record.change is not None else ABSENT,
        interval=_interval(record),
        floor=ABSENT if record.floor is None else f"±{record.floor:.2%}",
        reason=record.reason,
        caveat=record.caveat,
        remedy=None if record.remedy is None else one_line(record.remedy),
        rerun=one_line(record.rerun),
        how=_how(record, document),
        is_settled=record.verdict in {GateVerdict.PASS, GateVerdict.UNCHANGED, GateVerdict.NOT_APPLICABLE},
    )


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return ABSENT
    if unit == "of cases passed":
        return f"{value:.0%} {unit}"
    is_whole = value == int(value) or abs(value) >= 1000
    shown = f"{value:,.0f}" if is_whole else f"{value:.4g}"
    return f"{shown} {unit}".strip()


def _percent(change: float) -> str:
    return f"{change:+.2%}" if abs(change) < 10 else f"×{1 + change:,.0f}"


def _interval(record: GateClaim) -> str:
    return ABSENT if record.interval is None else " to ".join(_percent(bound) for bound in record.interval)


def _how(record: GateClaim, document: GateDocument) -> str:
    """How it was measured."""
    claim = record.claim
    for timing in document.timings:
        if timing.id == record.timing:
            if not isinstance(timing.measurement, ChangeMeasurement):
                return f"to be timed: {timing.id}"
            measured = timing.measurement
            blocks = [len({s.block for s in arm}) for arm in _arms(measured)]
            words = [f"{blocks[0]} blocks of four processes", f"{blocks[1]} of the base against itself"]
            words += [f"{blocks[2]} to confirm"] if blocks[2] else []
            window = f"{counted(timing.window_frames, 'frame')} from power-on and warm-up"
            steal = "" if not timing.steal_share else f"; {timing.steal_share:.1%} stolen by the host"
            return f"timed: {timing.id} ({window}); {', '.join(words)}, in {duration(timing.duration_s)}{steal}"
    for table in document.tables:
        if table.id == record.table:
            whole = all(isinstance(side, FiguresMeasurement) for side in (table.baseline, table.candidate))
            return f"counted on both builds: {table.id}" if whole else f"to be counted: {table.id}"
    if claim.kind == "exact":
        return f"suite {claim.suite} on the head's build"
    return "nothing was measured" if record.verdict is GateVerdict.UNCHANGED else ABSENT


def _arms(measured: ChangeMeasurement) -> tuple[tuple[Sample, ...], ...]:
    return measured.samples, measured.aa_samples, measured.confirmation_samples


def _state(state: EndState) -> tuple[str, str, str]:
    where = f"{state.subject}, {state.workload}"
    if state.expected_of_candidate is not None and state.baseline and state.candidate:
        return _state_of_each(where, state, state.expected_of_candidate)
    if state.baseline is None or state.candidate is None:
        return where, "it gives no digest", "NOT_APPLICABLE"
    if state.candidate != state.baseline:
        return where, f"the base ends at {state.baseline}, the head at {state.candidate}", "FAIL"
    if state.candidate != state.expected:
        return where, f"both end at {state.candidate}, the base's reference at {state.expected}", "ERROR"
    return where, f"both builds and the base's reference end at {state.candidate}", "PASS"


def _state_of_each(where: str, state: EndState, expected_of_candidate: str) -> tuple[str, str, str]:
    """Each build beside its own reference."""
    sides = (("base", state.baseline, state.expected), ("head", state.candidate, expected_of_candidate))
    told = [f"the {name} ends at {found}" for name, found, expected in sides if found == expected]
    wrong = [
        f"the {name} ends at {found}, its reference at {wanted}" for name, found, wanted in sides if found != wanted
    ]
    if wrong:
        return where, "; ".join(wrong), "FAIL" if state.candidate != expected_of_candidate else "ERROR"
    return where, f"{told[0]}, {told[1]}, each as its own reference does", "PASS"


def _notes(document: GateDocument) -> tuple[str, ...]:
    flags = document.flags
    told = (
        (document.interrupted, "Interrupted: what had not been measured by then reads “not measured”."),
        (flags.allow_busy, "The machine was allowed to be busy: what was timed is diagnostic."),
        (flags.allow_dirty, "The working tree was allowed to have changes; the commits were measured, not those."),
        (not flags.deterministic, "Counted figures and the comparison of code were left out."),
        (flags.force_timing, "What had not changed was measured all the same."),
    )
    return tuple(sentence for holds, sentence in told if holds)


def _machine(document: GateDocument) -> str:
    machine = document.machine
    gpus = "".join(f", {gpu.name}" for gpu in machine.gpus)
    return f"{machine.cpu_model}, {counted(machine.usable_cores, 'core')}, {machine.os}{gpus}"
