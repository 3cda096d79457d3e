"""Third-party programs for the MMC3 run alike on both consoles, with buttons that nobody planned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nesproof.emulator import Cartridge, Console

pytest.importorskip("nesproof.emulator._core", reason="the consoles are not built")
pytest.importorskip("nesproof.emulator._reference", reason="the consoles are not built")

FRAMES = 240
WITH_THE_OLDER_IRQ = ("mmc3_irq_tests/5.MMC3_rev_A.nes", "mmc3_test/6-MMC6.nes")
OTHERS = (
    "mmc3_irq_tests/1.Clocking.nes",
    "mmc3_irq_tests/2.Details.nes",
    "mmc3_irq_tests/3.A12_clocking.nes",
    "mmc3_irq_tests/4.Scanline_timing.nes",
    "mmc3_irq_tests/6.MMC3_rev_B.nes",
    "mmc3_test/1-clocking.nes",
    "mmc3_test/2-details.nes",
    "mmc3_test/3-A12_clocking.nes",
    "mmc3_test/4-scanline_timing.nes",
    "mmc3_test/5-MMC3.nes",
    "other/BladeBuster.nes",
    "other/high-hopes.nes",
)


@pytest.mark.parametrize("name", WITH_THE_OLDER_IRQ + OTHERS)
def test_both_consoles_agree_in_every_frame(roms: Path, name: str) -> None:
    cartridge = Cartridge.load(roms / name, irq="nec" if name in WITH_THE_OLDER_IRQ else "sharp")
    reference, core = Console(cartridge, kind="reference"), Console(cartridge, kind="core")
    random = np.random.default_rng(20)
    for frame in range(FRAMES):
        if frame % 6 == 0:
            held = random.integers(0, 256, (1, 2), dtype=np.uint8)
        recorded = frame % 5 == 0
        reference.step(held)
        core.step(held, record="last" if recorded else "none")
        assert reference.digest() == core.digest(), f"frame {frame}"
        if recorded:
            assert np.array_equal(reference.frame_emphasis, core.frame_emphasis), f"the picture of frame {frame}"
