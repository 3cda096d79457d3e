"""Points in a stream's work whose distance in time the GPU knows."""

from __future__ import annotations

import weakref
from typing import Any

__all__ = ["Mark"]


class Mark:
    """An event that takes the time, destroyed with the last reference to it."""

    def __init__(self, driver: Any) -> None:
        self.event = driver.make_event(timing=True)
        weakref.finalize(self, driver.destroy_event, self.event)
