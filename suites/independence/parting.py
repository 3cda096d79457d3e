"""Where a lane of a batch leaves the path of a console alone: the first frame, and the fields by name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.subjects.client import Subject
from nesproof.suites.independence.lanes import staggered, staggered_alone
from nesproof.suites.parity.field_differences import field_differences

__all__ = ["where_a_lane_parts"]

_FIELDS_SHOWN = 12


def where_a_lane_parts(subject: Subject, single: Subject, rom: bytes, buttons: NDArray[np.uint8], lane: int) -> str:
    """A sentence on the first frame after which `lane` is not where a single console with its buttons is.

    The batch is stepped again, frame by frame. `buttons` is uint8 [lanes, frames, 2].
    """
    batch = staggered(subject.open_batch(rom, lanes=len(buttons)))
    single.load(rom)
    staggered_alone(single, lane)
    for frame in range(buttons.shape[1]):
        batch.step(buttons[:, frame : frame + 1])
        single.step(buttons[lane, frame : frame + 1])
        if int(batch.digests()[lane]) != int(single.digest(), 16):
            (state,) = batch.save_states([lane])
            return f"Lane {lane} parts in frame {frame}{_fields(single, state)}."
    return f"Stepped frame by frame, lane {lane} is right: it parts only where frames are stepped at once."


def _fields(single: Subject, state: bytes) -> str:
    if "units" not in single.capabilities:
        return ""
    fields, ours = single.units.state_fields(), single.save_state()
    if not len(state) == len(ours) == fields.dtype.itemsize:
        return ""
    found = field_differences(state, ours, fields)
    more = f"; and {len(found) - _FIELDS_SHOWN} more" if len(found) > _FIELDS_SHOWN else ""
    return f"; the lane and the console alone differ in {'; '.join(map(str, found[:_FIELDS_SHOWN]))}{more}"
