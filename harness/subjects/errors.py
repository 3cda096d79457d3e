"""What can go wrong with a subject, typed by what a caller does about it."""

from __future__ import annotations

from nesproof.harness.errors import HarnessError, Unavailable
from nesproof.harness.plain_text import plain_text

__all__ = [
    "NotCapable",
    "SubjectCannotStart",
    "SubjectDied",
    "SubjectFailed",
    "SubjectHung",
    "SubjectInstallFailed",
    "SubjectProtocolError",
    "SubjectRefused",
    "SubjectUnavailable",
]

TAIL_CHARACTERS = 2_000


class SubjectUnavailable(Unavailable):
    """The subject is not installed here, or cannot be; `remedy` is the command that installs it."""


class NotCapable(HarnessError):
    """The subject does not declare the capability that was asked for."""

    exit_code = 2

    def __init__(self, subject: str, capability: str) -> None:
        super().__init__(
            f"Subject {subject} cannot do that: it does not declare the capability {capability!r}; "
            "`nesproof subjects list` shows who does."
        )
        self.subject = subject
        self.capability = capability


class SubjectRefused(HarnessError):
    """The subject read what it was given (a cartridge, a state) and refused it with a reason. It is still alive."""

    exit_code = 2

    def __init__(self, subject: str, reason: str) -> None:
        super().__init__(f"Subject {subject} refused: {reason}")
        self.subject = subject
        self.reason = reason


class SubjectFailed(HarnessError):
    """The subject broke. `tail` is the end of what it printed, without control characters; it can be empty."""

    exit_code = 5

    def __init__(self, message: str, *, tail: str = "") -> None:
        tail = plain_text(tail).strip()[-TAIL_CHARACTERS:]
        super().__init__(f"{message} It last printed: {tail}" if tail else message)
        self.reason = message
        self.tail = tail


class SubjectCannotStart(SubjectFailed):
    """The subject's process came up and said why it is of no use: a package that is not there, say."""


class SubjectDied(SubjectFailed):
    """The subject's process ended, or closed its pipe, while an answer was due."""


class SubjectHung(SubjectFailed):
    """No answer came in time; the subject was killed with everything that it had started."""


class SubjectProtocolError(SubjectFailed):
    """What came back is not the protocol: wrong framing, sizes, fields or version. The subject was killed."""


class SubjectInstallFailed(HarnessError):
    """Installing a subject's environment failed; `log_path` holds everything that was printed."""

    exit_code = 5
