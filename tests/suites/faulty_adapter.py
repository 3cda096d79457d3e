"""The reference console with one fault, as a subject: runs in the worker's process, named by the JSON options."""

import contextlib
import importlib.util
import os


def make_adapter(options):
    """The adapter of the class that has the fault, over the reference adapter of the harness under test."""
    spec = importlib.util.spec_from_file_location("own_adapter", options["adapter"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    right = module.make_adapter({"namespace": options["namespace"], "module": "reference_adapter"})
    right.fault = options["fault"]
    right.__class__ = type("Faulty", (FAULTS[options["fault"]], type(right)), {})
    return right


class Right:
    """No fault: everything must pass."""


class ProcessLeaks(Right):
    def step(self, buttons, players):
        super().step(buttons, players)
        self.poke(0x7FF, os.getpid() & 0xFF)


class LastFrameOfACallLost(Right):
    def step(self, buttons, players):
        super().step(buttons[: max(players, len(buttons) - players)], players)


class LoadLosesAByte(Right):
    def load_state(self, state):
        super().load_state(state)
        self.poke(0x7FE, self.read_ram()[0x7FE] ^ 1)


class SaveDisturbs(Right):
    def save_state(self):
        self.poke(0x7FE, self.read_ram()[0x7FE] ^ 1)
        return super().save_state()


class DigestStandsStill(Right):
    def digest(self):
        return "0123456789abcdef"


class DigestIsHalfBlind(Right):
    def digest(self):
        hidden = self.read_ram()[1024:]
        for address, value in enumerate(hidden, start=1024):
            if value:
                self.poke(address, 0)
        found = super().digest()
        for address, value in enumerate(hidden, start=1024):
            if value:
                self.poke(address, value)
        return found


class ResetClearsRam(Right):
    def press_reset(self):
        super().press_reset()
        for address in range(16):
            self.poke(address, 0)


class ResetDoesNothing(Right):
    def press_reset(self):
        pass


class FillIgnored(Right):
    def power_on(self, fill):
        super().power_on(0)


class PowerOnIsReset(Right):
    def power_on(self, fill):
        super().press_reset()


class FillShows(Right):
    def power_on(self, fill):
        super().power_on(fill)
        self.fill = fill

    def read_frame_indices(self):
        return bytes([self.fill & 0x3F]) + super().read_frame_indices()[1:]


class OnePixelOff(Right):
    def read_frame_indices(self):
        frame = bytearray(super().read_frame_indices())
        frame[12345] ^= 1
        return bytes(frame)


class PictureFreezes(Right):
    def read_frame_indices(self):
        self.first = getattr(self, "first", super().read_frame_indices())
        return self.first


class LoadsAnything(Right):
    def load(self, rom):
        with contextlib.suppress(ValueError):
            super().load(rom)


class RefusesWithoutReason(Right):
    def load(self, rom):
        raise ValueError("no")


class DecimalEverywhere(Right):
    def run_flat_cpu(self, variant, memory, pc, max_instructions):
        return super().run_flat_cpu("6502", memory, pc, max_instructions)


class ACycleDropped(Right):
    def run_flat_cpu(self, variant, memory, pc, max_instructions):
        run = super().run_flat_cpu(variant, memory, pc, max_instructions)
        return {**run, "cycles": run["cycles"] - 1}


class OneDotLate(Right):
    def trace(self, instructions, start_pc):
        rows = bytearray(super().trace(instructions, start_pc))
        size = len(rows) // instructions
        dot = 5000 * size + 9
        rows[dot] ^= 1
        return bytes(rows)


class NothingIsZero(Right):
    def read_ram(self):
        return bytes(value or 1 for value in super().read_ram())


class ButtonsLost(Right):
    def step(self, buttons, players):
        super().step(bytes(len(buttons)), players)


class AnEntryFails(Right):
    def read_nametables(self):
        return super().read_nametables().replace(b"OK LAX", b"4E LAX")


class ReadsSwapped(Right):
    def step_flat_cpu(self, cases):
        results = super().step_flat_cpu(cases)
        return [(after, values, [*accesses[1::-1], *accesses[2:]]) for after, values, accesses in results]


class MemoryReadsAsZero(Right):
    def peek(self, addresses):
        return bytes(len(addresses))


FAULTS = {
    name: fault for name, fault in list(globals().items()) if isinstance(fault, type) and issubclass(fault, Right)
}
