"""The project's own sentences: rendered, each number owned, and no claim without its sentence."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nesproof.harness.claims import Claim
from nesproof.harness.claims.registry import load_claims
from nesproof.harness.cli.app import app
from nesproof.reports.sentences import unowned_numbers

ROOT = Path(__file__).parents[2]
RENDERED = ("README.md", "docs/promises.md")


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["claims", "render", *words])
    return done.exit_code, done.output


def unsaid(claims: dict[str, Claim], *texts: str) -> list[str]:
    """Ids of the claims whose sentence, with its threshold, stands in none of the texts."""
    said = " ".join(" ".join(html.unescape(text).replace("\u2060", "").split()) for text in texts)
    return [claim.id for claim in claims.values() if claim.spoken() not in said]


@pytest.mark.parametrize("name", RENDERED)
def test_the_page_says_what_registry_and_evidence_say(name: str) -> None:
    status, output = run(str(ROOT / name), "--check")
    assert status == 0, output


def test_every_number_of_the_readme_is_owned_by_a_claim() -> None:
    assert unowned_numbers((ROOT / "README.md").read_text(encoding="utf-8"), name="README.md") == ()


def test_no_sentence_stands_nowhere() -> None:
    claims = dict(load_claims())
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in RENDERED]
    assert unsaid(claims, *texts) == [], "give docs/promises.md a glob that matches, and run `nesproof claims render`"


def test_a_sentence_that_stands_nowhere_is_noticed() -> None:
    claims = dict(load_claims())
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in RENDERED]
    changed = claims["memory.core.state"].model_copy(update={"at_most": 8000.0})
    assert unsaid({"memory.core.state": changed}, *texts) == ["memory.core.state"]


def test_a_number_that_somebody_types_in_is_noticed(tmp_path: Path) -> None:
    """A promise that is made larger by hand, in a rendered place and outside of one."""
    copy = tmp_path / "promises.md"
    copy.write_bytes((ROOT / "docs" / "promises.md").read_bytes())
    assert run(str(copy))[0] == 0
    page = copy.read_text(encoding="utf-8")
    copy.write_text(re.sub(r"at least 100 times", "at least 1,000 times", page, count=1), encoding="utf-8")
    status, output = run(str(copy), "--check")
    assert status == 1
    assert "does not say what registry and published evidence say" in output
    copy.write_text(page.replace("## Speed", "## Speed, 1,000 times as fast", 1), encoding="utf-8")
    assert run(str(copy), "--check")[0] == 0
    status, output = run(str(copy), "--check", "--every-number")
    assert status == 1
    assert "no claim owns the number in" in output
