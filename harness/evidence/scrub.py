"""What names a person or a machine is replaced in every string and log of a bundle, and images lose their metadata.

Paths (home, working folder, temporary folder, environment, ROM folders) are replaced wherever they stand. User and host
names are words of their own, so they are replaced as whole words, and not inside identifiers (a claim's id, a
subject's name), which come from the project's own data.
"""

from __future__ import annotations

import contextlib
import getpass
import io
import os
import platform
import re
import socket
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image, UnidentifiedImageError

from nesproof.harness.plain_text import plain_text

__all__ = ["Scrubber", "clean_png", "scrubber_for_this_machine"]

_COMMON_NAMES = frozenset(
    {
        "admin",
        "administrator",
        "build",
        "builder",
        "ci",
        "debian",
        "docker",
        "fedora",
        "guest",
        "host",
        "jenkins",
        "local",
        "localdomain",
        "localhost",
        "nobody",
        "root",
        "runner",
        "test",
        "ubuntu",
        "user",
        "users",
        "vagrant",
    }
)
"""Names that many machines share: they identify nobody, and replacing them would garble ordinary words."""

_IDENTIFIERS = frozenset(
    {
        "baseline",
        "breaks_when",
        "candidate",
        "capabilities",
        "cases",
        "commit",
        "created_utc",
        "digest",
        "digest_from",
        "draw",
        "expected",
        "also",
        "area",
        "case",
        "claim",
        "extension_sha256",
        "fault",
        "fault_globs",
        "means",
        "only_suite",
        "states_only",
        "tried",
        "frame",
        "id",
        "identity_sha256",
        "key",
        "killed_by",
        "kind",
        "licence",
        "log",
        "metric",
        "oracle",
        "outcome",
        "profile",
        "profiles",
        "ram_sha256",
        "reproduction",
        "requires",
        "rom",
        "run",
        "schema_id",
        "sentence",
        "sha256",
        "side",
        "sources_sha256",
        "subject",
        "suite",
        "title",
        "tree_sha256",
        "verdict",
        "workload",
    }
)
"""Keys of the evidence document whose values are the project's own words, hashes or enumerations."""

_SYSTEM_FOLDERS = frozenset({"/usr", "/usr/local", "/opt", "/home", "/Users", "/var", "/Library"})
_SHORTEST_CAP = 190
"""Free text of the document is nowhere capped below this many characters."""
_IMAGE_LIMIT_PIXELS = 4_000_000
_IMAGE_LIMIT_BYTES = 4_000_000


@dataclass(frozen=True)
class Scrubber:
    """Replaces `paths` (path, placeholder) and `names` (word, placeholder), longest first."""

    paths: tuple[tuple[str, str], ...]
    names: tuple[tuple[str, str], ...]

    def text(self, text: str) -> str:
        """`text` without local paths, names and terminal escapes."""
        text = self._without_paths(plain_text(text))
        for word, placeholder in self.names:
            text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])", placeholder, text, flags=re.IGNORECASE)
        return text

    def log(self, data: bytes, *, limit_bytes: int = 1 << 20) -> bytes:
        """A log as scrubbed UTF-8; of a longer one the end is kept, and said so."""
        tail = data[-limit_bytes:]
        head = "" if len(data) <= limit_bytes else f"[{len(data) - limit_bytes} bytes before this were cut off]\n"
        return self.text(head + tail.decode("utf-8", errors="replace")).encode("utf-8", errors="replace")

    def document(self, value: Any, *, key: str = "") -> Any:
        """JSON data with every string scrubbed; under identifiers only paths are replaced."""
        if isinstance(value, str):
            clean = self._without_paths(value) if key in _IDENTIFIERS else self.text(value)
            # A placeholder may be longer than what it stands for; the document's fields are capped.
            return clean[: max(len(value), _SHORTEST_CAP)]
        if isinstance(value, dict):
            return {self._without_paths(k): self.document(v, key=k) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.document(item, key=key) for item in value]
        return value

    def _without_paths(self, text: str) -> str:
        for path, placeholder in self.paths:
            text = re.sub(rf"(?:{_spelled(path)})(?![A-Za-z0-9_-])", placeholder, text)
        return text


def scrubber_for_this_machine(extra_paths: Iterable[tuple[Path, str]] = ()) -> Scrubber:
    """A scrubber for this user, machine, environment and working folder; `extra_paths` come on top."""
    folders: list[tuple[Path | str, str]] = [
        *((folder, "<cwd>") for folder in _working_folder()),
        (sys.prefix, "<venv>"),
        (sys.exec_prefix, "<venv>"),
        (sys.base_prefix, "<python>"),
        (tempfile.gettempdir(), "<tmp>"),
        (_package_folder(), "<nesproof>"),
        *((Path(part), "<site>") for part in sys.path if part.endswith(("site-packages", "dist-packages"))),
        *extra_paths,
    ]
    for variable, placeholder in (
        ("HOME", "<home>"),
        ("USERPROFILE", "<home>"),
        ("TMPDIR", "<tmp>"),
        ("VIRTUAL_ENV", "<venv>"),
        ("NESPROOF_HOME", "<nesproof-home>"),
        ("NESPROOF_ROM_PATH", "<roms>"),
        ("NESPROOF_VECTOR_PATH", "<vectors>"),
        ("NESPROOF_SUITE_PATH", "<suites>"),
        ("PYTHONPATH", "<pythonpath>"),
    ):
        folders += [(part, placeholder) for part in os.environ.get(variable, "").split(os.pathsep) if part]
    folders.append((_account_home(), "<home>"))
    names = [
        *((n, "<user>") for n in {os.environ.get(v, "") for v in ("USER", "LOGNAME", "USERNAME")} | {_account_name()}),
        *((n, "<host>") for n in _host_names()),
    ]
    return Scrubber(_by_length(_spellings(folders)), _by_length(_telling(names)))


def clean_png(data: bytes) -> bytes:
    """The picture encoded anew, without any metadata.

    Raises:
        ValueError: not a PNG, broken, or larger than a frame can be.
    """
    if len(data) > _IMAGE_LIMIT_BYTES:
        raise ValueError(f"the picture has {len(data)} bytes; at most {_IMAGE_LIMIT_BYTES} are taken")
    try:
        with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
            if image.width * image.height > _IMAGE_LIMIT_PIXELS:
                raise ValueError(f"the picture has {image.width} x {image.height} pixels")
            indexed = image.mode == "P" and "transparency" not in image.info
            pixels = image.copy() if indexed else image.convert("RGB")
            bare = Image.frombytes(pixels.mode, pixels.size, pixels.tobytes())
            palette = pixels.getpalette() if indexed else None
            if palette is not None:
                bare.putpalette(palette)
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as fault:
        raise ValueError("the picture is no readable PNG") from fault
    out = io.BytesIO()
    bare.save(out, format="PNG", optimize=True)
    return out.getvalue()


def _package_folder() -> Path:
    return Path(__file__).resolve().parent.parent.parent


def _working_folder() -> list[Path]:
    """The working folder; none where it was deleted under the running process."""
    try:
        return [Path.cwd()]
    except OSError:
        return []


def _account_home() -> str:
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return str(Path.home())


def _account_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""


def _host_names() -> set[str]:
    # No getfqdn: it would ask the network.
    full = {socket.gethostname(), platform.node(), os.environ.get("HOSTNAME", "")}
    return full | {name.split(".")[0] for name in full}


def _spellings(folders: Iterable[tuple[Path | str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for folder, placeholder in folders:
        given = str(folder)
        spellings = [given]
        with contextlib.suppress(OSError):  # a relative one, where the working folder was deleted
            spellings += [os.path.abspath(given), os.path.realpath(given)]  # noqa: PTH100
        for spelling in spellings:
            bare = spelling.rstrip("/\\")
            # A lone "/" or "C:" would match everything, and a system's folder names nobody.
            if len(bare) > 3 and os.path.isabs(bare) and bare not in _SYSTEM_FOLDERS:  # noqa: PTH117
                found.setdefault(bare, placeholder)
    return found


def _telling(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {n: placeholder for n, placeholder in names if len(n) >= 3 and n.lower() not in _COMMON_NAMES}


@lru_cache(maxsize=256)
def _spelled(path: str) -> str:
    """A pattern for the path as it stands, and as it reads from another folder: `../..` and its last parts."""
    parts = [part for part in re.split(r"[/\\]", path) if part]
    tails = (re.escape("/".join(parts[first:])) for first in range(len(parts)))
    return rf"{re.escape(path)}|(?:\.\./)+(?:{'|'.join(tails)})"


def _by_length(table: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(table.items(), key=lambda item: (-len(item[0]), item[0])))
