"""What stands in a marked place: the claim's words, the newest published measurement, and nothing that is markup."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import pytest

from nesproof.harness.claims import Claim, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.reports.sentences import MarkerFault, render_document

Make = Callable[..., Any]
BLOCK = "# Title\n\n<!-- claim: mine.speed -->\nold words\n<!-- end claim -->\nafter\n"
INLINE = "at least <!-- claim-value: mine.speed -->1<!-- end claim-value --> times\n"
TABLE = "<!-- claims: mine.* -->\n<!-- end claims -->\n"
SENTENCE = "It runs at least 12.5 times as fast as before."
WHERE = "Test CPU, 2 cores, 8 GiB, commit `5f674aa0c1d2`, 2026-11-30"


def rendered(text: str, claims: dict[str, Claim], *published: Evidence) -> str:
    made = render_document(text, name="README.md", claims=claims, published=published)
    again = render_document(made.text, name="README.md", claims=claims, published=published)
    assert (again.text, again.differing) == (made.text, ())
    return made.text


def test_without_evidence_the_sentence_says_so(registry: dict[str, Claim]) -> None:
    expected = f"{SENTENCE} Not measured in published evidence yet."
    assert rendered(BLOCK, registry) == BLOCK.replace("old words", expected)
    assert rendered(INLINE, registry) == INLINE.replace("-->1<", "-->12.5<")
    measured = "It was <!-- claim-measured: mine.speed --><!-- end claim-measured -->.\n"
    assert "-->not measured in published evidence yet<!--" in rendered(measured, registry)


def test_what_was_measured_comes_with_machine_commit_and_day(
    registry: dict[str, Claim], record: Make, document: Make
) -> None:
    text = rendered(BLOCK, registry, document(record(registry["mine.speed"])))
    assert text == BLOCK.replace("old words", f"{SENTENCE} Measured: 13 x (12.9 to 13.1) on {WHERE}.")


def test_the_newest_measurement_stands_whatever_its_verdict(
    registry: dict[str, Claim], record: Make, document: Make
) -> None:
    speed = registry["mine.speed"]
    older, newer = document(record(speed), day=1), document(record(speed, Verdict.FAIL, "9 x (8 to 10)"), day=2)
    for order in ((older, newer), (newer, older)):
        assert "Measured: **FAIL**, 9 x (8 to 10) on" in rendered(BLOCK, registry, *order)
    empty = document(record(speed, Verdict.NOT_APPLICABLE, None), day=3)
    assert "9 x (8 to 10)" in rendered(BLOCK, registry, older, newer, empty)


@pytest.mark.parametrize(
    "other",
    [
        {"workload": "busy@1"},
        {"subject": "core-hostsim"},
        {"candidate_run": {"draw": "none"}},
        {"id": "mine.speed@nes-py"},
    ],
)
def test_another_question_is_no_answer(
    registry: dict[str, Claim], record: Make, document: Make, other: dict[str, Any]
) -> None:
    asked = Claim.model_validate({**registry["mine.speed"].model_dump(), **other})
    assert "Not measured" in rendered(BLOCK, registry, document(record(asked)))


def test_a_made_up_document_measures_nothing(registry: dict[str, Claim], record: Make, document: Make) -> None:
    invented = document(record(registry["mine.speed"]), fixture="Made up for a test.")
    assert "Not measured" in rendered(BLOCK, registry, invented)


def test_another_threshold_and_a_weaker_check_are_said(
    registry: dict[str, Claim], record: Make, document: Make
) -> None:
    then = registry["mine.speed"].model_copy(update={"at_least": 11.0})
    text = rendered(BLOCK, registry, document(record(then, caveat="weaker check: RAM and frame counter")))
    assert "13 x (12.9 to 13.1); weaker check; judged against ` 11 ` on" in text


def test_a_table_has_every_claim_and_names_each_source_once(
    registry: dict[str, Claim], record: Make, document: Make
) -> None:
    suite, speed = registry["mine.suite"], registry["mine.speed"]
    text = rendered(TABLE, registry, document(record(speed), record(suite, measured="7 of 7 cases")))
    assert f"| `mine.speed` | {SENTENCE} | 13 x (12.9 to 13.1) (1) |" in text
    assert "| `mine.suite` UNPROVEN | Every opcode does what it should. | 7 of 7 cases (1) |" in text
    assert text.count("(1) Test CPU") == 1
    assert "not measured in published evidence yet |" in rendered(TABLE, registry, document(record(speed)))


def test_a_table_follows_the_order_of_its_globs(registry: dict[str, Claim]) -> None:
    text = rendered(TABLE.replace("mine.*", "mine.suite mine.*"), registry)
    assert text.index("| `mine.suite`") < text.index("| `mine.speed`")
    assert text.count("| `mine.suite`") == 1


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_lies_outside_stays_as_it_is(registry: dict[str, Claim], newline: str) -> None:
    around = "\ufeff odd \t ``unbalanced\u2028\n\n> <!-- claim: mine.speed -->\n> old\n> <!-- end claim -->\n\nlast"
    text = around.replace("\n", newline)
    made = rendered(text, registry)
    head, tail = text.split("> old")
    assert made.startswith(head)
    assert made.endswith(tail)
    assert made == f"{head}> {SENTENCE} Not measured in published evidence yet.{tail}"


def test_a_place_in_a_list_keeps_its_indentation(registry: dict[str, Claim]) -> None:
    text = "- <!-- claim-sentence: mine.speed -->\n<!-- end claim-sentence -->\n"
    wanted = f"- <!-- claim-sentence: mine.speed -->\n  {SENTENCE}\n  <!-- end claim-sentence -->\n"
    assert rendered(text, registry) == wanted


HOSTILE = (
    "</td><script>alert(1)</script> | x | <!-- end claim --> `code` **b** [l](http://e.vil) @you #1 \x1b[31m\u202e\nnew"
)


def test_evidence_and_claims_are_text_and_no_markup(registry: dict[str, Claim], record: Make, document: Make) -> None:
    speed = Claim.model_validate({**registry["mine.speed"].model_dump(), "sentence": f"{{value}} {HOSTILE}"})
    claims = {**registry, "mine.speed": speed}
    hostile = record(speed, measured=HOSTILE, caveat=HOSTILE)
    evidence = document(hostile)
    evidence = evidence.model_copy(update={"machine": evidence.machine.model_copy(update={"cpu_model": HOSTILE[:200]})})
    for text in (BLOCK, TABLE):
        made = rendered(text, claims, evidence)
        rendered_part = made[made.index("-->") + 3 : made.rindex("<!--")]
        assert not set("<>[]*") & set(rendered_part.replace("**", ""))
        assert "**" not in rendered_part
        assert "\x1b" not in made
        assert "\u202e" not in made
        assert "alert(1)" in html.unescape(rendered_part)  # shown, not dropped
    row = next(
        line for line in rendered(TABLE, claims, evidence).splitlines() if "mine.speed" in line and "|" in line[:2]
    )
    assert row.count("|") == 4


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (BLOCK.replace("mine.speed", "mine.sped"), "line 3: there is no claim 'mine.sped'; did you mean mine.speed?"),
        (BLOCK.replace("mine.speed", "zzz"), "there is no claim 'zzz'; `nesproof claims list`"),
        (TABLE.replace("mine.*", "mine.* other.*"), "line 1: no claim matches 'other"),
        (INLINE.replace("mine.speed", "mine.suite"), "line 1: the claim mine.suite promises no number"),
    ],
)
def test_a_place_for_what_does_not_exist_is_refused(registry: dict[str, Claim], text: str, complaint: str) -> None:
    with pytest.raises(MarkerFault, match=complaint.replace("*", r"\*").replace("?", r"\?")):
        rendered(text, registry)
