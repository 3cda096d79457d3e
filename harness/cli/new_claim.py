"""`nesproof claims new`: from an idea to a claim that can be measured and made to fail."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nesproof.harness.cli.claim_questions import (
    ask_for_faults,
    ask_for_missing,
    missing_options,
    require_known_kind,
)
from nesproof.harness.cli.name_value import name_values
from nesproof.harness.cli.subject_files import SubjectFile, use_subject_files
from nesproof.harness.counting import counted
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line, plain_text

if TYPE_CHECKING:
    from nesproof.harness.claims.model import Claim
    from nesproof.harness.claims.registry import Registry
    from nesproof.harness.falsify.fitting import FittingFault

__all__ = ["new_claim"]

_SHOWN = 12


def new_claim(
    claim_id: Annotated[str, typer.Argument(metavar="ID", help="Lower case, digits, points and hyphens: mine.speed.")],
    *,
    sentence: Annotated[
        str | None, typer.Option(help="The promise in one sentence, with {value} where its number belongs.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="exact, ratio, memory, instructions, absolute, static or model.")
    ] = None,
    subject: Annotated[str | None, typer.Option(help="Who promises it (`nesproof subjects list`).")] = None,
    suite: Annotated[str | None, typer.Option(help="Of an exact claim: the suite.")] = None,
    cases: Annotated[str | None, typer.Option(help="Of an exact claim: a glob over the suite's cases.")] = None,
    workload: Annotated[str | None, typer.Option(help="What is run: scroller-random-buttons@1.")] = None,
    baseline: Annotated[str | None, typer.Option(help="Of a ratio: beside whom.")] = None,
    candidate_run: Annotated[
        list[str] | None, typer.Option("--candidate-run", help="Of a ratio: how it is run: draw=none,num_envs=64.")
    ] = None,
    baseline_run: Annotated[
        list[str] | None, typer.Option("--baseline-run", help="Of a ratio: how the baseline is run.")
    ] = None,
    metric: Annotated[str | None, typer.Option(help="The figure: bytes, instructions_per_frame, …")] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", help="Rows that count: part=state; may be repeated.")
    ] = None,
    over: Annotated[
        list[str] | None, typer.Option("--over", help="The row that figures are divided by; may be repeated.")
    ] = None,
    at_least: Annotated[float | None, typer.Option(help="The promised number, from below.")] = None,
    at_most: Annotated[float | None, typer.Option(help="The promised number, from above.")] = None,
    requires: Annotated[
        list[str] | None, typer.Option("--requires", help="What may be absent: tool:valgrind; may be repeated.")
    ] = None,
    profile: Annotated[
        list[str] | None, typer.Option("--profile", help="quick or full (default: both); may be repeated.")
    ] = None,
    killed_by: Annotated[
        list[str] | None, typer.Option("--killed-by", help="A fault that must make it fail; may be repeated.")
    ] = None,
    breaks_when: Annotated[str | None, typer.Option(help="One sentence: what kind of fault it would catch.")] = None,
    claims: Annotated[
        list[Path] | None, typer.Option("--claims", help="A further claims file or folder, whose ids are taken too.")
    ] = None,
    subject_file: SubjectFile = None,
    out: Annotated[
        Path | None, typer.Option(help="A claims file to add to, or a folder for ID.toml (default: this folder).")
    ] = None,
) -> None:
    """Write a new claim: what is promised, how it is measured, and which planted fault must make it fail.

    What no option says is asked for at a terminal.
    """
    from nesproof.harness.claims.drafting import drafted, require_id

    require_id(claim_id)
    require_known_kind(kind)
    use_subject_files(subject_file)
    file = _file_for(claim_id, out)
    registry = _registry(claims or (), file)
    if claim_id in registry:
        raise ConfigurationError(
            f"There is already a claim {claim_id} (in {registry.origin(claim_id)}); choose another id."
        )
    fields: dict[str, Any] = {
        "id": claim_id, "sentence": sentence, "kind": kind, "subject": subject, "profiles": profile, "suite": suite,
        "cases": cases, "workload": workload, "baseline": baseline, "candidate_run": name_values(candidate_run or ()),
        "baseline_run": name_values(baseline_run or ()), "metric": metric, "where": name_values(where or ()),
        "over": name_values(over or ()), "at_least": at_least, "at_most": at_most, "killed_by": killed_by,
        "breaks_when": breaks_when,
    }  # fmt: skip
    asks = _may_ask() and (bool(missing_options(fields)) or killed_by is None)
    if not asks and (missing := missing_options(fields)):
        raise ConfigurationError(
            f"A new claim needs {', '.join(missing)}; give that, or run this in a terminal to be asked."
        )
    try:
        if asks:
            ask_for_missing(fields, registry)
        if fields["kind"] == "ratio":  # which has no other
            fields["metric"] = fields["metric"] or "frames_per_second"
        fields["requires"] = (*(requires or ()), *_absent_at_times(fields))
        claim = drafted({name: value for name, value in fields.items() if value not in (None, {}, ())})
        _require_sound(claim, registry)
        fitting = _fitting(claim, registry)
        if asks and killed_by is None:
            claim = claim.model_copy(update={"killed_by": ask_for_faults(fitting)})
    except typer.Abort:
        raise KeyboardInterrupt from None
    _write(file, claim)
    _tell(file, claim, fitting, subject_files=subject_file or ())


def _may_ask() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _file_for(claim_id: str, out: Path | None) -> Path:
    place = out or Path()
    if place.is_dir():
        return place / f"{claim_id}.toml"
    if place.suffix != ".toml" or not place.parent.is_dir():
        raise ConfigurationError(
            f"{plain_line(str(place), limit=300)} is neither a folder nor a file NAME.toml in a folder that exists."
        )
    return place


def _registry(files: Sequence[Path], file: Path) -> Registry:
    from nesproof.harness.claims.registry import load_claims

    known = {member.resolve() for path in files for member in (path, *path.glob("*.toml"))}
    return load_claims((*files, file) if file.exists() and file.resolve() not in known else files)


def _absent_at_times(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """What the claim's subjects need that another machine may lack."""
    from nesproof.harness.subjects.registry import find_subject

    found: dict[str, None] = {}
    for name in (fields.get("subject"), fields.get("baseline")):
        if name is None:
            continue
        subject = find_subject(name)
        if subject.environment == "venv":
            found[f"subject:{name}"] = None
        if subject.gpu:
            found["gpu"] = None
    return tuple(found)


def _require_sound(claim: Claim, registry: Registry) -> None:
    """Refuse what `claims validate` would, a promise that is made already, and faults that could not be planted."""
    from nesproof.harness.claims.drafting import same_promise
    from nesproof.harness.claims.registry import Registry as Claims
    from nesproof.harness.falsify.fitting import why_not_plantable
    from nesproof.harness.falsify.pairs import chosen_pairs
    from nesproof.harness.faults.registry import fault_catalogue, find_fault
    from nesproof.harness.runner.validation import faults_of
    from nesproof.harness.subjects.registry import find_subject

    faults = faults_of(Claims([("new", claim)]))
    if faults:
        more = f" (and {counted(len(faults) - 1, 'more fault')})" if len(faults) > 1 else ""
        raise ConfigurationError(f"{faults[0].rstrip('.')}{more}.")
    twin = same_promise(claim, registry)
    if twin is not None:
        raise ConfigurationError(f"The claim {twin} promises the same already; `nesproof claims show {twin}` shows it.")
    chosen_pairs([claim], fault_catalogue())
    for fault_id in claim.killed_by:
        reason = why_not_plantable(find_fault(fault_id), find_subject(claim.subject))
        if reason is not None:
            raise ConfigurationError(f"The fault {fault_id} cannot be planted in {claim.subject}: {reason}.")


def _fitting(claim: Claim, registry: Registry) -> tuple[FittingFault, ...]:
    from nesproof.harness.falsify.fitting import fitting_faults

    return fitting_faults(claim, registry)


def _write(file: Path, claim: Claim) -> None:
    from nesproof.harness.claims.drafting import appended
    from nesproof.harness.claims.registry import parse_claims
    from nesproof.harness.whole_file import write_whole

    # Bytes, so that line ends stay as they are; the registry has read the file before.
    before = file.read_bytes().decode("utf-8") if file.exists() else ""
    text = appended(before, claim)
    parse_claims(text, origin=file.name)
    write_whole(file.resolve(), text.encode("utf-8"))


def _tell(file: Path, claim: Claim, fitting: Sequence[FittingFault], *, subject_files: Sequence[Path]) -> None:
    name = shlex.quote(str(file))
    extra = "".join(f" --subject-file {shlex.quote(str(path))}" for path in subject_files)
    profile = "" if "quick" in claim.profiles else " --profile full"
    verify = f"nesproof verify{profile} --claims {name} --claim {claim.id}"
    typer.echo(f"{plain_line(str(file), limit=300)} holds {claim.id}: {plain_line(claim.spoken())}")
    if claim.is_unproven:
        typer.echo("\nIt is UNPROVEN: it names no fault that must make it fail (`killed_by`).")
        for fitted in fitting[:_SHOWN]:
            typer.echo(plain_line(f"{fitted.fault.id}: {fitted.fault.sentence} ({fitted.reason})"))
        if len(fitting) > _SHOWN:
            typer.echo(f"{len(fitting) - _SHOWN} more would fit; `nesproof faults list` lists them all.")
        if not fitting:
            typer.echo("No fault of the catalogue fits it; docs/claims.md says how to write one.")
    typer.echo("\nNext:")
    commands = [f"nesproof claims validate --claims {name}{extra}", f"{verify}{extra}"]
    commands += [] if claim.is_unproven else [f"{verify}{extra} --falsify"]
    for command in commands:
        typer.echo(f"  {plain_text(command)}")
