"""The lists that ship are frozen, and the cases that they name are still what they were."""

from __future__ import annotations

import hashlib
from importlib.resources import files

import pytest

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.mustpass import CURRENT, list_names, load_list, record_of
from nesproof.harness.mustpass.drafting import draft, wants_of
from nesproof.harness.mustpass.lists import definition_sha256, parse_list
from nesproof.harness.suite_run import load_suite
from nesproof.roms_manifest import load_manifest

FROZEN = {"nes-1.0": "5be1a8c4801d940795a87638c68a30ee10eacb659a7036d0a22a3882d032f0b1"}
"""A list's hash never changes: what is to change becomes a list of another version, with a line of its own here."""


def test_every_list_is_frozen() -> None:
    assert set(list_names()) == set(FROZEN)
    assert CURRENT in FROZEN
    for name, sha256 in FROZEN.items():
        data = (files("nesproof.suites") / "mustpass" / f"{name}.toml").read_bytes()
        assert hashlib.sha256(data).hexdigest() == sha256, f"{name} is frozen; make a list of another version"
        assert load_list(name).sha256 == sha256


@pytest.mark.parametrize("name", sorted(FROZEN))
def test_its_cases_are_what_they_were(name: str) -> None:
    manifest = load_manifest()
    for listed in load_list(name).case:
        definition = load_suite(listed.suite)
        case = definition[listed.id]
        assert definition_sha256(case) == listed.definition, f"{listed.key} does something else now"
        assert {rom: manifest.files[rom].sha256 for rom in case.roms} == listed.roms
        assert wants_of(definition, case, manifest) == listed.wants, listed.key


def test_the_current_list_has_every_nrom_program_that_reports() -> None:
    listed = {case.id for case in load_list().case if case.suite == "hardware_roms"}
    assert listed == {case.id for case in load_suite("hardware_roms").cases if case.kind == "report"}
    assert len(load_list().case) == 96


def test_evidence_holds_the_list_whole() -> None:
    listed = load_list()
    record = record_of(listed)
    assert (record.name, record.sha256, record.title) == (listed.name, listed.sha256, "nesproof NES 1.0")
    assert [(c.suite, c.case, c.roms) for c in record.cases] == [(c.suite, c.id, c.roms) for c in listed.case]


def test_a_draft_is_a_list() -> None:
    text = draft("nes-9.9", "A draft", ["nestest:menu/*", "klaus:2a03", "nestest:*"], frozen="2026-01-02")
    found = parse_list(text.encode(), name="nes-9.9")
    assert [case.key for case in found.case] == [
        "nestest:menu/official", "nestest:menu/unofficial", "klaus:2a03", "nestest:automatic/log",
        "nestest:automatic/result-bytes",
    ]  # fmt: skip
    assert found.case[0].wants == ("mapper:0", "nametables or frame")


CASE = '{ suite = "klaus", id = "2a03", roms = { a = "' + "a" * 64 + '" }, definition = "' + "b" * 64 + '" }'
HEAD = 'name = "nes-9.9"\ntitle = "A list"\nfrozen = 2026-01-02\nabout = "What it is about."\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + f"case = [{CASE}, {CASE}]", "a case is listed twice"),
        (HEAD + "case = []", "case"),
        (HEAD + f'colour = "red"\ncase = [{CASE}]', "colour"),
        (HEAD.replace("nes-9.9", "nes-9.8") + f"case = [{CASE}]", "calls itself nes-9.8"),
        (HEAD + "case = [", "malformed"),
        ("x = " + "[" * 5_000, "malformed"),
    ],
)
def test_what_is_no_list_is_refused(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        parse_list(text.encode(), name="nes-9.9")


def test_an_unknown_list_is_named_with_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match=r"there are: nes-1\.0"):
        load_list("nes-0.1")
