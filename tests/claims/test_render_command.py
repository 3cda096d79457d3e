"""`nesproof claims render`: what it writes, what it leaves, how it ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nesproof.harness.cli.app import app
from nesproof.harness.evidence.bundle import seal
from nesproof.harness.evidence.publishing import publish_document

CLAIMS = """
[[claim]]
id = "mine.speed"
sentence = "It runs at least {value} times as fast as before."
kind = "ratio"
subject = "core"
baseline = "reference"
workload = "busy@2"
metric = "frames_per_second"
at_least = 12.5
killed_by = ["skips-frames"]
breaks_when = "It becomes slow, or leaves out frames."
"""
PAGE = "# Mine\r\n\r\n<!-- claim: mine.speed -->\r\n<!-- end claim -->\r\nlast line without an end"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "claims.toml").write_text(CLAIMS, encoding="utf-8")
    path = tmp_path / "README.md"
    path.write_bytes(PAGE.encode())
    return path


def run(page: Path, *words: str) -> tuple[int, str]:
    claims = str(page.parent / "claims.toml")
    done = CliRunner().invoke(app, ["claims", "render", str(page), "--claims", claims, *words])
    return done.exit_code, done.output


def test_it_writes_once_and_then_nothing(page: Path) -> None:
    status, output = run(page)
    assert (status, "1 place, 1 rendered anew" in output) == (0, True)
    expected = "It runs at least 12.5 times as fast as before. Not measured in published evidence yet."
    assert page.read_bytes() == PAGE.replace("speed -->", f"speed -->\r\n{expected}", 1).encode()
    stamp = page.stat().st_mtime_ns
    assert run(page)[0] == run(page, "--check")[0] == 0
    assert page.stat().st_mtime_ns == stamp
    assert sorted(path.name for path in page.parent.iterdir()) == ["README.md", "claims.toml"]


def test_check_writes_nothing_and_names_the_first_place(page: Path) -> None:
    status, output = run(page, "--check")
    assert status == 1
    assert "README.md, line 3: `claim: mine.speed` does not say what" in output
    assert "nesproof claims render" in output
    assert page.read_bytes() == PAGE.encode()


def test_published_evidence_is_quoted(
    page: Path, registry: Any, record: Callable[..., Any], document: Callable[..., Any]
) -> None:
    evidence = document(record(registry["mine.speed"]))
    publish_document(seal(evidence, attachments={}, reports={}), page.parent / "published")
    assert run(page, "--evidence", str(page.parent / "published"))[0] == 0
    assert "Measured: 13 x (12.9 to 13.1) on Test CPU" in page.read_text(encoding="utf-8")


def test_nothing_is_written_where_one_file_cannot_be_rendered(page: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("<!-- claim: mine.speed -->\n", encoding="utf-8")
    status, output = run(page, str(other))
    assert status == 2
    assert "other.md, line 1: 'claim: mine.speed' is not ended" in output
    assert page.read_bytes() == PAGE.encode()


def test_through_a_link_the_file_itself_is_written(page: Path) -> None:
    link = page.with_name("link.md")
    link.symlink_to(page)
    assert run(link)[0] == 0
    assert link.is_symlink()
    assert "12.5" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"# No place here\n", "has no marked place"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"x" * ((4 << 20) + 1), "is larger than"),
        (None, "cannot be read"),
    ],
)
@pytest.mark.parametrize("mode", [(), ("--check",)])
def test_a_file_that_cannot_be_rendered_is_refused(
    page: Path, content: bytes | None, complaint: str, mode: tuple[str, ...]
) -> None:
    page.unlink()
    if content is not None:
        page.write_bytes(content)
    status, output = run(page, *mode)
    assert (status, complaint in output) == (2, True), output
    assert "Traceback" not in output


def test_a_folder_of_evidence_that_is_not_there_is_refused(page: Path) -> None:
    status, output = run(page, "--evidence", str(page.parent / "nowhere"))
    assert status == 2
    assert "There is no folder" in output
