"""Single-step vectors: one instruction from a given state, compared in registers, RAM, cycles and every bus access."""

from __future__ import annotations

import dataclasses
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.subjects.client import Subject
from nesproof.harness.subjects.flat_cpu import FlatCase, FlatResult
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.roms_manifest import Resolver, RomMissing
from nesproof.suites.single_step.comparison import differences, show
from nesproof.suites.single_step.errata import add_operand_read
from nesproof.suites.single_step.vectors import Vector, parse_vectors


class Settings(BaseModel):
    """Which opcode, and what is known to be wrong in its vectors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    opcode: int = Field(ge=0, le=0xFF)
    erratum: Literal["operand-read-missing"] | None = None


@pytest.fixture
def vectors(case: SuiteCase, resolver: Resolver) -> list[Vector]:
    settings = Settings.model_validate(case.settings)
    try:
        data = resolver.read_vectors(settings.opcode)
    except RomMissing as fault:
        pytest.skip(str(fault))
    vectors = parse_vectors(data)
    return [add_operand_read(v) for v in vectors] if settings.erratum is not None else list(vectors)


@pytest.mark.cases("opcode")
def test_every_vector(subject: Subject, vectors: list[Vector], record: Recorder) -> None:
    _compare(vectors, _results(subject, vectors), record)


@pytest.mark.cases("state")
def test_every_vector_but_for_the_bus(subject: Subject, vectors: list[Vector], record: Recorder) -> None:
    results = [dataclasses.replace(result, accesses=None) for result in _results(subject, vectors)]
    _compare(vectors, results, record)


def _results(subject: Subject, vectors: list[Vector]) -> list[FlatResult]:
    if not vectors:
        pytest.fail("There is no vector for this opcode.", pytrace=False)
    return subject.step_flat_cpu(
        [
            FlatCase("2a03", v.before, v.ram_before, addresses=tuple(address for address, _ in v.ram_after))
            for v in vectors
        ]
    )


def _compare(vectors: list[Vector], results: list[FlatResult], record: Recorder) -> None:
    wrong = [(v, r) for v, r in zip(vectors, results, strict=True) if differences(v, r)]
    record.detail("vectors", len(vectors))
    record.detail("equal", len(vectors) - len(wrong))
    if wrong:
        vector, result = wrong[0]
        pytest.fail(f"{len(wrong)} of {len(vectors)} vectors differ; the first:\n{show(vector, result)}", pytrace=False)
