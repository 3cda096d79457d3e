"""What the command line is told of a cartridge: odd values are refused with exit code 2, and nothing is run."""

from __future__ import annotations

import pytest

from nesproof.harness.cli.app import main

HUGE = "9" * 5_000
COMMANDS = (("run", "house/scroller"), ("roms", "info", "house/scroller"), ("kernel", "compile"))


@pytest.mark.parametrize(
    "command",
    [("run", "house/scroller"), ("roms", "info", "house/scroller"), ("kernel", "compile")],
    ids=lambda c: c[0],
)
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--mapper", HUGE), ("--mapper", "-1"), ("--mapper", "4096"), ("--mapper", "1.5"), ("--mapper", "True"),
        ("--submapper", HUGE), ("--submapper", "16"), ("--region", HUGE), ("--region", "1"), ("--irq", HUGE),
        ("--irq", "\x1b[31mnec"), ("--prg-ram", "1.0"), ("--prg-ram", ""),
    ],
)  # fmt: skip
def test_an_odd_value_is_refused(
    command: tuple[str, ...],
    option: str,
    value: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["nesproof", *command, option, value])
    with pytest.raises(SystemExit) as left:
        main()
    shown = capfd.readouterr()
    assert left.value.code == 2
    assert option in shown.err
    assert "Traceback" not in shown.err
    assert "\x1b" not in shown.err
    assert len(shown.err) < 1_500
    assert shown.out == ""
