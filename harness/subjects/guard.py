"""Starts one command and sees to its end: `python -I -S guard.py LIFELINE_FD SCRATCH COMMAND...`.

The command runs in a session of its own. When the lifeline (the read end of a pipe whose write end only the harness
holds) reports end of file, because the harness closed it or was killed in whatever way, the command's process group is
killed and the scratch folder removed. When the command ends by itself, the same is done and the guard ends as the
command did: with its exit status, or by its signal. Works on every POSIX system, unlike a parent-death signal, which
Linux alone has and which fires when the starting *thread* ends.

On Linux the guard also looks at how much memory the command and what it started take, and ends them before they take
the machine's; the last line of their output then says so.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import shutil
import signal
import subprocess
import sys

LARGEST_FILE_BYTES = 256 << 20
"""A subject that prints without end fails at this size of its log; the disk does not fill."""
LIMITS_VARIABLE = "NESPROOF_LIMITS"
"""Other limits: "memory=BYTES,data=BYTES,file=BYTES", of which the last two are each process's own. With it, what the
command put outside its own process group is ended with it too."""
MEMORY_SHARE = 0.8
"""How much of the memory that is free at its start a command may take, with everything that it starts."""
LOOK_S = 0.25
"""How often that is looked at."""
FIRST_TO_GO = "500"
"""What the system adds to the command's score where memory runs out all the same and something has to be ended."""
PAGE_BYTES = resource.getpagesize()
SET_CHILD_SUBREAPER = 36


def main(lifeline: int, command: list[str]) -> int:
    """Run `command` until it ends or the lifeline does; the exit status (negative: the signal) that it ended with."""
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    limits = dict(part.split("=") for part in os.environ.pop(LIMITS_VARIABLE, "").split(",") if part)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, int(limits.get("file", LARGEST_FILE_BYTES)))
    if "data" in limits:
        with contextlib.suppress(OSError, ValueError):  # not every system has a measure of it
            lower(resource.RLIMIT_DATA, int(limits["data"]))
    most = int(limits["memory"]) if "memory" in limits else int(MEMORY_SHARE * free_bytes())
    is_reaper = bool(limits) and adopt_orphans()
    try:
        # The descriptors were handed down for the command alone: the guard must not keep the pipe's other end open.
        child = subprocess.Popen(command, close_fds=True, pass_fds=inherited_fds(), start_new_session=True)
    except OSError as fault:
        print(f"cannot start {command[0]}: {fault.strerror}", file=sys.stderr, flush=True)
        return 127
    finally:
        for inherited in inherited_fds():
            os.close(inherited)
    with contextlib.suppress(OSError), open(f"/proc/{child.pid}/oom_score_adj", "w") as score:  # noqa: PTH123
        score.write(FIRST_TO_GO)
    try:
        while True:
            readable, _, _ = select.select([lifeline, woken], [], [], LOOK_S if most else None)
            if most and not readable and (taken := taken_bytes(child.pid)) > most:
                tell_of_memory(taken, most)
                return -signal.SIGKILL
            if woken in readable:
                os.read(woken, 4096)
                status = child.poll()
                if status is not None:
                    return status
            if lifeline in readable and not os.read(lifeline, 1):
                return -signal.SIGKILL
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        if is_reaper:
            end_children()


def lower(which: int, most: int) -> None:
    """Set the soft limit, which the command inherits, to `most` where it is not lower already."""
    soft, hard = resource.getrlimit(which)
    resource.setrlimit(which, (min([most, *(n for n in (soft, hard) if n != resource.RLIM_INFINITY)]), hard))


def free_bytes() -> int:
    """The memory that can be had now, or that this process's control group is limited to where that is less; 0 where
    the system does not say.
    """
    free = 0
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/meminfo") as meminfo:  # noqa: PTH123
        free = next((int(line.split()[1]) << 10 for line in meminfo if line.startswith("MemAvailable:")), 0)
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError), open(path) as limit:  # noqa: PTH123
            free = min(free, int(limit.read()))  # "max" is no number, and no limit
    return free


def taken_bytes(pid: int) -> int:
    """The memory that a process and everything below it hold; what several of them share counts for each."""
    taken, waiting = 0, [pid]
    while waiting:
        folder = f"/proc/{waiting.pop()}"
        with contextlib.suppress(OSError, ValueError):  # it may end between two looks
            with open(f"{folder}/statm") as statm:  # noqa: PTH123
                taken += int(statm.read().split()[1]) * PAGE_BYTES
            for thread in os.listdir(f"{folder}/task"):  # noqa: PTH208 - importing pathlib takes longer than all of this
                with open(f"{folder}/task/{thread}/children") as children:  # noqa: PTH123
                    waiting += map(int, children.read().split())
    return taken


def tell_of_memory(taken: int, most: int) -> None:
    """The last line of a command that took too much."""
    with contextlib.suppress(OSError):  # its output may have reached its own limit
        print(
            f"nesproof ended it: with what it started it took {taken >> 20:,} MiB of memory, and {most >> 20:,} MiB "
            f"are the limit ({LIMITS_VARIABLE}=memory=BYTES sets another).",
            file=sys.stderr,
            flush=True,
        )


def adopt_orphans() -> bool:
    """Become the parent of what outlives its own parent below here; True where the system (Linux) does that."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    return int(ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)) == 0


def end_children() -> None:
    """End every process below this one: those that started sessions of their own come here when their parents end."""
    for _ in range(10_000):
        everybody = os.listdir("/proc")  # noqa: PTH208 - importing pathlib takes longer than all of this
        children = [int(entry) for entry in everybody if entry.isdigit() and parent_of(entry) == os.getpid()]
        if not children:
            return
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def parent_of(pid: str) -> int:
    """The parent's process id; 0 where the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123
            return int(stat.read().rpartition(b")")[2].split()[1])
    except OSError:
        return 0


def inherited_fds() -> tuple[int, ...]:
    """The descriptors of the request and response pipes, as `NESPROOF_SUBJECT_FDS` names them; none where unset."""
    named = os.environ.get("NESPROOF_SUBJECT_FDS", "")
    return tuple(int(fd) for fd in named.split(",") if fd)


if __name__ == "__main__":
    scratch_folder = sys.argv[2]
    try:
        ended = main(int(sys.argv[1]), sys.argv[3:])
    finally:
        if scratch_folder:
            shutil.rmtree(scratch_folder, ignore_errors=True)
    if ended < 0:
        with contextlib.suppress(OSError):
            signal.signal(-ended, signal.SIG_DFL)  # SIGKILL takes no handler, and needs none
        os.kill(os.getpid(), -ended)
    raise SystemExit(ended)
