"""What `nesproof claims new` asks at a terminal for what its options left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, get_args

import typer

from nesproof.harness.claims.model import FIGURE_KINDS, ClaimKind
from nesproof.harness.cli.name_value import name_values
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line

if TYPE_CHECKING:
    from nesproof.harness.claims.model import Claim
    from nesproof.harness.falsify.fitting import FittingFault

__all__ = ["ask_for_faults", "ask_for_missing", "missing_options", "require_known_kind"]

_KINDS: dict[ClaimKind, str] = {
    "exact": "every case of a suite passes",
    "ratio": "one subject's speed over another's, in interleaved processes",
    "memory": "bytes that a console takes",
    "instructions": "machine instructions of a frame, counted by Cachegrind",
    "absolute": "frames per second, or numbers of consoles, bound to one kind of machine",
    "static": "registers, spills and sizes of the GPU's kernels, compiled and not run",
    "model": "what the kernels' schedule does on the CPU: active lanes, sectors",
}


def missing_options(fields: Mapping[str, Any]) -> list[str]:
    """The options that a claim of these fields still needs, as they are typed."""
    kind = fields.get("kind")
    needed = ["kind", "subject", "sentence", "breaks_when"]
    if kind == "exact":
        needed.append("suite")
    elif kind in get_args(ClaimKind):
        needed += ["workload", "baseline" if kind == "ratio" else "metric"]
    names = [f"--{name.replace('_', '-')}" for name in needed if not fields.get(name)]
    has_threshold = fields.get("at_least") is not None or fields.get("at_most") is not None
    if kind in {"ratio", *FIGURE_KINDS} and not has_threshold:
        names.append("--at-least or --at-most")
    return names


def ask_for_missing(fields: dict[str, Any], registry: Mapping[str, Claim]) -> None:
    """Ask for what a claim of these fields still needs, and put the answers among them; `registry` gives examples."""
    from nesproof.harness.claims.drafting import why_no_sentence
    from nesproof.harness.probes.figures import METRICS
    from nesproof.harness.subjects.registry import subject_definitions
    from nesproof.harness.suite_run import expected_cases, load_suite, suite_names
    from nesproof.harness.workloads import load_workload, workload_ids

    _choose(fields, "kind", "What kind of promise is it?", _KINDS.items())
    _choose(fields, "subject", "Who promises it?", ((s.name, s.title) for s in subject_definitions().values()))
    if fields["kind"] == "exact":
        _choose(fields, "suite", "Which suite?", ((name, load_suite(name).title) for name in suite_names()))
        suite = load_suite(fields["suite"])
        matches_none = (
            "None of its cases matches; their ids begin " + ", ".join(case.id for case in suite.case[:3]) + "."
        )
        _ask(
            fields, "cases", "Which of its cases, as a glob?", default="*",
            complain=lambda glob: None if expected_cases(suite, glob) else matches_none,
        )  # fmt: skip
    else:
        workloads = [load_workload(name) for name in workload_ids()]
        _choose(fields, "workload", "Which workload?", ((w.key, w.title) for w in workloads))
        if fields["kind"] == "ratio":
            timed = [s for s in subject_definitions().values() if "timing" in s.capabilities]
            _choose(fields, "baseline", "Beside whom?", ((s.name, s.title) for s in timed))
            for side, name in (("candidate_run", fields["subject"]), ("baseline_run", fields["baseline"])):
                _ask_what_is_drawn(fields, side, next((s.capabilities for s in timed if s.name == name), ()), name)
        else:
            _choose(fields, "metric", "Which figure?", ((name, "") for name in METRICS[fields["kind"]]))
            _ask_for_rows(fields, registry)
        _ask_threshold(fields)
    has_number = fields["kind"] != "exact"
    number = " Write {value} where the number belongs." if has_number else ""
    _ask(
        fields, "sentence", f"The promise, as one sentence that a README may say.{number}",
        complain=lambda text: why_no_sentence(text, promises_a_number=has_number),
    )  # fmt: skip
    _ask(
        fields, "breaks_when", "What would break it? One sentence: what kind of fault the claim would catch.",
        complain=lambda text: why_no_sentence(text, is_a_reason=True),
    )  # fmt: skip


def ask_for_faults(fitting: Iterable[FittingFault]) -> tuple[str, ...]:
    """Ask which of the faults must make the claim fail; none is an answer."""
    faults = list(fitting)
    if not faults:
        return ()
    _say("Which of these faults must make it fail?")
    for number, fitted in enumerate(faults, start=1):
        _say(f"{number}) {fitted.fault.id}: {fitted.fault.sentence} ({fitted.reason})")
    while True:
        answer = str(typer.prompt("Numbers or ids, with blanks between; - for none", err=True))
        chosen = {word: _chosen(word, faults) for word in answer.split() if word != "-"}
        unknown = [word for word, fault in chosen.items() if fault is None]
        if not unknown:
            return tuple(dict.fromkeys(fault for fault in chosen.values() if fault is not None))
        _say(f"There is no {unknown[0]!r} among them.")


def _chosen(word: str, faults: list[FittingFault]) -> str | None:
    ids = [fitted.fault.id for fitted in faults]
    if word.isdigit():
        return ids[int(word) - 1] if 1 <= int(word) <= len(ids) else None
    return word if word in ids else None


def _choose(fields: dict[str, Any], name: str, question: str, choices: Iterable[tuple[str, str]]) -> None:
    if fields.get(name):
        return
    listed = list(choices)
    _say(question)
    for number, (choice, title) in enumerate(listed, start=1):
        _say(f"{number}) {choice}" + (f": {title}" if title else ""))
    while True:
        answer = str(typer.prompt("Number or name", err=True)).strip()
        if answer.isdigit() and 1 <= int(answer) <= len(listed):
            answer = listed[int(answer) - 1][0]
        if answer in {choice for choice, _ in listed}:
            fields[name] = answer
            return
        _say(f"There is no {answer!r} among them.")


def _ask(
    fields: dict[str, Any],
    name: str,
    question: str,
    *,
    complain: Callable[[str], str | None],
    default: str | None = None,
) -> None:
    while not fields.get(name):
        answer = str(typer.prompt(question, default=default, err=True)).strip()
        complaint = complain(answer)
        if complaint is None:
            fields[name] = answer
        else:
            _say(complaint)


def _ask_what_is_drawn(fields: dict[str, Any], side: str, capabilities: Iterable[str], name: str) -> None:
    draws = [capability.removeprefix("draw:") for capability in capabilities if capability.startswith("draw:")]
    if fields.get(side) or len(draws) < 2:
        return
    answer: dict[str, Any] = {}
    _choose(answer, "draw", f"What does {name} draw on the clock?", ((draw, "") for draw in draws))
    fields[side] = answer


def _ask_for_rows(fields: dict[str, Any], registry: Mapping[str, Claim]) -> None:
    """Ask which rows of the table count; a claim that says nothing of rows is held to all of them."""
    if fields.get("where"):
        return
    alike = [
        claim.where for claim in registry.values() if (claim.kind, claim.metric) == (fields["kind"], fields["metric"])
    ]
    examples = dict.fromkeys(" ".join(words) for where in alike if (words := _as_pairs(where)))
    if examples:
        _say(f"Claims of that figure name these rows: {'; '.join(examples)}.")
    while True:
        answer = str(typer.prompt("Which rows count? NAME=VALUE, with blanks between; - for all", err=True)).split()
        try:
            fields["where"] = name_values([word for word in answer if word != "-"])
            return
        except ConfigurationError as fault:
            _say(str(fault))


def _as_pairs(where: Mapping[str, object]) -> list[str]:
    values = ((name, value if isinstance(value, tuple) else (value,)) for name, value in where.items())
    return [f"{name}={str(one).lower() if isinstance(one, bool) else one}" for name, many in values for one in many]


def _ask_threshold(fields: dict[str, Any]) -> None:
    if fields.get("at_least") is not None or fields.get("at_most") is not None:
        return
    while True:
        words = str(typer.prompt("Which number? `at least 100` or `at most 8192`", err=True)).replace(",", "").split()
        try:
            bound, number = "_".join(words[:-1]), float(words[-1])
        except (ValueError, IndexError):
            bound, number = "", math.nan
        if bound in {"at_least", "at_most"} and math.isfinite(number):
            fields[bound] = number
            return
        _say("That is none of the two.")


def _say(text: str) -> None:
    typer.echo(plain_line(text), err=True)


def require_known_kind(kind: str | None) -> None:
    """Refuse a kind that there is not.

    Raises:
        ConfigurationError: the message lists those there are.
    """
    if kind is not None and kind not in get_args(ClaimKind):
        raise ConfigurationError(f"There is no kind of claim {kind!r}; there are: {', '.join(_KINDS)}.")
