"""What else changed between two runs beside the commit, and may be why a figure moved."""

from __future__ import annotations

from collections.abc import Iterator

from nesproof.harness.evidence import Evidence

__all__ = ["differences_of_surroundings"]

_MOST = 8


def differences_of_surroundings(before: Evidence, after: Evidence) -> tuple[str, ...]:
    """One clause for each thing of machine, build, subjects, workloads and packages that differs."""
    found = list(_differences(before, after))
    return (*found[:_MOST], f"{len(found) - _MOST} more") if len(found) > _MOST else tuple(found)


def _differences(before: Evidence, after: Evidence) -> Iterator[str]:
    for name, get in (
        ("kernel", lambda e: e.machine.kernel),
        ("frequency governor", lambda e: e.machine.governor),
        ("usable cores", lambda e: e.machine.usable_cores),
        ("GPU drivers", lambda e: ", ".join(gpu.driver for gpu in e.machine.gpus) or None),
        ("compiler", lambda e: None if e.build is None else f"{e.build.compiler} {e.build.compiler_version}"),
        ("build flags", lambda e: None if e.build is None else e.build.flags),
    ):
        yield from _change(name, get(before), get(after))
    for table in ("subjects", "packages"):
        old, new = ({item.name: item.version for item in getattr(e, table)} for e in (before, after))
        for name in sorted(old.keys() | new.keys()):
            if name in old and name in new:
                yield from _change(name, old[name], new[name])
    workloads = ({w.key: w.identity_sha256 for w in e.workloads} for e in (before, after))
    first, second = workloads
    for key in sorted(first.keys() & second.keys()):
        if first[key] != second[key]:
            yield f"workload {key} is another under the same version"


def _change(name: str, old: object, new: object) -> Iterator[str]:
    if old != new:
        before, after = ("not known" if value is None else value for value in (old, new))
        yield f"{name}: {before} \N{RIGHTWARDS ARROW} {after}"
