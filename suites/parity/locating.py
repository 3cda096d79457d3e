"""From "this frame differs" to the instruction: the search, and what it leaves for people and for a replay."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.subjects.client import Subject
from nesproof.suites.parity.divergence import Divergence, Place
from nesproof.suites.parity.field_differences import FieldDifference, field_differences
from nesproof.suites.parity.following import Parting
from nesproof.suites.parity.pictures import first_difference, side_by_side
from nesproof.suites.parity.reproduction import Reproduction, packed_state
from nesproof.suites.parity.unit_search import BlockFound, FrameUnits, find_block, units_of_frame
from nesproof.suites.parity.windows import instruction_at, trace_window

__all__ = ["Played", "locate", "locate_from"]

_LAST_LINE = 240


@dataclass(frozen=True)
class Played:
    """What both subjects were given: the cartridge, each frame's buttons from power-on (uint8 [F, 2]), and the lane.

    `rom_id` is the manifest's, or `program` the number of a random program.
    """

    rom: bytes
    buttons: NDArray[np.uint8]
    rom_id: str | None = None
    program: int | None = None
    lane: int = 0


def locate(one: Subject, other: Subject, played: Played, parting: Parting) -> Divergence:
    """Find where `one` and `other` part; both have the cartridge in, and end in whatever state.

    The frame comes from `parting`. It is run unit by unit with a digest after each. Where all units agree and `one` has
    blocks, the block is looked for; and else the frame as a whole is all there is to say.
    """
    stretch = played.buttons[parting.equal_frames : parting.frame]
    states = _before_the_frame(one, parting.one, stretch), _before_the_frame(other, parting.other, stretch)
    held = int(played.buttons[parting.frame, 0]), int(played.buttons[parting.frame, 1])
    return locate_from((one, other), states, held, played, frame=parting.frame)


def locate_from(
    subjects: tuple[Subject, Subject],
    states: tuple[bytes, bytes],
    held: tuple[int, int],
    played: Played,
    *,
    frame: int,
    at_least_units: int = 0,
) -> Divergence:
    """Find where two subjects part that go on from `states` with buttons `held`, in `frame` or `at_least_units` on."""
    one, other = subjects
    pixel, picture, ends = _frame_of_both(subjects, states, np.array([held], np.uint8))
    found = _Found(Place("frame", played.lane, frame, *_place_of(pixel)), "", _fields(subjects, *ends), "")
    blocks = None
    if all("units" in subject.capabilities for subject in subjects):
        units = units_of_frame(subjects, states, held, at_least_units=at_least_units)
        close_up = _CloseUp(subjects, states, held, units)
        if units.parted is not None:
            found = _by_unit(close_up, found.place)
        elif "blocks" in one.capabilities and (block := find_block(one, states[0], held, units)) is not None:
            blocks = block.blocks
            found = _by_block(close_up, block, found.place)
        else:
            close_up.after(units.last)
            found = replace(found, window=_window(close_up, units.last, units.last))
    return Divergence(
        subjects=(one.name, other.name),
        place=found.place,
        instruction=found.instruction,
        fields=found.fields,
        window=found.window,
        pixel=pixel,
        picture=picture,
        reproduction=Reproduction(
            rom=played.rom_id,
            program=played.program,
            rom_sha256=hashlib.sha256(played.rom).hexdigest(),
            subjects=(one.name, other.name),
            lane=played.lane,
            frame=frame,
            buttons=held,
            unit=None if found.place.last_unit is None else found.place.last_unit + 1,
            blocks=blocks,
            states=(packed_state(states[0]), packed_state(states[1])),
            history=played.buttons[: frame + 1].tobytes().hex(),
        ),
    )


@dataclass(frozen=True)
class _Found:
    place: Place
    instruction: str
    fields: tuple[FieldDifference, ...]
    window: str


def _before_the_frame(subject: Subject, state: bytes, buttons: NDArray[np.uint8]) -> bytes:
    subject.load_state(state)
    if len(buttons):
        subject.follow(buttons)  # looked at after each frame, as when they were found to part
    return subject.save_state()


def _frame_of_both(
    subjects: tuple[Subject, Subject], states: tuple[bytes, bytes], buttons: NDArray[np.uint8]
) -> tuple[tuple[int, int] | None, NDArray[np.uint8], tuple[bytes, bytes]]:
    """The first differing pixel, the picture for people, and the states at the frame's end."""
    rgb, indices, ends = [], [], []
    for subject, state in zip(subjects, states, strict=True):
        subject.load_state(state)
        subject.follow(buttons, pictures=True)
        rgb.append(subject.read_frame())
        indices.append(subject.read_frame_indices())
        ends.append(subject.save_state())
    picture = side_by_side((rgb[0], rgb[1]), (indices[0], indices[1]))
    return first_difference(indices[0], indices[1]), picture, (ends[0], ends[1])


def _place_of(pixel: tuple[int, int] | None) -> tuple[int, int]:
    """Scanline and dot at which a pixel is drawn, or at which a frame ends."""
    return (_LAST_LINE + 1, 1) if pixel is None else (pixel[0], pixel[1] + 1)


def _fields(subjects: tuple[Subject, Subject], one: bytes, other: bytes) -> tuple[FieldDifference, ...]:
    """The fields by name, where a subject can tell them and both save states of that form."""
    if one == other:
        return ()
    for subject in subjects:
        if "units" in subject.capabilities:
            fields = subject.units.state_fields()
            if len(one) == len(other) == fields.dtype.itemsize:
                return field_differences(one, other, fields)
    return ()


def _after_units(subject: Subject, state: bytes, buttons: tuple[int, int], units: int) -> bytes:
    subject.load_state(state)
    subject.units.run(units, buttons=buttons)
    return subject.save_state()


@dataclass(frozen=True)
class _CloseUp:
    """The frame in question, unit by unit on both subjects."""

    subjects: tuple[Subject, Subject]
    states: tuple[bytes, bytes]
    held: tuple[int, int]
    units: FrameUnits

    def after(self, units: int) -> tuple[bytes, bytes]:
        """Both states after so many units; the subjects stand there then."""
        one, other = (_after_units(s, t, self.held, units) for s, t in zip(self.subjects, self.states, strict=True))
        return one, other


def _by_unit(frame: _CloseUp, place: Place) -> _Found:
    unit = frame.units.parted
    assert unit is not None
    fields = _fields(frame.subjects, *frame.after(unit + 1))
    frame.after(max(0, unit))
    row = frame.units.rows[0][max(0, unit)]
    instruction = "the reset sequence" if unit < 0 else instruction_at(frame.subjects[0], int(row["pc"]))
    return _Found(_place_in("unit", place, row, unit, unit), instruction, fields, _window(frame, unit, unit))


def _by_block(frame: _CloseUp, block: BlockFound, place: Place) -> _Found:
    one, other = frame.subjects
    one.load_state(frame.states[0])
    one.units.run_blocks(block.blocks, buttons=frame.held)
    after_blocks = one.save_state()
    fields = _fields(frame.subjects, after_blocks, _after_units(other, frame.states[1], frame.held, block.last + 1))
    frame.after(block.first)
    row = frame.units.rows[0][block.first]
    return _Found(
        _place_in("block", place, row, block.first, block.last),
        instruction_at(other, int(row["pc"])),
        fields,
        _window(frame, block.first, block.last),
    )


def _place_in(found_by: str, frame: Place, row: np.void, first: int, last: int) -> Place:
    return Place(
        "block" if found_by == "block" else "unit",
        frame.lane,
        frame.frame,
        scanline=int(row["scanline"]),
        dot=int(row["dot"]),
        unit=first,
        last_unit=last,
        cycle=int(row["cycle"]),
        pc=int(row["pc"]),
    )


def _window(frame: _CloseUp, first: int, last: int) -> str:
    names = (frame.subjects[0].name, frame.subjects[1].name)
    return trace_window(names, frame.subjects, frame.units.rows, first, last)
