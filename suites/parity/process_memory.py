"""What a subject's process holds in memory, seen from outside."""

from __future__ import annotations

import psutil

from nesproof.harness.subjects.client import Subject

__all__ = ["ProcessMemory"]


class ProcessMemory:
    """The resident bytes of a subject's process, beside what they were when it was first asked."""

    def __init__(self, subject: Subject) -> None:
        self.name = subject.name
        self._guard = psutil.Process(subject.guard_pid)
        self._first_bytes: int | None = None

    def growth_bytes(self) -> int:
        """By how much it is larger than at the first call; negative where it has shrunk."""
        now = sum(process.memory_info().rss for process in self._guard.children(recursive=True))
        if self._first_bytes is None:
            self._first_bytes = now
        return now - self._first_bytes
