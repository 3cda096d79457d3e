"""`nesproof claims render`: the numbers and sentences of a Markdown file, from the registry and published evidence."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nesproof.harness.claims.registry import Registry
from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.counting import counted
from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.evidence.published import read_published
from nesproof.harness.plain_text import plain_line
from nesproof.harness.text_file import read_text_file
from nesproof.harness.whole_file import write_whole

if TYPE_CHECKING:
    from nesproof.harness.evidence.model import Evidence
    from nesproof.reports.sentences import Rendering

__all__ = ["render_files"]

_FILE_LIMIT_BYTES = 4 << 20


class _NotAsRendered(HarnessError):
    """A file says something else than registry and evidence."""

    exit_code = int(ExitCode.FAIL)


def render_files(
    paths: Sequence[Path], registry: Registry, *, evidence: Sequence[Path], check: bool, every_number: bool
) -> None:
    """Render the files, or with `check` only look at them. Nothing is written unless every file can be rendered.

    Raises:
        ConfigurationError, MarkerFault: a file cannot be read, has no marked place, or a malformed one.
        HarnessError: exit code 1: with `check` a place says something else; with `every_number` a number has no claim.
        OSError: a file cannot be written; what was there is untouched.
    """
    from nesproof.reports.sentences import render_document

    published = _published(evidence)
    found: list[tuple[Path, str, Rendering]] = []
    for path in paths:
        text = read_text_file(path, what=_shown(path), limit_bytes=_FILE_LIMIT_BYTES)
        rendering = render_document(text, name=_shown(path), claims=registry, published=published)
        if not rendering.places:
            raise ConfigurationError(
                f"{_shown(path)} has no marked place; docs/claims.md says how one is marked, and without one there is "
                "nothing to render."
            )
        found.append((path, text, rendering))
    if every_number:
        _require_owners([(path, rendering.text) for path, _, rendering in found])
    for path, text, rendering in found:
        if check:
            _require_same(path, rendering)
        elif rendering.text != text:
            # The file itself, where the name is a link's.
            write_whole(path.resolve(), rendering.text.encode("utf-8"))
        places, changed = counted(len(rendering.places), "place"), len(rendering.differing)
        typer.echo(f"{_shown(path)}: {places}, {'as rendered' if not changed else f'{changed} rendered anew'}.")


def _require_same(path: Path, rendering: Rendering) -> None:
    if not rendering.differing:
        return
    place, more = rendering.differing[0], len(rendering.differing) - 1
    others = f" (and {counted(more, 'more place')})" if more else ""
    raise _NotAsRendered(
        f"{_shown(path)}, line {place.line}: `{place.title}` does not say what registry and published evidence say"
        f"{others}; run `nesproof claims render {_shown(path)}`."
    )


def _require_owners(texts: Sequence[tuple[Path, str]]) -> None:
    from nesproof.reports.sentences import unowned_numbers

    for path, text in texts:
        numbers = unowned_numbers(text, name=_shown(path))
        if numbers:
            more = f" (and {counted(len(numbers) - 1, 'more number')})" if len(numbers) > 1 else ""
            raise _NotAsRendered(
                f"{_shown(path)}, line {numbers[0].line}: no claim owns the number in {plain_line(numbers[0].words)!r}"
                f"{more}; render it from a claim, or write it as code where it is a name."
            )


def _published(folders: Sequence[Path]) -> list[Evidence]:
    if folders:
        for folder in folders:
            if not folder.is_dir():
                raise ConfigurationError(f"There is no folder {_shown(folder)} of published evidence.")
        return [document.evidence for folder in folders for document in read_published(folder)]
    with as_file(files("nesproof.reports")) as reports:
        return [document.evidence for document in read_published(reports / "published")]


def _shown(path: Path) -> str:
    return plain_line(str(path), limit=300)
