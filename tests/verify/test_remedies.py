"""Each hardware-free remedy is one command that a person can copy; run here, it changes the verdict."""

from __future__ import annotations

import functools
import http.server
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROMS = os.environ.get("NESPROOF_ROM_PATH", "").split(os.pathsep)[0]
VECTORS = os.environ.get("NESPROOF_VECTOR_PATH", "").split(os.pathsep)[0]

needs_files_to_serve = pytest.mark.skipif(
    not (ROMS and VECTORS), reason="NESPROOF_ROM_PATH and NESPROOF_VECTOR_PATH name no files that a server could serve"
)

UPSTREAM = "https://raw.githubusercontent.com"
PREAMBLE = """
import dataclasses
import nesproof.roms_manifest.manifest as manifest
import nesproof.roms_manifest.vectors as vectors
parse, hashes = manifest.parse_manifest, vectors.vector_hashes
manifest.parse_manifest = lambda text: parse(text.replace({upstream!r}, {address!r}))
def local_hashes():
    return dataclasses.replace(hashes(), base_url={address!r} + "/vectors")
manifest.vector_hashes = local_hashes
from nesproof.harness.cli.app import main
main()
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves what upstream would: repositories by owner, name and commit; vectors."""

    def translate_path(self, path: str) -> str:
        parts = path.strip("/").split("/")
        if parts[0] == "vectors":
            return str(Path(VECTORS) / parts[-1])
        if parts[1] == "nes-test-roms":
            return str(Path(ROMS, "nes-test-roms", *parts[3:]))
        return str(Path(ROMS) / "klaus" / parts[-1])

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@pytest.fixture
def address() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def record_of(world: Any, claim_id: str, out: Path, *more: str, env: dict[str, str]) -> Any:
    from nesproof.harness.evidence.bundle import open_bundle

    done = world.run(
        "verify", "--claim", claim_id, "--profile", "full", "--out", str(out), *more, env=env, timeout_s=300
    )
    assert "Traceback" not in done.stderr, done.stderr
    (folder,) = out.iterdir()
    return next(r for r in open_bundle(folder).evidence.claims if r.selected)


@needs_files_to_serve
@pytest.mark.parametrize("claim_id", ["cpu.klaus.2a03", "cpu.single-step", "hardware.refusal"])
def test_fetching_what_is_missing(world: Any, address: str, claim_id: str, tmp_path: Path) -> None:
    env = {
        "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path), "NESPROOF_ROM_PATH": "",
        "NESPROOF_VECTOR_PATH": "", "NESPROOF_OFFLINE": "", "no_proxy": "127.0.0.1",
    }  # fmt: skip
    before = record_of(world, claim_id, tmp_path / "before", env=env)
    assert before.verdict.value == "NOT_APPLICABLE", before.reason
    program, *arguments = shlex.split(before.remedy)
    assert program == "nesproof"
    script = PREAMBLE.format(upstream=UPSTREAM, address=address)
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], env={**world.env, **env}, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    after = record_of(world, claim_id, tmp_path / "after", env=env)
    assert after.verdict.value == "PASS", after.reason


def test_installing_the_peer(world: Any, tmp_path: Path) -> None:
    """Downloads and builds nes-py: the one test that needs a package index, and the slowest."""
    claim_id = "throughput.reference.vs-nes-py"
    env = {"NESPROOF_OFFLINE": "", "NESPROOF_HOME": str(tmp_path / "home")}
    before = record_of(world, claim_id, tmp_path / "before", env=env)
    assert before.verdict.value == "NOT_APPLICABLE", before.reason
    assert before.remedy == "nesproof subjects install nes-py"
    run = functools.partial(world.run, env=env, timeout_s=900)
    done = run(*shlex.split(before.remedy)[1:])
    if done.returncode != 0 and "reach" in done.stderr:
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr
    after = record_of(world, claim_id, tmp_path / "after", "--budget", "0.02", "--allow-busy", env=env)
    assert after.verdict.value in {"NOT_MEASURED", "PASS"}, after.reason
    assert after.measurement.kind == "ratio"
