"""Badges, held against what shields.io's endpoint takes: it refuses unknown keys and an empty message."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from nesproof.harness.claims import ExitCode, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import MustPassRecord
from nesproof.harness.evidence.mustpass import MustPassCase
from nesproof.reports.export import export
from nesproof.reports.format import Material
from nesproof.reports.plain_text import plain_evidence
from nesproof.reports.shields import Badge, badges

COLOURS = ("brightgreen", "green", "yellowgreen", "yellow", "orange", "red", "lightgrey", "blue")
ENDPOINT: dict[str, Any] = {
    "type": "object",
    "required": ["schemaVersion", "label", "message"],
    "properties": {
        "schemaVersion": {"const": 1},
        "label": {"type": "string"},
        "message": {"type": "string", "minLength": 1},
        "color": {"enum": list(COLOURS)},
        "labelColor": {"type": "string"},
        "isError": {"type": "boolean"},
        "namedLogo": {"type": "string"},
        "logoSvg": {"type": "string"},
        "style": {"type": "string"},
        "cacheSeconds": {"type": "integer", "minimum": 0},
    },
    "additionalProperties": False,
}
"""As https://shields.io/badges/endpoint-badge describes it; colours are its named ones."""


def files(evidence: Evidence) -> dict[str, dict[str, Any]]:
    made = export(Material(plain_evidence(evidence), frames_dir=None, bundle_id=None), "shields")
    found = {name: json.loads(data) for name, data in made.items()}
    for document in found.values():
        jsonschema.Draft202012Validator(ENDPOINT).validate(document)
    return found


@pytest.fixture(scope="module")
def clean(evidence: Evidence) -> Evidence:
    return evidence.model_copy(update={"source": evidence.source.model_copy(update={"dirty": False})})


def test_there_is_a_badge_of_the_run_and_of_each_selected_claim(clean: Evidence) -> None:
    found = files(clean)
    claims = {f"claim-{r.claim.id}.json" for r in clean.claims if r.selected}
    assert set(found) == {"overall.json", *claims}
    assert all(re.fullmatch(r"[A-Za-z0-9@._-]+\.json", name) for name in found)


def test_the_badge_of_the_run_names_everything_that_is_not_well(clean: Evidence) -> None:
    badge = files(clean)["overall.json"]
    counts = clean.counts()
    assert badge["color"] == "red"
    assert badge["message"].startswith(f"{counts[Verdict.PASS]} claims pass, {counts[Verdict.FAIL]} fail")
    passing = tuple(r for r in clean.claims if r.verdict is Verdict.PASS)
    good = clean.model_copy(update={"claims": passing, "falsification": None, "exit_code": ExitCode.OK})
    assert badges(good)["overall.json"] == Badge("nesproof", f"{len(passing)} claims pass", "brightgreen")
    one = good.model_copy(update={"claims": passing[:1]})
    assert badges(one)["overall.json"].message == "1 claim passes"


@pytest.mark.parametrize("exit_code", list(ExitCode))
def test_green_is_a_run_that_is_well_and_no_other(clean: Evidence, exit_code: ExitCode) -> None:
    badge = badges(clean.model_copy(update={"exit_code": exit_code}))["overall.json"]
    assert (badge.colour == "brightgreen") is (exit_code is ExitCode.OK)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_green_is_a_claim_that_passed_and_no_other(clean: Evidence, verdict: Verdict) -> None:
    record = clean.claims[0].model_copy(update={"verdict": verdict, "selected": True})
    badge = badges(clean.model_copy(update={"claims": (record,)}))[f"claim-{record.claim.id}.json"]
    assert (badge.colour == "brightgreen") is (verdict is Verdict.PASS)
    assert (badge.message == record.measured) is (verdict is Verdict.PASS)


def test_conformance_counts_the_list_and_names_waivers_apart(clean: Evidence) -> None:
    cases = tuple(MustPassCase(suite="klaus", case=case) for case in ("6502", "2a03"))
    listed = clean.model_copy(update={"mustpass": MustPassRecord(name="nes-1.0", sha256="ab" * 32, cases=cases)})
    assert badges(listed)["conformance-reference.json"] == Badge("nes-1.0: reference", "2 of 2", "brightgreen")
    more = (*cases, MustPassCase(suite="hardware_roms", case="ppu/vbl_nmi/05-nmi_timing"))
    listed = clean.model_copy(update={"mustpass": MustPassRecord(name="nes-1.0", sha256="ab" * 32, cases=more)})
    assert badges(listed)["conformance-reference.json"] == Badge("nes-1.0: reference", "2 of 3", "red")


CHANGES: list[tuple[Callable[[Evidence], Evidence], str]] = [
    (lambda e: e.model_copy(update={"fixture": "drawn by hand"}), "fixture"),
    (lambda e: e.model_copy(update={"source": e.source.model_copy(update={"dirty": True})}), "uncommitted changes"),
    (lambda e: e.model_copy(update={"interrupted": True}), "interrupted"),
]


@pytest.mark.parametrize(("change", "note"), CHANGES)
def test_what_may_not_stand_alone_says_so_in_every_badge(
    clean: Evidence, change: Callable[[Evidence], Evidence], note: str
) -> None:
    for badge in badges(change(clean)).values():
        assert badge.message.startswith(f"{note}, ")
        assert badge.colour == "lightgrey"


def test_hostile_and_long_words_make_a_short_line(clean: Evidence) -> None:
    hostile = "\x1b[31m<svg onload=x>\n\u202e" + "m" * 3_000
    record = clean.claims[0].model_copy(update={"measured": hostile})
    for measured in (hostile, "", " ", "\n"):
        record = record.model_copy(update={"measured": measured})
        odd = clean.model_copy(update={"claims": (record,)})
        badge = files(odd)[f"claim-{record.claim.id}.json"]
        assert badge["message"].isprintable()
        assert 0 < len(badge["message"]) <= 80


def test_equal_evidence_gives_equal_bytes(clean: Evidence) -> None:
    assert files(clean) == files(Evidence.model_validate_json(clean.model_dump_json()))
