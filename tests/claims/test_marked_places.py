"""Marked places: what is one, what is none, and what is refused."""

from __future__ import annotations

import pytest

from nesproof.reports.sentences.markers import MarkerFault, find_places


def places(text: str) -> list[tuple[str, str, int]]:
    return [(place.kind, place.argument, place.line) for place in find_places(text, name="README.md")]


def test_places_of_whole_lines_and_within_a_line_are_found() -> None:
    text = (
        "# Title\n\n<!-- claim: a.b -->\nold\n<!-- end claim -->\n\n"
        "It is <!-- claim-value: a.c -->1<!-- end claim-value --> times.\n\n"
        "<!--claims:  a.*   b.*-->\n<!-- end claims -->\n"
    )
    assert places(text) == [("claim", "a.b", 3), ("claim-value", "a.c", 7), ("claims", "a.* b.*", 9)]


@pytest.mark.parametrize(
    "code",
    [
        "```markdown\n<!-- claim: a.b -->\n```\n",
        "~~~\n<!-- end claim -->\n~~~\n",
        "````\n```\n<!-- claim: a.b -->\n```\n````\n",
        "  - ```\n    <!-- claim: a.b -->\n    ```\n",
        "Write `<!-- claim: a.b -->` before it.\n",
        "Write ``<!-- claim: `a.b` -->`` before it.\n",
        "```\n<!-- claim: a.b -->\nno end",
        "<!-- what follows is a claim about `<!-- nothing` -->\n",
        "<!-- end of the table -->\n",
        "<!-- Claims are written by hand here. -->\n",
    ],
)  # fmt: skip
def test_code_and_other_comments_are_no_markers(code: str) -> None:
    assert places(code) == []


def test_a_marker_behind_code_is_one() -> None:
    text = "```\n<!-- end claim -->\n```\n\nA stray ` and\n\n<!-- claim: a.b -->\n<!-- end claim -->\n"
    assert places(text) == [("claim", "a.b", 7)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<!-- claim: a.b -->\nx\n", r"line 1: 'claim: a.b' is not ended; put <!-- end claim -->"),
        ("x\n\n<!-- end claim -->\n", "line 3: 'end claim' ends what nothing has begun"),
        ("<!-- claim: a.b -->\n<!-- claim: a.c -->\n<!-- end claim -->\n", "line 2: 'claim: a.c' begins before"),
        ("<!-- claim: a.b -->\n<!-- end claims -->\n", "line 2: 'claim: a.b' of line 1 is ended by 'end claims'"),
        ("<!-- claim a.b -->\n<!-- end claim -->\n", "line 1: the comment 'claim a.b' looks like a marker"),
        ("<!-- Claim: a.b -->\n<!-- end claim -->\n", "looks like a marker"),
        ("<!-- claim: -->\n", "looks like a marker"),
        ("<!-- claim-number: a.b -->\n", "looks like a marker"),
        ("It is <!-- claim-value: a.b -->1<!-- end -->.\n", "the comment 'end' looks like a marker"),
        ("It is <!-- claim-value: a.b -->1<!-- end claimvalue -->.\n", "looks like a marker"),
        ("x <!-- claim: a.b \n\n", "line 1: the comment 'claim: a.b' is not ended by -->"),
        ("<!-- claim: a.b -->x<!-- end claim -->\n", "line 1: 'claim: a.b' begins a line"),
        ("- <!-- claim: a.b -->x<!-- end claim -->\n", "begins a line"),
        ("text <!-- claim: a.b -->\nx\n<!-- end claim -->\n", "in the middle of a line"),
        ("| <!-- claims: a.* -->x<!-- end claims --> |\n", "stands on lines of its own"),
    ],
)  # fmt: skip
def test_a_malformed_marker_is_refused_in_one_sentence(text: str, complaint: str) -> None:
    with pytest.raises(MarkerFault, match=complaint) as refused:
        find_places(text, name="README.md")
    message = str(refused.value)
    assert message.startswith("README.md, line ")
    assert message.count(". ") == 0
    assert message.endswith(".")


def test_a_long_hostile_comment_does_not_flood_the_message() -> None:
    with pytest.raises(MarkerFault) as refused:
        find_places(f"<!-- claim: {'a' * 10_000}", name="README.md")
    assert len(str(refused.value)) < 300
