"""Subjects that misbehave: each way has its error, within its deadline, and nothing of them stays behind."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from nesproof.harness.cli import subjects
from nesproof.harness.errors import HarnessError
from nesproof.harness.subjects import guard
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import (
    NotCapable,
    SubjectDied,
    SubjectFailed,
    SubjectHung,
    SubjectProtocolError,
)

LIMIT_S = 2.0


@pytest.fixture
def nothing_stays() -> Iterator[None]:
    """No process of the test outlives it; others of this run of the tests may be there before and after."""
    before = set(psutil.Process().children(recursive=True))
    yield
    _, alive = psutil.wait_procs(set(psutil.Process().children(recursive=True)) - before, timeout=5)
    assert not alive


@pytest.mark.parametrize(
    ("mode", "error", "words"),
    [
        ("silent-start", SubjectHung, "hung: no answer to start within 2 s"),
        ("dies-at-start", SubjectDied, r"died at start \(exit status 3\)"),
        ("http-greeting", SubjectProtocolError, "garbage"),
        ("future-protocol", SubjectProtocolError, "protocol 2, not 1"),
        ("unknown-capability", SubjectProtocolError, "telepathy"),
        ("extra-field", SubjectProtocolError, "motto"),
    ],
)
@pytest.mark.usefixtures("nothing_stays")
def test_a_bad_greeting(rogue: Callable[[str], str], mode: str, error: type[SubjectFailed], words: str) -> None:
    with pytest.raises(error, match=words) as failed:
        open_subject(rogue(mode), timeout_s=LIMIT_S)
    assert failed.value.exit_code == 5


@pytest.mark.parametrize(
    ("mode", "error", "words"),
    [
        ("segfaults", SubjectDied, r"died at read_ram \(signal 11 \(SIGSEGV\)\).*about to crash"),
        ("exits", SubjectDied, r"exit status 7.*last words"),
        ("closes-the-pipe", SubjectDied, "closed its pipe"),
        ("half-a-message", SubjectDied, "exit status 0"),
        ("hangs", SubjectHung, "no answer to read_ram within 2 s"),
        ("ignores-signals", SubjectHung, "hung"),
        ("trickles", SubjectHung, "hung"),
        ("oversized-header", SubjectProtocolError, "4294967295"),
        ("oversized-buffer", SubjectProtocolError, "above the limit"),
        ("negative-buffer", SubjectProtocolError, "buffer sizes"),
        ("not-json", SubjectProtocolError, "not JSON"),
        ("nan", SubjectProtocolError, "not JSON"),
        ("deep", SubjectProtocolError, "not JSON"),
        ("wrong-id", SubjectProtocolError, "another request"),
        ("ok-and-error", SubjectProtocolError, "neither a result nor an error"),
        ("short-ram", SubjectProtocolError, "2047 bytes where 2048 are due"),
        ("no-ram", SubjectProtocolError, "0 buffers where one is due"),
        ("extra-result", SubjectProtocolError, "lives"),
    ],
)
def test_a_bad_answer(
    rogue: Callable[[str], str], mode: str, error: type[SubjectFailed], words: str, gone: Callable[..., bool]
) -> None:
    with open_subject(rogue(mode), timeout_s=LIMIT_S) as subject:
        pids = pids_of(subject)
        started = time.monotonic()
        with pytest.raises(error, match=f"(?s){words}") as failed:
            subject.read_ram()
        assert time.monotonic() - started < LIMIT_S + 6
        assert type(failed.value) is error
        with pytest.raises(SubjectFailed, match="of no more use"):
            subject.read_ram()
    assert gone(*pids)


def test_a_digest_is_sixteen_hexadecimal_digits(rogue: Callable[[str], str]) -> None:
    with open_subject(rogue("bad-digest"), timeout_s=LIMIT_S) as subject, pytest.raises(SubjectProtocolError):
        subject.digest()


def test_what_is_not_declared_is_not_asked_for(rogue: Callable[[str], str]) -> None:
    with open_subject(rogue("well-behaved"), timeout_s=LIMIT_S) as subject:
        assert len(subject.read_ram()) == 2048
        with pytest.raises(NotCapable, match="state") as refused:
            subject.save_state()
        assert refused.value.exit_code == 2
        assert len(subject.read_ram()) == 2048


def test_a_subject_that_reads_nothing_is_a_hang_too(rogue: Callable[[str], str]) -> None:
    with open_subject(rogue("does-not-read"), timeout_s=LIMIT_S) as subject, pytest.raises(SubjectHung):
        subject.load(bytes(8 << 20))


def test_last_words_are_scrubbed_of_control_characters(rogue: Callable[[str], str]) -> None:
    with pytest.raises(SubjectDied) as failed:
        open_subject(rogue("dies-at-start"), timeout_s=LIMIT_S)
    assert failed.value.tail == "I have no cartridge slot"
    assert "\x1b" not in str(failed.value)
    assert "\x07" not in str(failed.value)


def test_only_the_end_of_a_long_output_is_kept(rogue: Callable[[str], str]) -> None:
    with open_subject(rogue("exits"), timeout_s=LIMIT_S) as subject, pytest.raises(SubjectDied) as failed:
        subject.read_ram()
    assert failed.value.tail.endswith("last words")
    assert failed.value.tail.count("line") < 20


def test_a_subject_that_prints_without_end_does_not_fill_the_disk(rogue: Callable[[str], str], tmp_path: Path) -> None:
    assert guard.LARGEST_FILE_BYTES <= 256 << 20
    log = tmp_path / "log"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))  # the guard takes a lower limit where it finds one
    try:
        with open_subject(rogue("prints-forever"), timeout_s=20, log_path=log) as subject, pytest.raises(SubjectDied):
            subject.read_ram()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert log.stat().st_size <= 1 << 20


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux says what a process takes")
@pytest.mark.parametrize("mode", ["eats-memory", "feeds-a-child"])
def test_a_subject_that_eats_memory_is_ended_before_it_has_the_machines(
    rogue: Callable[[str], str], mode: str, monkeypatch: pytest.MonkeyPatch, gone: Callable[..., bool]
) -> None:
    limit = 200 << 20
    monkeypatch.setenv("NESPROOF_LIMITS", f"memory={limit}")
    with open_subject(rogue(mode), timeout_s=20) as subject:
        pids = pids_of(subject)
        with pytest.raises(
            SubjectDied, match=r"(?s)died at read_ram \(signal 9.*I am hungry.*200 MiB are the limit"
        ) as failed:
            subject.read_ram()
        assert failed.value.exit_code == 5
        taken = int(str(failed.value).rpartition("it took ")[2].split(" MiB")[0].replace(",", "")) << 20
        assert limit < taken < 2 * limit
    assert gone(*pids)


def test_a_subject_may_take_most_of_what_is_free_and_no_more() -> None:
    free = guard.free_bytes()
    assert free == 0 or 0.5 * free < guard.MEMORY_SHARE * free < 0.9 * free
    assert free <= psutil.virtual_memory().total
    assert free == 0 or guard.taken_bytes(os.getpid()) >= psutil.Process().memory_info().rss // 2


def test_one_that_breaks_does_not_keep_the_others(
    rogue: Callable[[str], str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dead, hung, talking nonsense, eating memory: each is told of, with its last words, and the next one is tried."""
    monkeypatch.setenv("NESPROOF_LIMITS", f"memory={150 << 20}")
    modes = ["exits", "hangs", "not-json", "eats-memory", "well-behaved"]
    names = [rogue(mode) for mode in modes]
    with pytest.raises(HarnessError, match="checks failed") as ended:
        subjects.check([*names[:4], names[4]], timeout=LIMIT_S)
    assert ended.value.exit_code == 5
    told = capsys.readouterr().out
    for name, words in zip(
        names, ("last words", "hung: no answer", "not JSON", "I am hungry", "FAILED ram"), strict=True
    ):
        assert words in told
        assert name in str(ended.value)


def pids_of(subject: Subject) -> list[psutil.Process]:
    guard = psutil.Process(subject.guard_pid)
    return [guard, *guard.children(recursive=True)]
