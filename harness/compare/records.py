"""From what was compared to records of the evidence document: scrubbed first, then judged, so that every word and
figure can be derived again from the document alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import TypeAdapter

from nesproof.harness.compare.pairs import Compared
from nesproof.harness.evidence.comparison import BehaviourMatch, Comparison
from nesproof.harness.evidence.model import Measurement
from nesproof.harness.evidence.scrub import Scrubber, clean_png
from nesproof.harness.judge.comparison import judge_comparison
from nesproof.harness.runner.attachments import without_missing_log

__all__ = ["comparison_pictures", "comparison_records"]

_MEASUREMENT: TypeAdapter[Measurement] = TypeAdapter(Measurement)


def comparison_records(
    compared: Iterable[Compared], *, scrubber: Scrubber, logs: Mapping[str, bytes]
) -> tuple[Comparison, ...]:
    """One record each. Logs that the bundle does not hold (`logs` by their paths) are not named."""
    return tuple(_record(one, scrubber, logs) for one in compared)


def comparison_pictures(compared: Iterable[Compared]) -> dict[str, bytes]:
    """The pictures that the records name, encoded anew, by their paths in the bundle."""
    found = {}
    for one in compared:
        if one.picture is not None and one.behaviour is not None and one.behaviour.picture is not None:
            found[one.picture] = clean_png(one.behaviour.picture)
    return found


def _record(one: Compared, scrubber: Scrubber, logs: Mapping[str, bytes]) -> Comparison:
    pair = one.pair
    measurement = _MEASUREMENT.validate_python(scrubber.document(one.measurement.model_dump(mode="json")))
    measurement = without_missing_log(measurement, logs)
    behaviour = _behaviour(one, scrubber)
    judged = judge_comparison(
        candidate=pair.candidate,
        baseline=pair.baseline,
        workload=pair.workload.key,
        behaviour=behaviour,
        measurement=measurement,
    )
    return Comparison(
        id=pair.id,
        workload=pair.workload.key,
        candidate=pair.candidate,
        baseline=pair.baseline,
        behaviour=behaviour,
        measurement=measurement,
        outcome=judged.outcome,
        ratio=judged.ratio,
        interval=judged.interval,
        candidate_fps=judged.candidate_fps,
        baseline_fps=judged.baseline_fps,
        words=judged.words,
        rerun=pair.rerun,
    )


def _behaviour(one: Compared, scrubber: Scrubber) -> BehaviourMatch | None:
    if one.behaviour is None:
        return None
    match = one.behaviour.match
    if match.first_picture is not None and one.picture is not None:
        first = match.first_picture.model_copy(update={"picture": one.picture})
        match = match.model_copy(update={"first_picture": first})
    return BehaviourMatch.model_validate(scrubber.document(match.model_dump(mode="json")))
