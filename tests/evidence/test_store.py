"""Two runs at once do not clobber each other, and a full disk is said by its place."""

from __future__ import annotations

import errno
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

import pytest

from nesproof.harness.evidence import store as store_module
from nesproof.harness.evidence.store import Store

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
RUNS = 12


def test_runs_of_one_second_and_one_name_all_keep_their_bundle(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    together = threading.Barrier(RUNS)

    def save(number: int) -> Path:
        files = {name: f"{number} {name}".encode() for name in ("manifest.json", "evidence.json", "logs/a.txt")}
        store.prepare()
        together.wait()
        return store.save(files, created=NOW, short_id="11111111")

    with ThreadPoolExecutor(RUNS) as pool:
        places = list(pool.map(save, range(RUNS)))
    assert len(set(places)) == RUNS
    assert sorted(store.bundles()) == sorted(places)
    for number, place in enumerate(places):
        for name in ("manifest.json", "evidence.json", "logs/a.txt"):
            assert (place / name).read_bytes() == f"{number} {name}".encode()
    assert not [path for path in store.root.iterdir() if path.name.startswith(".")]


def test_a_full_disk_names_the_store_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        path.write_bytes(data[:1])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(store_module, "_write_durably", full)
    with pytest.raises(OSError, match="No space") as caught:
        Store(tmp_path).save({"evidence.json": b"{}"}, created=NOW, short_id="11111111")
    assert caught.value.filename == str(tmp_path)
    assert list(tmp_path.iterdir()) == []
