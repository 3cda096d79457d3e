"""Names of compiled functions for a reader, who can do without their template arguments."""

from __future__ import annotations

import ctypes
import ctypes.util
import re
from functools import cache
from typing import Any

__all__ = ["readable_name"]

_ARGUMENTS = re.compile(r"<[^<>]*>|\([^()]*\)")
_BESIDE_NAME = re.compile(r" \[clone .*|\(anonymous namespace\)::")


@cache
def _runtime() -> Any:
    """The C++ runtime library, which knows how names were mangled; None where it is not found."""
    for library in (ctypes.util.find_library("stdc++"), "libstdc++.so.6", ctypes.util.find_library("c++")):
        try:
            runtime = ctypes.CDLL(library) if library else None
        except OSError:
            continue
        if runtime is not None and hasattr(runtime, "__cxa_demangle"):
            runtime.__cxa_demangle.restype = ctypes.c_void_p
            return runtime
    return None


def readable_name(name: str) -> str:
    """`core::Lane::after_block` of a mangled name; any other name as it is."""
    runtime = _runtime()
    if runtime is None or not name.startswith("_Z"):
        return name
    status = ctypes.c_int()
    place = runtime.__cxa_demangle(name.encode(), None, None, ctypes.byref(status))
    if status.value != 0 or not place:
        return name
    text = ctypes.string_at(place).decode(errors="replace")
    ctypes.CDLL(None).free(ctypes.c_void_p(place))
    text = _BESIDE_NAME.sub("", text)
    while (shorter := _ARGUMENTS.sub("", text)) != text:
        text = shorter
    return text.removesuffix(" const").split()[-1].removeprefix("nesproof::")
