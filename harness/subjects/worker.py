"""The worker's side of the subject protocol: `python -I worker.py ADAPTER.py [JSON options]`.

Runs under the peer's own Python (3.8 or later) and needs nothing but the standard library. `docs/subject-protocol.md`
describes the protocol; the adapter is a file with a function `make_adapter(options)` that returns an object with

- `name`, `version`: str; `capabilities`: list of str; `packages`: list of (name, version); `build`: dict or None;
- one method an operation that it is capable of, named as in `OPERATIONS`.

An adapter raises `NotImplementedError` for what it cannot do and `ValueError` for what it refuses (a cartridge of a
board it does not have, a foreign state), each with one sentence. Anything else is a failure: the sentence goes to the
harness, the traceback to the log.
"""

# ruff: noqa: ARG001, UP006, UP035 - one signature for all operations; the worker runs under Python 3.8 as well
from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import struct
import sys
import traceback
from typing import Any, Dict, List, Sequence, Tuple

PROTOCOL_VERSION = 1
MAX_HEADER_BYTES = 1 << 20
MAX_BUFFERS = 8
MAX_BUFFER_BYTES = 64 << 20
RAM_BYTES = 2048
ADAPTERS = "subject_adapters"
"""The package that an adapter and the files beside it are modules of."""


class CartridgeFile(bytes):
    """The bytes of a cartridge's file, as every adapter gets them.

    `settings` says what is to hold in place of the file's header: `region`, `mapper`, `submapper`, `irq`, `prg_ram`,
    each only where it is asked for. It is empty for a subject that does not declare "cartridge-settings".
    """

    settings: Dict[str, Any]


Args = Dict[str, Any]
Buffers = List[bytes]
Outcome = Tuple[Dict[str, Any], List[bytes]]


class Pipe:
    """Framed messages over two file descriptors, blocking."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd

    def send(self, header: dict[str, Any], buffers: Sequence[bytes] = ()) -> None:
        """Send one message; the header gains the sizes of its buffers."""
        self._write(pack_message(header, buffers))

    def receive(self) -> tuple[dict[str, Any], list[bytes]] | None:
        """The next message as (header, buffers), or None at the end of the stream."""
        prefix = self._read(4, end_is_fine=True)
        if not prefix:
            return None
        (length,) = struct.unpack("<I", prefix)
        if length > MAX_HEADER_BYTES:
            raise ConnectionError(f"a header of {length} bytes is above the limit")
        header = json.loads(self._read(length).decode("utf-8"))
        sizes = header.pop("buffers")
        if len(sizes) > MAX_BUFFERS or sum(sizes) > MAX_BUFFER_BYTES:
            raise ConnectionError("buffers above the limit")
        return header, [self._read(size) for size in sizes]

    def _read(self, count: int, end_is_fine: bool = False) -> bytes:
        parts = []
        missing = count
        while missing:
            part = os.read(self._read_fd, min(missing, 1 << 20))
            if not part:
                if end_is_fine and missing == count:
                    return b""
                raise ConnectionError("the harness closed the pipe within a message")
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._write_fd, view) :]


def pack_message(header: dict[str, Any], buffers: Sequence[bytes] = ()) -> bytes:
    """The bytes of one message: length of the header (u32, little-endian), header as JSON, buffers."""
    raw = [bytes(b) for b in buffers]
    text = json.dumps(dict(header, buffers=[len(b) for b in raw]), allow_nan=False).encode("utf-8")
    if len(text) > MAX_HEADER_BYTES:
        raise ValueError(f"a header of {len(text)} bytes is above the limit of {MAX_HEADER_BYTES}")
    if len(raw) > MAX_BUFFERS or sum(map(len, raw)) > MAX_BUFFER_BYTES:
        raise ValueError(f"the buffers of a message are above the limit of {MAX_BUFFER_BYTES} bytes")
    return struct.pack("<I", len(text)) + text + b"".join(raw)


# --- Operations: what a header and buffers mean to an adapter's method, and its result to a reply ---------------------


def _cartridge(args: Args, file: bytes) -> CartridgeFile:
    cartridge = CartridgeFile(file)
    cartridge.settings = args.get("cartridge", {})
    return cartridge


def _load(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    adapter.load(_cartridge(args, buffers[0]))
    return {}, []


def _power_on(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    adapter.power_on(args["fill"])
    return {}, []


def _press_reset(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    adapter.press_reset()
    return {}, []


def _step(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    adapter.step(buffers[0], args["players"])
    return {}, []


def _read_ram(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {}, [adapter.read_ram()]


def _peek(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {}, [adapter.peek(args["addresses"])]


def _poke(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    adapter.poke(args["address"], args["value"])
    return {}, []


def _read_nametables(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {}, [adapter.read_nametables()]


def _read_frame(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {}, [adapter.read_frame()]


def _read_frame_indices(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {}, [adapter.read_frame_indices()]


def _digest(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {"digest": adapter.digest()}, []


def _follow(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    players = args["players"]
    digests, pictures = [], []
    for at in range(0, len(buffers[0]), players):
        adapter.step(buffers[0][at : at + players], players)
        digests.append(int(adapter.digest(), 16).to_bytes(8, "little"))
        if args["pictures"]:
            pictures.append(picture_hash(adapter.read_frame_indices()))
    return {}, [b"".join(digests), *([b"".join(pictures)] if args["pictures"] else [])]


def picture_hash(indices: bytes) -> bytes:
    """Eight bytes that stand for a picture: BLAKE2b of that length over its palette indices."""
    return hashlib.blake2b(indices, digest_size=8).digest()


def _save_state(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {}, [adapter.save_state()]


def _load_state(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    adapter.load_state(buffers[0])
    return {}, []


def _trace(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {}, [adapter.trace(args["instructions"], args["start_pc"])]


def _run_units(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    rows, digests = adapter.run_units(args["units"], args["buttons"], args["digest_every"])
    return {}, [rows, struct.pack(f"<{len(digests)}Q", *digests)]


def _run_blocks(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {"blocks": adapter.run_blocks(args["blocks"], args["buttons"])}, []


def _state_fields(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    header_bytes, fields = adapter.state_fields()
    return {"header_bytes": header_bytes, "fields": [{"name": n, "dtype": t, "count": c} for n, t, c in fields]}, []


def _run_flat_cpu(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {"run": adapter.run_flat_cpu(args["variant"], buffers[0], args["pc"], args["max_instructions"])}, []


def _step_flat_cpu(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {}, [pack_flat_results(adapter.step_flat_cpu(unpack_flat_cases(buffers[0])))]


# --- Several consoles at once


def _batch_open(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return adapter.batch_open(_cartridge(args, buffers[0]), args["lanes"], args["threads"], args["idle_skipping"]), []


def _batch_power_on(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    adapter.batch_power_on(args["fill"], args["lanes"])
    return {}, []


def _batch_press_reset(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    adapter.batch_press_reset(args["lanes"])
    return {}, []


def _batch_step(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    adapter.batch_step(buffers[0], args["frames"], args["players"], args["record"])
    return {}, []


def _batch_digest(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {}, [struct.pack(f"<{adapter.lanes}Q", *adapter.batch_digest())]


def _batch_read_ram(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {}, [adapter.batch_read_ram(args["lanes"])]


def _batch_read_frames(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    frames, data = adapter.batch_read_frames(args["lanes"])
    return {"frames": frames}, [data]


def _batch_save_states(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {}, [adapter.batch_save_states(args["lanes"])]


def _batch_load_states(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    adapter.batch_load_states(buffers[0], args["lanes"])
    return {}, []


def _batch_permute(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    adapter.batch_permute(args["order"])
    return {}, []


def _batch_memory(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {"bytes": adapter.batch_memory()}, []


# --- The kernels for a GPU


def _compile_kernels(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {"compilation": adapter.compile_kernels(_cartridge(args, buffers[0]), args["arch"])}, []


def _model_warps(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    rom, states, buttons = buffers
    return {"model": adapter.model_warps(_cartridge(args, rom), states, buttons, args)}, []


def _share_memory(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return {"shared": adapter.share_memory(_cartridge(args, buffers[0]), args["library"])}, []


# --- Verdicts


def _judge(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    return adapter.judge(buffers[0]), []


# --- Timing


def _time_workload(adapter: Any, args: Args, buffers: Buffers) -> Outcome:
    rom, buttons = _cartridge(args, buffers[0]), buffers[1]
    for _ in range(args["warmup_runs"]):
        _timed_run(adapter, rom, buttons, args)
    return {"runs": [_timed_run(adapter, rom, buttons, args) for _ in range(args["runs"])]}, []


TIMING_OPTIONS = ("passes", "wait_for", "lanes", "threads", "frame_skip", "idle_skipping")
"""What a timing may ask for beyond the plain window; each comes only where the subject declares that it can."""


def _timed_run(adapter: Any, rom: bytes, buttons: bytes, args: Args) -> dict[str, Any]:
    options = {name: args[name] for name in TIMING_OPTIONS if name in args}
    elapsed_ns = adapter.time_run(rom, buttons, args["warmup_frames"], args["frames"], args["draw"], **options)
    details = adapter.timing_details() if hasattr(adapter, "timing_details") else {}
    sample = args.get("sample_lanes")
    ram = bytes(adapter.read_ram() if sample is None else adapter.batch_read_ram(_ram_lanes(adapter, sample)))
    address, count = args["frame_counter"]
    return {
        **details,
        "elapsed_ns": elapsed_ns,
        "digest": _digest_after(adapter, sample),
        "ram_sha256": hashlib.sha256(ram).hexdigest(),
        "frame_counter": int.from_bytes(ram[address : address + count], "little"),
        "lane_digests": _lane_digests(adapter, sample or []),
        "pictures": [] if args["draw"] == "none" else [picture_hash(p).hex() for p in _drawn(adapter, sample)],
    }


def _ram_lanes(adapter: Any, sample: list[int]) -> list[int]:
    """Whose RAM is hashed: lane 0's, and without a digest that of every sampled lane, lane 0 first."""
    return [0] if "digest" in adapter.capabilities else sorted({0, *sample})


def _digest_after(adapter: Any, sample: list[int] | None) -> str | None:
    if "digest" not in adapter.capabilities:
        return None
    return adapter.digest() if sample is None else f"{adapter.batch_digest()[0]:016x}"


def _drawn(adapter: Any, sample: list[int] | None) -> list[bytes]:
    """What the timed loop drew last, of each sampled lane; an adapter with a buffer for it shows that as it lies."""
    lanes = sample or [0]
    try:
        if hasattr(adapter, "drawn_frames"):
            return list(adapter.drawn_frames(lanes))
        if "frame-indices" in adapter.capabilities and sample is None:
            return [adapter.read_frame_indices()]
        if "frame-indices" in adapter.capabilities:
            frames, data = adapter.batch_read_frames(lanes)
            each = len(data) // len(lanes)
            return [data[at + each - each // frames : at + each] for at in range(0, len(data), each)]
        return [adapter.read_frame()] if "frame" in adapter.capabilities else []
    except ValueError:  # nothing was drawn, which the one who asked has to judge
        return []


def _lane_digests(adapter: Any, sample: list[int]) -> list[str]:
    if not sample or "digest" not in adapter.capabilities:
        return []
    digests = adapter.batch_digest()
    return [f"{digests[lane]:016x}" for lane in sample]


OPERATIONS = {
    "load": _load,
    "power_on": _power_on,
    "press_reset": _press_reset,
    "step": _step,
    "read_ram": _read_ram,
    "peek": _peek,
    "poke": _poke,
    "read_nametables": _read_nametables,
    "read_frame": _read_frame,
    "read_frame_indices": _read_frame_indices,
    "digest": _digest,
    "follow": _follow,
    "save_state": _save_state,
    "load_state": _load_state,
    "trace": _trace,
    "run_units": _run_units,
    "run_blocks": _run_blocks,
    "state_fields": _state_fields,
    "run_flat_cpu": _run_flat_cpu,
    "step_flat_cpu": _step_flat_cpu,
    "time_workload": _time_workload,
    "batch_open": _batch_open,
    "batch_power_on": _batch_power_on,
    "batch_press_reset": _batch_press_reset,
    "batch_step": _batch_step,
    "batch_digest": _batch_digest,
    "batch_read_ram": _batch_read_ram,
    "batch_read_frames": _batch_read_frames,
    "batch_save_states": _batch_save_states,
    "batch_load_states": _batch_load_states,
    "batch_permute": _batch_permute,
    "batch_memory": _batch_memory,
    "compile_kernels": _compile_kernels,
    "model_warps": _model_warps,
    "share_memory": _share_memory,
    "judge": _judge,
}


# --- Single-step cases, many to a buffer -----------------------------------------------------------------------------


def unpack_flat_cases(data: bytes) -> list[Any]:
    """Cases as (variant, (pc, s, a, x, y, p), [(address, value)], [asked address])."""
    cases = []
    at = 0
    while at < len(data):
        kind, pc, s, a, x, y, p, given, asked = struct.unpack_from("<BH5BHH", data, at)
        at += 12
        ram = list(struct.iter_unpack("<HB", data[at : at + 3 * given]))
        at += 3 * given
        addresses = list(struct.unpack_from(f"<{asked}H", data, at))
        at += 2 * asked
        cases.append(("2a03" if kind else "6502", (pc, s, a, x, y, p), ram, addresses))
    return cases


def pack_flat_results(results: Sequence[Any]) -> bytes:
    """Results as bytes; each is ((pc, s, a, x, y, p), values at the asked addresses, cycles).

    In place of the number of cycles may stand each cycle's access, [(address, value, is_write)].
    """
    parts = []
    for registers, values, cycles in results:
        accesses = [] if isinstance(cycles, int) else cycles
        count = cycles if isinstance(cycles, int) else len(cycles)
        parts.append(struct.pack("<H5BHHH", *registers, len(values), count, len(accesses)))
        parts.append(bytes(values))
        parts.extend(struct.pack("<HBB", address, value, is_write) for address, value, is_write in accesses)
    return b"".join(parts)


# --- The loop --------------------------------------------------------------------------------------------------------


def serve(pipe: Pipe, adapter: Any) -> None:
    """Answer requests until the harness says quit or closes the pipe."""
    while True:
        message = pipe.receive()
        if message is None or message[0]["op"] == "quit":
            return
        header, buffers = message
        try:
            operation = OPERATIONS.get(header["op"])
            if operation is None:
                raise NotImplementedError(f"operation {header['op']!r}")
            result, out = operation(adapter, header.get("args", {}), buffers)
            pipe.send({"id": header["id"], "ok": True, "result": result}, out)
        except Exception as fault:
            kind = "failed"
            if isinstance(fault, NotImplementedError):
                kind = "not-capable"
            elif isinstance(fault, ValueError):
                kind = "refused"
            else:
                traceback.print_exc()
            why = f"{fault}" if kind != "failed" else f"{type(fault).__name__}: {fault}"
            pipe.send({"id": header["id"], "ok": False, "error": {"kind": kind, "message": why[:4000]}})


def greeting(adapter: Any) -> dict[str, Any]:
    """The first message: who answers, and what it can do."""
    return {
        "hello": "nesproof-subject",
        "protocol": PROTOCOL_VERSION,
        "name": adapter.name,
        "version": adapter.version,
        "capabilities": sorted(adapter.capabilities),
        "python": platform.python_version(),
        "packages": [[name, version] for name, version in adapter.packages],
        "build": adapter.build,
    }


def load_adapter(path: str, options: dict[str, Any]) -> Any:
    """The adapter that the file at `path` makes, as it stands there now; it may import the files beside it, by names
    that start with a dot.

    Nothing compiled of it is left beside it: Python would take that for the file's own as long as second and size
    agree, so that an adapter that was just changed would run as it was.
    """
    folder, file = os.path.split(path)
    for name in [name for name in sys.modules if name.startswith(ADAPTERS + ".")]:
        del sys.modules[name]
    package = importlib.util.spec_from_loader(ADAPTERS, loader=None, is_package=True)
    assert package is not None
    package.submodule_search_locations = [folder]
    sys.modules[ADAPTERS] = importlib.util.module_from_spec(package)
    spec = importlib.util.spec_from_file_location(ADAPTERS + "." + file.replace(".", "_"), path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module.make_adapter(options)


def main(argv: list[str]) -> int:
    """Serve the adapter named in `argv` over the descriptors named in the environment; the exit status."""
    read_fd, write_fd = (int(fd) for fd in os.environ.pop("NESPROOF_SUBJECT_FDS").split(","))
    for fd in (read_fd, write_fd):
        os.set_inheritable(fd, False)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a crash would take the rest with it
    pipe = Pipe(read_fd, write_fd)
    try:
        adapter = load_adapter(argv[1], json.loads(argv[2]) if len(argv) > 2 else {})
    except Exception as fault:
        traceback.print_exc()
        problem = f"{type(fault).__name__}: {fault}"[:4000]
        pipe.send({"hello": "nesproof-subject", "protocol": PROTOCOL_VERSION, "problem": problem})
        return 1
    pipe.send(greeting(adapter))
    serve(pipe, adapter)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
