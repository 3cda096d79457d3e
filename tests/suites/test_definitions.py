"""What ships is whole: every suite's data is valid, and no program of the manifest is forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from nesproof.harness.claims.registry import load_claims
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.subjects.replies import is_capability
from nesproof.harness.suite_run import SuiteCase, expected_cases, load_suite, suite_names
from nesproof.harness.suite_run.definition import read_definition, suite_folder
from nesproof.harness.suite_run.shards import share_out
from nesproof.roms_manifest import load_manifest
from nesproof.roms_manifest.protocols import FlatBinary
from nesproof.suites.determinism.play import inputs
from nesproof.suites.hardware_roms.settings import EyeSettings, RefusalSettings, ReportSettings, settings_of
from nesproof.suites.hardware_roms.watchers import WAYS
from nesproof.suites.single_step.errata import OPERAND_READ_MISSING

SHIPPED = [
    "cards", "determinism", "hardware_roms", "independence", "interop", "klaus", "nestest", "parity", "single_step",
    "verdicts",
]  # fmt: skip
REPORTING = {"status-6000", "result-ram", "screen-text", "screen-crc"}


def test_the_suites_that_ship() -> None:
    assert suite_names() == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_each_is_whole(name: str) -> None:
    definition = load_suite(name)
    manifest = load_manifest()
    folder = suite_folder(name)
    assert (folder / "README.md").is_file()
    assert (folder / f"test_{name}.py").is_file()
    assert {rom for case in definition.cases for rom in case.roms} <= set(manifest.files)
    asked = {
        *definition.capabilities,
        *(c for case in definition.cases for c in (*case.capabilities, *case.unless)),
        *(c for case in definition.cases for way in case.ways for c in way),
    }
    assert all(is_capability(capability) for capability in asked)
    assert asked, "a suite that asks nothing of a subject checks nothing"


@pytest.mark.parametrize("name", SHIPPED)
def test_the_overview_counts_its_cases(name: str) -> None:
    overview = (suite_folder(name).parent / "README.md").read_text(encoding="utf-8")
    row = next(line for line in overview.splitlines() if line.startswith(f"| [{name}]"))
    assert int(row.rstrip(" |").rsplit("|", 1)[1]) == len(load_suite(name).cases)


def test_every_reporting_program_is_a_case_in_each_of_its_runs() -> None:
    cases = [case for case in load_suite("hardware_roms").cases if case.kind == "report"]
    have = {(case.roms[0], settings_of(case, ReportSettings).run) for case in cases}
    wanted = {
        (rom.id, run.name)
        for rom in load_manifest().collection("nes-test-roms")
        for run in rom.run
        if run.protocol.kind in REPORTING
    }
    assert have == wanted
    assert len(cases) == len(wanted) == 111


def test_every_program_for_the_eye_and_every_refusal_is_a_case() -> None:
    definition = load_suite("hardware_roms")
    for kind, protocol in (("eye", "eye"), ("refusal", "refusal")):
        have = {case.roms[0] for case in definition.cases if case.kind == kind}
        wanted = {
            rom.id
            for rom in load_manifest().collection("nes-test-roms")
            for run in rom.run
            if run.protocol.kind == protocol
        }
        assert have == wanted
        assert have


def test_hardware_cases_ask_for_what_their_protocol_needs() -> None:
    manifest = load_manifest()
    for case in load_suite("hardware_roms").cases:
        if case.kind == "report":
            name = settings_of(case, ReportSettings).run
            run = next(run for run in manifest[case.roms[0]].run if run.name == name)
            ways = [{*case.capabilities, *way} - {"reset"} for way in case.ways or ((),)]
            assert ways == [set(way) for way in WAYS[run.protocol.kind]], case.id
            assert ("reset" in case.capabilities) == (run.reset_delay_frames is not None), case.id
        elif case.kind == "eye":
            assert {"frame", "frame-indices"} <= set(case.capabilities)
            settings = settings_of(case, EyeSettings)
            assert settings.frames == 600
            assert settings.picture_sha256 is None or set(settings.picture_sha256) != {"0"}, "nobody has looked at it"
        else:
            assert settings_of(case, RefusalSettings).words


def test_hardware_cases_are_grouped_so_that_claims_can_select_them() -> None:
    of_nrom, of_boards = ["cpu", "ppu", "apu", "dma"], {"mmc1": 1, "cnrom": 3, "mmc3": 4}
    groups = [*of_nrom, *of_boards, "eye", "refusal"]
    cases = expected_cases("hardware_roms")
    manifest, definition = load_manifest(), load_suite("hardware_roms")
    for group, mapper in {**dict.fromkeys(of_nrom, 0), **of_boards}.items():
        roms = [rom for case in expected_cases("hardware_roms", f"{group}/*") for rom in definition[case].roms]
        assert {manifest[rom].mapper for rom in roms} == {mapper}, group
    assert {case.split("/")[0] for case in cases} == set(groups)
    assert sum(len(expected_cases("hardware_roms", f"{group}/*")) for group in groups) == len(cases)


def test_single_step_has_every_opcode_that_there_are_vectors_of() -> None:
    every = load_suite("single_step").cases
    cases, without_bus = (tuple(c for c in every if c.kind == kind) for kind in ("opcode", "state"))
    assert [(f"state/{c.id}", c.settings) for c in cases] == [(c.id, c.settings) for c in without_bus]
    assert all("flat-cpu-bus" in case.capabilities for case in cases)
    assert tuple(case.id for case in cases) == expected_cases("single_step", load_claims()["cpu.single-step"].cases)
    opcodes = [case.settings["opcode"] for case in cases]
    assert sorted(load_manifest().vectors.sha256_by_opcode) == opcodes
    assert all(case.id.startswith(f"{opcode:02x} ") for case, opcode in zip(cases, opcodes, strict=True))
    assert tuple(case.settings["opcode"] for case in cases if "erratum" in case.settings) == OPERAND_READ_MISSING


def test_klaus_agrees_with_the_manifest() -> None:
    protocol = load_manifest()["klaus/6502_functional_test"].run[0].protocol
    assert isinstance(protocol, FlatBinary)
    stock, nes = load_suite("klaus").cases
    assert (stock.settings["trap"], nes.settings["trap"]) == (protocol.trap_6502, protocol.trap_2a03)
    assert stock.settings["instructions"] == protocol.instructions_6502
    assert stock.settings["cycles"] == protocol.cycles_6502


def test_a_glob_selects_in_the_suites_order() -> None:
    assert expected_cases("klaus", "*") == ("6502", "2a03")
    assert expected_cases("klaus", "2a*") == ("2a03",)
    assert expected_cases("klaus", "nothing*") == ()


def test_inputs_are_the_same_for_every_length() -> None:
    assert (inputs(600)[:120] == inputs(120)).all()
    assert {0x08, 0x80, 0x81} <= set(inputs(240).tolist())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ('colour = "red"\n[[case]]\nid = "a"\n', "colour"),
        ("case = []\n", "case"),
        ('[[case]]\nid = "a"\n[[case]]\nid = "a"\n', "two cases have the id 'a'"),
        ('[[case]]\nid = "../a"\n', "id"),
        ('[[case]]\nid = "a"\ncost = 0\n', "cost"),
        ("[[case]\n", "malformed"),
        ("x = " + "[" * 5_000 + "]" * 5_000, "malformed"),
        ("x = " + "9" * 5_000, "malformed"),
    ],
)
def test_malformed_definitions_are_refused(tmp_path: Path, change: str, said: str) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    head = 'name = "mine"\ntitle = "A title"\noracle = "Somebody who knows."\n'
    (folder / "suite.toml").write_text(head + change)
    with pytest.raises(ConfigurationError, match="Suite mine is malformed") as fault:
        read_definition(folder)
    assert said in str(fault.value)


def test_a_suite_must_have_its_folders_name(tmp_path: Path) -> None:
    folder = tmp_path / "yours"
    folder.mkdir()
    (folder / "suite.toml").write_text((suite_folder("klaus") / "suite.toml").read_text())
    with pytest.raises(ConfigurationError, match="calls itself klaus"):
        read_definition(folder)


def test_shares_are_even_and_whole() -> None:
    cases = [SuiteCase(id=f"c{n}", cost=cost) for n, cost in enumerate([9, 1, 1, 1, 5, 4])]
    shares = share_out(cases, 2)
    assert sorted(case for share in shares for case in share) == [case.id for case in cases]
    costs = {case.id: case.cost for case in cases}
    assert sorted(sum(costs[c] for c in share) for share in shares) == [10, 11]
    assert share_out(cases[:1], 8) == [["c0"]]
    assert share_out([], 2) == []
