"""A manifest with files of our own, and a server on this machine that serves them, or fails in a chosen way."""

from __future__ import annotations

import hashlib
import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from nesproof.roms_manifest import Manifest, parse_manifest
from nesproof.roms_manifest.vectors import VectorSet

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def make_rom(seed: int) -> bytes:
    return b"NES\x1a\x01\x01" + bytes(10) + hashlib.sha256(bytes([seed])).digest() * (0x6000 // 32)


ROMS = {f"rom{i}": make_rom(i) for i in range(4)}


def make_case(name: str, p: int) -> bytes:
    registers = bytes([0, 2, 0xFD, 1, 2, 3, p])
    ram = bytes([1, 0x34, 0x12, 0xA9])
    return name.encode().ljust(10, b"\0") + registers + ram + registers + ram + bytes([1, 0x34, 0x12, 0xA9, ord("r")])


def make_vectors(opcode: int, cases: int = 1500) -> bytes:
    """Upstream's form: many cases, every other one with the decimal flag set."""
    return b"".join(make_case(f"{opcode:02x} {i}", 0x08 if i % 2 else 0) for i in range(cases))


UPSTREAM_VECTORS = {0x00: make_vectors(0x00), 0x69: make_vectors(0x69)}
REDUCED_VECTORS = {
    0x00: b"".join(make_case(f"00 {i}", 0x08 if i % 2 else 0) for i in range(100)),
    0x69: b"".join(make_case(f"69 {i}", 0) for i in range(0, 200, 2)),
}


def manifest_text(address: str) -> str:
    parts = [
        "schema_version = 1",
        '[[collection]]\nname = "house"\ntitle = "ours"\nlicence = "MIT"',
        (
            '[[collection]]\nname = "remote"\ntitle = "theirs"\nrepository = "https://example.org/r"\n'
            f'commit = "{COMMIT}"\nbase_url = "{address}/{COMMIT}"\nlicence = "mixed"'
        ),
    ]
    for name, data in ROMS.items():
        parts.append(
            f'[[rom]]\nid = "remote/{name}"\npath = "remote/{name}.nes"\nupstream = "{name}.nes"\n'
            f'collection = "remote"\nsize_bytes = {len(data)}\nsha256 = "{hashlib.sha256(data).hexdigest()}"\n'
            f'sha1 = "{hashlib.sha1(data).hexdigest()}"\nbody_sha1 = "{hashlib.sha1(data[16:]).hexdigest()}"\n'
            'licence = "unstated"\nmapper = 0\nboard = "NROM-128"\n'
            '[[rom.run]]\nprotocol = { kind = "status-6000" }\nlimit_frames = 60'
        )
    return "\n\n".join(parts)


@dataclass
class Server:
    """`faults` maps a file's name to how it fails: "404", "500", "truncated", "wrong", "longer", "hang", "drip"."""

    address: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    ranges: list[str | None] = field(default_factory=list)
    sent_bytes: int = 0
    stopping: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server(files={f"{name}.nes": data for name, data in ROMS.items()})
    state.files |= {f"{opcode:02x}.bin": data for opcode, data in UPSTREAM_VECTORS.items()}

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            name = self.path.rsplit("/", 1)[-1]
            state.requests.append(name)
            state.ranges.append(self.headers["Range"])
            fault = state.faults.get(name)
            if fault in ("404", "500"):
                self.send_error(int(fault))
                return
            data = state.files[name]
            if fault == "hang":
                state.stopping.wait(30)
                return
            if self.headers["Range"] and fault != "no-range":
                last = int(self.headers["Range"].rsplit("-", 1)[1])
                data = data[: last + 1]
                self.send_response(206)
            else:
                self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if fault == "truncated":
                self.wfile.write(data[: len(data) // 2])
                self.close_connection = True
                return
            if fault == "wrong":
                data = bytes(len(data))
            if fault == "drip":
                for byte in data:
                    if state.stopping.wait(0.05):
                        return
                    self.wfile.write(bytes([byte]))
                return
            try:
                self.wfile.write(data)
                state.sent_bytes += len(data)
            except OSError:
                pass

    class QuietServer(http.server.ThreadingHTTPServer):
        def handle_error(self, *_):
            pass  # clients that hang up are what some tests are about

    httpd = QuietServer(("127.0.0.1", 0), Handler)
    httpd.daemon_threads = True
    state.address = f"http://127.0.0.1:{httpd.server_address[1]}"
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield state
    state.stopping.set()
    httpd.shutdown()
    httpd.server_close()
    thread.join(5)


@pytest.fixture
def manifest(server: Server) -> Manifest:
    made = parse_manifest(manifest_text(server.address))
    made.vectors = VectorSet(
        sha256_by_opcode={opcode: hashlib.sha256(data).hexdigest() for opcode, data in REDUCED_VECTORS.items()},
        base_url=f"{server.address}/{COMMIT}/6502",
        commit=COMMIT,
        licence="MIT",
    )
    return made


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test here sees or touches the user's cache; the network of the local server is allowed."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for variable in ("NESPROOF_OFFLINE", "NESPROOF_ROM_PATH", "NESPROOF_VECTOR_PATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("NO_PROXY", "*")
    return cache


@pytest.fixture
def roms() -> dict[str, bytes]:
    return dict(ROMS)


@pytest.fixture
def reduced_vectors() -> dict[int, bytes]:
    return dict(REDUCED_VECTORS)


@pytest.fixture
def upstream_vectors() -> dict[int, bytes]:
    return dict(UPSTREAM_VECTORS)


@pytest.fixture
def local_manifest_text(server: Server) -> str:
    return manifest_text(server.address)
