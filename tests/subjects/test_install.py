"""Making a peer's environment: whole or not at all, once for two at a time, again where it is broken.

The peer is a wheel made here, so that none of this needs a network; the real nes-py is installed in `test_nes_py.py`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from nesproof.harness.subjects import install
from nesproof.harness.subjects.environments import installed_python
from nesproof.harness.subjects.errors import SubjectInstallFailed, SubjectUnavailable
from nesproof.harness.subjects.interpreters import Interpreter, NoInterpreter, choose_interpreter
from nesproof.harness.subjects.registry import SubjectDefinition, find_subject

INSTALLER = Path(__file__).parent / "fakes" / "install_toy.py"
LIMIT_S = 120


def make_wheel(folder: Path) -> Path:
    files = {
        "toy_peer.py": 'VERSION = "1.0"\n',
        "toy_peer-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: toy-peer\nVersion: 1.0\n",
        "toy_peer-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(text)}\n"
    files["toy_peer-1.0.dist-info/RECORD"] = record + "toy_peer-1.0.dist-info/RECORD,,\n"
    path = folder / "toy_peer-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
    return path


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel, and the requirements that pin it."""
    folder = tmp_path_factory.mktemp("shelf")
    wheel = make_wheel(folder)
    sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (folder / "peer.requirements.txt").write_text(
        f"--no-index\n--find-links {folder}\ntoy-peer==1.0 --hash=sha256:{sha256}\n", encoding="utf-8"
    )
    return folder


def launch(home: Path, requirements: Path, *arguments: str, **variables: str) -> subprocess.Popen[str]:
    # The switch is about ROM sources; the package index is pip's business, and pip has switches of its own.
    environment = {**os.environ, "NESPROOF_OFFLINE": "1"}
    return subprocess.Popen(
        [sys.executable, str(INSTALLER), str(requirements), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**environment, "NESPROOF_HOME": str(home), **variables},
    )


@pytest.fixture
def requirements(shelf: Path, tmp_path: Path) -> Path:
    """The requirements again, in the test's own folder under the same name, to be spoilt at will."""
    return Path(shutil.copy(shelf / "peer.requirements.txt", tmp_path))


@pytest.fixture
def start(own_home: Path, requirements: Path) -> Callable[..., subprocess.Popen[str]]:
    return lambda *arguments, **variables: launch(own_home, requirements, *arguments, **variables)


@pytest.fixture(scope="session")
def whole(shelf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the peer installed, made once."""
    home = tmp_path_factory.mktemp("whole")
    code, output = finish(launch(home, shelf / "peer.requirements.txt"))
    assert (code, output.splitlines()[-1]) == (0, "installed"), output
    return home


@pytest.fixture
def installed(whole: Path, own_home: Path) -> Path:
    """A copy of that folder, to be spoilt at will (an environment moves well enough for that)."""
    shutil.copytree(whole, own_home, symlinks=True)
    return own_home


def toy_definition(requirements: str) -> SubjectDefinition:
    return SubjectDefinition(
        name="peer", adapter="x.py", environment="venv", python=("3.8", "3.99"), requirements=requirements
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    output, _ = process.communicate(timeout=LIMIT_S)
    return process.returncode, output


def environments(home: Path) -> list[Path]:
    return sorted((home / "subjects" / "peer").glob("env-*"))


def test_what_works_is_left_alone_and_made_again_on_demand(
    start: Callable[..., subprocess.Popen[str]], installed: Path
) -> None:
    first = environments(installed)
    assert len(first) == 1
    record = json.loads((installed / "subjects" / "peer" / "complete.json").read_text(encoding="utf-8"))
    assert record["folder"] == first[0].name
    assert finish(start()) == (0, "already installed\n")
    assert environments(installed) == first
    code, output = finish(start("--again"))
    assert (code, output.splitlines()[-1]) == (0, "installed"), output
    assert len(environments(installed)) == 1
    assert environments(installed) != first


def test_two_at_once_make_one(start: Callable[..., subprocess.Popen[str]], own_home: Path) -> None:
    both = [start(), start()]
    ended = [finish(process) for process in both]
    assert [code for code, _ in ended] == [0, 0], ended
    last = sorted(output.splitlines()[-1] for _, output in ended)
    assert last == ["already installed", "installed"]
    assert any("waiting" in output for _, output in ended)
    assert len(environments(own_home)) == 1


def test_an_install_killed_half_way_counts_for_nothing_and_leaves_no_process(
    start: Callable[..., subprocess.Popen[str]], own_home: Path
) -> None:
    process = start()
    assert process.stdout is not None
    for line in process.stdout:
        if "downloading" in line or "installing" in line or "making" in line:
            break
    until = time.monotonic() + LIMIT_S
    while not environments(own_home) and time.monotonic() < until:
        time.sleep(0.05)
    workers = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    process.stdout.close()
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert not alive, "an install that was killed goes on"
    assert len(environments(own_home)) == 1
    assert not (own_home / "subjects" / "peer" / "complete.json").exists()
    code, output = finish(start())
    assert (code, output.splitlines()[-1]) == (0, "installed"), output
    assert len(environments(own_home)) == 1, "the half-made one was swept away"


@pytest.mark.parametrize("harm", ["package", "record"])
def test_a_broken_install_is_noticed_and_made_again(
    start: Callable[..., subprocess.Popen[str]], installed: Path, harm: str
) -> None:
    (environment,) = environments(installed)
    if harm == "package":
        next(environment.rglob("toy_peer.py")).unlink()
    else:
        (installed / "subjects" / "peer" / "complete.json").write_text("{", encoding="utf-8")
    code, output = finish(start())
    assert (code, output.splitlines()[-1]) == (0, "installed"), output
    assert "does not work" in output or harm != "package"
    assert not environment.exists()


def test_what_is_not_whole_does_not_count(shelf: Path, installed: Path) -> None:
    definition = toy_definition(str(shelf / "peer.requirements.txt"))
    (environment,) = environments(installed)
    # The fixture's own requirements lie elsewhere: it is their content that counts, not their place.
    other = toy_definition(str(shelf / "other.requirements.txt"))
    (shelf / "other.requirements.txt").write_text("toy-peer==1.0\n", encoding="utf-8")
    assert "other pinned requirements" in str(installed_python(other))
    assert installed_python(definition) == environment / "bin" / "python"
    (environment / "bin" / "python").unlink()
    assert "damaged" in str(installed_python(definition))


def test_a_file_with_another_hash_is_not_installed(
    start: Callable[..., subprocess.Popen[str]], own_home: Path, requirements: Path
) -> None:
    text = requirements.read_text(encoding="utf-8")
    requirements.write_text(text.replace("sha256:", "sha256:00")[:-3] + "\n", encoding="utf-8")
    code, output = finish(start())
    assert code == 5
    assert "SubjectInstallFailed" in output
    assert "install.log" in output
    assert not environments(own_home)
    assert not (own_home / "subjects" / "peer" / "complete.json").exists()


def test_no_network_is_one_sentence(start: Callable[..., subprocess.Popen[str]], requirements: Path) -> None:
    lines = requirements.read_text(encoding="utf-8").splitlines()
    requirements.write_text(f"--index-url http://127.0.0.1:9/\n{lines[2]}\n", encoding="utf-8")
    code, output = finish(
        start(PIP_FIND_LINKS="", PIP_EXTRA_INDEX_URL="", PIP_CONFIG_FILE=os.devnull, PIP_DEFAULT_TIMEOUT="1")
    )
    assert code == 2
    sentence = output.splitlines()[-1]
    assert "does not reach the package index" in sentence
    assert "Remedy: nesproof subjects install peer" in sentence


def test_no_compiler_is_one_sentence(own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(install, "choose_interpreter", lambda _bounds: interpreter("3.11.7"))
    with pytest.raises(SubjectUnavailable, match=r"no g\+\+ on PATH"):
        install.install_subject("nes-py", progress=print)


def test_no_python_is_one_sentence_that_lists_those_found(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_fits(bounds: tuple[str, str]) -> Interpreter:
        return choose_interpreter(bounds, [interpreter("3.13.0"), interpreter("3.11.2", has_venv=False)])

    monkeypatch.setattr(install, "choose_interpreter", none_fits)
    with pytest.raises(SubjectUnavailable, match=r"3\.10 to 3\.12.*3\.13\.0.*3\.11\.2 \(.*without venv\)") as fault:
        install.install_subject("nes-py", progress=print)
    assert fault.value.remedy


def test_what_is_not_installed_is_not_ours_to_install(own_home: Path) -> None:
    from nesproof.harness.errors import ConfigurationError

    with pytest.raises(ConfigurationError, match="comes with nesproof"):
        install.install_subject("reference", progress=print)


def interpreter(version: str, *, has_venv: bool = True, implementation: str = "CPython") -> Interpreter:
    major, minor, micro = (int(part) for part in version.split("."))
    return Interpreter(Path(f"/opt/python{version}"), (major, minor, micro), implementation, has_venv)


def test_the_newest_fitting_python_is_chosen() -> None:
    seen = [interpreter("3.9.1"), interpreter("3.10.4"), interpreter("3.12.1"), interpreter("3.13.0")]
    assert choose_interpreter(("3.10", "3.12"), seen).version == (3, 12, 1)
    assert choose_interpreter(("3.8", "3.10"), seen).version == (3, 10, 4)


@pytest.mark.parametrize(
    "seen", [[], [interpreter("3.11.1", implementation="PyPy")], [interpreter("3.11.1", has_venv=False)]]
)
def test_a_python_that_cannot_carry_it_is_not_chosen(seen: list[Interpreter]) -> None:
    with pytest.raises(NoInterpreter):
        choose_interpreter(("3.10", "3.12"), seen)


def test_the_running_python_is_found() -> None:
    found = choose_interpreter(("3.8", "3.99"))
    assert found.version == sys.version_info[:3]
    assert found.path.exists()


def test_a_failing_step_keeps_its_last_lines_and_not_its_megabytes(own_home: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    noisy = "import sys\nfor i in range(20000): print('noise', i)\nprint('\\x1b[31mfatal: the tape broke'); sys.exit(9)"
    with pytest.raises(SubjectInstallFailed, match=r"status 9.*the tape broke") as fault:
        install._run(find_subject("nes-py"), [sys.executable, "-c", noisy], "pip", log, print)
    assert len(str(fault.value)) < 3_000
    assert "\x1b" not in str(fault.value)
    assert log.stat().st_size > 100_000


@pytest.mark.parametrize("ends", ["by itself", "interrupted"])
def test_a_step_leaves_no_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str) -> None:
    """A pip that is killed cannot remove its own."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(install, "BEAT_S", 0.2)
    told = tmp_path / "told.txt"
    code = (
        "import pathlib, sys, tempfile, time; folder = tempfile.mkdtemp();"
        f"pathlib.Path({str(told)!r}).write_text(folder);"
        f"time.sleep({0 if ends == 'by itself' else 600})"
    )

    def interrupt(_: str) -> None:
        if told.exists() and told.read_text():
            raise KeyboardInterrupt

    step = [sys.executable, "-c", code]
    log = tmp_path / "log.txt"
    if ends == "by itself":
        install._run(find_subject("nes-py"), step, "pip", log, lambda _: None)
    else:
        with pytest.raises(KeyboardInterrupt):
            install._run(find_subject("nes-py"), step, "pip", log, interrupt)
    assert Path(told.read_text()).is_relative_to(temporary)
    assert list(temporary.iterdir()) == []
