"""Every module of the harness stands under the import contracts, and every room is typed and documented."""

import importlib
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOMS = ("emulator", "roms_manifest", "harness", "suites", "benchmarks", "reports")


def test_each_module_of_the_harness_is_under_the_contracts(root: Path) -> None:
    contracts = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    held = {m for c in contracts if c["name"] == "Nothing imports the command line" for m in c["source_modules"]}
    modules = {
        f"nesproof.harness.{p.stem}"
        for p in (root / "harness").iterdir()
        if (p.is_dir() and (p / "__init__.py").exists()) or (p.suffix == ".py" and p.stem != "__init__")
    }
    assert modules - {"nesproof.harness.cli"} == {m for m in held if m.startswith("nesproof.harness.")}


@pytest.mark.parametrize("room", ROOMS)
def test_room_is_typed_and_says_what_it_is(root: Path, room: str) -> None:
    assert (root / room / "py.typed").exists()
    module = importlib.import_module(f"nesproof.{room}")
    assert module.__doc__


@pytest.mark.parametrize("room", ROOMS)
def test_what_a_module_exports_exists(root: Path, room: str) -> None:
    for path in sorted((root / room).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "__all__" not in text or "_adapter" in path.name or path.name.startswith("test_"):
            continue
        parts = path.relative_to(root / room).with_suffix("").parts
        name = ".".join(("nesproof", room, *(p for p in parts if p != "__init__")))
        module = importlib.import_module(name)
        missing = [n for n in module.__all__ if not hasattr(module, n)]
        assert not missing, f"{name} exports {missing}"
        assert len(set(module.__all__)) == len(module.__all__), f"{name} exports a name twice"


def test_the_namespace_has_no_init(root: Path) -> None:
    import nesproof

    assert getattr(nesproof, "__file__", None) is None
