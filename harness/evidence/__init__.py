"""Evidence: the immutable record of one run, from which every view is rendered and every verdict re-derived."""

from nesproof.harness.evidence.model import Evidence

__all__ = ["Evidence"]
