"""Evidence by what a person calls it: the folder of a bundle, its name in the store, or a published document."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.bundle import Bundle, open_bundle
from nesproof.harness.evidence.model import Evidence
from nesproof.harness.evidence.published import is_document, read_document
from nesproof.harness.evidence.store import Store, default_store
from nesproof.harness.plain_text import plain_line

__all__ = ["LoadedEvidence", "load_bundle", "load_evidence", "store_in"]


@dataclass(frozen=True)
class LoadedEvidence:
    """Evidence, and the bundle that it came in; a published document has none.

    `sha256` is over the bytes of `evidence.json`.
    """

    evidence: Evidence
    sha256: str
    place: Path
    bundle: Bundle | None

    @property
    def bundle_id(self) -> str | None:
        """The bundle's id; None for a document alone."""
        return None if self.bundle is None else self.bundle.id

    @property
    def files(self) -> Mapping[str, bytes]:
        """The bundle's files by path; none for a document alone."""
        return {} if self.bundle is None else self.bundle.files

    @property
    def label(self) -> str:
        """What it is called in a table: the first digits of the bundle's id, or of the document's hash."""
        return (self.bundle_id or self.sha256)[:12]


def load_evidence(name: str, where: Path | None) -> LoadedEvidence:
    """The evidence called `name`.

    Raises:
        ConfigurationError: nothing or several are called so, or it is no evidence.
        EvidenceInconsistent: it is not what its manifest or its name says.
    """
    direct = Path(name)
    if where is None and is_document(direct) and direct.exists():
        document = read_document(direct)
        return LoadedEvidence(document.evidence, document.sha256, direct, bundle=None)
    folder, bundle = load_bundle(name, where)
    return LoadedEvidence(bundle.evidence, hashlib.sha256(bundle.files["evidence.json"]).hexdigest(), folder, bundle)


def load_bundle(name: str, where: Path | None) -> tuple[Path, Bundle]:
    """The bundle called `name`, and its folder; errors as of `load_evidence`."""
    folder = _bundle_folder(name, where)
    return folder, open_bundle(folder)


def _bundle_folder(name: str, where: Path | None) -> Path:
    """The folder of the bundle called `name`.

    Raises:
        ConfigurationError: none or several are called so.
    """
    direct = Path(name)
    if where is None and (direct.is_dir() or direct.is_symlink()):
        return direct
    if where is None and direct.exists():
        shown = plain_line(name, limit=300)
        raise ConfigurationError(f"{shown} is neither the folder of an evidence bundle nor a published document.")
    return store_in(where).find(name)


def store_in(where: Path | None) -> Store:
    """The store in the folder `where`, or the user's own, which may not be there yet.

    Raises:
        ConfigurationError: `where` is no folder.
    """
    if where is None:
        return default_store()
    if not where.is_dir():
        raise ConfigurationError(f"There is no folder {plain_line(str(where), limit=300)} of bundles.")
    return Store(where)
