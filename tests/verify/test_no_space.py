"""A full disk or an unwritable folder: one sentence, exit 5, earlier evidence untouched, nothing half-written."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.evidence import store as store_module
from nesproof.harness.evidence.bundle import open_bundle
from nesproof.harness.evidence.store import Store

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 1536 KiB, where this user may mount one."""
    place = tmp_path / "small"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1536k", "tmpfs", str(place)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("this user may not mount a small file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_is_said_in_one_sentence(world: Any, small_disk: Path) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    arguments = ["verify", "--claims", str(world.root / "claims.toml"), "--claim", "fake.*", "--out", str(small_disk)]
    first = world.run(*arguments)
    assert first.returncode == 0, first.stderr
    (earlier,) = small_disk.iterdir()
    # Leave room enough to start, and not enough for a bundle.
    free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize
    (small_disk / ".filler").write_bytes(b"x" * (free - 24 * 1024))
    second = world.run(*arguments)
    assert second.returncode == 5
    assert "no space left" in second.stderr
    assert "Traceback" not in second.stderr
    assert "1 PASS" in second.stdout
    assert sorted(p.name for p in small_disk.iterdir()) == [".filler", earlier.name]
    assert open_bundle(earlier)


def test_a_disk_full_from_the_start_is_noticed_before_measuring(world: Any, small_disk: Path) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize
    (small_disk / ".filler").write_bytes(b"x" * free)
    done = world.run(
        "verify", "--claims", str(world.root / "claims.toml"), "--claim", "fake.*", "--out", str(small_disk)
    )
    assert done.returncode == 5
    assert "no space left" in done.stderr
    assert "Looking for" not in done.stderr


def test_a_folder_that_cannot_be_made_is_said_in_one_sentence(world: Any) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    (world.root / "file").write_text("no folder")
    done = world.run("verify", "--claims", str(world.root / "claims.toml"), "--out", str(world.root / "file" / "out"))
    assert done.returncode == 5
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int) -> None:
    store = Store(tmp_path / "store")
    earlier = store.save({"evidence.json": b"{}", "logs/a.txt": b"a"}, created=NOW, short_id="11111111")
    written = 0
    real = store_module._write_durably

    def failing(path: Path, data: bytes) -> None:
        nonlocal written
        written += 1
        if written == fails_at:
            path.write_bytes(data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        real(path, data)

    monkeypatch.setattr(store_module, "_write_durably", failing)
    files = {"evidence.json": b"{}", "logs/a.txt": b"a", "manifest.json": b"{}"}
    with pytest.raises(OSError, match="No space left"):
        store.save(files, created=NOW, short_id="22222222")
    assert [p.name for p in store.root.iterdir()] == [earlier.name]


def test_an_interruption_while_writing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "store")

    def interrupted(path: Path, data: bytes) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(store_module, "_write_durably", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.save({"evidence.json": b"{}"}, created=NOW, short_id="22222222")
    assert list(store.root.iterdir()) == []


def test_equal_names_do_not_clobber_each_other(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    first = store.save({"manifest.json": b"1"}, created=NOW, short_id="11111111")
    second = store.save({"manifest.json": b"2"}, created=NOW, short_id="11111111")
    assert first != second
    assert (first / "manifest.json").read_bytes() == b"1"
    assert store.bundles() == sorted([first, second])
