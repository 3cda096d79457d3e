"""Fetching from a server that works, and from one that fails in every way that servers do."""

from __future__ import annotations

import dataclasses
import errno
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nesproof.roms_manifest import FetchError, ManifestError, Resolver
from nesproof.roms_manifest.fetch import fetch, plan_fetch

TIMEOUT_S = 2.0


def files_under(folder) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "roms"


@pytest.fixture
def resolver(manifest, folder, tmp_path):
    return Resolver([folder], vector_path=[tmp_path / "vectors"], manifest=manifest)


@pytest.fixture
def items(resolver, folder):
    return plan_fetch(resolver, ["remote"], rom_folder=folder)


def test_everything_is_fetched_and_verified(items, resolver, folder, roms, server):
    report = fetch(items, timeout_s=TIMEOUT_S)
    assert report.fetched == tuple(f"remote/{name}" for name in roms)
    assert (report.failed, report.stopped, report.not_tried) == ((), None, 0)
    assert files_under(folder) == {f"remote/{name}.nes" for name in roms}
    for name, data in roms.items():
        assert resolver.read(f"remote/{name}") == data


def test_a_second_run_asks_for_nothing(items, resolver, folder, server):
    fetch(items, timeout_s=TIMEOUT_S)
    asked = len(server.requests)
    assert plan_fetch(resolver, ["remote"], rom_folder=folder) == ()
    fetch(items, timeout_s=TIMEOUT_S)
    assert len(server.requests) == asked


def test_a_run_goes_on_where_the_last_one_stopped(items, resolver, folder, server):
    fetch(items[:2], timeout_s=TIMEOUT_S)
    rest = plan_fetch(resolver, ["remote"], rom_folder=folder)
    assert [item.id for item in rest] == ["remote/rom2", "remote/rom3"]


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [("404", "status 404"), ("500", "status 500"), ("truncated", "broke off"), ("wrong", "other bytes")],
)
def test_a_bad_file_is_reported_and_the_others_are_kept(fault, sentence, items, folder, server, resolver):
    server.faults["rom1.nes"] = fault
    report = fetch(items, timeout_s=TIMEOUT_S)
    [(failed, why)] = report.failed
    assert failed == "remote/rom1"
    assert sentence in why
    assert report.stopped is None
    assert files_under(folder) == {"remote/rom0.nes", "remote/rom2.nes", "remote/rom3.nes"}
    del server.faults["rom1.nes"]
    again = fetch(plan_fetch(resolver, ["remote"], rom_folder=folder), timeout_s=TIMEOUT_S)
    assert again.fetched == ("remote/rom1",)


def test_a_longer_body_is_not_read_to_its_end(items, folder, server):
    server.files["rom1.nes"] += bytes(50 << 20)
    report = fetch(items, timeout_s=TIMEOUT_S)
    assert [failed for failed, _ in report.failed] == ["remote/rom1"]
    assert "more than the expected" in report.failed[0][1]
    assert "remote/rom1.nes" not in files_under(folder)


def test_a_truncated_body_without_a_length_is_refused(items, folder, server):
    server.files["rom1.nes"] = server.files["rom1.nes"][:100]
    report = fetch(items, timeout_s=TIMEOUT_S)
    assert "other bytes" in report.failed[0][1]
    assert len(files_under(folder)) == 3


def test_one_hang_is_skipped_and_a_second_in_a_row_stops(items, folder, server):
    server.faults["rom0.nes"] = "hang"
    report = fetch(items, timeout_s=0.3)
    assert "did not answer within 0.3 s" in report.failed[0][1]
    assert len(report.fetched) == 3
    for name in ("rom1.nes", "rom2.nes"):
        server.faults[name] = "hang"
        (folder / "remote" / name).unlink()
    start = time.monotonic()
    report = fetch(items, timeout_s=0.3)
    assert report.stopped is not None
    assert report.not_tried == 2
    assert time.monotonic() - start < 3
    assert files_under(folder) == {"remote/rom3.nes"}


def test_a_server_that_drips_is_given_up(items, server):
    server.faults["rom0.nes"] = "drip"
    start = time.monotonic()
    report = fetch(items[:1], timeout_s=0.3)
    assert "did not answer" in report.failed[0][1]
    assert time.monotonic() - start < 5


def test_no_network_stops_at_once(items, server, monkeypatch, folder):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    dead = [dataclasses.replace(item, url=f"http://127.0.0.1:{port}/x") for item in items]
    report = fetch(dead, timeout_s=TIMEOUT_S)
    assert "cannot be reached" in str(report.stopped)
    assert (len(report.failed), report.not_tried) == (1, 3)
    assert files_under(folder) == set()


def test_offline_forbids_it(items, server, monkeypatch):
    monkeypatch.setenv("NESPROOF_OFFLINE", "1")
    with pytest.raises(FetchError, match="NESPROOF_OFFLINE"):
        fetch(items)
    assert server.requests == []


@pytest.mark.parametrize("value", ["", "0"])
def test_offline_can_be_switched_off(items, server, monkeypatch, value):
    monkeypatch.setenv("NESPROOF_OFFLINE", value)
    assert fetch(items[:1], timeout_s=TIMEOUT_S).fetched == ("remote/rom0",)


def test_a_partial_file_in_place_is_never_taken_for_whole(items, resolver, folder, roms, server):
    (folder / "remote").mkdir(parents=True)
    (folder / "remote" / "rom0.nes").write_bytes(roms["rom0"][:1000])
    assert items[0].id == "remote/rom0"
    with pytest.warns(UserWarning, match="other bytes"):
        assert resolver.find("remote/rom0") is None
    fetch(items, timeout_s=TIMEOUT_S)
    assert resolver.read("remote/rom0") == roms["rom0"]


def test_a_failed_download_leaves_what_was_in_place(items, folder, server):
    (folder / "remote").mkdir(parents=True)
    (folder / "remote" / "rom0.nes").write_bytes(b"the user's own")
    server.faults["rom0.nes"] = "wrong"
    fetch(items, timeout_s=TIMEOUT_S)
    assert (folder / "remote" / "rom0.nes").read_bytes() == b"the user's own"


def test_an_interrupt_leaves_no_partial_file(items, folder, server):
    def interrupt(item):
        if item.id == "remote/rom2":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(items, timeout_s=TIMEOUT_S, on_file=interrupt)
    assert files_under(folder) == {"remote/rom0.nes", "remote/rom1.nes"}


def test_a_full_disk_is_the_systems_fault_and_leaves_nothing_half_written(items, folder, server, monkeypatch):
    written = []

    def write(path, data):
        if written:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        written.append(path)
        path.open("wb").write(data)

    monkeypatch.setattr(Path, "write_bytes", write)
    with pytest.raises(OSError, match="No space left"):
        fetch(items, timeout_s=TIMEOUT_S)
    assert files_under(folder) == {"remote/rom0.nes"}


CHILD = """
import sys
from pathlib import Path
from nesproof.roms_manifest import Resolver, parse_manifest
from nesproof.roms_manifest.fetch import fetch, plan_fetch
folder = Path(sys.argv[1])
resolver = Resolver([folder], vector_path=[], manifest=parse_manifest(Path(sys.argv[2]).read_text()))
items = plan_fetch(resolver, ["remote"], rom_folder=folder)
report = fetch(items, timeout_s=5)
sys.exit(len(report.failed))
"""


def test_runs_at_once_do_not_disturb_each_other(manifest, server, folder, tmp_path, roms, resolver, request):
    text = tmp_path / "manifest.toml"
    text.write_text(request.getfixturevalue("local_manifest_text"))
    runs = [subprocess.Popen([sys.executable, "-c", CHILD, str(folder), str(text)], env=os.environ) for _ in range(3)]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    assert files_under(folder) == {f"remote/{name}.nes" for name in roms}
    for name, data in roms.items():
        assert resolver.read(f"remote/{name}") == data


def test_vectors_are_reduced_on_arrival(resolver, tmp_path, server, reduced_vectors):
    items = plan_fetch(resolver, ["vectors"], vector_folder=tmp_path / "vectors")
    report = fetch(items, timeout_s=TIMEOUT_S)
    assert report.fetched == ("vectors/00.bin", "vectors/69.bin")
    for opcode, data in reduced_vectors.items():
        assert resolver.read_vectors(opcode) == data
        assert (tmp_path / "vectors" / f"{opcode:02x}.bin").read_bytes() == data
    assert server.ranges == ["bytes=0-65535"] * 2
    assert plan_fetch(resolver, ["vectors"], vector_folder=tmp_path / "vectors") == ()


def test_vectors_from_a_server_without_ranges(resolver, tmp_path, server, reduced_vectors):
    server.faults = {"00.bin": "no-range", "69.bin": "no-range"}
    report = fetch(plan_fetch(resolver, ["vectors"], vector_folder=tmp_path / "vectors"), timeout_s=TIMEOUT_S)
    assert len(report.fetched) == 2
    assert resolver.read_vectors(0x69) == reduced_vectors[0x69]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"", "too few cases"), (b"<html>" * 100, "too few cases"), (bytes(60_000), "other bytes")],
)
def test_vectors_of_another_form(resolver, tmp_path, server, content, sentence):
    server.files["00.bin"] = content
    report = fetch(plan_fetch(resolver, ["vectors"], vector_folder=tmp_path / "vectors"), timeout_s=TIMEOUT_S)
    assert report.fetched == ("vectors/69.bin",)
    assert sentence in report.failed[0][1]


def test_house_roms_are_never_fetched(resolver):
    assert plan_fetch(resolver, ["house"]) == ()


def test_unknown_collection(resolver):
    with pytest.raises(ManifestError, match="house, remote"):
        plan_fetch(resolver, ["nowhere"])
