"""Starts an adapter of nesproof's own consoles: chooses the `nesproof` to test, then imports the adapter from it."""

from __future__ import annotations

import importlib
import platform
import sys
import types
from typing import Any

from .by_path import prefer_path


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
    prefer_path()
    fault = given.pop("fault", None)
    module = importlib.import_module(f"nesproof.harness.subjects.{given.pop('module')}")
    adapter = module.make_adapter(given)
    return (
        adapter if fault is None else importlib.import_module("nesproof.harness.faults.planting").plant(adapter, fault)
    )
