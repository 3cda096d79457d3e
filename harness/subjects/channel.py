"""The harness's side of the wire: framed messages over two pipes, each with a deadline and with caps on every size.

Nothing that arrives is trusted: a length is checked before a byte of it is read, JSON must be one object, and what a
buffer may weigh in all is capped. The framing is described in `docs/subject-protocol.md`.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import struct
import time
from collections.abc import Sequence
from typing import Any, NoReturn

from nesproof.harness.subjects.worker import MAX_BUFFER_BYTES, MAX_BUFFERS, MAX_HEADER_BYTES, pack_message
from nesproof.harness.whole_numbers import NumberTooLarge, whole_number

__all__ = ["Channel", "ChannelClosed", "ChannelTimeout", "Garbage", "Message"]

Message = tuple[dict[str, Any], list[bytes]]
READ_BYTES = 1 << 20


class ChannelClosed(Exception):
    """The other side closed its end, between messages or within one."""


class ChannelTimeout(Exception):
    """The deadline passed before the message was whole."""


class Garbage(Exception):
    """What arrived is not a message; `str()` says what is wrong with it."""


class Channel:
    """One side of a pair of pipes. Owns both descriptors."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        for fd in (read_fd, write_fd):
            os.set_blocking(fd, False)
        self._closed = False

    @staticmethod
    def packed(header: dict[str, Any], buffers: Sequence[bytes]) -> bytes:
        """One message, ready to be sent.

        Raises:
            ValueError: it is above the protocol's limits.
        """
        return pack_message(header, buffers)

    def send_packed(self, message: bytes, *, timeout_s: float) -> None:
        """Send one message.

        Raises:
            ChannelTimeout: the other side does not read.
            ChannelClosed: the other side is gone.
        """
        deadline = time.monotonic() + timeout_s
        view = memoryview(message)
        while view:
            self._wait(self._write_fd, select.POLLOUT, deadline)
            try:
                view = view[os.write(self._write_fd, view) :]
            except BlockingIOError:
                continue
            except OSError as fault:
                raise ChannelClosed from fault

    def receive(self, *, timeout_s: float) -> Message:
        """The next message as (header, buffers).

        Raises:
            ChannelTimeout: it is not whole in time.
            ChannelClosed: the stream ended.
            Garbage: it breaks the framing.
        """
        deadline = time.monotonic() + timeout_s
        (length,) = struct.unpack("<I", self._read(4, deadline))
        if length > MAX_HEADER_BYTES:
            raise Garbage(f"it announces a header of {length} bytes, above the limit of {MAX_HEADER_BYTES}")
        header = parse_header(self._read(length, deadline))
        return header, [self._read(size, deadline) for size in header.pop("buffers")]

    def close(self) -> None:
        """Close both ends; idempotent."""
        if not self._closed:
            self._closed = True
            for fd in (self._read_fd, self._write_fd):
                with contextlib.suppress(OSError):
                    os.close(fd)

    def _read(self, count: int, deadline: float) -> bytes:
        parts: list[bytes] = []
        missing = count
        while missing:
            self._wait(self._read_fd, select.POLLIN, deadline)
            try:
                part = os.read(self._read_fd, min(missing, READ_BYTES))
            except BlockingIOError:
                continue
            except OSError as fault:
                raise ChannelClosed from fault
            if not part:
                raise ChannelClosed
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def _wait(self, fd: int, event: int, deadline: float) -> None:
        poller = select.poll()
        poller.register(fd, event)
        remaining = deadline - time.monotonic()
        if remaining <= 0 or not poller.poll(remaining * 1_000):
            raise ChannelTimeout


def parse_header(text: bytes) -> dict[str, Any]:
    """A header as a dictionary whose `buffers` is a checked list of sizes.

    Raises:
        Garbage: it is not one JSON object, or its buffers are above the limits.
    """
    try:
        header = json.loads(text.decode("utf-8"), parse_constant=_refuse_constant, parse_int=whole_number)
    except NumberTooLarge as fault:
        raise Garbage(f"its header holds {fault}, and none may have more than 64 bits") from fault
    except (ValueError, RecursionError) as fault:
        raise Garbage(f"its header is not JSON: {text[:40]!r}") from fault
    if not isinstance(header, dict):
        raise Garbage(f"its header is not an object: {text[:40]!r}")
    sizes = header.get("buffers")
    if not isinstance(sizes, list) or len(sizes) > MAX_BUFFERS or not all(type(n) is int and n >= 0 for n in sizes):
        raise Garbage(f"its list of buffer sizes is malformed: {str(sizes)[:80]}")
    if sum(sizes) > MAX_BUFFER_BYTES:
        raise Garbage(f"it announces buffers of {sum(sizes)} bytes, above the limit of {MAX_BUFFER_BYTES}")
    return header


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
