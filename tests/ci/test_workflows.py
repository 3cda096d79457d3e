"""What the workflows and the action may do: scanned, and each scan shown to see what it looks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / "ci" / "action.yml"
FILES = [*WORKFLOWS, ACTION]

MAY_WRITE = {("gate-comment.yml", "pull-requests")}
# What GitHub or a maintainer makes, and nobody else: numbers, hashes, fixed words, paths of the runner.
TRUSTED = re.compile(
    r"^(?:matrix\.[a-z]+|runner\.temp|github\.(?:token|ref|workflow|event\.action|event\.label\.name"
    r"|event\.pull_request\.(?:number|base\.sha|head\.sha)|event\.workflow_run\.head_sha"
    r"|event\.repository\.default_branch)|inputs\.[a-z-]+|!cancelled\(\)|failure\(\))$"
)


def load(text: str) -> Any:
    """YAML, in which `on` is no truth value."""
    document = yaml.safe_load(text)
    return {("on" if key is True else key): value for key, value in document.items()}


def triggers(document: Any) -> set[str]:
    on = document.get("on", {})
    return set(on) if isinstance(on, (dict, list)) else {on}


def steps_of(document: Any) -> Iterator[Any]:
    if "runs" in document:
        yield from document["runs"]["steps"]
    for job in document.get("jobs", {}).values():
        yield from job["steps"]


def faults(name: str, text: str) -> list[str]:
    """What is wrong with a workflow or an action, in words."""
    document = load(text)
    found = [f"{name}: pull_request_target"] if "pull_request_target" in text else []
    found += _permissions(name, document)
    is_for_pull_requests = "runs" in document or "pull_request" in triggers(document)
    for step in steps_of(document):
        uses, run = step.get("uses", ""), step.get("run", "")
        if uses and not uses.startswith("./") and not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", uses):
            found.append(f"{name}: {uses} is not pinned")
        if "${{" in run:
            found.append(f"{name}: an expression within a command")
        if uses.startswith("actions/checkout@"):
            if step.get("with", {}).get("persist-credentials") is not False:
                found.append(f"{name}: a checkout keeps its token")
            if "workflow_run" in triggers(document) and "head" in str(step["with"].get("ref", "head")):
                found.append(f"{name}: checks out the head")
        if is_for_pull_requests and (uses.startswith("actions/cache") or "cache" in step.get("with", {})):
            found.append(f"{name}: writes a cache")
        if re.search(r"\|\|\s*true|continue-on-error", str(step)):
            found.append(f"{name}: swallows an exit code")
    for expression in re.findall(r"\$\{\{(.*?)\}\}", text):
        for term in re.split(r"&&|\|\||==|!=", expression):
            if not TRUSTED.match(term.strip()) and not re.fullmatch(r"'[a-z-]*'", term.strip()):
                found.append(f"{name}: {term.strip()} is not known to be trusted")
    return found


def _permissions(name: str, document: Any) -> list[str]:
    if "jobs" not in document:
        return []
    if "permissions" not in document:
        return [f"{name}: no permissions"]
    granted = [document["permissions"], *(job.get("permissions", {}) for job in document["jobs"].values())]
    if any(not isinstance(some, dict) for some in granted):
        return [f"{name}: permissions are not listed one by one"]
    wide = {what for some in granted for what, how in some.items() if how != "read" and (name, what) not in MAY_WRITE}
    return [f"{name}: writes {what}" for what in sorted(wide)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_is_wrong(path: Path) -> None:
    assert faults(path.name, path.read_text()) == []


@pytest.mark.parametrize(
    ("file", "change", "fault"),
    [
        ("gate.yml", lambda t: t.replace("  pull_request:", "  pull_request_target:"), "pull_request_target"),
        ("gate.yml", lambda t: re.sub(r"checkout@[0-9a-f]{40}", "checkout@v4", t), "not pinned"),
        ("gate.yml", lambda t: re.sub(r"checkout@[0-9a-f]{40}", "checkout@11bd719", t), "not pinned"),
        ("gate.yml", lambda t: t.replace("contents: read", "contents: write"), "writes contents"),
        ("gate.yml", lambda t: t.replace("permissions: {}", "permissions: write-all"), "one by one"),
        ("gate.yml", lambda t: t.replace("permissions: {}\n", ""), "no permissions"),
        ("gate.yml", lambda t: t.replace("persist-credentials: false", "lfs: false"), "keeps its token"),
        ("gate.yml", lambda t: t.replace('"$BASE"', "${{ github.event.pull_request.base.sha }}"), "within a command"),
        ("gate.yml", lambda t: t.replace("pull_request.number", "pull_request.title"), "not known to be trusted"),
        ("gate.yml", lambda t: t.replace("pull_request.number", "pull_request.head.ref"), "not known to be trusted"),
        ("action.yml", lambda t: t.replace("python-version: ${{", "cache: pip\n        python-version: ${{"), "cache"),
        ("action.yml", lambda t: t.replace('-- "$BASE" "$HEAD"', '-- "$BASE" "$HEAD" || true'), "swallows"),
        ("gate-comment.yml", lambda t: t.replace("repository.default_branch", "workflow_run.head_sha"), "the head"),
        ("gate-comment.yml", lambda t: t.replace("          ref: ${{ github.event.repository.default_branch }}\n", ""),
         "the head"),
        ("gate-comment.yml", lambda t: t.replace("actions: read", "actions: write"), "writes actions"),
    ],
)  # fmt: skip
def test_the_scan_sees(file: str, change: Callable[[str], str], fault: str) -> None:
    text = next(path for path in FILES if path.name == file).read_text()
    changed = change(text)
    assert changed != text
    assert any(fault in found for found in faults(file, changed))


def test_only_the_comment_may_write_and_it_follows_the_gate() -> None:
    documents = {path.name: load(path.read_text()) for path in WORKFLOWS}
    comment = documents["gate-comment.yml"]
    assert triggers(comment) == {"workflow_run"}
    assert comment["on"]["workflow_run"]["workflows"] == [documents["gate.yml"]["name"]]
    assert not any("workflow_run" in triggers(d) for name, d in documents.items() if name != "gate-comment.yml")
    assert not any("secrets." in path.read_text() for path in FILES)


def test_the_action_is_the_base_s_and_stands_there_before_it_is_used() -> None:
    steps = load((ROOT / ".github/workflows/gate.yml").read_text())["jobs"]["gate"]["steps"]
    at = next(place for place, step in enumerate(steps) if step.get("uses") == "./ci")
    before = steps[at - 1]
    assert before["env"]["BASE"] == "${{ github.event.pull_request.base.sha }}"
    assert "checkout --quiet --force --detach" in before["run"]


def test_a_changed_yardstick_is_accepted_only_by_a_label_just_put_on() -> None:
    steps = load((ROOT / ".github/workflows/gate.yml").read_text())["jobs"]["gate"]["steps"]
    given = next(step["with"]["accept-yardstick"] for step in steps if step.get("uses") == "./ci")
    assert "github.event.action == 'labeled'" in given
    assert "github.event.label.name == 'accept-yardstick'" in given
    assert "labels" not in given.replace("labeled", ""), "a label that stays would accept later pushes too"


def test_the_gate_s_exit_code_is_the_step_s() -> None:
    runs = [
        step["run"] for step in load(ACTION.read_text())["runs"]["steps"] if 'nesproof" gate' in step.get("run", "")
    ]
    assert len(runs) == 1
    assert runs[0].strip().splitlines()[-1].startswith("exec ")
