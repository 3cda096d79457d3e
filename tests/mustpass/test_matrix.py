"""The conformance matrix: every subject beside every test, whatever the documents hold; as a page and as CSV."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from nesproof.harness.evidence.model import SubjectRecord
from nesproof.reports import render
from nesproof.reports.conformance import conformance_csv, conformance_long_csv
from nesproof.reports.views.conformance import conformance_matrix, failing_line

FINE = {"a1": "passed", "a2": "passed", "b1": "passed", "b2": "passed"}


@pytest.fixture
def beside(make_run: Any, make_evidence: Any) -> Any:
    return make_evidence(
        make_run("mine", FINE),
        make_run("theirs", {"a1": "passed", "a2": "failed", "b1": "error"}, cannot_run=["b2"], frames=True),
    )


def test_subjects_across_and_tests_down(beside: Any) -> None:
    found = conformance_matrix([beside])
    assert found is not None
    assert [column.label for column in found.columns] == ["mine 1.2", "theirs 1.2"]
    (group,) = found.groups
    assert {row.case: [cell.state for cell in row.cells] for row in group.rows} == {
        "a1": ["passed", "passed"],
        "a2": ["passed", "failed"],
        "b1": ["passed", "broken"],
        "b2": ["passed", "cannot-run"],
    }
    assert all(row.is_listed for row in group.rows)
    mine, theirs = group.totals
    assert (mine.passed, mine.asked, mine.cannot_run) == (4, 4, 0)
    assert (theirs.passed, theirs.asked, theirs.cannot_run) == (1, 3, 1)
    assert [column.list_count for column in found.columns] == ["4 of 4", "1 of 4; 1 failed, 1 broke, 1 it cannot run"]
    assert [trouble.row.case for trouble in found.troubles] == ["a2", "b1"]
    (where,) = found.troubles[0].where
    assert where[0].subject == "theirs"
    assert where[1].line == "Status 03 at $6000. Failed #3"
    assert where[1].frame == "frames/theirs-a2.png"


def test_one_subject_alone_is_no_matrix(make_run: Any, make_evidence: Any) -> None:
    evidence = make_evidence(make_run("mine", FINE))
    assert conformance_matrix([evidence]) is None
    alone = conformance_matrix([evidence], least_columns=1)
    assert alone is not None
    assert len(alone.columns) == 1


def test_a_suite_that_no_two_subjects_share_is_left_out(make_run: Any, make_evidence: Any) -> None:
    evidence = make_evidence(
        make_run("mine", FINE), make_run("theirs", FINE),
        make_run("mine", {"c1": "passed"}, suite="parity"), make_run("theirs", {"d1": "passed"}, suite="parity"),
    )  # fmt: skip
    found = conformance_matrix([evidence])
    assert found is not None
    assert [group.suite for group in found.groups] == ["opcodes"]


def test_documents_of_one_subject_are_told_apart_by_their_day(make_run: Any, make_evidence: Any) -> None:
    first = make_evidence(make_run("mine", FINE))
    later = first.model_copy(update={"created_utc": first.created_utc + timedelta(days=1), "fixture": "Made up."})
    found = conformance_matrix([first, later])
    assert found is not None
    assert [column.label for column in found.columns] == ["mine 1.2 (2026-06-01)", "mine 1.2 (2026-06-02)"]
    assert [(column.document, column.fixture) for column in found.columns] == [(0, None), (1, "Made up.")]
    same = conformance_matrix([first, first])
    assert same is not None
    assert len({column.label for column in same.columns}) == 2


def test_a_run_that_broke_shows_in_every_cell_without_a_result(make_run: Any, make_evidence: Any) -> None:
    broken = make_run("theirs", {"a1": "passed"}, expected=list(FINE), problem="The subject hung.\nFor a minute.")
    found = conformance_matrix([make_evidence(make_run("mine", FINE), broken)])
    assert found is not None
    states = {row.case: row.cells[1] for row in found.groups[0].rows}
    assert states["a1"].state == "passed"
    assert (states["b2"].state, states["b2"].line) == ("broken", "The subject hung.")


def test_many_alike_rows_are_counted_and_not_listed(make_run: Any, make_evidence: Any) -> None:
    many = {f"c{n}": "passed" for n in range(500)}
    found = conformance_matrix([make_evidence(make_run("mine", many), make_run("theirs", {**many, "c400": "failed"}))])
    assert found is not None
    (group,) = found.groups
    assert "c400" in {row.case for row in group.shown}
    assert len(group.shown) + group.left_out == 500
    assert group.left_out > 300
    assert conformance_csv(found).count(b"\n") == 1 + 500 + 3


def test_the_line_that_names_the_failure_is_found() -> None:
    assert failing_line("") == ""
    assert failing_line("\n  One line.  \n") == "One line."
    assert failing_line("Status 02 at $6000.\n\n04-nmi\nFailed #2") == "Status 02 at $6000. Failed #2"
    assert len(failing_line("x" * 10_000)) < 400


def test_csv_has_a_row_a_case_and_the_totals(beside: Any) -> None:
    found = conformance_matrix([beside])
    assert found is not None
    rows = list(csv.reader(io.StringIO(conformance_csv(found).decode())))
    assert rows[0] == ["suite", "case", "must_pass", "mine 1.2", "theirs 1.2"]
    assert rows[2] == ["opcodes", "a2", "yes", "passed", "failed"]
    assert rows[4] == ["opcodes", "b2", "yes", "passed", "cannot run"]
    assert [row[1:] for row in rows[-3:]] == [
        ["passed", "", "4", "1"], ["asked", "", "4", "3"], ["cannot run", "", "0", "1"],
    ]  # fmt: skip
    long = list(csv.DictReader(io.StringIO(conformance_long_csv(found).decode())))
    assert len(long) == 8
    assert long[-1]["line"] == "The case wants peek."


HOSTILE = ["=1+1", "+1", "-1", "@x", "\t=1", " =1", '=HYPERLINK("http://x","y")', "\uff1d1"]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_the_csv_is_a_formula(text: str, make_run: Any, make_evidence: Any) -> None:
    hostile = make_run(text, {text: "failed"}, suite=text)
    evidence = make_evidence(make_run("mine", {text: "passed"}, suite=text)).model_copy(
        update={
            "suites": (make_run("mine", {text: "passed"}, suite=text), hostile),
            "subjects": (SubjectRecord(name=text, version=text, python="", capabilities=()),),
        }
    )
    found = conformance_matrix([evidence])
    assert found is not None
    for data in (conformance_csv(found), conformance_long_csv(found)):
        cells = [cell for row in csv.reader(io.StringIO(data.decode())) for cell in row]
        assert not [cell for cell in cells if cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\uff1d"))]


def test_the_page_shows_the_list_and_the_matrix(beside: Any, tmp_path: Path) -> None:
    for case in ("a1", "a2", "b1"):
        Image.new("RGB", (256, 240), (10, 200, 30)).save(tmp_path / f"theirs-{case}.png")
    rendered = render(beside, frames_dir=tmp_path)
    page = rendered["report.html"].decode()
    assert beside.mustpass.sha256 in page
    assert "nesproof NES 9.9" in page
    assert "<b>1</b> of 3<br>1 cannot" in page
    assert "Status 03 at $6000. Failed #3" in page
    assert page.count("data:image/png") > 3
    assert beside.mustpass.sha256 in rendered["report.json"].decode()
    assert beside.mustpass.sha256 in rendered["junit.xml"].decode()
    assert beside.mustpass.sha256[:12] in rendered["report.md"].decode()
    assert "1 of 4; 1 failed" in rendered["report.md"].decode()


def test_hostile_text_stays_text_on_the_page(make_run: Any, make_evidence: Any) -> None:
    nasty = "<script>alert(1)</script>"
    evidence = make_evidence(make_run("mine", FINE)).model_copy(
        update={"suites": (make_run("mine", {nasty: "passed"}), make_run(nasty, {nasty: "failed"}))}
    )
    page = render(evidence, frames_dir=None)["report.html"].decode()
    assert nasty not in page
    assert "&lt;script&gt;alert(1)" in page
