"""Runs a divergence again: `python -m nesproof.suites.parity.replay FILE [SUBJECT [SUBJECT]]`.

Without subjects those that parted are taken. The exit code is 0 where they agree now, 1 where they still differ, and 2
where the file or the cartridge is at fault.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import numpy as np

from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.roms_manifest import Resolver
from nesproof.roms_manifest.errors import RomError
from nesproof.suites.parity.divergence import Divergence
from nesproof.suites.parity.locating import Played, locate_from
from nesproof.suites.parity.random_programs import program
from nesproof.suites.parity.reproduction import Reproduction, read_reproduction

__all__ = ["replay"]


def replay(found: Reproduction, one: Subject, other: Subject) -> Divergence | None:
    """Run the frame again on both from the saved states; where they part now, or None.

    Raises:
        ConfigurationError: the cartridge is not at hand.
        SubjectRefused: the cartridge or a state is not one for these subjects.
    """
    rom = _rom_of(found)
    for subject in (one, other):
        subject.load(rom)
        subject.power_on()
    states = found.unpacked_states()
    buttons = np.frombuffer(bytes.fromhex(found.history), np.uint8).reshape(-1, 2)
    ends = []
    for subject, state in zip((one, other), states, strict=True):
        subject.load_state(state)
        digests, pictures = subject.follow(np.array([found.buttons], np.uint8), pictures=True)
        assert pictures is not None
        ends.append((int(digests[0]), int(pictures[0])))
    played = Played(rom, buttons, rom_id=found.rom, program=found.program, lane=found.lane)
    units = found.unit or 0
    divergence = locate_from((one, other), states, found.buttons, played, frame=found.frame, at_least_units=units)
    return None if ends[0] == ends[1] and divergence.place.found_by == "frame" else divergence


def _rom_of(found: Reproduction) -> bytes:
    if found.program is not None:
        rom, name = program(found.program), f"random program {found.program}"
    elif found.rom is not None:
        name = found.rom
        try:
            rom = Resolver().read(found.rom)
        except (RomError, KeyError) as fault:
            raise ConfigurationError(f"The cartridge {name} is not at hand: {fault}") from fault
    else:
        raise ConfigurationError("The file names no cartridge.")
    if hashlib.sha256(rom).hexdigest() != found.rom_sha256:
        raise ConfigurationError(f"{name} is another file than the one that the divergence was found with.")
    return rom


def main(arguments: list[str]) -> int:
    """Replay the file named first on the subjects named after it; the exit code."""
    if not 1 <= len(arguments) <= 3:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    try:
        found = read_reproduction(Path(arguments[0]).read_bytes())
        names = [*arguments[1:], *found.subjects[len(arguments) - 1 :]]
        with open_subject(names[0]) as one, open_subject(names[1]) as other:
            divergence = replay(found, one, other)
    except (HarnessError, OSError) as fault:
        sys.stderr.write(f"{fault}\n")
        return 2
    sys.stdout.write(f"{names[0]} and {names[1]} agree.\n" if divergence is None else f"{divergence.text()}\n")
    return 0 if divergence is None else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
