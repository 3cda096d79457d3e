"""A Ctrl-C while the command line is still importing itself ends it as one later does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

STARTED = """
import os, signal, sys
from nesproof.harness.cli.entry import main

class Begun:  # what comes before the first import among many finds its way here
    def find_spec(self, name, path=None, target=None):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
sys.meta_path.insert(0, Begun())
sys.argv[0] = "nesproof"
os.write(1, b"up")
main()
"""


@pytest.mark.parametrize("delay_ms", [0, 1, 3, 10, 30, 60, 100, 150, 200])
def test_an_interruption_among_the_imports_leaves_with_one_line(delay_ms: int) -> None:
    arguments = [sys.executable, "-c", STARTED, "doctor"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert os.read(process.stdout.fileno(), 2) == b"up"
        time.sleep(delay_ms / 1_000)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert errors == b"nesproof: Interrupted.\n"


@pytest.mark.parametrize("at", ["make_context", "resolve_command", "invoke", "main"])
def test_an_interruption_on_the_way_to_the_command_leaves_with_one_line(at: str) -> None:
    program = f"""
import signal, sys
from nesproof.harness.cli import app

def interrupted(*_, **__):
    signal.raise_signal(signal.SIGINT)

app._CommandLine.{at} = interrupted
sys.argv[0] = "nesproof"
app.main()
"""
    ended = subprocess.run([sys.executable, "-c", program, "doctor"], capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (130, b"nesproof: Interrupted.\n")


def test_an_interruption_that_the_shell_has_ignored_stays_ignored() -> None:
    program = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{STARTED}"
    with subprocess.Popen(
        [sys.executable, "-c", program, "--version"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert os.read(process.stdout.fileno(), 2) == b"up"
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, b"")
    assert out.startswith(b"nesproof ")
