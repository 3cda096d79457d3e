"""A file that a command writes is whole or absent, and a pipe or device keeps being one."""

import os
import stat
import threading
from pathlib import Path

import pytest

from nesproof.harness.cli.output_target import write_target
from nesproof.harness.whole_file import replacing, write_whole


def test_an_older_file_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    target.write_bytes(b"an older and longer one")
    write_whole(target, b"new")
    assert target.read_bytes() == b"new"
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


def test_a_fault_half_way_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    target.write_bytes(b"older")

    def break_off() -> None:
        with replacing(target) as out:
            out.write(b"half of the new o")
            raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        break_off()
    assert target.read_bytes() == b"older"
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


def test_json_goes_into_a_pipe_and_does_not_take_its_place(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_target(str(pipe), b"{}\n")
    reader.join(10)
    assert received == [b"{}\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
