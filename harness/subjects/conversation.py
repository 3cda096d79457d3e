"""Requests and replies with one subject's process: each checked, each with a deadline, and an end to it all on a fault.

What breaks the conversation, Ctrl-C in the middle of a call included, ends it for good: half a reply left in the pipe
would be taken for the next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, overload

from pydantic import BaseModel, ValidationError

from nesproof.harness.errors import first_fault
from nesproof.harness.plain_text import plain_line
from nesproof.harness.subjects.channel import ChannelClosed, ChannelTimeout, Garbage
from nesproof.harness.subjects.errors import (
    NotCapable,
    SubjectCannotStart,
    SubjectDied,
    SubjectFailed,
    SubjectHung,
    SubjectProtocolError,
    SubjectRefused,
)
from nesproof.harness.subjects.process import LEAVE_S, WorkerProcess
from nesproof.harness.subjects.replies import Answer, EmptyResult, Hello, StartProblem, is_capability
from nesproof.harness.subjects.worker import PROTOCOL_VERSION

__all__ = ["START_S", "Conversation"]

START_S = 30.0
"""The greeting is due within this, or within the subject's own limit where that is shorter."""
LAST_WORDS_S = 2.0

_Result = TypeVar("_Result", bound=BaseModel)


class Conversation:
    """The protocol with one process. `hello` is its greeting.

    Raises, from every method: `SubjectRefused` and `NotCapable` (it goes on), `SubjectFailed` and its subclasses (the
    process has been killed).
    """

    def __init__(self, name: str, process: WorkerProcess, *, timeout_s: float, start_s: float = START_S) -> None:
        self._name = name
        self._process = process
        self._timeout_s = timeout_s
        self._request = 0
        self._start_s = start_s
        self._broken: str | None = None
        try:
            self.hello = self._greeted()
        except BaseException:
            process.end()
            process.close()
            raise

    @property
    def guard_pid(self) -> int:
        """Process id of the guard."""
        return self._process.guard_pid

    @overload
    def ask(
        self,
        op: str,
        args: Mapping[str, Any] | None = None,
        buffers: Sequence[bytes] = (),
        *,
        timeout_s: float | None = None,
    ) -> EmptyResult: ...
    @overload
    def ask(
        self,
        op: str,
        args: Mapping[str, Any] | None = None,
        buffers: Sequence[bytes] = (),
        *,
        model: type[_Result],
        timeout_s: float | None = None,
    ) -> _Result: ...
    def ask(
        self,
        op: str,
        args: Mapping[str, Any] | None = None,
        buffers: Sequence[bytes] = (),
        *,
        model: type[BaseModel] = EmptyResult,
        timeout_s: float | None = None,
    ) -> BaseModel:
        """One request whose reply is a `model` and no buffer."""
        result, received = self._exchange(op, args, buffers, timeout_s)
        if received:
            raise self.garbage(op, f"it has {len(received)} buffers where none is due")
        return self._checked(model, result, op)

    def ask_bytes(
        self,
        op: str,
        args: Mapping[str, Any] | None = None,
        buffers: Sequence[bytes] = (),
        *,
        size: int | None = None,
    ) -> bytes:
        """One request whose reply is one buffer, of `size` bytes where that is known beforehand."""
        _, (data,) = self.ask_both(op, args, buffers, model=EmptyResult, count=1)
        if size is not None and len(data) != size:
            raise self.garbage(op, f"it holds {len(data)} bytes where {size} are due")
        return data

    def ask_both(
        self,
        op: str,
        args: Mapping[str, Any] | None = None,
        buffers: Sequence[bytes] = (),
        *,
        model: type[_Result],
        count: int,
    ) -> tuple[_Result, list[bytes]]:
        """One request whose reply is a `model` and `count` buffers."""
        result, received = self._exchange(op, args, buffers, None)
        checked = self._checked(model, result, op)
        if len(received) != count:
            due = "one is due" if count == 1 else f"{count} are due"
            raise self.garbage(op, f"it has {len(received)} buffers where {due}")
        return checked, received

    def garbage(self, op: str, what: str) -> SubjectFailed:
        """End the conversation over a reply that makes no sense; the error to raise."""
        return self._failed(SubjectProtocolError, f"Subject {self._name} answered {op} with garbage: {what}.")

    def close(self, *, leave_s: float = LEAVE_S) -> None:
        """End the process and everything that it started; it has so long to leave by itself. Idempotent."""
        if self._broken is not None:
            self._process.end()  # in the middle of a call there is nothing to wait for
        self._broken = self._broken or "it was closed"
        self._process.close(leave_s=leave_s)

    def _greeted(self) -> Hello:
        limit_s = min(self._timeout_s, self._start_s)
        try:
            header, buffers = self._process.channel.receive(timeout_s=limit_s)
        except (ChannelClosed, ChannelTimeout, Garbage) as fault:
            raise self._broke("start", fault, limit_s) from fault
        if "problem" in header:
            problem = self._checked(StartProblem, header, "start").problem
            self._process.wait(LAST_WORDS_S)
            raise self._failed(SubjectCannotStart, f"Subject {self._name} cannot start: {_clause(problem)}.")
        if header.get("protocol") != PROTOCOL_VERSION:
            spoken = str(header.get("protocol"))[:20]
            raise self.garbage("start", f"it speaks protocol {spoken}, not {PROTOCOL_VERSION}")
        hello = self._checked(Hello, header, "start")
        unknown = sorted(c for c in hello.capabilities if not is_capability(c))
        if buffers or unknown:
            raise self.garbage("start", f"it declares unknown capabilities: {unknown}" if unknown else "it has buffers")
        return hello

    def _exchange(
        self, op: str, args: Mapping[str, Any] | None, buffers: Sequence[bytes], timeout_s: float | None
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Send one request and receive its reply: the result, not yet checked, and the buffers."""
        if self._broken is not None:
            raise SubjectFailed(f"Subject {self._name} is of no more use: {self._broken}.")
        limit_s = self._timeout_s if timeout_s is None else timeout_s
        channel = self._process.channel
        self._request += 1
        message = channel.packed({"id": self._request, "op": op, "args": dict(args or {})}, buffers)
        self._broken = f"{op} was cut short"  # and stays so if anything leaves this method early
        try:
            channel.send_packed(message, timeout_s=limit_s)
            header, received = channel.receive(timeout_s=limit_s)
        except (ChannelClosed, ChannelTimeout, Garbage) as fault:
            raise self._broke(op, fault, limit_s) from fault
        answer = self._checked(Answer, header, op)
        if answer.id != self._request or answer.ok is (answer.error is not None):
            raise self.garbage(op, "it answers another request, or is neither a result nor an error")
        if answer.error is not None and answer.error.kind == "failed":
            reason = _clause(answer.error.message)
            raise self._failed(SubjectFailed, f"Subject {self._name} failed at {op}: {reason}.")
        self._broken = None
        if answer.error is not None:
            if answer.error.kind == "refused":
                raise SubjectRefused(self._name, _clause(answer.error.message))
            raise NotCapable(self._name, op)
        return answer.result, received

    def _checked(self, model: type[_Result], value: Mapping[str, Any], op: str) -> _Result:
        try:
            return model.model_validate(value)
        except ValidationError as fault:
            raise self.garbage(op, first_fault(fault)) from fault

    def _broke(self, op: str, fault: Exception, limit_s: float) -> SubjectFailed:
        if isinstance(fault, ChannelTimeout):
            return self._failed(SubjectHung, f"Subject {self._name} hung: no answer to {op} within {limit_s:g} s.")
        if isinstance(fault, ChannelClosed):
            how = self._process.wait(LAST_WORDS_S)
            ended = f"died at {op} ({how})" if how else f"closed its pipe at {op}"
            return self._failed(SubjectDied, f"Subject {self._name} {ended}.")
        return self.garbage(op, str(fault))

    def _failed(self, kind: type[SubjectFailed], message: str) -> SubjectFailed:
        self._process.end()
        message = plain_line(message)
        self._broken = message.rstrip(".")
        return kind(message, tail=self._process.tail())


def _clause(message: str) -> str:
    """What a subject says, as part of a sentence of ours."""
    return plain_line(message).rstrip(".") or "it does not say why"
