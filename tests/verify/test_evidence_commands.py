"""`nesproof evidence` on a real bundle: listed, shown, rendered again, verified, and caught when tampered with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.evidence.bundle import ID_PLACEHOLDER, open_bundle, seal
from nesproof.harness.evidence.model import Evidence


@pytest.fixture(scope="module")
def made(shared_world: Any) -> Path:
    shared_world.add_suite("good", "pass", "pass")
    shared_world.add_claim("fake.good", suite="good")
    done = shared_world.verify()
    assert done.returncode == 0, done.stderr
    (found,) = shared_world.out.iterdir()
    return found


@pytest.fixture
def folder(world: Any, made: Path) -> Path:
    """A copy, which a test may change."""
    return shutil.copytree(made, world.out / made.name)


def test_the_bundle_is_found_shown_and_verified(world: Any, folder: Path) -> None:
    listed = world.run("evidence", "list", "--in", str(world.out))
    assert folder.name in listed.stdout
    shown = world.run("evidence", "show", "latest", "--in", str(world.out))
    assert shown.returncode == 0
    assert "1 PASS" in shown.stdout
    verified = world.run("evidence", "verify", str(folder))
    assert verified.returncode == 0, verified.stderr
    assert "consistent; origin unsigned" in verified.stdout
    assert open_bundle(folder).id in verified.stdout


def test_the_expected_id_must_match(world: Any, folder: Path) -> None:
    bundle_id = open_bundle(folder).id
    assert world.run("evidence", "verify", str(folder), "--expect", bundle_id).returncode == 0
    other = world.run("evidence", "verify", str(folder), "--expect", "0" * 64)
    assert other.returncode == 1
    assert bundle_id in other.stderr


def test_rendered_again(world: Any, folder: Path) -> None:
    target = world.root / "again.html"
    assert world.run("evidence", "show", str(folder), "--html", str(target)).returncode == 0
    assert target.read_bytes() == (folder / "report.html").read_bytes()
    summary = world.run("evidence", "show", str(folder), "--json", "-")
    assert json.loads(summary.stdout) == json.loads((folder / "report.json").read_text())


@pytest.mark.parametrize("target", ["evidence.json", "report.html", "report.json", "junit.xml"])
def test_a_changed_file_is_caught(world: Any, folder: Path, target: str) -> None:
    path = folder / target
    path.write_text(path.read_text().replace("PASS", "PASs", 1) + " ")
    done = world.run("evidence", "verify", str(folder))
    assert done.returncode == 1
    assert target in done.stderr


def _forge(folder: Path, change: Any, *, reports: dict[str, bytes] | None = None) -> None:
    """Rewrite a bundle with a manifest that matches, as anybody can."""
    bundle = open_bundle(folder)
    document = json.loads(bundle.files["evidence.json"])
    change(document)
    own = {n: d for n, d in bundle.files.items() if "/" not in n and n not in {"evidence.json", "manifest.json"}}
    rendered = {n: d.replace(bundle.id.encode(), ID_PLACEHOLDER.encode()) for n, d in (reports or own).items()}
    attachments = {n: d for n, d in bundle.files.items() if "/" in n}
    forged = seal(Evidence.model_validate(document), attachments=attachments, reports=rendered)
    shutil.rmtree(folder)
    for name, data in forged.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def test_a_forged_verdict_is_caught(world: Any, folder: Path) -> None:
    def case_failed(document: dict[str, Any]) -> None:
        document["suites"][0]["cases"][0]["outcome"] = "failed"

    _forge(folder, case_failed)
    done = world.run("evidence", "verify", str(folder))
    assert done.returncode == 1
    assert "fake.good: The verdict is PASS; the samples give FAIL." in done.stderr


def test_a_forged_report_is_caught(world: Any, folder: Path) -> None:
    reports = {name: (folder / name).read_bytes() for name in ("report.html", "report.md", "report.json", "junit.xml")}
    reports["report.html"] = reports["report.html"].replace(b"2 of 2", b"9 of 9")
    _forge(folder, lambda document: None, reports=reports)
    done = world.run("evidence", "verify", str(folder))
    assert done.returncode == 1
    assert "report.html" in done.stderr


@pytest.mark.parametrize("make", [lambda p: p.mkdir(), lambda p: p.write_text("{}"), lambda p: None])
def test_what_is_no_bundle_exits_2(world: Any, make: Any) -> None:
    make(world.root / "thing")
    done = world.run("evidence", "verify", str(world.root / "thing"))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_an_empty_store_is_said_to_be_empty(world: Any) -> None:
    done = world.run("evidence", "list")
    assert done.returncode == 0
    assert "No evidence" in done.stderr
