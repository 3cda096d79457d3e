"""How a case of this suite fails: with the place in words, the pictures, and the file that shows it again."""

from __future__ import annotations

from typing import NoReturn

import pytest

from nesproof.harness.subjects.client import Subject
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.suites.parity.divergence import Divergence
from nesproof.suites.parity.field_differences import field_differences
from nesproof.suites.parity.following import StatesDiffer

__all__ = ["fail_with", "states_differ"]


def fail_with(divergence: Divergence, record: Recorder, what: str) -> NoReturn:
    """Fail the case; `what` says which inputs it was."""
    record.frame(divergence.picture)
    path = record.reproduction(divergence.reproduction.model_dump_json())
    if path is not None:
        record.detail("replay", f"python -m nesproof.suites.parity.replay {path}")
    record.detail("frame", divergence.place.frame)
    record.detail("found_by", divergence.place.found_by)
    pytest.fail(f"{what}: {divergence.text()}", pytrace=False)


def states_differ(one: Subject, other: Subject, fault: StatesDiffer) -> str:
    """The fault, with the fields by name where a subject can tell them."""
    for subject in (one, other):
        if "units" in subject.capabilities:
            fields = subject.units.state_fields()
            if len(fault.one) == len(fault.other) == fields.dtype.itemsize:
                found = field_differences(fault.one, fault.other, fields)
                return f"{fault} Differing: {'; '.join(map(str, found[:12])) or 'the header'}."
    return str(fault)
