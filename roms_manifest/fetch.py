"""Downloads what is missing from its pinned source, verified before it is kept. Nothing else here uses the network.

A file comes to its place by a rename, after its SHA-256 was found right; so a partial download is never taken for a
whole one, two runs at once do not disturb each other, and a second run goes on where the first one stopped.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from nesproof.roms_manifest.errors import FetchError
from nesproof.roms_manifest.manifest import Manifest
from nesproof.roms_manifest.places import rom_cache, vector_cache
from nesproof.roms_manifest.resolver import Resolver
from nesproof.roms_manifest.vectors import VECTORS, reduce_vectors, vector_file_name

if TYPE_CHECKING:
    import requests

__all__ = ["DEFAULT_TIMEOUT_S", "FetchItem", "FetchReport", "fetch", "is_offline", "plan_fetch"]

OFFLINE_VARIABLE = "NESPROOF_OFFLINE"
DEFAULT_TIMEOUT_S = 20.0

_CHUNK_BYTES = 1 << 14
_VECTOR_HEAD_BYTES = 1 << 16
"""How much of upstream's 1 MB file is asked for: 100 cases have about 10 KB, and at most half are left out."""
_VECTOR_MOST_BYTES = 4 * _VECTOR_HEAD_BYTES
_FILE_TIMEOUTS = 3
"""A file may take this many times the timeout in all, so that a server which drips bytes cannot hold us."""


@dataclass(frozen=True)
class FetchItem:
    """One file to get: from `url` to `folder / path`, right when its SHA-256 is `sha256`.

    `size_bytes` is its exact size; None with `opcode` set means upstream's vectors, which are reduced on arrival.
    """

    id: str
    collection: str
    licence: str
    url: str
    folder: Path
    path: str
    sha256: str
    size_bytes: int | None
    opcode: int | None = None


@dataclass(frozen=True)
class FetchReport:
    """What came of a fetch: `failed` is (id, sentence) a file; `stopped` says why the rest was not tried."""

    fetched: tuple[str, ...]
    failed: tuple[tuple[str, str], ...]
    stopped: str | None
    not_tried: int


def is_offline() -> bool:
    """Whether `NESPROOF_OFFLINE` forbids the network (set, and neither empty nor 0)."""
    return os.environ.get(OFFLINE_VARIABLE, "") not in ("", "0")


def plan_fetch(
    resolver: Resolver,
    collections: Sequence[str],
    *,
    rom_folder: Path | None = None,
    vector_folder: Path | None = None,
) -> tuple[FetchItem, ...]:
    """What is missing of some collections ("vectors" is one), in order; what ships with the package never is.

    Raises:
        ManifestError: there is no such collection.
    """
    manifest = resolver.manifest
    items: list[FetchItem] = []
    for name in collections:
        if name == VECTORS:
            items += _vector_items(resolver, vector_folder or vector_cache())
        else:
            items += _file_items(manifest, resolver, name, rom_folder or rom_cache())
    return tuple(items)


def _file_items(manifest: Manifest, resolver: Resolver, collection: str, folder: Path) -> Iterator[FetchItem]:
    for entry in manifest.files_of(collection):
        url = manifest.source_url(entry.id)
        if url is not None and resolver.look_up(entry.id).path is None:
            yield FetchItem(
                entry.id, collection, entry.licence, url, folder, entry.path, entry.sha256, entry.size_bytes
            )


def _vector_items(resolver: Resolver, folder: Path) -> Iterator[FetchItem]:
    vectors = resolver.manifest.vectors
    for opcode in resolver.missing_vectors():
        name = vector_file_name(opcode)
        digest = vectors.sha256_by_opcode[opcode]
        url = vectors.source_url(opcode)
        yield FetchItem(f"{VECTORS}/{name}", VECTORS, vectors.licence, url, folder, name, digest, None, opcode)


def fetch(
    items: Sequence[FetchItem],
    *,
    timeout_s: float = DEFAULT_TIMEOUT_S,
    on_file: Callable[[FetchItem], None] | None = None,
) -> FetchReport:
    """Download and verify; a file that cannot be had is reported and the others are tried.

    The first host that cannot be reached at all, or the second timeout in a row, ends it.

    Args:
        items: from `plan_fetch`.
        timeout_s: for connecting, and for each silence of the server.
        on_file: called before each file.

    Raises:
        FetchError: the network is forbidden by `NESPROOF_OFFLINE`.
        OSError: the disk refused.
    """
    if is_offline():
        raise FetchError(f"{OFFLINE_VARIABLE} is set, so that nothing is fetched; unset it to allow downloads.")
    import requests

    logging.getLogger("pooch").setLevel(logging.WARNING)
    fetched: list[str] = []
    failed: list[tuple[str, str]] = []
    stopped: str | None = None
    timeouts_in_a_row = 0
    with requests.Session() as session:
        for item in items:
            if on_file is not None:
                on_file(item)
            outcome = _fetch_one(session, item, timeout_s)
            if outcome is None:
                fetched.append(item.id)
                timeouts_in_a_row = 0
                continue
            failed.append((item.id, outcome.sentence))
            timeouts_in_a_row = timeouts_in_a_row + 1 if outcome.is_timeout else 0
            if outcome.is_unreachable or timeouts_in_a_row > 1:
                stopped = outcome.sentence
                break
    return FetchReport(tuple(fetched), tuple(failed), stopped, len(items) - len(fetched) - len(failed))


@dataclass(frozen=True)
class _Failure:
    sentence: str
    is_timeout: bool = False
    is_unreachable: bool = False


def _fetch_one(session: requests.Session, item: FetchItem, timeout_s: float) -> _Failure | None:
    import pooch
    import requests
    from urllib3.exceptions import HTTPError as TransportError
    from urllib3.exceptions import ReadTimeoutError

    host = urlsplit(item.url).netloc
    target = item.folder / item.path
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        pooch.retrieve(
            item.url,
            known_hash=f"sha256:{item.sha256}",
            fname=target.name,
            path=target.parent,
            downloader=_Downloader(session, item, timeout_s),
        )
    except (requests.Timeout, ReadTimeoutError):
        return _Failure(f"{host} did not answer within {timeout_s:g} s", is_timeout=True)
    except requests.HTTPError as fault:
        status = "an error" if fault.response is None else f"status {fault.response.status_code}"
        return _Failure(f"{host} answered with {status}")
    except (requests.exceptions.ChunkedEncodingError, requests.exceptions.ContentDecodingError, TransportError):
        return _Failure(f"the download from {host} broke off")
    except requests.ConnectionError:
        return _Failure(f"{host} cannot be reached", is_unreachable=True)
    except requests.RequestException as fault:
        return _Failure(f"the request to {host} failed ({type(fault).__name__})")
    except _WrongContent as fault:
        return _Failure(str(fault))
    except ValueError:
        # The one ValueError of pooch: the hash of what came is another one. The temporary file is gone already.
        return _Failure(f"{host} sent other bytes than the manifest's SHA-256 {item.sha256}")
    return None


class _WrongContent(Exception):
    pass


class _Downloader:
    """What pooch calls to fill its temporary file; pooch then checks the hash and renames."""

    def __init__(self, session: requests.Session, item: FetchItem, timeout_s: float) -> None:
        self._session = session
        self._item = item
        self._timeout_s = timeout_s

    def __call__(self, url: str, output_file: Any, pooch: object, check_only: bool = False) -> None:
        del pooch, check_only
        # Without compression a range of bytes is a range of the file, and sizes can be counted.
        headers = {"Accept-Encoding": "identity"}
        if self._item.opcode is not None:
            headers["Range"] = f"bytes=0-{_VECTOR_HEAD_BYTES - 1}"
        with self._session.get(url, timeout=self._timeout_s, stream=True, headers=headers) as response:
            response.raise_for_status()
            content = self._content(response)
        Path(output_file).write_bytes(content)

    def _content(self, response: requests.Response) -> bytes:
        if self._item.opcode is None:
            most_bytes = self._item.size_bytes or 0
            return b"".join(self._chunks(response, most_bytes))
        head = b""
        for chunk in self._chunks(response, _VECTOR_MOST_BYTES):
            head += chunk
            reduced = reduce_vectors(head, self._item.opcode)
            if reduced is not None:
                return reduced
        raise _WrongContent(f"upstream's file holds too few cases ({len(head)} bytes)")

    def _chunks(self, response: requests.Response, most_bytes: int) -> Iterator[bytes]:
        import requests

        deadline = time.monotonic() + _FILE_TIMEOUTS * self._timeout_s
        received = 0
        while chunk := _read_available(response):
            received += len(chunk)
            if received > most_bytes:
                raise _WrongContent(f"more than the expected {most_bytes} bytes came")
            if time.monotonic() > deadline:
                raise requests.Timeout
            yield chunk


def _read_available(response: requests.Response) -> bytes:
    """What has come, at most one chunk; b"" at the end. Waits for the first byte alone, so that time can be checked."""
    raw = response.raw
    data: bytes | None = raw.read1(_CHUNK_BYTES, decode_content=True)
    return data or b""
