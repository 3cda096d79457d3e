"""The subject of a pytest session: one worker for all cases, replaced when it died, and fresh ones on request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from nesproof.harness.subjects.client import Subject, open_subject

__all__ = ["SubjectKeeper"]


class SubjectKeeper:
    """Opens the subject when it is first wanted, and again after it was discarded."""

    def __init__(self, name: str, *, timeout_s: float, log_dir: Path | None, log_stem: str = "worker") -> None:
        self.name = name
        self._timeout_s = timeout_s
        self._log_dir = log_dir
        self._log_stem = log_stem
        self._subject: Subject | None = None
        self._opened = 0

    def get(self) -> Subject:
        """The session's worker.

        Raises:
            SubjectUnavailable: it cannot be had on this machine; the remedy is named.
            SubjectFailed: the worker could not be started.
        """
        if self._subject is None:
            self._subject = self._open()
        return self._subject

    def discard(self) -> None:
        """Give the worker up (it died, hung or talked nonsense): the next case gets a new one."""
        subject, self._subject = self._subject, None
        if subject is not None:
            # What a broken worker says while it goes has been reported already, by the case that broke it.
            with suppress(Exception):
                subject.close()

    @contextmanager
    def fresh(self) -> Iterator[Subject]:
        """A worker of its own, closed at the end."""
        subject = self._open()
        try:
            yield subject
        finally:
            subject.close()

    def _open(self) -> Subject:
        self._opened += 1
        log = None if self._log_dir is None else self._log_dir / f"{self._log_stem}-{self._opened}.log"
        return open_subject(self.name, timeout_s=self._timeout_s, log_path=log)
