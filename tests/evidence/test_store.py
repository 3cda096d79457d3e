"""Two runs at once do not clobber each other."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

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
