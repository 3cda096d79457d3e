"""The document, checked: the schema of the default branch, and the commit that GitHub says the run was about."""

from __future__ import annotations

from pydantic import ValidationError

from gate_comment.errors import Refused
from gate_comment.event import GateRun
from nesproof.harness.gate.check import contradictions_of
from nesproof.harness.gate.document import GateDocument

__all__ = ["checked"]


def checked(data: bytes, run: GateRun) -> GateDocument:
    """The document that `data` holds.

    Raises:
        Refused: it is none of this version's schema, has fields that the schema does not know, is about another commit,
            says that the run ended otherwise than it did, or has verdicts that do not follow from its samples.
    """
    try:
        document = GateDocument.model_validate_json(data)
    except ValidationError as fault:
        kinds = ", ".join(sorted({error["type"] for error in fault.errors(include_input=False, include_url=False)}))
        raise Refused(f"The document does not fit the schema of the default branch ({kinds}).") from None
    except RecursionError:
        raise Refused("The document is nested too deeply.") from None
    if document.candidate.commit != run.head_sha:
        raise Refused("The document is about another commit than the run was.")
    if (document.exit_code == 0) != (run.conclusion == "success"):
        raise Refused("The document says that the gate ended otherwise than the run did.")
    try:
        is_consistent = not contradictions_of(document)
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError):
        is_consistent = False  # samples that no honest run has, such as a block without one of its sides
    if not is_consistent:
        raise Refused("The document's verdicts do not follow from its samples.")
    return document
