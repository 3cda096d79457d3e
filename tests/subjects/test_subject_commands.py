"""`nesproof subjects`, `run` and `doctor` as a person meets them: real processes, output and exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from nesproof.roms_manifest import Resolver

FAKES = Path(__file__).parent / "fakes"
ENTRY = "from nesproof.harness.cli.app import main; main()"


def nesproof(*arguments: str, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ENTRY, *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=120,
        check=False,
        env={**os.environ, "COLUMNS": "120", **variables},
    )


@pytest.fixture
def scroller(tmp_path: Path) -> Path:
    path = tmp_path / "scroller.nes"
    path.write_bytes(Resolver().read("house/scroller"))
    return path


# --- subjects


def test_the_list_names_every_subject_and_the_remedy(own_home: Path) -> None:
    run = nesproof("subjects", "list")
    assert run.returncode == 0
    assert "reference" in run.stdout
    assert "nesproof subjects install nes-py" in run.stdout


def test_no_name_is_cut_short_on_a_narrow_terminal(own_home: Path) -> None:
    shown = nesproof("subjects", "list", COLUMNS="80").stdout
    assert "…" not in shown
    firsts = {line.split(" ")[0] for line in shown.splitlines()}
    assert firsts >= {row["name"] for row in json.loads(nesproof("subjects", "list", "--json").stdout)}


def test_the_list_as_json(own_home: Path) -> None:
    rows = json.loads(nesproof("subjects", "list", "--json").stdout)
    assert [row["name"] for row in rows[:6]] == ["reference", "core", "core-hostsim", "core-cuda", "judge", "nes-py"]
    assert rows[0]["available"]
    assert not next(row for row in rows if row["name"] == "nes-py")["available"]


def test_checking_the_reference_shows_what_it_can_do(own_home: Path) -> None:
    run = nesproof("subjects", "check", "reference")
    assert run.returncode == 0, run.stderr
    assert "FAILED" not in run.stdout
    assert "draw:every" in run.stdout
    assert "boards (mapper numbers): 0" in run.stdout


def test_a_subject_of_ones_own_is_checked_and_its_lies_are_found(tmp_path: Path, own_home: Path) -> None:
    path = tmp_path / "mine.toml"
    command = [sys.executable, "-I", str(FAKES / "rogue.py"), "well-behaved"]
    path.write_text(f"[[subject]]\nname = 'mine'\ncommand = {json.dumps(command)}\n", encoding="utf-8")
    run = nesproof("subjects", "check", "mine", "--subject-file", str(path), "--timeout", "5")
    assert run.returncode == 5
    assert "FAILED ram" in run.stdout
    assert "Traceback" not in run.stderr


def test_checking_what_is_not_installed_says_the_remedy(own_home: Path) -> None:
    run = nesproof("subjects", "check", "nes-py")
    assert run.returncode == 2
    assert "Remedy: nesproof subjects install nes-py" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("arguments", [("check", "fceux"), ("install", "fceux"), ("install", "reference")])
def test_a_wrong_name_is_a_usage_fault(own_home: Path, arguments: tuple[str, ...]) -> None:
    run = nesproof("subjects", *arguments)
    assert run.returncode == 2
    assert "Traceback" not in run.stderr


# --- run


def test_a_run_prints_where_it_ends_and_writes_the_last_frame(scroller: Path, own_home: Path, tmp_path: Path) -> None:
    picture = tmp_path / "last.png"
    run = nesproof("run", str(scroller), "--frames", "120", "--png", str(picture), "--json")
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    assert result["frames"] == 120
    assert len(result["digest"]) == 16
    assert len(result["ram_sha256"]) == 64
    pixels = np.asarray(Image.open(picture))
    assert pixels.shape == (240, 256, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 3
    again = json.loads(nesproof("run", "house/scroller", "--frames", "120", "--json").stdout)
    assert again["digest"] == result["digest"]


def test_a_rom_in_a_zip_is_the_rom(scroller: Path, own_home: Path, tmp_path: Path) -> None:
    packed = tmp_path / "scroller.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(scroller, "folder/scroller.nes")
    plain, zipped = (json.loads(nesproof("run", str(path), "-n", "5", "--json").stdout) for path in (scroller, packed))
    assert plain == zipped


def test_buttons_change_the_run_and_a_short_file_is_continued_with_none(
    scroller: Path, own_home: Path, tmp_path: Path
) -> None:
    buttons = tmp_path / "play.buttons"
    buttons.write_bytes(bytes(90) + b"\x08" * 5)
    idle = json.loads(nesproof("run", str(scroller), "--frames", "150", "--json").stdout)
    played = nesproof("run", str(scroller), "--frames", "150", "--buttons", str(buttons), "--json")
    assert "holds 95 frames" in played.stderr
    assert json.loads(played.stdout)["digest"] != idle["digest"]
    buttons.write_bytes(bytes(90) + b"\x08" * 5 + bytes(55))
    whole = nesproof("run", str(scroller), "--frames", "150", "--buttons", str(buttons), "--json")
    assert whole.stderr == ""
    assert json.loads(whole.stdout)["digest"] == json.loads(played.stdout)["digest"]


def test_a_series_an_animation_and_a_contact_sheet(scroller: Path, own_home: Path, tmp_path: Path) -> None:
    run = nesproof(
        "run", str(scroller), "-n", "100", "--every", "30", "--png", str(tmp_path / "f.png"),
        "--gif", str(tmp_path / "f.gif"), "--sheet", str(tmp_path / "s.png"),
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert sorted(p.name for p in tmp_path.glob("f-*.png")) == [f"f-{n:06d}.png" for n in (30, 60, 90, 100)]
    assert getattr(Image.open(tmp_path / "f.gif"), "n_frames", 0) >= 2
    assert Image.open(tmp_path / "s.png").size == (4 * 256 + 12, 240)


def test_the_fill_reaches_ram(scroller: Path, own_home: Path) -> None:
    zero = json.loads(nesproof("run", str(scroller), "-n", "1", "--json").stdout)
    filled = json.loads(nesproof("run", str(scroller), "-n", "1", "--fill", "ff", "--json").stdout)
    assert zero["ram_sha256"] != filled["ram_sha256"]


def test_a_cartridge_is_what_the_options_say(scroller: Path, own_home: Path, tmp_path: Path) -> None:
    plain = json.loads(nesproof("run", str(scroller), "-n", "60", "--json").stdout)
    assert plain["cartridge"] is None
    odd = bytearray(scroller.read_bytes())
    odd[6] |= 0x40
    (tmp_path / "odd.nes").write_bytes(odd)
    named = nesproof("run", str(tmp_path / "odd.nes"), "-n", "60", "--mapper", "0", "--json")
    assert "mapper 0 is used as asked, where the header declares 4" in named.stderr
    assert json.loads(named.stdout)["cartridge"] == "mapper=0"
    assert json.loads(named.stdout)["digest"] == plain["digest"]
    mmc3 = nesproof("run", str(tmp_path / "odd.nes"), "-n", "1", "--irq", "nec", "--prg-ram", "mmc6", "--json")
    assert json.loads(mmc3.stdout)["cartridge"] == "irq=nec, prg_ram=mmc6"


def test_a_subject_that_cannot_be_told_refuses_the_options(scroller: Path, toy: str, own_home: Path) -> None:
    run = nesproof("run", str(scroller), "--subject", toy, "--irq", "nec")
    assert run.returncode == 2
    assert "cartridge-settings" in run.stderr
    assert "Traceback" not in run.stderr


def test_what_the_manifest_says_is_used_by_id_and_named_for_a_file(own_home: Path) -> None:
    path = Resolver().find("nes-test-roms/mmc3_test/5-MMC3")
    if path is None:
        pytest.skip("condition: the hardware test programs are at hand")
    by_id = nesproof("run", "nes-test-roms/mmc3_test/5-MMC3", "-n", "2", "--json")
    assert json.loads(by_id.stdout)["cartridge"] == "irq=sharp"
    assert by_id.stderr == ""
    assert nesproof("run", str(path), "-n", "2").stderr == "", "what it would be run with anyway is not named"
    by_path = nesproof("run", str(path), "-n", "2", "--irq", "nec", "--json")
    assert "this is nes-test-roms/mmc3_test/5-MMC3, which wants irq=sharp" in by_path.stderr
    assert json.loads(by_path.stdout)["cartridge"] == "irq=nec"


def test_a_card_says_in_its_header_what_it_is_and_an_option_over_it_is_named(own_home: Path) -> None:
    resolver = Resolver()
    for card, option, other, said in (
        ("house/cards/mmc6", "--prg-ram", "mmc3", "prg_ram='mmc3' is used as asked, where the header's"),
        ("house/cards/mmc3-nec", "--irq", "sharp", "irq='sharp' is used as asked, where the header's"),
    ):
        path = resolver.find(card)
        assert path is not None
        for name in (card, str(path)):
            assert nesproof("run", name, "-n", "1").stderr == ""
        assert said in nesproof("run", str(path), "-n", "1", option, other).stderr
        refused = nesproof("run", str(path), "-n", "1", "--mapper", "5")
        assert refused.returncode == 2
        assert "note" not in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("{rom}", "--mapper", "5"), "mapper 5 was asked for"),
        (("{rom}", "--submapper", "3"), "submapper 3 was asked for"),
        (("{rom}", "--irq", "nec"), "only an MMC3"),
        (("{rom}", "--irq", "newer"), "takes sharp or nec"),
        (("{rom}", "--prg-ram", "mmc6"), "only an MMC3"),
        (("{rom}", "--region", "pal"), "--region takes ntsc"),
        (("no-such.nes",), "cannot be read"),
        (("{folder}",), "directory"),
        (("{html}",), "HTML"),
        (("{rom}", "--buttons", "no-such.buttons"), "not a file"),
        (("{rom}", "--buttons", "{folder}"), "not a file"),
        (("{rom}", "--fill", "100"), "byte in hexadecimal"),
        (("{rom}", "--hold", "xyz"), "byte in hexadecimal"),
        (("{rom}", "--hold", "1", "--buttons", "{rom}"), "exclude"),
        (("{rom}", "--subject", "fceux"), "no subject"),
        (("{rom}", "--subject", "nes-py"), "Remedy"),
        (("{rom}", "--frames", "0"), "frames"),
        (("{rom}", "--frames", "90000", "--every", "1", "--gif", "x.gif"), "pictures"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_exit_code_2(
    scroller: Path, own_home: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    html = tmp_path / "page.nes"
    html.write_text("<!DOCTYPE html><html></html>", encoding="utf-8")
    names = {"rom": scroller, "folder": tmp_path, "html": html}
    run = nesproof("run", *(a.format(**names) for a in arguments), cwd=tmp_path)
    assert run.returncode == 2, run.stderr
    assert words in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_one_sentence(scroller: Path, own_home: Path) -> None:
    run = nesproof("run", str(scroller), "-n", "2", "--png", "/dev/full")
    assert run.returncode == 5
    assert "no space left" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_folder_that_is_not_there_is_one_sentence_and_leaves_nothing(
    scroller: Path, own_home: Path, tmp_path: Path
) -> None:
    run = nesproof("run", str(scroller), "-n", "2", "--png", str(tmp_path / "nowhere" / "x.png"))
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


def test_an_earlier_picture_survives_a_failed_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nesproof.harness.cli import pictures

    path = tmp_path / "x.png"
    path.write_bytes(b"the earlier one")

    class Unwritable:
        def save(self, *_: object) -> None:
            raise OSError("full")

    monkeypatch.setattr(pictures.Image, "fromarray", lambda _: Unwritable())
    with pytest.raises(OSError, match="full"):
        pictures.write_png(path, np.zeros((2, 2, 3), np.uint8))
    assert path.read_bytes() == b"the earlier one"
    assert [p.name for p in tmp_path.iterdir()] == ["x.png"]


def test_hostile_names_are_shown_without_power_over_the_terminal(own_home: Path, tmp_path: Path) -> None:
    bad = tmp_path / "evil\x1b[2J\x07.nes"
    bad.write_bytes(Resolver().read("house/busy"))
    run = nesproof("run", str(bad), "-n", "2", "--png", str(tmp_path / "pic\x1b[2J.png"))
    assert run.returncode == 0, run.stderr
    assert "\x1b" not in run.stdout + run.stderr


# --- doctor


def test_the_doctor_names_what_is_missing_and_one_command_for_each(own_home: Path) -> None:
    run = nesproof("doctor", "--json", NESPROOF_ROM_PATH="", NESPROOF_OFFLINE="1")
    assert run.returncode == 0, run.stderr
    findings = {f["topic"]: f for f in json.loads(run.stdout)}
    assert findings["python"]["state"] == "ok"
    assert findings["subject reference"]["state"] == "ok"
    assert findings["subject nes-py"]["state"] == "missing"
    assert findings["subject nes-py"]["remedy"] == "nesproof subjects install nes-py"
    assert "subject nes-py: Python" in findings
    assert "subject nes-py: compiler" in findings
    assert "NESPROOF_OFFLINE" in findings["network"]["found"]
    assert findings["ROMs: house"]["state"] == "ok"
    assert findings["data folder"]["found"] == str(own_home)
    assert all(f["remedy"] for f in findings.values() if f["state"] == "missing")
    assert all("\n" not in (f["remedy"] or "") for f in findings.values())


def test_the_doctor_without_tools_on_the_path_still_answers(own_home: Path, tmp_path: Path) -> None:
    run = nesproof("doctor", "--json", PATH=str(tmp_path), NESPROOF_ROM_PATH="")
    assert run.returncode == 0, run.stderr
    findings = {f["topic"]: f for f in json.loads(run.stdout)}
    for tool in ("C++ compiler", "make", "git", "ca65", "subject nes-py: compiler"):
        assert findings[tool]["state"] == "missing"
        assert findings[tool]["remedy"]


def test_the_doctor_notices_a_subject_that_does_not_start(rogue: Callable[[str], str], own_home: Path) -> None:
    name = rogue("dies-at-start")
    run = nesproof("doctor", "--json")
    assert run.returncode == 5
    findings = {f["topic"]: f for f in json.loads(run.stdout)}
    assert findings[f"subject {name}"]["state"] == "broken"
    assert "exit status 3" in findings[f"subject {name}"]["found"]
