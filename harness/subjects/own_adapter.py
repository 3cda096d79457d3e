"""Starts an adapter of nesproof's own consoles: chooses the `nesproof` to test, then imports the adapter from it."""

from __future__ import annotations

import importlib
import importlib.util
import platform
import sys
import types
from pathlib import Path
from typing import Any


def make_adapter(options: dict[str, Any]) -> Any:
    """The adapter that the module `options["module"]` makes with the other options.

    `options["namespace"]` lists the folders of the `nesproof` that started this process, so that the console under test
    is the one that belongs to the harness, however that was installed or put on the path; a folder before them holds
    another build of the emulator. `options["fault"]` is the fault to plant in the adapter.
    """
    if sys.implementation.name != "cpython":
        raise ImportError(f"the consoles are built for CPython, not {platform.python_implementation()}")
    given = dict(options)
    namespace = types.ModuleType("nesproof")
    namespace.__path__ = given.pop("namespace")
    sys.modules["nesproof"] = namespace
    _prefer_path()
    fault = given.pop("fault", None)
    module = importlib.import_module(f"nesproof.harness.subjects.{given.pop('module')}")
    adapter = module.make_adapter(given)
    return (
        adapter if fault is None else importlib.import_module("nesproof.harness.faults.planting").plant(adapter, fault)
    )


def _prefer_path() -> None:
    """Let the namespace decide, and no editable installation; loaded by its path, since nothing can be imported yet."""
    spec = importlib.util.spec_from_file_location("nesproof_by_path", Path(__file__).with_name("by_path.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.prefer_path()
