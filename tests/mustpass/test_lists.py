"""The lists that ship are frozen, and the cases that they name are still what they were."""

from __future__ import annotations

import hashlib
from importlib.resources import files

import pytest

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.mustpass import CURRENT, list_names, load_list, record_of
from nesproof.harness.mustpass.drafting import draft, wants_of
from nesproof.harness.mustpass.lists import counts_within, definition_sha256, parse_list
from nesproof.harness.suite_run import load_suite
from nesproof.roms_manifest import load_manifest

FROZEN = {
    "nes-1.0": "5be1a8c4801d940795a87638c68a30ee10eacb659a7036d0a22a3882d032f0b1",
    "nes-1.1": "7e047c0f27ca7a02aaf647e7bbd0aaf617763ca8a1846e3747cd52526fb850c7",
}
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


def test_the_first_list_has_every_nrom_program_that_reports() -> None:
    manifest, definition = load_manifest(), load_suite("hardware_roms")
    reporting = [case for case in definition.cases if case.kind == "report"]
    listed = {case.id for case in load_list("nes-1.0").case if case.suite == "hardware_roms"}
    assert listed == {case.id for case in reporting if manifest[case.roms[0]].mapper == 0}
    assert len(load_list("nes-1.0").case) == 96


def test_the_current_list_has_every_program_that_reports_and_every_card() -> None:
    listed = [(case.suite, case.id) for case in load_list().case]
    reporting = [("hardware_roms", case.id) for case in load_suite("hardware_roms").cases if case.kind == "report"]
    cards = [("cards", case.id) for case in load_suite("cards").cases]
    assert {key for key in listed if key[0] in {"hardware_roms", "cards"}} == {*reporting, *cards}
    assert {key.key for key in load_list("nes-1.0").case} <= {key.key for key in load_list().case}
    assert len(listed) == 96 + 20 + len(cards)


def test_who_is_counted_by_a_list_is_counted_by_an_older_one_within_it() -> None:
    older, newer = load_list("nes-1.0"), load_list("nes-1.1")
    record = record_of(newer)
    assert counts_within(record, older)
    assert not counts_within(record_of(older), newer)
    assert not counts_within(record, newer), "that is the list itself"
    for changes in ({"cases": record.cases[:-1]}, {"sha256": "0" * 64}, {"name": "nes-9.9"}):
        assert not counts_within(record.model_copy(update=changes), older), changes
    other = older.case[0].model_copy(update={"definition": "0" * 64})
    assert not counts_within(record, older.model_copy(update={"case": (other, *older.case[1:])}))


def test_evidence_holds_the_list_whole() -> None:
    listed = load_list()
    record = record_of(listed)
    assert (record.name, record.sha256, record.title) == (listed.name, listed.sha256, "nesproof NES 1.1")
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
    with pytest.raises(ConfigurationError, match=r"there are: nes-1\.0, nes-1\.1"):
        load_list("nes-0.1")
