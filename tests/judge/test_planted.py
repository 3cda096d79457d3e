"""The planted cases: the judge gives each its verdict, and every break of the judge gives some of them another."""

from __future__ import annotations

import json
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nesproof.harness.claims.registry import load_claims
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.cli.judge import app
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.faults.judge_breaks import JUDGE_BREAKS, broken_judge, plant
from nesproof.harness.faults.registry import fault_catalogue
from nesproof.harness.judge.planted_cases import PLANTED_FILES, judge_planted, parse_planted, planted_cases

sys.path.insert(0, str(Path(__file__).parent))

from make_planted_cases import FOLDER, PACK, text_of

CASES = planted_cases()


@pytest.mark.parametrize("case_id", CASES)
def test_the_verdict_is_the_known_one(case_id: str) -> None:
    case = CASES[case_id]
    verdict, reason = judge_planted(case.asked())
    assert verdict is case.verdict, reason


def test_the_pack_is_what_its_makers_state() -> None:
    assert tuple(PACK) == PLANTED_FILES
    for name, make in PACK.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text_of(make()), f"run make_planted_cases.py for {name}"


@pytest.mark.parametrize("kind", ["timing", "suites", "figures", "changes"])
def test_every_verdict_that_a_kind_can_have_is_planted(kind: str) -> None:
    seen = {case.verdict for case_id, case in CASES.items() if case_id.startswith(f"{kind}/")}
    wanted = {Verdict.PASS, Verdict.FAIL, Verdict.NOT_MEASURED, Verdict.ERROR}
    wanted |= {
        "timing": {Verdict.INCONCLUSIVE, Verdict.WAIVED},
        "suites": {Verdict.INCONCLUSIVE, Verdict.WAIVED, Verdict.NOT_APPLICABLE},
        "figures": {Verdict.WAIVED},
        "changes": {Verdict.INCONCLUSIVE},
    }[kind]
    assert seen == wanted


# --- Breaks of the judge ---------------------------------------------------------------------------------------------


def shown_in(fault_id: str) -> set[str]:
    """The cases in which a break shows; of one that shows everywhere, the broken promise of each kind."""
    shown = fault_catalogue()[fault_id].shows_in.get("verdicts")
    if shown is None:
        return {"timing/clearly-below", "suites/one-failed", "figures/above", "changes/five-percent-slower"}
    globs = (shown,) if isinstance(shown, str) else shown
    return {case_id for case_id in CASES if any(fnmatchcase(case_id, glob) for glob in globs)}


@pytest.mark.parametrize("fault_id", JUDGE_BREAKS)
def test_a_broken_judge_is_found_by_the_claims_that_name_the_break(fault_id: str) -> None:
    fault = fault_catalogue()[fault_id]
    assert (fault.means, fault.only_suite) == ("judge", "verdicts")
    shown = shown_in(fault_id)
    with broken_judge(fault_id):
        assert all(judge_planted(CASES[case_id])[0] is not CASES[case_id].verdict for case_id in shown)
    claims = [claim for claim in load_claims().values() if fault_id in claim.killed_by]
    assert claims
    for claim in claims:
        assert any(fnmatchcase(case_id, claim.cases) for case_id in shown), f"{claim.id} does not see it"


def test_a_judge_is_whole_again_afterwards() -> None:
    for fault_id in JUDGE_BREAKS:
        with broken_judge(fault_id):
            pass
    some = ("suites/zero-cases", "timing/clearly-below", "changes/stale-process", "figures/waiver-expired")
    assert all(judge_planted(CASES[case_id])[0] is CASES[case_id].verdict for case_id in some)


def test_every_break_of_the_catalogue_can_be_planted() -> None:
    assert {f.id for f in fault_catalogue().values() if f.means == "judge"} == set(JUDGE_BREAKS)


def test_a_console_has_no_judge_to_break() -> None:
    class Console:
        name = "core"
        capabilities = ("ram",)

    with pytest.raises(ValueError, match="gives no verdicts"):
        plant(Console(), "sides-swapped")


# --- The command -----------------------------------------------------------------------------------------------------


def test_the_command_lists_verdicts() -> None:
    done = CliRunner().invoke(app, ["planted", "suites/*", "--json"])
    assert done.exit_code == 0
    rows = json.loads(done.stdout)
    assert len(rows) == sum(1 for case_id in CASES if case_id.startswith("suites/"))
    assert all(row["planted"] == row["judged"] for row in rows)


def test_the_command_tells_of_a_wrong_verdict() -> None:
    with broken_judge("zero-cases-pass"):
        assert CliRunner().invoke(app, ["planted", "suites/*"]).exit_code == 1


def test_the_command_judges_a_pack_of_another(tmp_path: Path) -> None:
    case = {**CASES["suites/zero-cases"].model_dump(mode="json"), "verdict": "PASS"}
    (tmp_path / "mine.json").write_text(json.dumps([case]))
    assert CliRunner().invoke(app, ["planted", "--pack", str(tmp_path / "mine.json")]).exit_code == 1


def test_no_case_is_no_success() -> None:
    assert isinstance(CliRunner().invoke(app, ["planted", "nothing/*"]).exception, ConfigurationError)


@pytest.mark.parametrize("data", [b"[", b"{}", b'[{"id": "a/b"}]', b'[{"id": "a/b", "why": "It is odd.", "odd": 1}]'])
def test_a_malformed_pack_is_refused(data: bytes) -> None:
    with pytest.raises(ConfigurationError, match=r"planted cases of x\.json"):
        parse_planted(data, origin="x.json")
