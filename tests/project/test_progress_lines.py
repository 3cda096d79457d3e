"""What a long stage says of itself where there is no terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from nesproof.harness.cli import live


@pytest.mark.parametrize(("total", "said"), [(None, "playing: 2 done, the last was core"), (9, "playing: 2 of 9")])
def test_no_line_of_a_silent_stage_says_what_the_last_one_did(
    total: int | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_QUIET_S", -1.0)
    out = io.StringIO()
    with live.progress_on(Console(file=out)) as progress:
        progress.begin("playing", total)
        progress.advance("core")
        progress.advance("core")
    lines = out.getvalue().splitlines()
    assert lines[-1] == said
    assert len(set(lines)) == len(lines)
