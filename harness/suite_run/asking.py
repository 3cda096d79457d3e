"""Whether a case can be asked of a subject: what it wants, held against what the subject declares. Nothing is tried."""

from __future__ import annotations

from collections.abc import Collection

from nesproof.harness.subjects.cartridge_settings import SETTINGS_CAPABILITY
from nesproof.harness.suite_run.definition import SuiteCase, SuiteDefinition
from nesproof.roms_manifest import Manifest, RomEntry

__all__ = ["cartridges_of", "lacking"]


def lacking(
    definition: SuiteDefinition, case: SuiteCase, capabilities: Collection[str], *, manifest: Manifest
) -> tuple[str, ...]:
    """What keeps the case from being asked of a subject with these capabilities; nothing where it can be asked.

    Each is a capability of the protocol ("trace", "mapper:4"), several of which one would do ("peek or frame"), or one
    that must not be there ("no mapper:28").
    """
    wanted = dict.fromkeys((*definition.capabilities, *case.capabilities, *cartridges_of(case, manifest)))
    lacks = [capability for capability in wanted if capability not in capabilities]
    ways = [[capability for capability in way if capability not in capabilities] for way in case.ways]
    if ways and all(ways):
        lacks.append(" or ".join(dict.fromkeys(" with ".join(way) for way in ways)))
    lacks += [f"no {capability}" for capability in case.unless if capability in capabilities]
    return tuple(lacks)


def cartridges_of(case: SuiteCase, manifest: Manifest) -> tuple[str, ...]:
    """What the case's cartridges ask of a subject: their boards, without one that the case wants refused, each with
    the submapper that its header names where the program is made for that; and that it can be told what a header does
    not say where an entry of the manifest does.
    """
    entries = [entry for rom in case.roms if (entry := manifest.get(rom)) is not None]
    boards = dict.fromkeys(_board(entry) for entry in entries if entry.mapper is not None)
    settings = [SETTINGS_CAPABILITY] if any(entry.cartridge.given() for entry in entries) else []
    return (*(board for board in boards if board not in case.unless), *settings)


def _board(entry: RomEntry) -> str:
    return f"mapper:{entry.mapper}" if entry.submapper is None else f"mapper:{entry.mapper}.{entry.submapper}"
