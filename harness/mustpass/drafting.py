"""Draft a must-pass list from the suites as they stand, for a version that is yet to be frozen:

python -m nesproof.harness.mustpass.drafting nes-1.1 "nesproof NES 1.1" hardware_roms:cpu/* nestest:*
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import datetime, timezone

from nesproof.harness.mustpass.lists import definition_sha256
from nesproof.harness.suite_run import SuiteCase, SuiteDefinition, expected_cases, load_suite
from nesproof.harness.suite_run.asking import cartridges_of
from nesproof.roms_manifest import Manifest, load_manifest

__all__ = ["draft", "wants_of"]


def draft(name: str, title: str, globs: Sequence[str], *, frozen: str) -> str:
    """The text of a list of the cases that `SUITE:GLOB` name, in their order, each once.

    Raises:
        ConfigurationError: there is no such suite.
    """
    manifest = load_manifest()
    lines: dict[tuple[str, str], str] = {}
    for glob in globs:
        suite, _, pattern = glob.partition(":")
        definition = load_suite(suite)
        for case_id in expected_cases(definition, pattern or "*"):
            lines.setdefault((suite, case_id), _line(definition, definition[case_id], manifest))
    head = [
        f"name = {_text(name)}",
        f"title = {_text(title)}",
        f"frozen = {frozen}",
        'about = """\nWhat the list is about, and what is not in it."""',
        "",
        "case = [",
    ]
    return "\n".join([*head, *lines.values(), "]", ""])


def wants_of(definition: SuiteDefinition, case: SuiteCase, manifest: Manifest) -> tuple[str, ...]:
    """What a subject must declare to be asked the case, in words; "peek or frame" where either will do."""
    wanted = [*dict.fromkeys((*cartridges_of(case, manifest), *definition.capabilities, *case.capabilities))]
    if case.ways:
        wanted.append(" or ".join(" with ".join(way) for way in case.ways))
    return tuple(wanted)


def _line(definition: SuiteDefinition, case: SuiteCase, manifest: Manifest) -> str:
    roms = ", ".join(f"{_text(rom)} = {_text(manifest.files[rom].sha256)}" for rom in case.roms)
    wants = ", ".join(_text(word) for word in wants_of(definition, case, manifest))
    return (
        f"  {{ suite = {_text(definition.name)}, id = {_text(case.id)}, wants = [{wants}], roms = {{ {roms} }}, "
        f"definition = {_text(definition_sha256(case))} }},"
    )


def _text(value: str) -> str:
    return json.dumps(value)


if __name__ == "__main__":
    today = datetime.now(timezone.utc).date().isoformat()
    sys.stdout.write(draft(sys.argv[1], sys.argv[2], sys.argv[3:], frozen=today))
