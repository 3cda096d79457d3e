"""A built wheel works where there is nothing but itself: in an empty directory, away from the sources."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def wheel(root: Path, once: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    for module in ("scikit_build_core", "pybind11"):
        pytest.importorskip(
            module, reason="building a wheel without a network needs the build tools: make test has them"
        )
    out = once.folder / "wheel"
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    # What an install has compiled from these very sources is compiled as the wheel wants it. Where there is none, a
    # folder of its own, so that the tree stays as it is.
    is_built = any(root.glob(f"build/cp{sys.version_info.major}{sys.version_info.minor}-*/CMakeCache.txt"))
    settings = [] if is_built else ["--config-settings", f"build-dir={tmp_path_factory.mktemp('build')}"]
    with once.alone("wheel"):
        if not list(out.glob("nesproof-*.whl")):
            subprocess.run([*command, *settings, "--wheel-dir", str(out), str(root)], check=True, timeout=900)
    (built,) = out.glob("nesproof-*.whl")
    return built


def test_wheel_holds_the_product_and_nothing_else(wheel: Path, root: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for extension in ("_reference", "_core", "_gpu"):
        assert [n for n in names if n.startswith(f"nesproof/emulator/{extension}.c")]
    for needed in ("roms_manifest/manifest.toml", "roms_manifest/house/scroller.nes", "suites/klaus/suite.toml"):
        assert f"nesproof/{needed}" in names
    assert not [n for n in names if n.endswith((".so.dbg", ".pyc", ".o", ".a")) or "/tests/" in n]
    # The kernels are compiled where they run, and so is the build in which faults are planted: from these sources.
    native = {".cpp", ".hpp", ".def", ".cu"}
    ours = {f"nesproof/{p.relative_to(root)}" for p in (root / "emulator").rglob("*") if p.suffix in native}
    assert {n for n in names if Path(n).suffix in native} == ours
    assert "nesproof/emulator/CMakeLists.txt" in names
    roms = {n for n in names if n.endswith((".nes", ".bin"))}
    assert roms == {f"nesproof/{p.relative_to(root)}" for p in (root / "roms_manifest" / "house").rglob("*.nes")}
    assert len(roms) == 2 + 16, "two games and the test cards, all of them ours"
    assert "nesproof/__init__.py" not in names


def test_verify_works_from_the_wheel_in_an_empty_directory(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin" / "python"
    purelib = Path(
        subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            check=True, capture_output=True, text=True,
        ).stdout.strip()
    )  # fmt: skip
    zipfile.ZipFile(wheel).extractall(purelib)
    # The third-party packages come from the environment that runs this test; nesproof is found in the wheel first.
    (purelib / "third-party.pth").write_text(sysconfig.get_path("purelib") + "\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("NESPROOF", "PYTHON"))}
    env.update(HOME=str(tmp_path / "home"), NESPROOF_HOME=str(tmp_path / "store"), NESPROOF_OFFLINE="1")
    done = subprocess.run(
        [python, "-m", "nesproof.harness.cli", "verify", "--claim", "state.digest", "--json", "-"],
        cwd=empty, env=env, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    report = json.loads(done.stdout)
    assert report
    assert not list(empty.iterdir()), "verify leaves nothing in the working directory unless asked"
    where = subprocess.run(
        [python, "-c", "import nesproof.harness; print(nesproof.harness.__file__)"],
        cwd=empty, env=env, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert str(purelib) in where
