"""The wire: what is sent arrives, in whatever pieces; what is no message is refused before it costs anything."""

from __future__ import annotations

import contextlib
import json
import os
import struct
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nesproof.harness.subjects import worker
from nesproof.harness.subjects.channel import Channel, ChannelClosed, ChannelTimeout, Garbage, parse_header

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
HEADERS = st.dictionaries(st.text(max_size=12).filter(lambda key: key != "buffers"), JSON_VALUES, max_size=6)
BUFFERS = st.lists(st.binary(max_size=2_000), max_size=worker.MAX_BUFFERS)


class Ends:
    """A harness's channel, and raw descriptors where the worker would sit."""

    def __init__(self) -> None:
        self.from_harness, request_write = os.pipe()
        response_read, self.to_harness = os.pipe()
        self.channel = Channel(response_read, request_write)

    def close_worker_side(self) -> None:
        for fd in (self.from_harness, self.to_harness):
            with contextlib.suppress(OSError):
                os.close(fd)


@pytest.fixture
def ends() -> Iterator[Ends]:
    made = Ends()
    yield made
    made.channel.close()
    made.close_worker_side()


@given(header=HEADERS, buffers=BUFFERS)
@settings(max_examples=200, deadline=None)
def test_what_the_harness_sends_the_worker_receives_and_back(header: dict[str, object], buffers: list[bytes]) -> None:
    ends = Ends()
    pipe = worker.Pipe(ends.from_harness, ends.to_harness)
    ends.channel.send_packed(Channel.packed(header, buffers), timeout_s=5)
    assert pipe.receive() == (header, buffers)
    pipe.send(header, buffers)
    assert ends.channel.receive(timeout_s=5) == (header, buffers)
    ends.channel.close()
    ends.close_worker_side()


@given(header=HEADERS, buffers=BUFFERS, cuts=st.lists(st.integers(1, 500), min_size=1, max_size=20))
@settings(max_examples=50, deadline=None)
def test_a_message_in_any_pieces_is_one_message(
    header: dict[str, object], buffers: list[bytes], cuts: list[int]
) -> None:
    ends = Ends()
    data = worker.pack_message(header, buffers)

    def dribble() -> None:
        at = 0
        turn = 0
        while at < len(data):
            step = cuts[turn % len(cuts)]
            os.write(ends.to_harness, data[at : at + step])
            at += step
            turn += 1

    writer = threading.Thread(target=dribble)
    writer.start()
    assert ends.channel.receive(timeout_s=10) == (header, buffers)
    writer.join()
    ends.channel.close()
    ends.close_worker_side()


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_header_is_a_dictionary_with_checked_sizes_or_garbage(text: bytes) -> None:
    try:
        header = parse_header(text)
    except Garbage:
        return
    assert all(type(size) is int and size >= 0 for size in header["buffers"])


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"{}",
        b'{"buffers": 3}',
        b'{"buffers": [true]}',
        b'{"buffers": [1.5]}',
        b'{"buffers": [-1]}',
        b'{"buffers": ["1"]}',
        b'{"buffers": [0,0,0,0,0,0,0,0,0]}',
        b'{"buffers": [67108865]}',
        b'{"buffers": [67108864, 1]}',
        b'{"buffers": [], "x": Infinity}',
        b'{"buffers": [], "x": 9223372036854775808}',
        b'{"buffers": [], "x": ' + b"9" * 5_000 + b"}",
        b"[" * 50_000,
        b"\xff\xff",
    ],
)
def test_a_malformed_header_is_garbage(text: bytes) -> None:
    with pytest.raises(Garbage):
        parse_header(text)


def test_a_huge_length_is_refused_before_anything_is_read(ends: Ends) -> None:
    os.write(ends.to_harness, struct.pack("<I", worker.MAX_HEADER_BYTES + 1) + b"rest")
    with pytest.raises(Garbage, match="1048577"):
        ends.channel.receive(timeout_s=5)


def test_a_message_above_the_limits_is_not_sent(ends: Ends) -> None:
    with pytest.raises(ValueError, match="header"):
        ends.channel.send_packed(Channel.packed({"x": "y" * worker.MAX_HEADER_BYTES}, []), timeout_s=1)
    with pytest.raises(ValueError, match="buffers"):
        ends.channel.send_packed(Channel.packed({}, [b""] * (worker.MAX_BUFFERS + 1)), timeout_s=1)


def test_silence_is_a_timeout_and_not_for_ever(ends: Ends) -> None:
    started = time.monotonic()
    with pytest.raises(ChannelTimeout):
        ends.channel.receive(timeout_s=0.2)
    assert 0.15 < time.monotonic() - started < 5


def test_a_reader_that_does_not_read_is_a_timeout(ends: Ends) -> None:
    with pytest.raises(ChannelTimeout):
        ends.channel.send_packed(Channel.packed({}, [bytes(4 << 20)]), timeout_s=0.3)


def test_the_end_of_the_stream_within_a_message_is_noticed(ends: Ends) -> None:
    whole = worker.pack_message({"id": 1}, [b"abc"])
    os.write(ends.to_harness, whole[:-1])
    os.close(ends.to_harness)
    with pytest.raises(ChannelClosed):
        ends.channel.receive(timeout_s=5)


def test_writing_to_nobody_is_noticed(ends: Ends) -> None:
    os.close(ends.from_harness)
    with pytest.raises(ChannelClosed):
        ends.channel.send_packed(Channel.packed({}, []), timeout_s=5)


def test_the_worker_refuses_a_length_above_the_limit(ends: Ends) -> None:
    pipe = worker.Pipe(ends.from_harness, ends.to_harness)
    raw = ends.channel._write_fd
    os.write(raw, struct.pack("<I", 0xFFFFFFFF))
    with pytest.raises(ConnectionError, match="limit"):
        pipe.receive()


def test_the_document_states_the_limits_that_are_enforced(project_root) -> None:  # type: ignore[no-untyped-def]
    text = (project_root / "docs" / "subject-protocol.md").read_text(encoding="utf-8")
    for number in (worker.MAX_HEADER_BYTES, worker.MAX_BUFFER_BYTES, worker.MAX_BUFFERS):
        assert f"{number:,}" in text
    example = worker.pack_message({"id": 1, "op": "read_ram", "args": {}})
    assert json.loads(example[4:]) == {"id": 1, "op": "read_ram", "args": {}, "buffers": []}
