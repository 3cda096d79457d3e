"""What keeps a case from being asked of a subject: said in words, and never guessed."""

from __future__ import annotations

import pytest

from nesproof.harness.judge.suite import wrongly_left_out
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.suite_run import SuiteCase, SuiteDefinition, lacking, load_suite
from nesproof.harness.suite_run.asking import cartridges_of
from nesproof.roms_manifest import Resolver, load_manifest

PEER = ("ram", "frame", "reset", "mapper:0", "mapper:1")
MMC3 = next(rom.id for rom in load_manifest().values() if rom.mapper == 4)


def lacks_of(declared: tuple[str, ...], suite: tuple[str, ...] = (), **case: object) -> tuple[str, ...]:
    made = SuiteCase.model_validate({"id": "a", **case})
    definition = SuiteDefinition(
        name="mine", title="Mine", oracle="Somebody who knows.", capabilities=suite, case=(made,)
    )
    return lacking(definition, made, declared, manifest=load_manifest())


@pytest.mark.parametrize(
    ("case", "lacks"),
    [
        ({}, ()),
        ({"capabilities": ("ram",)}, ()),
        ({"capabilities": ("trace", "ram", "state")}, ("trace", "state")),
        ({"ways": (("peek",), ("frame",))}, ()),
        ({"ways": (("peek",), ("nametables", "trace"))}, ("peek or nametables with trace",)),
        ({"ways": (("peek",), ("frame", "trace"))}, ("peek or trace",)),
        ({"unless": ("mapper:1",)}, ("no mapper:1",)),
        ({"unless": ("mapper:28",)}, ()),
        ({"roms": ("house/scroller",)}, ()),
        ({"roms": (MMC3,)}, ("mapper:4",)),
        ({"roms": (MMC3,), "unless": ("mapper:4",)}, ()),
        ({"roms": ("nes-test-roms/mmc3_test/5-MMC3",)}, ("mapper:4", "cartridge-settings")),
        ({"roms": ("house/cards/camerica",)}, ("mapper:71",)),
        ({"roms": ("house/cards/fire-hawk", "house/scroller")}, ("mapper:71.1",)),
        ({"roms": ("house/cards/mmc6", "house/cards/mmc3")}, ("mapper:4.1", "mapper:4")),
    ],
)
def test_what_a_case_wants_is_held_against_what_is_declared(case: dict[str, object], lacks: tuple[str, ...]) -> None:
    assert lacks_of(PEER, **case) == lacks


def test_what_the_whole_suite_wants_counts_as_well() -> None:
    assert lacks_of(PEER, suite=("digest",), capabilities=("ram",)) == ("digest",)


def test_a_program_without_a_board_wants_none() -> None:
    suite = load_suite("klaus")
    assert cartridges_of(suite["2a03"], load_manifest()) == ()
    assert lacking(suite, suite["2a03"], ("flat-cpu",), manifest=load_manifest()) == ()


def test_a_peer_that_shows_pictures_and_presses_buttons_can_be_asked_every_program_that_reports() -> None:
    suite, manifest = load_suite("hardware_roms"), load_manifest()
    boards = tuple(f"mapper:{number}" for number in range(256))
    wanting = set()
    for case in suite.cases:
        if case.kind == "report":
            lacks = lacking(suite, case, (*PEER, *boards), manifest=manifest)
            assert set(lacks) <= {"cartridge-settings"}, case.id
            wanting |= {case.roms[0]} if lacks else set()
    # A chip that the file does not name nobody is blamed for who cannot be told of it.
    names = "mmc3_irq_tests/5.MMC3_rev_A", "mmc3_irq_tests/6.MMC3_rev_B", "mmc3_test/5-MMC3", "mmc3_test/6-MMC6"
    assert wanting == {f"nes-test-roms/{name}" for name in names}
    nestest = load_suite("nestest")
    asked = [case.id for case in nestest.cases if not lacking(nestest, case, PEER, manifest=manifest)]
    assert asked == ["menu/official", "menu/unofficial"]


def test_a_card_is_asked_of_whoever_heeds_the_submapper_that_its_header_names() -> None:
    suite, manifest, resolver = load_suite("cards"), load_manifest(), Resolver()
    plain = (*PEER, *(f"mapper:{number}" for number in range(256)))
    told = (*plain, *(f"mapper:{number}.{submapper}" for number in range(256) for submapper in range(1, 16)))
    for case in suite.cases:
        header = resolver.read(case.roms[0])[:16]
        assert header[7] & 0x0C == 0x08, "the card has a NES 2.0 header"
        named = header[8] >> 4
        assert manifest[case.roms[0]].submapper == (named or None), case.id
        variant = f"mapper:{manifest[case.roms[0]].mapper}.{named}"
        assert lacking(suite, case, plain, manifest=manifest) == ((variant,) if named else ()), case.id
        assert lacking(suite, case, told, manifest=manifest) == (), case.id


def test_no_peer_is_asked_for_a_variant_that_it_cannot_be_told() -> None:
    suite, manifest = load_suite("cards"), load_manifest()
    for name in ("nes-py", "nes-py-9", "cynes", "stable-retro", "fceumm"):
        declared = find_subject(name).capabilities
        asked = {case.id for case in suite.cases if not lacking(suite, case, declared, manifest=manifest)}
        assert "nrom/nrom" in asked, name
        assert not asked & {"uxrom/uxrom", "cnrom/cnrom", "bnrom/bnrom", "mmc3/mmc6", "camerica/fire-hawk"}, name


@pytest.mark.parametrize(
    ("word", "declared", "is_right"),
    [
        ("peek", ("ram",), True),
        ("mapper:4.1", ("mapper:4",), True),
        ("mapper:4.1", ("mapper:4", "mapper:4.1"), False),
        ("peek", ("ram", "peek"), False),
        ("peek or nametables with trace", ("ram",), True),
        ("peek or nametables with trace", ("trace",), False),
        ("no mapper:28", ("mapper:28",), True),
        ("no mapper:28", ("mapper:0",), False),
    ],
)
def test_what_a_document_leaves_out_is_held_against_what_was_declared(
    word: str, declared: tuple[str, ...], is_right: bool
) -> None:
    from nesproof.harness.evidence.model import LeftOut, SuiteRun

    run = SuiteRun(
        id="a.mine", suite="a", title="A", oracle="B", subject="mine", expected=(), cases=(),
        cannot_run=(LeftOut(id="x", lacks=(word,)),),
    )  # fmt: skip
    assert (wrongly_left_out(run, declared) is None) is is_right
