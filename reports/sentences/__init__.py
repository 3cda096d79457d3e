"""Sentences in Markdown files: what is promised, from the registry, and what was measured, from published evidence."""

from nesproof.reports.sentences.document import Rendering, render_document
from nesproof.reports.sentences.markers import MarkerFault, Place
from nesproof.reports.sentences.unowned import UnownedNumber, unowned_numbers

__all__ = ["MarkerFault", "Place", "Rendering", "UnownedNumber", "render_document", "unowned_numbers"]
