"""Where the compiled console is not there, the message says what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nesproof.emulator


def test_a_source_tree_found_before_the_package_is_named_with_the_remedy(tmp_path: Path) -> None:
    # What Python meets when it starts in the folder that a clone named nesproof lies in.
    shutil.copytree(
        Path(nesproof.emulator.__file__).parent,
        tmp_path / "nesproof" / "emulator",
        ignore=shutil.ignore_patterns("_reference*.so", "_reference*.pyd", "__pycache__"),
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", "import nesproof.emulator"], env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode != 0
    assert ended.stderr.splitlines()[-1].endswith("run from another folder, or take it off PYTHONPATH.")
