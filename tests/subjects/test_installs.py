"""`nesproof subjects install` with several names: what fails keeps nobody else, and the end says how things stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nesproof.harness.cli import subject_installs
from nesproof.harness.cli.subject_installs import install_several, names_to_install
from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.subjects import environments
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.subjects.errors import SubjectInstallFailed, SubjectUnavailable
from nesproof.harness.subjects.registry import subject_definitions
from nesproof.harness.subjects.status import subject_status

Outcome = HarnessError | bool


@pytest.fixture
def outcomes(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Outcome]], list[str]]:
    """Let installing each subject end so; returns the list of those that were tried."""

    def plan(ends: dict[str, Outcome]) -> list[str]:
        tried: list[str] = []

        def install(name: str, *, progress: Callable[[str], None], again: bool) -> bool:
            tried.append(name)
            progress("downloading")
            end = ends[name]
            if isinstance(end, HarnessError):
                raise end
            return end

        monkeypatch.setattr(subject_installs, "install_subject", install)
        return tried

    return plan


def test_all_is_every_subject_with_an_environment_of_its_own(own_home: Path) -> None:
    peers = [d.name for d in subject_definitions().values() if d.environment == "venv"]
    assert names_to_install(["all"]) == peers
    twice = names_to_install(["nes-py-9", "all"])
    assert twice[0] == "nes-py-9"
    assert sorted(twice) == sorted(peers)
    assert {"nes-py", "nes-py-9", "nes-py-cores", "gym-super-mario-bros"} <= set(peers)
    assert "reference" not in peers


@pytest.mark.parametrize(("name", "words"), [("fceux", "no subject 'fceux'"), ("reference", "comes with nesproof")])
def test_a_name_that_cannot_be_meant_is_refused_before_anything_is_done(
    own_home: Path, outcomes: Callable[..., list[str]], name: str, words: str
) -> None:
    tried = outcomes({"nes-py": True})
    with pytest.raises(ConfigurationError, match=words):
        install_several(names_to_install(["nes-py", name]), again=False)
    assert tried == []


def test_the_others_are_installed_where_one_fails(
    own_home: Path, outcomes: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    tried = outcomes({"nes-py": SubjectInstallFailed("pip broke."), "nes-py-9": True, "nes-py-cores": False})
    with pytest.raises(HarnessError, match="1 of 3 subjects could not be installed: nes-py") as failed:
        install_several(["nes-py", "nes-py-9", "nes-py-cores"], again=False)
    assert failed.value.exit_code == 5
    assert tried == ["nes-py", "nes-py-9", "nes-py-cores"]
    told = capsys.readouterr()
    assert "1/3 nes-py: downloading" in told.err
    assert "1/3 nes-py: pip broke." in told.err
    assert "nes-py-9: installed." in told.out
    assert "nes-py-cores: already installed." in told.out
    rows = [line for line in told.out.splitlines() if line.startswith("nes-py") and " no " in line]
    assert len(rows) == 3, "nothing was really installed, and the table looks for itself"


def test_the_worst_exit_code_stands(own_home: Path, outcomes: Callable[..., list[str]]) -> None:
    outcomes({"nes-py": SubjectInstallFailed("pip broke."), "nes-py-9": SubjectUnavailable("no Python 3.13.")})
    with pytest.raises(HarnessError, match="2 of 2") as failed:
        install_several(["nes-py", "nes-py-9"], again=False)
    assert failed.value.exit_code == 2


def test_one_that_fails_alone_keeps_its_own_words(own_home: Path, outcomes: Callable[..., list[str]]) -> None:
    outcomes({"nes-py": SubjectUnavailable("no compiler.", remedy="apt-get install g++")})
    with pytest.raises(SubjectUnavailable, match="Remedy: apt-get"):
        install_several(["nes-py"], again=False)


def test_an_environment_that_no_longer_starts_is_absent_and_says_how_to_make_it_again(own_home: Path) -> None:
    definition = subject_definitions()["nes-py"]
    folder = environments.subject_folder("nes-py")
    python = folder / "env-0123456789abcdef" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho 'the library is gone' >&2\nexit 127\n", encoding="utf-8")
    python.chmod(0o755)
    environments.write_record(
        environments.EnvironmentRecord(
            subject="nes-py",
            folder="env-0123456789abcdef",
            python="3.11.7",
            requirements_sha256=environments.requirements_sha256(definition),
        )
    )
    assert subject_status("nes-py").available, "which is all that can be seen without starting it"
    with pytest.raises(SubjectUnavailable, match=r"its environment is broken.*the library is gone") as absent:
        open_subject("nes-py")
    assert absent.value.remedy == "nesproof subjects install nes-py"


@pytest.mark.parametrize("name", [d.name for d in subject_definitions().values() if d.requirements])
def test_every_requirement_is_pinned_by_hash(name: str) -> None:
    definition = subject_definitions()[name]
    folder = Path(environments.__file__).parent
    for file in filter(None, (definition.requirements, definition.build_requirements)):
        text = (folder / file).read_text(encoding="utf-8")
        assert text.startswith("# "), "it says how it was made"
        pins = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
        assert pins, file
        for pin in pins:
            assert "==" in pin, pin
            assert "--hash=sha256:" in text.split(pin, 1)[1].split("\n\n", 1)[0].split("==", 1)[0], pin
        assert "http" not in text
