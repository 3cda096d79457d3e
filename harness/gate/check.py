"""Whether a gate's document says what its own samples say: every verdict, its words and figures derived anew."""

from __future__ import annotations

import math
from pathlib import Path

from pydantic import ValidationError

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.errors import ConfigurationError, HarnessError, first_fault
from nesproof.harness.evidence.model import ChangeMeasurement
from nesproof.harness.evidence.reading import parse_json
from nesproof.harness.gate.document import GateClaim, GateDocument
from nesproof.harness.gate.outcome import GateVerdict, gate_exit_code
from nesproof.harness.gate.selection import is_asked_for
from nesproof.harness.gate.verdicts import rejudged
from nesproof.harness.gate.yardstick import changes_reference
from nesproof.harness.judge.load import is_busy
from nesproof.harness.plain_text import plain_line

__all__ = ["DocumentInconsistent", "contradictions_of", "read_document"]

_MOST_BYTES = 64 << 20
_FIGURES = ("before", "after", "change", "floor")
_WORDS = ("reason", "caveat", "remedy", "unit")


class DocumentInconsistent(HarnessError):
    """The document contradicts itself."""

    exit_code = ExitCode.FAIL


def read_document(path: Path) -> GateDocument:
    """The document in that file, which may be a stranger's.

    Raises:
        ConfigurationError: it cannot be read, is too large, or is none.
    """
    shown = plain_line(str(path), limit=300)
    try:
        if not path.is_file():  # a FIFO or a device would never end
            raise ConfigurationError(f"{shown} is no file; name a gate.json.")
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise ConfigurationError(f"{shown} is larger than {_MOST_BYTES >> 20} MiB.")
        parse_json(data, what=shown)
        return GateDocument.model_validate_json(data)
    except OSError as fault:
        raise ConfigurationError(f"{shown} cannot be read: {fault.strerror}.") from fault
    except ValidationError as fault:
        raise ConfigurationError(f"{shown} is no document of a gate: {plain_line(first_fault(fault))}.") from fault
    except RecursionError:
        raise ConfigurationError(f"{shown} is nested too deeply.") from None


def contradictions_of(document: GateDocument) -> list[str]:
    """One sentence for each thing that does not follow from the samples; none where all does.

    Figures are compared to nine digits, since mathematics libraries differ in the last ones.
    """
    found = []
    ids = [record.claim.id for record in document.claims]
    entries = [*(timing.id for timing in document.timings), *(table.id for table in document.tables)]
    if len(set(ids)) != len(ids) or len(set(entries)) != len(entries):
        found.append("A claim, a timing or a table occurs twice.")
    found += [
        f"{record.claim.id}: it was asked for, and stands there as if it had not been."
        for record in document.claims
        if record.verdict is GateVerdict.NOT_SELECTED
        and is_asked_for(record.claim, document.flags, own_references=document.own_references)
    ]
    if document.own_references and not (document.flags.accept_yardstick and changes_reference(document.yardstick)):
        found.append("The head is held to its own reference, which it did not change or nobody has accepted.")
    anew = rejudged(document)
    for record, again in zip(document.claims, anew, strict=True):
        found += [f"{record.claim.id}: {sentence}" for sentence in _differences(record, again)]
    timed = [t for t in document.timings if isinstance(t.measurement, ChangeMeasurement)]
    for timing in timed:
        found += [f"{timing.id}: {sentence}" for sentence in _of_timing(document, timing.id, len(timed))]
    code = gate_exit_code((record.verdict for record in anew), interrupted=document.interrupted)
    if code != document.exit_code:
        found.append(f"The exit code is {document.exit_code:d}; the verdicts add up to {code:d}.")
    return found


def _differences(record: GateClaim, again: GateClaim) -> list[str]:
    if record.verdict is not again.verdict:
        return [f"the verdict is {record.verdict.value}; the samples give {again.verdict.value}."]
    figures = [(getattr(record, name), getattr(again, name)) for name in _FIGURES]
    figures += list(zip(record.interval or (None, None), again.interval or (None, None), strict=True))
    if not all(_close(first, second) for first, second in figures):
        return ["the figures are not those that the samples give."]
    if any(getattr(record, name) != getattr(again, name) for name in _WORDS):
        return ["the words beside the verdict are not those that the samples give."]
    return []


def _of_timing(document: GateDocument, timing_id: str, timed: int) -> list[str]:
    timing = next(t for t in document.timings if t.id == timing_id)
    measured = timing.measurement
    assert isinstance(measured, ChangeMeasurement)
    found = []
    if (measured.subject, measured.workload) != (timing.subject, timing.workload) or measured.run != timing.run:
        found.append("the samples are of another subject, workload or way to run it.")
    if (measured.baseline, measured.candidate) != (document.baseline.commit, document.candidate.commit):
        found.append("the samples are of other commits.")
    if (measured.expected_of_candidate is not None) != document.own_references:
        found.append("the head was held to another reference than the document says.")
    frames = timing.window_frames * measured.run.num_envs * measured.run.passes
    samples = (*measured.samples, *measured.aa_samples, *measured.confirmation_samples)
    if any(sample.frames != frames for sample in samples):
        found.append("the samples cover other frames than the window's.")
    if measured.load.busy != is_busy(measured.load.other_cpu_share, measured.load.steal_share):
        found.append("whether the machine was busy is not what its load says.")
    if measured.load.overridden and not document.flags.allow_busy:
        found.append("it was timed on a busy machine all the same, which nobody asked for.")
    if not timed <= measured.comparisons <= len(document.timings):
        found.append("it shares its error budget with another number of comparisons than were timed.")
    return found


def _close(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-12)
