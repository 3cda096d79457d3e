"""`nesproof roms`, through the front door: what is printed, and the exit codes."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from nesproof.harness.cli import roms as command
from nesproof.harness.cli.app import app
from nesproof.roms_manifest import resolver as resolver_module


@pytest.fixture
def folder(tmp_path, monkeypatch):
    made = tmp_path / "mine"
    (made / "remote").mkdir(parents=True)
    monkeypatch.setenv("NESPROOF_ROM_PATH", str(made))
    return made


@pytest.fixture
def nesproof(manifest, monkeypatch):
    monkeypatch.setattr(command, "load_manifest", lambda: manifest)
    monkeypatch.setattr(resolver_module, "load_manifest", lambda: manifest)
    runner = CliRunner()
    return lambda *arguments, **options: runner.invoke(app, ["roms", *arguments], **options)


def test_list_says_what_is_there(nesproof, folder, roms):
    (folder / "remote" / "rom0.nes").write_bytes(roms["rom0"])
    (folder / "remote" / "rom1.nes").write_bytes(roms["rom0"])
    result = nesproof("list")
    assert result.exit_code == 0
    lines = {line.split()[0]: line for line in result.stdout.splitlines() if line.startswith("remote/")}
    assert len(lines) == 4
    assert lines["remote/rom0"].split()[-1] == "found"
    assert lines["remote/rom1"].split()[-1] == "mismatch"
    assert lines["remote/rom2"].split()[-1] == "missing"
    assert "unstated" in lines["remote/rom0"]
    assert "status-6000" in lines["remote/rom0"]
    assert "4 ROMs: 1 at hand, 1 with other bytes, 2 missing." in result.stdout
    assert "vectors: 2 files" in result.stdout
    assert "nesproof roms fetch" in result.stdout


def test_list_missing_only(nesproof, folder, roms):
    (folder / "remote" / "rom0.nes").write_bytes(roms["rom0"])
    result = nesproof("list", "--missing", "--collection", "remote")
    assert "remote/rom0 " not in result.stdout
    assert "remote/rom1 " in result.stdout
    assert "vectors" not in result.stdout


@pytest.mark.parametrize("name", ["list", "check", "fetch"])
def test_unknown_collection(nesproof, name):
    result = nesproof(name, "--collection", "nowhere")
    assert result.exit_code == 2
    assert "there are: house, remote, vectors" in result.stderr


def test_info_of_an_entry(nesproof, folder, roms, manifest):
    (folder / "remote" / "rom0.nes").write_bytes(roms["rom0"])
    result = nesproof("info", "remote/rom0")
    assert result.exit_code == 0
    for text in (
        "NROM-128",
        "16384 bytes",
        manifest["remote/rom0"].sha256,
        manifest["remote/rom0"].body_sha1,
        "unstated",
    ):
        assert text in result.stdout
    assert "This is remote/rom0" in result.stdout


def test_info_of_a_missing_entry(nesproof):
    result = nesproof("info", "remote/rom0")
    assert result.exit_code == 2
    assert "nesproof roms fetch" in result.stderr
    assert "Traceback" not in result.output


def test_info_of_a_file_prints_its_warnings(nesproof, tmp_path, roms):
    path = tmp_path / "odd.nes"
    path.write_bytes(roms["rom0"] + b"tail")
    result = nesproof("info", str(path))
    assert result.exit_code == 0
    assert "Warning:" in result.stdout
    assert "last 4 are ignored" in result.stdout
    assert "has the program of remote/rom0" in result.stdout


def test_info_of_a_near_match_prints_both_hashes(nesproof, tmp_path, roms, manifest):
    data = bytearray(roms["rom0"])
    data[7] = 0
    data[6] = 1
    path = tmp_path / "renamed.nes"
    path.write_bytes(bytes(data))
    result = nesproof("info", str(path))
    assert manifest["remote/rom0"].sha256 in result.stdout
    assert "found" in result.stdout


def test_info_of_a_refused_file(nesproof, tmp_path):
    path = tmp_path / "\x1b[31mpage.nes"
    path.write_bytes(b"<html>not found</html>")
    result = nesproof("info", str(path))
    assert result.exit_code == 2
    assert "HTML page" in result.stderr
    assert "\x1b" not in result.output
    assert "Traceback" not in result.output


def test_info_of_a_hostile_zip_member(nesproof, tmp_path, roms):
    import zipfile

    path = tmp_path / "packed.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("\x1b]0;owned\x07[bold]game.nes", roms["rom0"])
    result = nesproof("info", str(path))
    assert result.exit_code == 0
    assert "\x1b" not in result.output
    assert "[bold]game.nes" in result.stdout


@pytest.mark.parametrize("name", ["remote/none", "no-such-file.nes"])
def test_info_of_nothing(nesproof, name):
    result = nesproof("info", name)
    assert result.exit_code == 2
    assert name.rsplit("/", maxsplit=1)[-1] in result.stderr


def test_check(nesproof, folder, roms, manifest, reduced_vectors, tmp_path, monkeypatch):
    monkeypatch.setenv("NESPROOF_VECTOR_PATH", str(tmp_path / "vectors"))
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors" / "00.bin").write_bytes(reduced_vectors[0])
    (folder / "remote" / "rom0.nes").write_bytes(roms["rom0"])
    good = nesproof("check")
    assert good.exit_code == 0
    assert "6 files: 2 at hand, 4 missing." in good.stdout
    (folder / "remote" / "rom1.nes").write_bytes(roms["rom0"])
    (tmp_path / "vectors" / "69.bin").write_bytes(b"nothing")
    bad = nesproof("check")
    assert bad.exit_code == 2
    assert manifest["remote/rom1"].sha256 in bad.stdout
    assert manifest["remote/rom0"].sha256 in bad.stdout
    assert "vectors/69.bin" in bad.stdout


def test_fetch_shows_sources_and_licences_first(nesproof, server, own_cache, roms):
    result = nesproof("fetch", "--yes", "--timeout", "5")
    assert result.exit_code == 0
    before, _, after = result.stdout.partition("6 of 6 files were fetched.")
    assert after.strip() == ""
    for text in ("https://example.org/r", "licence unstated: 4 files", "licence MIT: 2 files", "first 100 cases"):
        assert text in before
    assert (own_cache / "nesproof" / "roms" / "remote" / "rom0.nes").read_bytes() == roms["rom0"]
    again = nesproof("fetch", "--yes")
    assert (again.exit_code, again.stdout) == (0, "Nothing is missing.\n")
    assert nesproof("check").exit_code == 0


def test_fetch_without_anybody_to_ask(nesproof, server):
    result = nesproof("fetch")
    assert result.exit_code == 2
    assert "--yes" in result.stderr
    assert "licence unstated" in result.stdout
    assert server.requests == []


def test_fetch_with_a_bad_file(nesproof, server, own_cache):
    server.faults["rom1.nes"] = "wrong"
    result = nesproof("fetch", "--yes", "--collection", "remote")
    assert result.exit_code == 2
    assert "remote/rom1: " in result.stdout
    assert "3 of 4 files were fetched" in result.stdout


def test_fetch_without_network(nesproof, manifest, monkeypatch):
    monkeypatch.setattr(manifest, "source_url", lambda _: "http://127.0.0.1:1/file")
    result = nesproof("fetch", "--yes", "--collection", "remote", "--timeout", "1")
    assert result.exit_code == 2
    assert result.stdout.count("cannot be reached") == 1
    assert "0 of 4 files were fetched; 3 were not tried" in result.stdout


def test_fetch_offline_is_one_sentence(nesproof, server, monkeypatch):
    monkeypatch.setenv("NESPROOF_OFFLINE", "1")
    result = nesproof("fetch", "--yes")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.strip().count("\n") == 0
    assert server.requests == []


def test_nothing_but_fetch_opens_a_connection(tmp_path):
    """The other commands, in a process where every connection is an error."""
    code = (
        "import socket, sys\n"
        "def refuse(*_): raise AssertionError('a connection was opened')\n"
        "socket.socket.connect = socket.create_connection = refuse\n"
        "from nesproof.harness.cli.app import main\n"
        "main()\n"
    )
    for arguments in (["list"], ["check", "-c", "klaus"], ["info", "house/scroller"]):
        command_line = [sys.executable, "-c", code, "roms", *arguments]
        run = subprocess.run(command_line, capture_output=True, text=True, timeout=60, check=False)
        assert run.returncode == 0, run.stderr
