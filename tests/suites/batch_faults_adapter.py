"""The core's batches with one fault, as a subject: runs in the worker's process, named by the JSON options."""

import importlib.util

import numpy as np


def make_adapter(options):
    spec = importlib.util.spec_from_file_location("own_adapter", options["adapter"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    settings = {"module": "core_adapter", "device": "cpu"}
    right = module.make_adapter({"namespace": options["namespace"], **settings})
    right.__class__ = type("Faulty", (FAULTS[options["fault"]], type(right)), {})
    return right


class Right:
    """No fault: everything must pass."""


class LaneOneCopiesLaneZero(Right):
    def batch_step(self, buttons, frames, players, record):
        super().batch_step(buttons, frames, players, record)
        if self.lanes > 1:
            self.batch_load_states(self.batch_save_states([0]), [1])


class LaneThirtyTwoLosesItsButtons(Right):
    def batch_step(self, buttons, frames, players, record):
        rows = np.frombuffer(buttons, np.uint8).reshape(self.lanes, -1).copy()
        rows[32:33] = 0
        super().batch_step(rows.tobytes(), frames, players, record)


class LanesListen(Right):
    """Each lane hears the buttons of the one before it as well."""

    def batch_step(self, buttons, frames, players, record):
        rows = np.frombuffer(buttons, np.uint8).reshape(self.lanes, -1)
        super().batch_step((rows | np.roll(rows, 1, axis=0)).tobytes(), frames, players, record)


class PermutesTheWrongWay(Right):
    def batch_permute(self, order):
        super().batch_permute(np.argsort(order).tolist())


class ThreadsMatter(Right):
    def batch_open(self, rom, lanes, threads, idle_skipping):
        self.asked_threads = threads
        return super().batch_open(rom, lanes, threads, idle_skipping)

    def batch_step(self, buttons, frames, players, record):
        rows = np.frombuffer(buttons, np.uint8).reshape(self.lanes, -1).copy()
        if self.asked_threads == 3:
            rows[-1] ^= 1
        super().batch_step(rows.tobytes(), frames, players, record)


class LongCallsLoseAFrame(Right):
    def batch_step(self, buttons, frames, players, record):
        if frames > 20:
            rows = np.frombuffer(buttons, np.uint8).reshape(self.lanes, frames, -1)[:, 1:]
            super().batch_step(rows.tobytes(), frames - 1, players, record)
        else:
            super().batch_step(buttons, frames, players, record)


class FramesAreDrawnStale(Right):
    def batch_read_frames(self, lanes):
        frames, data = super().batch_read_frames(lanes)
        self.__dict__.setdefault("stale", {})
        shown = self.stale.get((frames, len(lanes)), data)
        self.stale[frames, len(lanes)] = data
        return frames, shown


class LoadsIntoTheNextLane(Right):
    def batch_load_states(self, states, lanes):
        rows = np.frombuffer(states, np.uint8).reshape(len(lanes), -1)
        super().batch_load_states(np.roll(rows, 1, axis=0).tobytes(), lanes)


class ResetHitsAll(Right):
    def batch_press_reset(self, lanes):
        super().batch_press_reset(None)


class PowerOnHitsTheNextLane(Right):
    def batch_power_on(self, fill, lanes):
        super().batch_power_on(fill, None if lanes is None else [*lanes, (lanes[-1] + 1) % self.lanes])


class SkippingMatters(Right):
    def batch_open(self, rom, lanes, threads, idle_skipping):
        self.skips = idle_skipping
        return super().batch_open(rom, lanes, threads, idle_skipping)

    def batch_step(self, buttons, frames, players, record):
        super().batch_step(buttons, frames, players, record)
        if not self.skips:
            super().batch_step(bytes(self.lanes), 1, 1, "none")


class AllLanesAreOne(Right):
    def batch_step(self, buttons, frames, players, record):
        rows = np.frombuffer(buttons, np.uint8).reshape(self.lanes, -1)
        super().batch_step(np.repeat(rows[:1], self.lanes, axis=0).tobytes(), frames, players, record)


class AnotherLayoutDrawsOtherwise(Right):
    def batch_read_frames(self, lanes):
        frames, data = super().batch_read_frames(lanes)
        return frames, data[:-1] + bytes([data[-1] ^ 1])


FAULTS = {
    name: fault for name, fault in list(globals().items()) if isinstance(fault, type) and issubclass(fault, Right)
}
