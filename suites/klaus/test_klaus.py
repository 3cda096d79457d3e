"""Klaus Dormann's functional test on a flat 64 KiB of RAM: where each variant of the CPU must stop, and when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.subjects.client import Subject
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder

_START = 0x0400
_MAX_INSTRUCTIONS = 40_000_000


class Settings(BaseModel):
    """Where the CPU must trap, and after how much where that is known."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    variant: Literal["6502", "2a03"]
    trap: int = Field(ge=0, le=0xFFFF)
    instructions: int | None = None
    cycles: int | None = None
    meaning: str


@pytest.mark.cases("trap")
def test_stops_where_it_must(case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], record: Recorder) -> None:
    settings = Settings.model_validate(case.settings)
    run = subject.run_flat_cpu(settings.variant, roms[case.roms[0]], _START, max_instructions=_MAX_INSTRUCTIONS)
    record.detail("stopped_at", f"${run.pc:04X}")
    record.detail("instructions", run.instructions)
    record.detail("cycles", run.cycles)
    record.detail("meaning", settings.meaning)
    if not run.trapped:
        pytest.fail(f"It did not stop within {_MAX_INSTRUCTIONS} instructions; PC is ${run.pc:04X}.", pytrace=False)
    if run.pc != settings.trap:
        pytest.fail(
            f"It stopped at ${run.pc:04X} after {run.instructions} instructions, not at ${settings.trap:04X} "
            f"({settings.meaning}). A=${run.a:02X} X=${run.x:02X} Y=${run.y:02X} P=${run.p:02X} S=${run.s:02X}. "
            "The test's listing says which check traps there.",
            pytrace=False,
        )
    for name, found, right in (
        ("instructions", run.instructions, settings.instructions),
        ("cycles", run.cycles, settings.cycles),
    ):
        if right is not None and found != right:
            pytest.fail(f"{found} {name} to the trap at ${run.pc:04X}, not {right}.", pytrace=False)
