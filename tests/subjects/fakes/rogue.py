"""A subject that misbehaves on demand: `rogue.py MODE`. It greets properly unless the mode is about the greeting."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import time

mode = sys.argv[1]
read_fd, write_fd = (int(fd) for fd in os.environ["NESPROOF_SUBJECT_FDS"].split(","))

HELLO = {
    "hello": "nesproof-subject", "protocol": 1, "name": "rogue", "version": "0", "capabilities": ["ram", "digest"],
    "python": "", "packages": [], "build": None,
}  # fmt: skip


def send(header, payload=b"", sizes=None):
    header = dict(header, buffers=[len(payload)] * bool(payload) if sizes is None else sizes)
    text = json.dumps(header).encode()
    os.write(write_fd, struct.pack("<I", len(text)) + text + payload)


def request():
    prefix = os.read(read_fd, 4)
    if not prefix:
        sys.exit(0)
    (length,) = struct.unpack("<I", prefix)
    header = json.loads(os.read(read_fd, length))
    left = sum(header["buffers"])
    while left:
        left -= len(os.read(read_fd, left))
    return header


def say(text):
    print(text, flush=True)


if mode == "silent-start":
    time.sleep(60)
if mode == "dies-at-start":
    say("I have \x1b[31mno\x07 cartridge slot")
    sys.exit(3)
if mode == "http-greeting":
    os.write(write_fd, b"HTTP/1.1 200 OK\r\n\r\n")
    time.sleep(60)
if mode == "future-protocol":
    send(dict(HELLO, protocol=2))
    time.sleep(60)
if mode == "unknown-capability":
    send(dict(HELLO, capabilities=["ram", "telepathy"]))
    time.sleep(60)
if mode == "extra-field":
    send(dict(HELLO, motto="faster"))
    time.sleep(60)

send(HELLO)
asked = request()
RIGHT = {"id": asked["id"], "ok": True, "result": {}}

if mode == "well-behaved":
    while True:
        send(dict(RIGHT, id=asked["id"]), bytes(2048) if asked["op"] == "read_ram" else b"")
        asked = request()
if mode == "segfaults":
    say("about to crash")
    os.kill(os.getpid(), signal.SIGSEGV)
if mode == "exits":
    say("line\n" * 100 + "last words")
    sys.exit(7)
if mode == "closes-the-pipe":
    os.close(write_fd)
    time.sleep(60)
if mode == "half-a-message":
    os.write(write_fd, struct.pack("<I", 500) + b'{"id": 1')
    sys.exit(0)
if mode == "hangs":
    subprocess.Popen(["sleep", "60"])
    time.sleep(60)
if mode == "ignores-signals":
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(60)
if mode == "trickles":
    for byte in struct.pack("<I", 400) + b" " * 400:
        os.write(write_fd, bytes([byte]))
        time.sleep(0.1)
if mode == "oversized-header":
    os.write(write_fd, struct.pack("<I", 0xFFFFFFFF) + b"x" * 100)
    time.sleep(60)
if mode == "oversized-buffer":
    send(RIGHT, b"x", sizes=[1 << 40])
    time.sleep(60)
if mode == "negative-buffer":
    send(RIGHT, sizes=[-1])
    time.sleep(60)
if mode == "not-json":
    os.write(write_fd, struct.pack("<I", 4) + b"\xff\xfe{}")
    time.sleep(60)
if mode == "nan":
    os.write(write_fd, struct.pack("<I", 30) + b'{"id":1,"x":NaN,"buffers":[]} ')
    time.sleep(60)
if mode == "deep":
    text = b"[" * 100_000
    os.write(write_fd, struct.pack("<I", len(text)) + text[:60_000])
    os.write(write_fd, text[60_000:])
    time.sleep(60)
if mode == "wrong-id":
    send(dict(RIGHT, id=99), bytes(2048))
    time.sleep(60)
if mode == "ok-and-error":
    send(dict(RIGHT, error={"kind": "failed", "message": "both"}), bytes(2048))
    time.sleep(60)
if mode == "short-ram":
    send(RIGHT, bytes(2047))
    time.sleep(60)
if mode == "no-ram":
    send(RIGHT)
    time.sleep(60)
if mode == "extra-result":
    send(dict(RIGHT, result={"lives": 99}), bytes(2048))
    time.sleep(60)
if mode == "bad-digest":
    send(dict(RIGHT, result={"digest": "../../etc/passwd"}))
    time.sleep(60)
if mode == "prints-forever":
    while True:
        os.write(1, b"spam " * 10_000)
if mode in {"eats-memory", "feeds-a-child"}:
    say("I am hungry")
    if mode == "feeds-a-child" and os.fork():
        time.sleep(60)
    eaten = []
    while True:
        eaten.append(b"\xa5" * (8 << 20))
        time.sleep(0.02)
if mode == "does-not-read":
    time.sleep(60)
