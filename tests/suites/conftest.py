"""A suite and a subject of the tests' own: what a case does is written in its settings."""

from __future__ import annotations

import functools
import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.evidence.falsification import faulty_name
from nesproof.harness.evidence.model import SuiteRun
from nesproof.harness.suite_run import expected_cases, run_suite

_TEST_FILE = """
import os, signal, sys, time
import numpy as np
import pytest


@pytest.mark.cases("do")
def test_do(case, subject, record, request):
    record.detail("case", case.id)
    what = case.settings["what"]
    results = request.config.getoption("nesproof_results")
    if what == "pass":
        assert subject.peek([1, 2, 3]).tolist() == [1, 2, 3]
        record.frame(np.zeros((240, 256, 3), dtype=np.uint8))
    elif what == "assert":
        assert 1 + 1 == 3, "arithmetic is broken"
    elif what == "fail":
        pytest.fail("it says no \\x1b[31mred\\x1b[0m", pytrace=False)
    elif what == "raise":
        raise RuntimeError("unforeseen")
    elif what == "skip-half-way":
        pytest.skip("do not want")
    elif what == "die":
        os._exit(7)
    elif what == "exit-0":
        os._exit(0)
    elif what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif what == "hang":
        time.sleep(600)
    elif what == "garbage":
        with open(results, "a") as file:
            file.write("this is no result\\n")
    elif what == "twice":
        line = results.read_bytes().splitlines()[0]
        with open(results, "ab") as file:
            file.write(line + b"\\n")
    elif what == "foreign":
        line = results.read_text().splitlines()[0].replace("case-0", "case-of-another-suite")
        with open(results, "a") as file:
            file.write(line + "\\n")
    elif what == "lie":
        # As a judge that always passes would: the outcome is forged after pytest has seen the failure.
        line = results.read_text().splitlines()[0].replace("case-0", case.id)
        with open(results, "a") as file:
            file.write(line + "\\n")
        request.node.nesproof_lie = True
        pytest.fail("in truth it failed")
    elif what == "subject-dies":
        subject.power_on(fill=0xDD)
    elif what == "subject-hangs":
        subject.power_on(fill=0xEE)
    elif what == "interrupt":
        raise KeyboardInterrupt
    else:
        raise AssertionError(what)


@pytest.mark.cases("beside")
def test_beside(case, subject, other_subject, record):
    record.detail("other", other_subject.name)
    assert other_subject is not subject
    assert other_subject.guard_pid != subject.guard_pid


@pytest.mark.cases("needs-more")
def test_needs_more(case, subject):
    pass


@pytest.mark.cases("needs-rom")
def test_needs_rom(case, roms):
    pass
"""

_ADAPTER = """
import os
import time


class Adapter:
    name, version = "fake", "1"
    capabilities = ["peek", "ram", "power-on-fill"]
    packages, build = [], None

    def load(self, rom):
        pass

    def power_on(self, fill):
        if fill == 0xDD:
            os._exit(3)
        if fill == 0xEE:
            print("the fake console hangs", flush=True)
            time.sleep(600)

    def peek(self, addresses):
        return bytes(a & 0xFF for a in addresses)

    def read_ram(self):
        return bytes(2048)


def make_adapter(options):
    return Adapter()
"""

RunFake = Callable[..., SuiteRun]
WriteSuite = Callable[..., Path]


def _write_suite(root: Path, *cases: dict[str, Any], name: str = "fake_suite") -> Path:
    """A suite folder under `root` with these cases; a bare `what` becomes a case of the kind `do`."""
    folder = root / name
    folder.mkdir(parents=True)
    lines = [
        f'name = "{name}"', 'title = "A suite of the tests"', 'oracle = "The test that wrote it."',
        'capabilities = ["peek"]',
    ]  # fmt: skip
    for number, case in enumerate(cases):
        table = {"id": f"case-{number}", "kind": "do", **case}
        lines.append("[[case]]")
        if (what := table.pop("what", None)) is not None:
            lines.append(f'settings = {{ what = "{what}" }}')
        lines.extend(f"{key} = {json.dumps(value)}" for key, value in table.items())
    (folder / "suite.toml").write_text("\n".join(lines), encoding="utf-8")
    (folder / f"test_{name}.py").write_text(textwrap.dedent(_TEST_FILE), encoding="utf-8")
    return folder


@pytest.fixture
def fake_subject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Register the subject `fake` and return its name."""
    (tmp_path / "fake_adapter.py").write_text(_ADAPTER, encoding="utf-8")
    definition = tmp_path / "subjects.toml"
    definition.write_text(
        '[[subject]]\nname = "fake"\ncapabilities = ["peek", "ram"]\n'
        'command = ["{python}", "{worker}", "./fake_adapter.py"]\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(definition))
    return "fake"


@pytest.fixture
def suites_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose suites are found beside those that ship."""
    root = tmp_path / "more-suites"
    root.mkdir()
    monkeypatch.setenv("NESPROOF_SUITE_PATH", str(root))
    return root


@pytest.fixture
def write_suite(suites_root: Path) -> WriteSuite:
    """Writes a suite where it is found; a case's `what` says what its test does. Returns the suite's folder."""
    return functools.partial(_write_suite, suites_root)


@pytest.fixture
def run_fake(tmp_path: Path, write_suite: WriteSuite, fake_subject: str) -> RunFake:
    """Write a suite whose cases do the given things, and run it."""

    def run(*whats: str | dict[str, Any], **options: Any) -> SuiteRun:
        cases = [{"what": what} if isinstance(what, str) else what for what in whats]
        write_suite(*cases)
        chosen = {
            "subject": fake_subject,
            "cases": expected_cases("fake_suite"),
            "work_dir": tmp_path / "work",
            "timeout_s": 60,
            "call_timeout_s": 10,
            **options,
        }
        return run_suite("fake_suite", **chosen)

    return run


@pytest.fixture
def planted(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name under which a subject runs with a fault of the catalogue; the parameter is (subject, fault)."""
    subject, fault = request.param
    name = faulty_name(subject, fault)
    definition = tmp_path / "subjects.toml"
    definition.write_text(f'[[subject]]\nname = "{name}"\nvariant_of = "{subject}"\nfault = "{fault}"\n')
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(definition))
    return name
