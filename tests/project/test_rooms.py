"""Every module of the harness stands under the import contracts, and every room is typed and documented."""

import ast
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


def test_what_a_module_takes_from_another_is_exported(root: Path) -> None:
    exported: dict[str, set[str]] = {}
    taken: dict[tuple[str, str], Path] = {}
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            name = ".".join(("nesproof", *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
                    exported[name] = set(ast.literal_eval(node.value))
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nesproof."):
                    taken.update({(str(node.module), alias.name): path for alias in node.names})
    assert len(taken) > 300
    private = {
        (module, name): path.relative_to(root)
        for (module, name), path in taken.items()
        if module in exported and name not in exported[module] and not _is_module(root, module, name)
    }
    assert private == {}


def _is_module(root: Path, module: str, name: str) -> bool:
    folder = root.joinpath(*module.split(".")[1:])
    return (folder / name).is_dir() or (folder / f"{name}.py").exists() or (folder / f"{name}.pyi").exists()


def test_the_namespace_has_no_init(root: Path) -> None:
    import nesproof

    assert getattr(nesproof, "__file__", None) is None
