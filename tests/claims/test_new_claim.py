"""`nesproof claims new`: what it writes is valid, what would not hold is refused, and a script is asked nothing."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from nesproof.harness.claims import Claim
from nesproof.harness.claims.drafting import appended, claim_table
from nesproof.harness.claims.registry import load_claims, parse_claims
from nesproof.harness.cli.app import app
from nesproof.harness.falsify.fitting import fitting_faults

MEMORY = (
    "--kind", "memory", "--subject", "core", "--workload", "scroller-random-buttons@1", "--metric", "bytes",
    "--where", "part=state", "--at-most", "9000", "--sentence", "A console takes at most {value} bytes, I say.",
    "--breaks-when", "A field is added that nobody needs.",
)  # fmt: skip
RATIO = (
    "--kind", "ratio", "--subject", "core", "--workload", "busy@2", "--baseline", "nes-py", "--at-least", "3",
    "--candidate-run", "draw=none,num_envs=64,idle_skipping=false",
    "--sentence", "It runs \"at least\" {value} times as fast: \\o/.", "--breaks-when", "It becomes slow.",
)  # fmt: skip
EXACT = (
    "--kind", "exact", "--subject", "core", "--suite", "determinism", "--cases", "state/*",
    "--sentence", "States of mine come back.", "--breaks-when", "A field is forgotten when saving.",
)  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", "")
    return tmp_path


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["claims", *words])
    return done.exit_code, done.output


def replaced(options: tuple[str, ...], name: str, value: str | None) -> list[str]:
    words = list(options)
    at = words.index(name)
    words[at : at + 2] = [] if value is None else [name, value]
    return words


@pytest.mark.parametrize(("options", "killer"), [(MEMORY, "state-holds-a-picture"), (RATIO, "skips-frames"),
                                                 (EXACT, "saving-disturbs")])  # fmt: skip
def test_what_is_written_is_valid_and_says_what_comes_next(options: tuple[str, ...], killer: str) -> None:
    status, output = run("new", "mine.own", *options, "--killed-by", killer)
    assert status == 0, output
    assert "UNPROVEN" not in output
    for command in (
        "nesproof claims validate --claims mine.own.toml",
        "nesproof verify --claims mine.own.toml --claim mine.own\n",
        "nesproof verify --claims mine.own.toml --claim mine.own --falsify",
    ):
        assert command in output
    status, output = run("validate", "--claims", "mine.own.toml")
    assert status == 0, output
    (claim,) = parse_claims(Path("mine.own.toml").read_text(encoding="utf-8"), origin="mine")
    assert claim.killed_by == (killer,)
    if claim.kind == "ratio":
        assert claim.requires == ("subject:nes-py",)
        assert (claim.candidate_run.draw, claim.candidate_run.num_envs) == ("none", 64)
        assert not claim.candidate_run.idle_skipping


def test_a_second_claim_goes_into_the_same_file_and_leaves_the_first() -> None:
    assert run("new", "mine.a", *MEMORY, "--out", "mine.toml")[0] == 0
    before = Path("mine.toml").read_bytes() + b"# a word of mine, without a line's end"
    Path("mine.toml").write_bytes(before)
    assert run("new", "mine.b", *EXACT, "--out", "mine.toml")[0] == 0
    assert Path("mine.toml").read_bytes().startswith(before + b"\n\n[[claim]]\n")
    assert run("validate", "--claims", "mine.toml")[0] == 0
    assert sorted(path.name for path in Path().iterdir()) == ["mine.toml"]


def test_an_unproven_claim_hears_of_faults_that_would_fit() -> None:
    status, output = run("new", "mine.own", *MEMORY)
    assert status == 0
    assert "It is UNPROVEN" in output
    assert "state-holds-a-picture: Each console's state holds a picture. (memory.core.state names it)" in output
    assert "--falsify" not in output


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["core.state", *EXACT], "There is already a claim core.state (in core.toml)"),
        (["mine.own", *replaced(EXACT, "--subject", "reference")], "state.snapshots promises the same already"),
        (["Mine", *EXACT], "'Mine' is no id"),
        (["mine.own@core", *EXACT], "What follows an @"),
        (["mine.own", *replaced(EXACT, "--subject", "nobody")], "nobody"),
        (["mine.own", *replaced(EXACT, "--cases", "nothing/*")], "no case of suite determinism matches"),
        (["mine.own", *replaced(EXACT, "--suite", "nothing")], "nothing"),
        (["mine.own", *replaced(EXACT, "--kind", "absurd")], "There is no kind of claim 'absurd'"),
        (["mine.own", *replaced(EXACT, "--sentence", "It has {value} of them.")], "promises no number"),
        (["mine.own", *replaced(EXACT, "--sentence", "Two\nlines of text.")], "sentence: It is not one line"),
        (["mine.own", *replaced(MEMORY, "--sentence", "It takes little.")], "write {value} where the number belongs"),
        (["mine.own", *replaced(MEMORY, "--at-most", None)], "--at-least or --at-most"),
        (["mine.own", *replaced(MEMORY, "--at-most", "nan")], "finite number"),
        (["mine.own", *MEMORY, "--at-least", "1"], "exactly one of at_least and at_most"),
        (["mine.own", *replaced(MEMORY, "--metric", "bites")], "there is no metric 'bites'"),
        (["mine.own", *replaced(MEMORY, "--where", "part")], "is not of the form NAME=VALUE"),
        (["mine.own", *replaced(MEMORY, "--workload", "scroller-random-buttons@7")], "version 7 was asked for"),
        (["mine.own", *EXACT, "--killed-by", "no-such-fault"], "there is no fault 'no-such-fault'"),
        (["mine.own", *EXACT, "--killed-by", "vblank-a-dot-late"], "suite hardware_roms alone should see"),
        (["mine.own", *EXACT, "--killed-by", "judge-always-passes"], "suite verdicts alone should see"),
        (["mine.own", *MEMORY, "--killed-by", "judge-always-passes"], "cannot be planted in core"),
        (["mine.own", *replaced(EXACT, "--subject", "nes-py"), "--killed-by", "saving-disturbs"], "cannot be planted"),
        (["mine.own", *EXACT, "--out", "nowhere/mine.toml"], "neither a folder nor a file"),
        (["mine.own", *EXACT, "--out", "mine.txt"], "neither a folder nor a file"),
    ],
)  # fmt: skip
def test_what_would_not_hold_is_refused_and_nothing_written(words: list[str], complaint: str) -> None:
    status, output = run("new", *words)
    assert (status, complaint in output) == (2, True), output
    assert "Traceback" not in output
    assert list(Path().iterdir()) == []


def test_a_file_that_is_no_claims_file_is_left_alone() -> None:
    Path("mine.toml").write_text("x = 1\n", encoding="utf-8")
    status, output = run("new", "mine.own", *EXACT, "--out", "mine.toml")
    assert (status, "unknown table" in output) == (2, True), output
    assert Path("mine.toml").read_text(encoding="utf-8") == "x = 1\n"


def test_without_a_terminal_nothing_is_asked() -> None:
    command = [sys.executable, "-m", "nesproof.harness.cli", "claims", "new", "mine.own"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert (
        "A new claim needs --kind, --subject, --sentence, --breaks-when; give that, or run this in a terminal"
        in done.stderr
    )
    assert done.stdout == ""


class Terminal:
    """The command at a terminal of the test's own."""

    def __init__(self, *words: str) -> None:
        self._end, theirs = pty.openpty()
        command = [sys.executable, "-m", "nesproof.harness.cli", "claims", "new", *words]
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
        os.close(theirs)
        self.seen = ""

    def answer(self, question: str, words: str) -> None:
        self.wait_for(question)
        self.seen = ""
        os.write(self._end, words.encode())

    def wait_for(self, text: str) -> None:
        until = time.monotonic() + 60
        while text not in self.seen:
            assert time.monotonic() < until, self.seen
            if select.select([self._end], [], [], 0.5)[0]:
                try:
                    self.seen += os.read(self._end, 65536).decode()
                except OSError:  # the other side has closed
                    assert text in self.seen, self.seen

    def close(self) -> int:
        status = self.process.wait(timeout=60)
        os.close(self._end)
        return status


def test_at_a_terminal_it_asks_for_what_is_missing() -> None:
    at = Terminal("mine.own", *replaced(EXACT, "--sentence", None)[:-2])
    at.answer("as one sentence", "Short.\n")
    at.answer("a sentence has 10 to 400", "States of mine come back.\n")
    at.answer("What would break it?", "A field is forgotten when saving.\n")
    at.answer("Which of these faults", "no-such\n")
    at.answer("There is no 'no-such' among them", "saving-disturbs 1\n")
    at.wait_for("--falsify")
    assert at.close() == 0
    (claim,) = parse_claims(Path("mine.own.toml").read_text(encoding="utf-8"), origin="mine")
    assert claim.killed_by[0] == "saving-disturbs"
    assert claim.cases == "state/*"


def test_at_a_terminal_it_asks_for_rows_and_threshold_of_a_figure() -> None:
    at = Terminal("mine.own", *MEMORY[:8], *MEMORY[-4:])
    at.answer("part=state; part=resident", "part\n")
    at.answer("'part' is not of the form NAME=VALUE", "part=resident\n")
    at.answer("Which number?", "a lot\n")
    at.answer("none of the two", "at most 15,000\n")
    at.answer("1) hoards-snapshots", "1\n")
    at.wait_for("--falsify")
    assert at.close() == 0
    (claim,) = parse_claims(Path("mine.own.toml").read_text(encoding="utf-8"), origin="mine")
    assert (claim.where, claim.at_most, claim.killed_by) == ({"part": "resident"}, 15_000, ("hoards-snapshots",))


def test_an_interruption_writes_nothing() -> None:
    at = Terminal("mine.own", *replaced(EXACT, "--sentence", None))
    at.answer("as one sentence", "\x04")
    assert at.close() == 130
    assert list(Path().iterdir()) == []


def claim_with(**changes: object) -> Claim:
    fields = {
        "id": "a.b", "sentence": "At least {value} of them.", "kind": "memory", "subject": "core", "metric": "bytes",
        "at_least": 1.0, "breaks_when": "Somebody breaks it.", **changes,
    }  # fmt: skip
    return Claim.model_validate(fields)


@given(
    sentence=st.text(min_size=10, max_size=400),
    number=st.floats(allow_nan=False, allow_infinity=False),
    faults=st.lists(st.text(min_size=1, max_size=60), max_size=6),
)
def test_any_claim_is_written_as_toml_that_reads_as_the_same(sentence: str, number: float, faults: list[str]) -> None:
    claim = claim_with(sentence=sentence, at_least=number, killed_by=faults, where={"part": ("a", "b"), "n": 3})
    assert parse_claims(claim_table(claim), origin="this") == [claim]
    assert parse_claims(appended(claim_table(claim), claim_with(id="a.c")), origin="this") == [
        claim,
        claim_with(id="a.c"),
    ]


# --- Faults that fit --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("claim_id", ["memory.core.state", "throughput.core.vs-nes-py", "throughput.core.idle-skipping",
                                      "judge.planted.suites", "core.state", "independence.core", "cpu.klaus.6502",
                                      "kernel.registers", "model.over-largest-group"])  # fmt: skip
def test_the_faults_of_a_shipped_claim_would_be_suggested_for_it(claim_id: str) -> None:
    registry = load_claims()
    suggested = {fitted.fault.id for fitted in fitting_faults(registry[claim_id], registry)}
    assert set(registry[claim_id].killed_by) <= suggested


def test_what_cannot_be_planted_or_does_not_show_is_not_suggested() -> None:
    registry = load_claims()
    speed = registry["throughput.core.vs-nes-py"]
    assert fitting_faults(speed.model_copy(update={"subject": "nes-py"}), registry) == ()
    undrawn = {fitted.fault.id for fitted in fitting_faults(speed, registry)}
    assert "stale-frame" not in undrawn  # nobody draws here
    cpu = {fitted.fault.id for fitted in fitting_faults(registry["cpu.klaus.6502"], registry)}
    assert "sprite-zero-never-hits" not in cpu


def test_a_claim_is_shown_in_words() -> None:
    code, shown = run("show", "throughput.core.vs-nes-py")
    assert code == 0
    assert "\ncandidate_run: draw=none, num_envs=1, threads=1, idle_skipping=true\n" in shown
    assert "\nwhere:         -\n" in shown
    assert "{" not in shown
