"""Compiled kernels on disk: whole or absent, and the user's alone."""

import hashlib
import json
import stat
import warnings
from pathlib import Path

import pytest

from nesproof.emulator.gpu.cache import Entry, KernelCache, UnsafeCacheWarning, cache_folder

KEY = "0" * 64
ENTRY = Entry(b"\x7fELF" + bytes(range(256)), "ptxas says\nso\n", 1.5)


def test_what_was_put_is_got(tmp_path: Path) -> None:
    cache = KernelCache(tmp_path / "kernels")
    assert cache.get(KEY) is None
    cache.put(KEY, ENTRY)
    assert cache.get(KEY) == ENTRY
    assert KernelCache(tmp_path / "kernels").get(KEY) == ENTRY
    assert cache.get("1" * 64) is None


def test_the_folder_is_private_and_holds_nothing_half_done(tmp_path: Path) -> None:
    cache = KernelCache(tmp_path / "a" / "kernels")
    cache.put(KEY, ENTRY)
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700
    (entry,) = cache.folder.iterdir()
    assert stat.S_IMODE(entry.stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize("damage", ["flip", "cut", "header", "foreign", "empty"])
def test_a_damaged_entry_counts_as_absent(tmp_path: Path, damage: str) -> None:
    cache = KernelCache(tmp_path / "kernels")
    cache.put(KEY, ENTRY)
    (path,) = cache.folder.iterdir()
    data = path.read_bytes()
    if damage == "flip":
        data = data[:-1] + bytes([data[-1] ^ 1])
    elif damage == "cut":
        data = data[:-10]
    elif damage == "header":
        data = b"not json\n" + data
    elif damage == "foreign":  # whole, and of another key
        line, _, payload = data.partition(b"\n")
        header = json.loads(line) | {"key": "1" * 64}
        assert header["sha256"] == hashlib.sha256(payload).hexdigest()
        data = json.dumps(header).encode() + b"\n" + payload
    else:
        data = b""
    path.write_bytes(data)
    assert cache.get(KEY) is None
    cache.put(KEY, ENTRY)
    assert cache.get(KEY) == ENTRY


def test_a_folder_that_others_may_write_to_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    KernelCache(folder).put(KEY, ENTRY)
    folder.chmod(0o777)
    cache = KernelCache(folder)
    with pytest.warns(UnsafeCacheWarning, match="open to other users"):
        assert cache.get(KEY) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # once is enough
        cache.put("2" * 64, ENTRY)
    assert [path.stem for path in folder.iterdir()] == [KEY]


def test_no_place_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.warns(UnsafeCacheWarning, match="cannot be made"):
        KernelCache(tmp_path / "file" / "kernels").put(KEY, ENTRY)


def test_the_environment_chooses_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NESPROOF_KERNEL_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
