"""Odd home, user and host names, local paths and what careless programs print of them appear nowhere in a bundle."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

HOME, USER, HOST = "odd-home-qzx", "oddusrqzx", "oddhostqzx"


def test_nothing_in_a_bundle_names_the_place(world: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("base") / HOME
    home.mkdir()
    words = f"{home}/secret {USER}@{HOST} {HOST}.example.org {world.root}/x (cwd={world.root})"
    world.add_suite("careless", "pass", "say-secrets", "fail")
    world.add_suite("dies", "die")
    world.add_subject("broken", start="die")
    world.add_claim("fake.careless", suite="careless")
    world.add_claim("fake.dies", suite="dies")
    world.add_claim("fake.broken", suite="dies", subject="broken")
    environment = {
        **world.env,
        "HOME": str(home),
        "USER": USER,
        "LOGNAME": USER,
        "HOSTNAME": HOST,
        "CANARY_WORDS": words,
        "NESPROOF_HOME": str(home / "nesproof"),
    }
    command = world.command(*world.verify_arguments())
    if (
        shutil.which("unshare")
        and subprocess.run(["unshare", "-u", "true"], check=False, capture_output=True).returncode == 0
    ):
        rename = "import os, socket, sys; socket.sethostname(sys.argv[1]); os.execv(sys.argv[2], sys.argv[2:])"
        command = ["unshare", "-u", sys.executable, "-c", rename, HOST, *command]
    done = subprocess.run(
        command, env=environment, cwd=world.root, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1, done.stderr
    bundle = world.bundle()
    assert any(name.startswith("logs/") for name in bundle.files)
    log = b"".join(data for name, data in bundle.files.items() if name.startswith("logs/"))
    assert b"words" in log or b"secret" in log, "the careless words never reached a log: this test tests nothing"
    for name, data in bundle.files.items():
        text = data.decode("utf-8", errors="replace").lower()
        for word in (HOME, USER, HOST, str(world.root).lower(), os.sep + "pytest-of-"):
            assert word not in text, f"{word} is in {name}"
