"""Gates and bisections of a site: named, made plain, and as the JSON that the site offers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from nesproof.harness.evidence.bisection import Bisection
from nesproof.harness.evidence.machines import machine_title
from nesproof.harness.gate.document import GateDocument
from nesproof.reports.bisect.view import BisectionView, bisection_view
from nesproof.reports.figures import moment
from nesproof.reports.gate.view import GateView, gate_view
from nesproof.reports.plain_text import one_line, plain, plain_record
from nesproof.reports.site.runs import document_slug, in_utc, json_document

__all__ = ["ShownBisection", "ShownGate", "bisections_of", "gates_of"]


@dataclass(frozen=True)
class ShownGate:
    """One gate."""

    slug: str
    when: datetime
    document: GateDocument
    view: GateView
    data: bytes

    @property
    def sha256(self) -> str:
        """SHA-256 of the document as the site offers it."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class ShownBisection:
    """One bisection."""

    slug: str
    when: datetime
    document: Bisection
    view: BisectionView
    data: bytes

    @property
    def created(self) -> str:
        """When it was begun."""
        return moment(self.document.created_utc)

    @property
    def machine(self) -> str:
        """Where it took place."""
        return one_line(plain(machine_title(self.document.machine)))

    @property
    def sha256(self) -> str:
        """SHA-256 of the document as the site offers it."""
        return hashlib.sha256(self.data).hexdigest()


def gates_of(documents: Iterable[GateDocument]) -> tuple[ShownGate, ...]:
    """The gates, newest first, each once."""
    found = {}
    for document in documents:
        data = json_document(document.model_dump(mode="json"))
        when = in_utc(document.created_utc)
        found[data] = ShownGate(document_slug(when, data), when, document, gate_view(document), data)
    return tuple(sorted(found.values(), key=lambda gate: (gate.when, gate.slug), reverse=True))


def bisections_of(documents: Iterable[Bisection]) -> tuple[ShownBisection, ...]:
    """The bisections, newest first, each once."""
    found = {}
    for document in documents:
        data = json_document(document.model_dump(mode="json"))
        when = in_utc(document.created_utc)
        shown = plain_record(document)
        found[data] = ShownBisection(document_slug(when, data), when, shown, bisection_view(shown), data)
    return tuple(sorted(found.values(), key=lambda bisection: (bisection.when, bisection.slug), reverse=True))
