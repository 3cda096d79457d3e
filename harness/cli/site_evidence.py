"""Finding and reading what a site is made from: bundles, published documents, gates and bisections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from nesproof.harness.cli.site_words import in_todays_words
from nesproof.harness.errors import HarnessError, first_fault
from nesproof.harness.evidence.bisection import BISECTION_SCHEMA_ID, Bisection
from nesproof.harness.evidence.bundle import open_bundle
from nesproof.harness.evidence.model import SCHEMA_ID, Evidence
from nesproof.harness.evidence.published import read_document, why_unpublishable
from nesproof.harness.evidence.reading import EvidenceRefused, parse_evidence, parse_json, read_regular_file
from nesproof.harness.gate.document import GATE_SCHEMA_ID, GateDocument
from nesproof.harness.plain_text import plain_line
from nesproof.reports.site import RunInput, SiteInputs

__all__ = ["SiteEvidence", "default_folder", "find_evidence", "read_evidence"]

PUBLISHED_FOLDER = Path("reports", "published")
_DOCUMENT_LIMIT_BYTES = 64 << 20
_FOLDERS_DEEP = 2
_PACKED = (".json.gz", ".json.xz")
_Document = TypeVar("_Document", GateDocument, Bisection)
_SCHEMAS = frozenset({SCHEMA_ID, GATE_SCHEMA_ID, BISECTION_SCHEMA_ID})


@dataclass
class SiteEvidence:
    """What was read, and one sentence for each thing that was refused."""

    runs: list[RunInput] = field(default_factory=list)
    gates: list[GateDocument] = field(default_factory=list)
    bisections: list[Bisection] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    @property
    def inputs(self) -> SiteInputs:
        """What the site is made from."""
        return SiteInputs(tuple(self.runs), tuple(self.gates), tuple(self.bisections))


@dataclass(frozen=True)
class _Diagnosis:
    """What stands against publishing a document: a sentence for whoever wanted to, or None."""

    is_consistent: bool
    reason: str | None


def default_folder() -> Path | None:
    """`reports/published` of the checkout that the working folder lies in; None where there is none."""
    here = Path.cwd()
    folders = (folder / PUBLISHED_FOLDER for folder in (here, *here.parents) if (folder / "pyproject.toml").is_file())
    return next((folder for folder in folders if folder.is_dir()), None)


def find_evidence(paths: Iterable[Path]) -> tuple[list[Path], list[str]]:
    """The bundles and documents among the paths and in the folders among them, and a sentence for each without any."""
    found: dict[Path, None] = {}
    refused = []
    for path in paths:
        shown = plain_line(str(path), limit=300)
        if not path.exists():
            refused.append(f"There is no {shown}.")
        elif path.is_dir() and not _is_bundle(path):
            known = len(refused)
            inside = list(_inside(path, _FOLDERS_DEEP, refused))
            found.update(dict.fromkeys(inside))
            if not inside and len(refused) == known:
                refused.append(f"{shown} holds no evidence: no bundle, no published document, no gate, no bisection.")
        else:
            found[path] = None
    return list(found), refused


def read_evidence(paths: Iterable[Path], *, draft: bool, on_step: Callable[[str, bool], None]) -> SiteEvidence:
    """Read them. `draft`: what must not be published is taken all the same, and labelled."""
    read = SiteEvidence()
    for path in paths:
        shown = plain_line(str(path), limit=300)
        try:
            _read(path, read, draft=draft)
            on_step(shown, True)
        except (HarnessError, OSError) as fault:
            why = f"{fault.strerror}." if isinstance(fault, OSError) else plain_line(str(fault), limit=600)
            read.refused.append(f"{shown}: {why}")
            on_step(f"{shown} is refused", False)
    return read


def _is_bundle(path: Path) -> bool:
    try:
        return (path / "manifest.json").exists()
    except OSError:  # a folder that is closed to us
        return False


def _inside(folder: Path, deep: int, refused: list[str]) -> Iterator[Path]:
    """Bundles, published documents, JSON files that may be documents of ours; no links, nothing hidden.

    A folder that cannot be read is said in `refused`.
    """
    try:
        paths = sorted(folder.iterdir())
    except OSError as fault:
        refused.append(f"{plain_line(str(folder), limit=300)} cannot be read: {fault.strerror}.")
        return
    for path in paths:
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            if _is_bundle(path):
                yield path
            elif deep:
                yield from _inside(path, deep - 1, refused)
        elif path.name.endswith(_PACKED) or (path.suffix == ".json" and _may_be_ours(path)):
            yield path


def _may_be_ours(path: Path) -> bool:
    """True for what calls itself a document of ours, and for what is no JSON: half of one is not lost in silence."""
    try:
        document = parse_json(_bytes_of(path), what=path.name)
    except EvidenceRefused:
        return True
    return isinstance(document, dict) and document.get("schema_id") in _SCHEMAS


def _bytes_of(path: Path) -> bytes:
    return read_regular_file(path, what="It", limit_bytes=_DOCUMENT_LIMIT_BYTES)


def _read(path: Path, read: SiteEvidence, *, draft: bool) -> None:
    if path.is_dir():
        bundle = open_bundle(path)
        read.runs.append(_run(bundle.evidence, draft, bundle_id=bundle.id, frames=bundle.folder("frames")))
        return
    if path.name.endswith(_PACKED):
        read.runs.append(_run(read_document(path).evidence, draft))
        return
    data = _bytes_of(path)
    document = parse_json(data, what="It")
    schema = document.get("schema_id") if isinstance(document, dict) else None
    if schema == GATE_SCHEMA_ID:
        gate = _parsed(GateDocument, data)
        _require(_of_gate(gate), draft=draft)
        read.gates.append(gate)
    elif schema == BISECTION_SCHEMA_ID:
        bisection = _parsed(Bisection, data)
        _require(_of_bisection(bisection), draft=draft)
        read.bisections.append(bisection)
    else:
        read.runs.append(_run(parse_evidence(data, what="It"), draft))


def _parsed(kind: type[_Document], data: bytes) -> _Document:
    try:
        return kind.model_validate_json(data)
    except ValidationError as fault:
        raise EvidenceRefused(f"It is malformed: {first_fault(fault)[:300]}.") from fault


def _run(
    evidence: Evidence, draft: bool, *, bundle_id: str | None = None, frames: dict[str, bytes] | None = None
) -> RunInput:
    diagnosis = _of_run(evidence)
    _require(diagnosis, draft=draft)
    return RunInput(
        evidence=evidence,
        shown=in_todays_words(evidence) if diagnosis.is_consistent else None,
        bundle_id=bundle_id,
        frames=frames or {},
        is_consistent=diagnosis.is_consistent,
        draft=diagnosis.reason if diagnosis.is_consistent else None,
    )


def _require(diagnosis: _Diagnosis, *, draft: bool) -> None:
    if diagnosis.reason is not None and not draft:
        raise EvidenceRefused(f"It must not be published: {diagnosis.reason}")


def _of_run(evidence: Evidence) -> _Diagnosis:
    from nesproof.harness.cli.evidence_consistency import consistency

    if consistency(evidence).contradictions:  # not by other words: shown are those that follow today
        return _Diagnosis(False, "Its verdicts do not follow from its own samples (`nesproof evidence verify`).")
    # What was made up is shown as such; it is held to everything else that measured evidence is held to.
    return _Diagnosis(True, why_unpublishable(evidence.model_copy(update={"fixture": None})))


def _of_gate(document: GateDocument) -> _Diagnosis:
    from nesproof.harness.gate.check import contradictions_of

    if contradictions_of(document):
        return _Diagnosis(False, "Its verdicts do not follow from its own samples (`nesproof gate --check`).")
    return _Diagnosis(True, _of_source(document.source.dirty, allowed_busy=document.flags.allow_busy))


def _of_bisection(document: Bisection) -> _Diagnosis:
    from nesproof.harness.bisect.rejudge import contradictions

    if contradictions(document):
        return _Diagnosis(False, "Its answers do not follow from its own samples.")
    return _Diagnosis(True, _of_source(document.source.dirty, allowed_busy=document.is_diagnostic()))


def _of_source(dirty: bool | None, *, allowed_busy: bool) -> str | None:
    if dirty:
        return "The source tree of the nesproof that made it had uncommitted changes."
    return "It was timed on a busy machine all the same (--allow-busy)." if allowed_busy else None
