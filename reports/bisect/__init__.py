"""The report of a bisection: which commit, what was asked in which order, and what each commit answered."""

from nesproof.reports.bisect.page import render_bisection

__all__ = ["render_bisection"]
