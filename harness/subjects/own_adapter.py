"""Starts an adapter of nesproof's own consoles: chooses the `nesproof` to test, then imports the adapter from it."""

from __future__ import annotations

import importlib
import platform
import sys
import types
from typing import Any


def make_adapter(options: dict[str, Any]) -> Any:
    """The adapter that the module `options["module"]` makes with the other options.

    `options["namespace"]` lists the folders of the `nesproof` that started this process, so that the console under test
    is the one that belongs to the harness, however that was installed or put on the path.
    """
    if sys.implementation.name != "cpython":
        raise ImportError(f"the consoles are built for CPython, not {platform.python_implementation()}")
    given = dict(options)
    namespace = types.ModuleType("nesproof")
    namespace.__path__ = given.pop("namespace")
    sys.modules["nesproof"] = namespace
    module = importlib.import_module(f"nesproof.harness.subjects.{given.pop('module')}")
    return module.make_adapter(given)
