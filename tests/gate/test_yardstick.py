"""What a change does to its own yardstick is listed by what it means."""

from __future__ import annotations

from typing import Any

from nesproof.harness.gate.project import load_project
from nesproof.harness.gate.repository import Repository
from nesproof.harness.gate.yardstick import yardstick_changes

FAULT = '[[fault]]\nid = "adc"\nsentence = "ADC forgets {0}."\narea = "cpu"\nmeans = "hook"\n'
WAIVER = (
    '[claim.waiver]\nreason = "It is known {0}."\nsettled_by = "a day of somebody\'s"\nexpires = 2027-01-01\n'
    "within = 9000.0\n"
)


def changes(toy: Any, base: str) -> list[str]:
    repository = Repository.at(toy.root)
    revision = repository.resolve(base)
    return yardstick_changes(repository, revision, repository.resolve("HEAD"), load_project(repository, revision))


def test_what_moves_no_yardstick_is_not_listed(toy: Any) -> None:
    base = toy.head
    toy.change_comment()
    toy.slow(10)
    toy.commit("Write", {"README.md": "x"})
    assert changes(toy, base) == []


def test_a_threshold_is_shown_before_and_after(toy: Any) -> None:
    base = toy.head
    toy.set_threshold("toy.speed", 0.0001)
    assert changes(toy, base) == ["claims: claim toy.speed: at_least 0.001 -> 0.0001"]


def test_claims_added_removed_and_moved(toy: Any) -> None:
    claims = (toy.root / "claims.toml").read_text().split("\n\n")
    toy.commit("Say where", toy.edited("pyproject.toml", r'"claims\.toml"', '"claims.toml", "more"'))
    base = toy.head
    new = claims[1].replace("toy.memory", "toy.more")
    toy.commit("Move", {"claims.toml": "\n\n".join(claims[1:3]), "more/x.toml": "\n\n".join([claims[3], new])})
    # toy.speed is in another file, and that is no change.
    assert changes(toy, base) == ["claims: claim toy.forgets removed", "claims: claim toy.more added"]


def test_a_waiver_is_shown_by_itself(toy: Any) -> None:
    text = (toy.root / "claims.toml").read_text()
    memory = text.split("\n\n")[1]
    base = toy.head
    toy.commit("Waive", {"claims.toml": text.replace(memory, memory + "\n" + WAIVER.format("well"))})
    waived = toy.head
    assert changes(toy, base) == ["claims: claim toy.memory: waiver added"]
    toy.commit("Loosen", toy.edited("claims.toml", "within = 9000.0", "within = 9999.0"))
    assert changes(toy, waived) == ["claims: claim toy.memory: waiver: within 9000.0 -> 9999.0"]


def test_words_come_after_what_they_promise(toy: Any) -> None:
    base = toy.head
    toy.commit("Reword", toy.edited("claims.toml", "The toy forgets", "The toy always forgets"))
    toy.commit("Narrow", toy.edited("claims.toml", r'cases = "power/on-forgets-what-was-before"', 'cases = "power/*"'))
    assert changes(toy, base) == [
        "claims: claim toy.forgets: cases power/on-forgets-what-was-before -> power/*",
        "claims: claim toy.forgets: sentence changed",
    ]


def test_claims_that_cannot_be_read_are_said_to_be(toy: Any) -> None:
    base = toy.head
    toy.commit("Break", {"claims.toml": "[[claim]]\nid = 3\n"})
    lines = changes(toy, base)
    assert any("claims.toml of" in line and "cannot be read" in line for line in lines)
    assert "claims: claim toy.speed removed" in lines


def test_how_a_subject_is_started_and_built_is_listed(toy: Any) -> None:
    base = toy.head
    toy.commit("Start otherwise", toy.edited("subjects.toml", "The toy", "A toy"))
    toy.commit("Build otherwise", toy.edited("pyproject.toml", r', "settings.h"', ""))
    subjects, project = changes(toy, base)
    assert subjects == "subjects: subjects.toml changed"
    assert project == "project: sources adapter.py, toy.c, settings.h -> adapter.py, toy.c"
    toy.commit("Say nothing", {"pyproject.toml": ""})
    assert changes(toy, base)[-1].startswith("project: pyproject.toml of ")


def test_nesproofs_own_yardstick_is_grouped(toy: Any) -> None:
    toy.commit("Be nesproof", {
        "emulator/CMakeLists.txt": "", "pyproject.toml": "", "harness/faults/cpu.toml": FAULT.format("carry"),
        "harness/judge/ratio.py": "delta = 0.03", "suites/one/test_one.py": "", "roms_manifest/roms.toml": "",
        "benchmarks/workloads/busy.toml": "version = 1",
    })  # fmt: skip
    base = toy.head
    toy.commit("Soften", {
        "harness/faults/cpu.toml": FAULT.format("nothing"), "harness/judge/ratio.py": "delta = 0.3",
        "suites/one/test_one.py": "x", "suites/one/README.md": "prose", "suites/two/test_two.py": "",
        "benchmarks/workloads/busy.toml": "version = 2", "roms_manifest/roms.toml": "x", "harness/cli/app.py": "x",
        "emulator/core/cpu.hpp": "x", "emulator/faults/hooks.hpp": "x", "harness/subjects/worker.py": "x",
    })  # fmt: skip
    toy.git("rm", "--quiet", "suites/one/test_one.py")
    toy.commit("Remove", {})
    assert changes(toy, base) == [
        "faults: fault adc: sentence changed",
        "faults: emulator/faults/hooks.hpp added",
        "workloads: benchmarks/workloads/busy.toml changed",
        "judge: harness/judge/ratio.py changed",
        "suites: suites/one/test_one.py removed",
        "suites: suites/two/test_two.py added",
        "adapters: harness/subjects/worker.py added",
        "manifest: roms_manifest/roms.toml changed",
        "harness: harness/cli/app.py added",
    ]


def test_hostile_names_are_made_plain(toy: Any) -> None:
    toy.commit("Be nesproof", {"emulator/CMakeLists.txt": "", "pyproject.toml": ""})
    base = toy.head
    toy.commit("Hostile", {"suites/a\x1b[31m\nb": "x"})
    assert changes(toy, base) == ["suites: suites/a b added"]
