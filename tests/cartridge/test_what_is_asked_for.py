"""What is asked for in place of the header: taken where it makes sense, said where it differs, refused where not."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from nesproof.emulator import Console, SnapshotError
from nesproof.emulator.cartridge import SUPPORTED_BOARDS, Cartridge, CartridgeError, CartridgeWarning
from nesproof.emulator.cartridge.native import native_arguments, variant_of


def accepted(data: bytes, **asked) -> Cartridge:
    """Loads without any warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return Cartridge.load(data, **asked)


def refused(data: bytes, **asked) -> str:
    """The message of the refusal, which is one sentence."""
    with pytest.raises(CartridgeError) as caught:
        Cartridge.load(data, **asked)
    message = str(caught.value)
    assert message.isprintable()
    assert message.endswith(".")
    assert ". " not in message
    return message


def warned(data: bytes, words: str, **asked) -> Cartridge:
    """Loads with one warning."""
    with pytest.warns(CartridgeWarning, match=words) as caught:
        cartridge = Cartridge.load(data, **asked)
    assert len(caught) == len(cartridge.warnings) == 1
    return cartridge


@pytest.mark.parametrize(
    ("asked", "variant"),
    [
        ({}, 0),
        ({"irq": "sharp"}, 0),
        ({"irq": "nec"}, 1),
        ({"prg_ram": "mmc3"}, 0),
        ({"prg_ram": "mmc6"}, 2),
        ({"irq": "nec", "prg_ram": "mmc6"}, 3),
        ({"submapper": 4}, 1),
        ({"submapper": 1}, 2),
        ({"submapper": 1, "irq": "nec"}, 3),
        ({"submapper": 4, "irq": "sharp"}, 0),
        ({"submapper": 1, "prg_ram": "mmc3"}, 0),
    ],
)
def test_parts_of_an_mmc3_that_ines_1_cannot_name(asked, variant, ines):
    cartridge = accepted(ines(flags6=0x40), **asked)
    assert variant_of(cartridge) == native_arguments(cartridge)["variant"] == variant
    assert cartridge.prg_ram_bytes == (1024 if variant & 2 else 8192)
    assert cartridge.submapper == asked.get("submapper", 0)


@pytest.mark.parametrize("kind", ["reference", "core"])
def test_a_snapshot_goes_only_into_the_cartridge_that_it_is_of(kind, ines):
    data = ines(flags6=0x40)
    choices = ({}, {"irq": "nec"}, {"prg_ram": "mmc6"}, {"submapper": 4}, {"submapper": 4, "irq": "sharp"})
    consoles = [Console(accepted(data, **asked), kind) for asked in choices]
    for console in consoles:
        state = console.save_state()
        for other in consoles:
            if other is console:
                other.load_state(state)
            else:
                with pytest.raises(SnapshotError):
                    other.load_state(state)
    Console(accepted(data, irq="sharp"), kind).load_state(consoles[0].save_state())


def test_what_a_nes_2_header_says_is_overridden_with_a_warning(nes20):
    nec = nes20(mapper=4, submapper=4)
    assert accepted(nec, irq="nec").irq == "nec"
    assert (
        warned(nec, "irq='sharp' is used as asked, where the header's submapper 4 means 'nec'", irq="sharp").irq
        == "sharp"
    )
    mmc6 = nes20(mapper=4, submapper=1, prg_ram_shifts=4)
    cartridge = warned(mmc6, "prg_ram='mmc3' is used as asked, where .* means 'mmc6'", prg_ram="mmc3")
    assert (cartridge.prg_ram, cartridge.prg_ram_bytes) == ("mmc3", 1024)
    cartridge = warned(nec, "submapper 0 is used as asked, where the header declares 4", submapper=0)
    assert (cartridge.submapper, cartridge.irq) == (0, "sharp")


@pytest.mark.parametrize("asked", [{"irq": "sharp"}, {"irq": "nec"}, {"prg_ram": "mmc3"}, {"prg_ram": "mmc6"}])
@pytest.mark.parametrize("mapper", [m for m in SUPPORTED_BOARDS if m != 4])
def test_a_board_without_an_mmc3_has_no_such_parts(mapper, asked, nes20):
    [(name, word)] = asked.items()
    message = refused(nes20(mapper=mapper), **asked)
    assert f"{name}='{word}' was asked for, which only an MMC3 (mapper 4) has" in message
    assert f"(mapper {mapper})" in message


def test_what_is_asked_for_goes_with_the_mapper_that_is_asked_for(ines, nes20):
    cartridge = warned(ines(), "mapper 4 is used as asked, where the header declares 0", mapper=4, irq="nec")
    assert (cartridge.mapper, cartridge.irq) == (4, "nec")
    assert "only an MMC3" in refused(nes20(mapper=4), mapper=0, irq="nec")
    # Another mapper's submapper number means nothing here.
    cartridge = warned(nes20(mapper=4, submapper=4), "mapper 2 is used as asked", mapper=2)
    assert (cartridge.mapper, cartridge.submapper, cartridge.irq) == (2, 0, "sharp")
    cartridge = warned(nes20(mapper=4, submapper=4), "mapper 2 is used as asked", mapper=2, submapper=1)
    assert (cartridge.mapper, cartridge.submapper) == (2, 1)


@pytest.mark.parametrize(
    ("mapper", "submapper", "known"),
    [(0, 1, "0"), (2, 4, "0, 1, 2"), (4, 2, "0, 1, 4"), (34, 3, "0, 1, 2"), (71, 15, "0, 1")],
)
def test_a_submapper_that_means_nothing_is_refused_where_it_is_asked_for(mapper, submapper, known, nes20):
    message = refused(nes20(mapper=mapper), submapper=submapper)
    assert f"submapper {submapper} was asked for" in message
    assert message.endswith(f"is supported with {known}.")


def test_a_board_that_is_stood_in_for_can_be_asked_for(ines):
    assert warned(ines(flags6=0x40), "submapper 3 is an Acclaim MC-ACC", submapper=3).submapper == 0


def test_a_submapper_chooses_among_a_mapper_s_boards(ines):
    header = {"flags6": 0x20, "tail": b"\x20" + bytes(8), "prg_units": 2}
    assert accepted(ines(**header)).board == "BNROM"
    assert accepted(ines(**header), submapper=1).board == "NINA-001"
    assert "NINA-001 (mapper 34)" in refused(ines(**{**header, "prg_units": 8}), submapper=1)
    assert accepted(ines(flags6=0x70, tail=b"\x40" + bytes(8)), submapper=1).board == "BF9097"
    assert "SEROM (mapper 1)" in refused(ines(flags6=0x10, prg_units=8), submapper=5)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"region": "pal"}, "'ntsc' or None"),
        ({"irq": "mmc3"}, "'sharp', 'nec' or None"),
        ({"irq": ""}, "irq=''"),
        ({"irq": 1}, "irq=1"),
        ({"prg_ram": "8k"}, "'mmc3', 'mmc6' or None"),
        ({"prg_ram": "\x1b[31mred\n"}, "prg_ram='"),
        ({"irq": "n" * 10_000}, "irq='nnn"),
    ],
)
def test_words_that_there_are_not_are_refused_whatever_the_file(asked, words, ines):
    for data in (ines(), ines(flags6=0x40), b""):
        message = refused(data, **asked)
        assert words in message
        assert len(message) < 400


def test_pal_cartridges_of_every_board_run_as_ntsc_where_that_is_asked_for(nes20):
    for mapper in SUPPORTED_BOARDS:
        data = nes20(mapper=mapper, timing=1)
        assert "region='ntsc'" in refused(data)
        assert warned(data, "PAL", region="ntsc").mapper == mapper


def test_an_unsupported_mapper_is_refused_before_what_else_is_asked_for(ines):
    assert "mapper 28 was asked for" in refused(ines(), mapper=28, submapper=9, irq="nec")
    assert "mapper 4095 was asked for" in refused(ines(), mapper=4095)


@pytest.mark.parametrize("value", [True, 1.0, float("nan"), "1", [1], {}, np.array([1, 4]), "\x1b[31m1\n"], ids=repr)
@pytest.mark.parametrize("name", ["mapper", "submapper"])
def test_a_number_that_is_none_is_refused_in_one_sentence(name, value, ines):
    largest = {"mapper": 4095, "submapper": 15}[name]
    assert f"it can be an int from 0 to {largest} or None" in refused(ines(flags6=0x40), **{name: value})


def test_numbers_of_any_integer_type_become_ints(ines):
    cartridge = warned(ines(), "mapper 4 is used as asked", mapper=np.int64(4), submapper=np.uint8(1))
    assert (type(cartridge.mapper), type(cartridge.submapper)) == (int, int)
    assert Console(cartridge, "core").digest() == Console(cartridge).digest()


@pytest.mark.parametrize("name", ["region", "irq", "prg_ram"])
@pytest.mark.parametrize("value", [True, 1, b"nec", ["nec"], np.array(["nec", "sharp"]), "\x1b[31mnec\n"], ids=repr)
def test_a_word_that_is_none_is_refused_in_one_sentence(name, value, ines):
    assert "is not supported" in refused(ines(flags6=0x40), **{name: value})


def test_numbers_far_outside_are_refused_in_one_sentence(ines):
    for value in (-1, 4096, 10**30, 10**400, 10**5_000, -(10**5_000), np.int64(-1), np.uint64(2**64 - 1)):
        for name in ("mapper", "submapper"):
            assert "it can be an int from 0 to" in refused(ines(flags6=0x40), **{name: value})
        for name in ("region", "irq", "prg_ram"):
            assert "it can be '" in refused(ines(flags6=0x40), **{name: value})
