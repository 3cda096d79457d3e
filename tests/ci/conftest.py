"""Workflows as data, and a GitHub that is none."""

from __future__ import annotations

import http.server
import json
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "ci" / "comment"))

HEAD = "a" * 40
BASE = "b" * 40


class FakeGitHub(http.server.ThreadingHTTPServer):
    """Answers what a test laid down by path, and keeps what was sent."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.sent: list[tuple[str, str, Any]] = []
        self.seen: list[tuple[str, dict[str, list[str]], str | None]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: FakeGitHub

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.server.seen.append((parts.path, parse_qs(parts.query), self.headers["Authorization"]))
        answer = self.server.answers.get(parts.path)
        if isinstance(answer, str):
            self.send_response(302)
            self.send_header("Location", answer)
            self.end_headers()
        elif answer is None:
            self.send_error(404)
        else:
            self._body(answer if isinstance(answer, bytes) else json.dumps(answer).encode())

    def _change(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.sent.append((self.command, self.path, json.loads(self.rfile.read(length))))
        self._body(b"{}")

    do_POST = do_PATCH = _change  # noqa: N815

    def _body(self, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    server = FakeGitHub()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def event() -> dict[str, Any]:
    """What GitHub writes into the event's file when a gate of a fork's pull request has ended."""
    return {
        "action": "completed",
        "repository": {"full_name": "nesproof/nesproof"},
        "workflow_run": {
            "id": 77,
            "event": "pull_request",
            "head_sha": HEAD,
            "head_branch": "speed-up",
            "conclusion": "failure",
            "head_repository": {"owner": {"login": "someone"}},
            "pull_requests": [],
        },
    }


@pytest.fixture
def document() -> Callable[..., Any]:
    """Makes a small gate document about the event's commit; text can be put into it."""
    from nesproof.harness.claims.registry import load_claims
    from nesproof.harness.claims.verdict import ExitCode
    from nesproof.harness.evidence.measurements import FailedMeasurement
    from nesproof.harness.evidence.surroundings import Machine, Source
    from nesproof.harness.gate.document import GateClaim, GateDocument, GateFlags, RevisionRecord
    from nesproof.harness.gate.outcome import GateVerdict
    from nesproof.harness.gate.verdicts import rejudged

    def made(*, judge: str = "BASE", plan: tuple[str, ...] = (), subject: str = "Speed up", asked: str = "main",
             reason: str = "A digest differs.") -> Any:  # fmt: skip
        exact = next(claim for claim in load_claims().values() if claim.kind == "exact")
        rerun = f"nesproof gate {BASE} {HEAD} --profile quick --claim 'core.*' --budget 10 --seed 1"
        broken = FailedMeasurement(stage="The suite", reason=reason)
        bare = GateDocument(
            created_utc=datetime(2026, 1, 1, tzinfo=timezone.utc),
            duration_s=1.0,
            command="nesproof gate main",
            repeat=rerun,
            judge=judge,
            flags=GateFlags(profile="quick", budget_s=600, order_seed=1),
            baseline=RevisionRecord(asked=asked, commit=BASE, subject=subject, build_key="1", build_was_cached=False),
            candidate=RevisionRecord(asked="HEAD", commit=HEAD, subject=subject, build_key="2", build_was_cached=False),
            merge_base_of=asked[:100],
            source=Source(version="0.1.0", commit=BASE, dirty=False, tree_sha256="0" * 64),
            machine=Machine(
                os="Linux", kernel="6", arch="x86_64", cpu_model="a CPU", physical_cores=2, logical_cores=2,
                usable_cores=2, memory_bytes=1, governor=None, virtualised=True,
            ),
            packages=(),
            plan=plan,
            claims=(GateClaim(claim=exact, verdict=GateVerdict.ERROR, reason=reason, rerun=rerun, measurement=broken),),
            exit_code=ExitCode.ERROR,
        )  # fmt: skip
        return bare.model_copy(update={"claims": rejudged(bare)})

    return made
