"""Faults of a batch's indices: something goes to another lane, or to more of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from nesproof.harness.faults.adapters.buttons import Rows, Spoilt
from nesproof.harness.faults.adapters.wrapping import Adapter, OverBatches, WrappedBatch, lanes_in

__all__ = ["FAULTS"]


class _LaneOneCopied(WrappedBatch):
    def step(self, *args: Any, **options: Any) -> None:
        self.right.step(*args, **options)
        if self.count > 1:
            first = np.array([0])
            self.right.load_states(self.right.save_states(first), np.array([1]))


class LaneOneCopiesLaneZero(OverBatches):
    wrapper = _LaneOneCopied


class LaneThirtyTwoLosesItsButtons(Spoilt):
    def spoil(self, rows: Rows, stepped: Any) -> Rows:  # noqa: ARG002
        rows[32:33] = 0
        return rows


class LanesListenToTheOneBefore(Spoilt):
    """Each lane hears the buttons of the lane before it as well as its own."""

    def spoil(self, rows: Rows, stepped: Any) -> Rows:  # noqa: ARG002
        return rows | np.roll(rows, 1, axis=0)


class AllLanesAreOne(Spoilt):
    def spoil(self, rows: Rows, stepped: Any) -> Rows:  # noqa: ARG002
        return np.repeat(rows[:1], len(rows), axis=0)


class PermutesTheWrongWay(Adapter):
    def batch_permute(self, order: list[int]) -> None:
        super().batch_permute(np.argsort(order).tolist())


class _StatesShifted(WrappedBatch):
    def load_states(self, states: Any, mask: Any = None) -> None:
        rows = np.asarray(states)
        self.right.load_states(np.ascontiguousarray(np.roll(rows, 1, axis=0)), mask)


class LoadsIntoTheNextLane(OverBatches):
    wrapper = _StatesShifted


class _ResetOfAll(WrappedBatch):
    def press_reset(self, mask: Any = None) -> None:  # noqa: ARG002
        self.right.press_reset()


class ResetIgnoresItsMask(OverBatches):
    wrapper = _ResetOfAll


class _PowerOnOfOneMore(WrappedBatch):
    def power_on(self, mask: Any = None, *, fill: int = 0) -> None:
        lanes = lanes_in(mask, self.count)
        self.right.power_on(np.union1d(lanes, (lanes[-1:] + 1) % self.count), fill=fill)


class PowerOnHitsTheNextLaneToo(OverBatches):
    wrapper = _PowerOnOfOneMore


FAULTS = {
    "lane-1-copies-lane-0": LaneOneCopiesLaneZero,
    "lane-32-loses-its-buttons": LaneThirtyTwoLosesItsButtons,
    "lanes-listen-to-the-one-before": LanesListenToTheOneBefore,
    "all-lanes-are-one": AllLanesAreOne,
    "permutes-the-wrong-way": PermutesTheWrongWay,
    "loads-into-the-next-lane": LoadsIntoTheNextLane,
    "reset-ignores-its-mask": ResetIgnoresItsMask,
    "power-on-hits-the-next-lane-too": PowerOnHitsTheNextLaneToo,
}
