"""The fast console as a subject, on the devices that every machine has: what it declares is there and works."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
import pytest

from nesproof.harness.subjects.check import check_subject
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import NotCapable, SubjectRefused
from nesproof.harness.subjects.flat_cpu import FlatCase, Registers
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.subjects.status import subject_status

pytestmark = pytest.mark.skipif(find_spec("nesproof.emulator._core") is None, reason="the console is not built")


@pytest.fixture(scope="module", params=["core", "core-hostsim"])
def opened(request: pytest.FixtureRequest) -> Iterator[Subject]:
    with open_subject(request.param, timeout_s=120) as subject:
        yield subject


def test_it_declares_what_is_written_about_it(opened: Subject) -> None:
    assert opened.capabilities == set(find_subject(opened.name).capabilities)
    assert opened.info.build
    assert {"compiler_id", "compiler_version", "flags", "build_type"} <= set(opened.info.build)


def test_everything_that_it_declares_works(opened: Subject, rom: bytes) -> None:
    results = list(check_subject(opened, rom))
    assert {r.capability for r in results} >= {"ram", "digest", "state", "batch", "memory", "draw:every", "draw:none"}
    assert [r for r in results if not r.passed] == []


def test_it_ends_where_the_reference_does(subject: Subject, rom: bytes) -> None:
    stream = np.random.default_rng(11).integers(0, 256, (90, 2), dtype=np.uint8)
    digests, pictures = subject.follow(stream, pictures=True)
    with open_subject("reference") as reference:
        reference.load(rom)
        reference.power_on()
        right, right_pictures = reference.follow(stream, pictures=True)
    assert np.array_equal(digests, right)
    assert pictures is not None
    assert right_pictures is not None
    assert np.array_equal(pictures, right_pictures)


def test_a_foreign_state_is_refused_and_nothing_changes(subject: Subject) -> None:
    subject.step(frames=3)
    before = subject.digest()
    for state in (b"", b"nonsense", bytes(20_000), subject.save_state()[:-1]):
        with pytest.raises(SubjectRefused):
            subject.load_state(state)
    assert subject.digest() == before


def test_it_is_no_plain_6502_and_shows_no_bus() -> None:
    inc = FlatCase("2a03", Registers(0x200, 0xFD, 0, 0, 0, 0x24), ((0x200, 0xE6), (0x201, 0x10), (0x10, 0x7F)), (0x10,))
    with open_subject("core") as core:
        (result,) = core.step_flat_cpu([inc])
        assert (result.registers.p, result.ram, result.cycles, result.accesses) == (0xA4, (0x80,), 5, None)
        with pytest.raises(SubjectRefused, match="no plain 6502"):
            core.run_flat_cpu("6502", bytes(0x10000), 0x400, max_instructions=1)
    with open_subject("core-hostsim") as hostsim, pytest.raises(NotCapable, match="flat-cpu"):
        hostsim.step_flat_cpu([inc])


def test_a_gpu_subject_without_its_packages_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    from nesproof.harness.subjects import status

    found = status.importlib.util.find_spec
    monkeypatch.setattr(status.importlib.util, "find_spec", lambda name: None if name == "cuda" else found(name))
    told = subject_status("core-cuda")
    assert not told.available
    assert told.remedy == "pip install 'nesproof[cuda]'"
    assert "'cuda' is not installed" in told.reason


def test_a_gpu_subject_without_a_gpu_has_no_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    from nesproof.harness.subjects import status

    found = status.importlib.util.find_spec
    monkeypatch.setattr(status.importlib.util, "find_spec", lambda name: object() if name == "cuda" else found(name))
    monkeypatch.setattr(status, "_has_gpu", lambda: False)
    told = subject_status("core-cuda")
    assert (told.available, told.remedy) == (False, None)
    assert "no NVIDIA GPU" in told.reason
    monkeypatch.setattr(status, "_has_gpu", lambda: True)
    assert subject_status("core-cuda").available
