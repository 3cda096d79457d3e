"""Running git on a stranger's history: nothing of the caller's environment, no hook, no prompt, no network, no write.

Every question that the gate asks of a repository goes through `run_git`. Its answers are bytes: names and messages from
a history are anything that a stranger could put there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line
from nesproof.harness.system_packages import package_command

__all__ = ["GitFailed", "GitMissing", "git_command", "git_environment", "run_git"]

_TIMEOUT_S = 300.0
_SETTINGS = (
    "core.hooksPath=/dev/null",  # no hook of the repository runs
    "core.fsmonitor=false",  # it names a program
    "core.untrackedCache=false",
    "core.quotePath=false",
    "core.pager=cat",
    "color.ui=false",
    "protocol.allow=never",  # a partial clone would fetch what it lacks, from wherever its configuration says
    "gc.auto=0",
    "maintenance.auto=false",
    "credential.helper=",
    "log.showSignature=false",  # it runs gpg
    "diff.external=",
    "safe.bareRepository=explicit",  # a folder inside a checkout cannot pose as a repository
)
_KEPT = ("PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class GitMissing(ConfigurationError):
    """There is no git on this machine."""

    def __init__(self) -> None:
        super().__init__(f"The gate reads revisions with git, which is not on the PATH; {package_command('git')}")


class GitFailed(ConfigurationError):
    """Git ended with an error; `status` is its exit status and `words` the end of what it said, made plain."""

    def __init__(self, what: str, status: int, words: str) -> None:
        super().__init__(f"git {what} failed: {words or f'exit status {status}'}")
        self.status, self.words = status, words


def git_environment() -> dict[str, str]:
    """The environment that git runs in: the search path, the home folder with the user's own settings, and no `GIT_*`.

    The user's own settings stay in force because they say which folders of other owners are trusted
    (`safe.directory`); the system's do not.
    """
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {
        **kept,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_PAGER": "cat",
        "GIT_LITERAL_PATHSPECS": "1",
    }


def git_command(folder: Path, arguments: Sequence[str]) -> list[str]:
    """The whole command line.

    Raises:
        GitMissing: there is no git.
    """
    git = shutil.which("git")
    if git is None:
        raise GitMissing
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    return [git, "--no-pager", *settings, "-C", str(folder), *arguments]


def run_git(
    folder: Path, *arguments: str, accept: Sequence[int] = (0,), settings: Mapping[str, str] | None = None
) -> tuple[int, bytes]:
    """The exit status, one of `accept`, and what git printed. `settings` hold for this command alone.

    Raises:
        GitMissing: there is no git.
        GitFailed: it ended with another status, or not at all.
    """
    command = git_command(folder, arguments)
    try:
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={**git_environment(), **_as_variables(settings or {})},
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitFailed(arguments[0], -1, f"no answer within {_TIMEOUT_S:.0f} seconds") from None
    if ended.returncode not in accept:
        words = plain_line(ended.stderr.decode("utf-8", "replace"), limit=300)
        raise GitFailed(arguments[0], ended.returncode, words)
    return ended.returncode, ended.stdout


def _as_variables(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings as git takes them from its environment, where a name may hold anything."""
    pairs = {f"GIT_CONFIG_KEY_{n}": name for n, name in enumerate(settings)}
    pairs |= {f"GIT_CONFIG_VALUE_{n}": value for n, value in enumerate(settings.values())}
    return {**pairs, "GIT_CONFIG_COUNT": str(len(settings))}
