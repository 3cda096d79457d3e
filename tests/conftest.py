"""What every test starts from."""

from __future__ import annotations

import signal

import pytest


@pytest.fixture(scope="session", autouse=True)
def signals_mean_what_they_mean() -> None:
    """Undo what `nohup` or a shell's `&` does: an ignored signal stays ignored in every process that a test starts."""
    for kind, meaning in (
        (signal.SIGHUP, signal.SIG_DFL),
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGQUIT, signal.SIG_DFL),
        (signal.SIGTERM, signal.SIG_DFL),
    ):
        if signal.getsignal(kind) is signal.SIG_IGN:
            signal.signal(kind, meaning)
