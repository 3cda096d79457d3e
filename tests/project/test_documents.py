"""Documents tell the truth: links resolve, commands parse, and no trace of anybody's machine stands in the text."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "suites", "benchmarks", "roms_manifest", "reports")
FENCE = re.compile(r"^```(?:sh|bash|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)|\!\[[^\]]*\]\(([^)\s]+)\)")


def documents(root: Path) -> list[Path]:
    found: list[Path] = []
    for name in DOCUMENTS:
        path = root / name
        found += sorted(path.rglob("*.md")) if path.is_dir() else [path]
    return found


def commands(text: str) -> list[str]:
    lines: list[str] = []
    for block in FENCE.findall(text):
        joined = block.replace("\\\n", " ")
        lines += [line.removeprefix("$ ").strip() for line in joined.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def complaint_about(words: list[str]) -> str:
    """What the command line says of these words without running them: "" where it knows them all.

    `--help` stops a command after its options and arguments were read and before anything is done.
    """
    from nesproof.harness.cli.app import app

    result = CliRunner().invoke(app, [*words, "--help"])
    return "" if result.exit_code == 0 else result.output


def nesproof_lines(root: Path) -> list[tuple[str, str]]:
    return [
        (str(path.relative_to(root)), line)
        for path in documents(root)
        for line in commands(path.read_text(encoding="utf-8"))
        if re.match(r"(\S*=\S*\s+)*(\S*/)?nesproof\s", line)
    ]


def test_documented_nesproof_commands_parse(root: Path) -> None:
    lines = nesproof_lines(root)
    assert len(lines) > 10
    for where, line in lines:
        words = shlex.split(line.split(" | ")[0].split(" && ")[0], comments=True)
        while "=" in words[0]:
            words.pop(0)
        complaint = complaint_about(words[1:])
        assert not complaint, f"{where}: `{line}` does not parse: {complaint}"


@pytest.mark.parametrize("words", [["verify", "--no-such-option"], ["no-such-command"], ["roms", "no-such"]])
def test_a_wrong_command_is_noticed(words: list[str]) -> None:
    assert complaint_about(words)


def test_documented_make_targets_exist(root: Path) -> None:
    makefile = (root / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    seen = set()
    for path in documents(root):
        for line in commands(path.read_text(encoding="utf-8")):
            words = shlex.split(line, comments=True)
            if "make" not in words[:3]:
                continue
            for word in words[words.index("make") + 1 :]:
                if "=" in word or word in {"&&", ";"} or word.startswith("-"):
                    break
                seen.add(word)
                assert word in targets, f"{path}: make {word}"
    assert {"verify", "test"} <= seen


def test_fresh_hardware_commands_are_shell(root: Path) -> None:
    """Every line of the page is valid shell, and the page reaches a report."""
    import subprocess

    text = (root / "docs" / "fresh-hardware.md").read_text(encoding="utf-8")
    blocks = FENCE.findall(text)
    assert len(blocks) >= 3
    for block in blocks:
        subprocess.run(["bash", "-n"], input=block, text=True, check=True)
    assert any(line.startswith("make verify") for line in commands(text))


def test_links_and_pictures_resolve(root: Path) -> None:
    for path in documents(root):
        text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for link, picture in LINK.findall(text):
            target = (link or picture).split("#")[0]
            if not target or re.match(r"[a-z]+:", target):
                continue
            assert (path.parent / target).exists(), f"{path.relative_to(root)} links to {target}, which is not there"


def test_the_claims_that_the_documents_show_are_valid(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page on claims, with the subject of the page on subjects, is put to the command that checks claims."""
    from nesproof.harness.cli.app import app

    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", "")
    arguments = ["claims", "validate"]
    for page, option in (("claims", "--claims"), ("subject-protocol", "--subject-file")):
        text = (root / "docs" / f"{page}.md").read_text(encoding="utf-8")
        example = re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[0]
        file = tmp_path / f"{page}.toml"
        file.write_text(example, encoding="utf-8")
        arguments += [option, str(file)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    # Without the subject file the claims name somebody unknown: the command can say no.
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", "")
    assert CliRunner().invoke(app, arguments[:4]).exit_code != 0


def test_no_trace_of_a_machine(project_files: list[Path], root: Path) -> None:
    trace = re.compile(rb"/home/(?!mary)[a-z]+/|/root/|/Users/[a-z]+/|/work/(main|shared)|/opt/pypi")
    offenders = [
        str(path.relative_to(root))
        for path in project_files
        if path != Path(__file__) and trace.search(path.read_bytes())
    ]
    assert offenders == []


def test_the_map_of_the_harness_is_the_tree(root: Path) -> None:
    section = (
        (root / "docs" / "architecture.md").read_text(encoding="utf-8").split("## The harness")[1].split("\n## ")[0]
    )
    packages = {path.parent.name for path in (root / "harness").glob("*/__init__.py")}
    modules = {path.name for path in (root / "harness").glob("*.py")} - {"__init__.py"}
    assert set(re.findall(r"^\| `(\w+)/`", section, re.MULTILINE)) == packages
    assert set(re.findall(r"`(\w+\.py)`", section)) == modules
