"""Names of compiled functions as people read them."""

from __future__ import annotations

import pytest

from nesproof.harness.cli.function_names import readable_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nesproof_step", "nesproof_step"),
        ("_Z3addii", "add"),
        (
            "_ZN8nesproof4core3apu14catch_up_pulseINS0_4ViewINS_3gpu4LaneEEEEEvNS1_5PulseIT_EEj",
            "core::apu::catch_up_pulse",
        ),
        ("_ZN8nesproof4core4LaneIiE11after_blockEb", "core::Lane::after_block"),
        ("_ZNK8nesproof4core4LaneIiE8finishedEv", "core::Lane::finished"),
        ("_ZZN8nesproof4core3runEvENKUlvE_clEv", "core::run::{lambda#1}::operator"),
        ("_ZN12_GLOBAL__N_13addEii", "add"),
        ("_ZN8nesproof4core3runEv.constprop.0", "core::run"),
        ("_Zthis is none", "_Zthis is none"),
        ("", ""),
    ],
)
def test_readable_name(name: str, expected: str) -> None:
    assert readable_name(name) == expected
