"""What timed windows have in common, whichever emulator runs them: how they are waited for, and what stays out of them.

Adapters of peers import it as well, under the peer's own Python: it needs the standard library alone.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["wait_for_ram", "without_collection"]


def wait_for_ram(wanted: dict[str, Any] | None, ram: Callable[[], Any], step: Callable[[], object]) -> None:
    """Step frames without a button until RAM holds what is wanted: pairs of address and value (None: nothing).

    `ram` gives what can be asked for a byte by its address; `step` runs one frame.

    Raises:
        ValueError: it does not within the limit of frames.
    """
    if wanted is None:
        return
    for _ in range(wanted["limit_frames"] + 1):
        shown = ram()
        if all(int(shown[address]) == value for address, value in wanted["values"]):
            return
        step()
    raise ValueError(f"RAM did not hold {wanted['values']} within {wanted['limit_frames']} frames")


@contextlib.contextmanager
def without_collection() -> Iterator[None]:
    """No garbage is collected during the block; what there is goes before it."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
