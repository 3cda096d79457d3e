"""A remedy is a command of the package manager that the machine has, with the name that this one knows."""

from pathlib import Path

import pytest

from nesproof.harness.system_packages import compiler_command, package_command


@pytest.mark.parametrize(
    ("programs", "package", "compiler"),
    [
        (["apt-get"], "sudo apt-get install --yes cc65", "sudo apt-get install --yes g++"),
        (["dnf"], "sudo dnf install --assumeyes cc65", "sudo dnf install --assumeyes gcc-c++"),
        (["brew", "xcode-select"], "brew install cc65", "xcode-select --install"),
        (["pacman", "apk"], "sudo apk add cc65", "sudo apk add g++"),
        ([], "conda install --yes cc65", "conda install --yes gxx"),
    ],
)
def test_the_command_is_the_machines(
    programs: list[str], package: str, compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for program in programs:
        (tmp_path / program).touch()
        (tmp_path / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert package_command("cc65") == package
    assert compiler_command() == compiler
