"""Faults of saved states and of the digest."""

from __future__ import annotations

from nesproof.harness.faults.adapters.wrapping import Adapter

__all__ = ["FAULTS"]

_SCRATCH = 0x7FE
_SEEN_BYTES = 1024


class SavingDisturbs(Adapter):
    def save_state(self) -> bytes:
        self.poke(_SCRATCH, self.read_ram()[_SCRATCH] ^ 1)
        return super().save_state()


class LoadingLosesAByte(Adapter):
    def load_state(self, state: bytes) -> None:
        super().load_state(state)
        self.poke(_SCRATCH, self.read_ram()[_SCRATCH] ^ 1)


class DigestStandsStill(Adapter):
    def digest(self) -> str:
        return "0123456789abcdef"


class DigestBlindToHalfOfRam(Adapter):
    """Whatever the upper half holds, the digest is that of zeros there."""

    def digest(self) -> str:
        hidden = [(at, value) for at, value in enumerate(self.read_ram()) if at >= _SEEN_BYTES and value]
        for address, _ in hidden:
            self.poke(address, 0)
        found = super().digest()
        for address, value in hidden:
            self.poke(address, value)
        return found


FAULTS = {
    "saving-disturbs": SavingDisturbs,
    "loading-loses-a-byte": LoadingLosesAByte,
    "digest-stands-still": DigestStandsStill,
    "digest-blind-to-half-of-ram": DigestBlindToHalfOfRam,
}
