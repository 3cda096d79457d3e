"""Reports: views of one run's evidence as HTML, JSON, JUnit XML and Markdown. A view decides nothing."""

from nesproof.reports.render import FORMATS, render

__all__ = ["FORMATS", "render"]
