"""Builders of samples whose verdict is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from nesproof.harness.claims.model import Claim
from nesproof.harness.evidence.model import ExpectedState, Load, RatioMeasurement, Sample
from nesproof.harness.judge.order import BLOCK_REPLICATES, block_order

SEED = 7
EXPECTED = ExpectedState(digest="0123456789abcdef", ram_sha256="a" * 64, frame_counter=720)
PEER_RAM = "b" * 64


def ratio_claim(**changes: Any) -> Claim:
    fields: dict[str, Any] = {
        "id": "throughput.test",
        "sentence": "One subject runs at least {value} times as fast as another.",
        "kind": "ratio",
        "subject": "reference",
        "baseline": "peer",
        "workload": "play@1",
        "metric": "frames_per_second",
        "at_least": 2.0,
        "breaks_when": "The subject becomes slow.",
    }
    return Claim.model_validate({**fields, **changes})


def samples_for(effects: Sequence[float], *, threshold: float = 2.0, noise: float = 0.0, seed: int = 0) -> list[Sample]:
    """Samples whose block effects are exactly `effects` where `noise` is 0; the baseline runs 600 frames in 0.3 s."""
    rng = np.random.default_rng(seed)
    samples = []
    for block, effect in enumerate(effects):
        for position in range(BLOCK_REPLICATES):
            side = block_order(SEED, block)[position]
            seconds = 0.3 * math.exp(rng.normal(0, noise) if noise else 0.0)
            if side == "candidate":
                seconds /= threshold * math.exp(effect)
            for run in range(5):
                slower = 1 + 0.01 * ((run + 2) % 5)
                # No two processes take the same time to the nanosecond; the runs that are not the shortest show it.
                odd = 0 if run == 3 else 97 * (4 * block + position)
                samples.append(
                    Sample(
                        side=side,
                        block=block,
                        position=position,
                        run=run,
                        elapsed_ns=round(seconds * slower * 1e9) + odd,
                        frames=600,
                        digest=EXPECTED.digest if side == "candidate" else None,
                        ram_sha256=EXPECTED.ram_sha256 if side == "candidate" else PEER_RAM,
                        frame_counter=EXPECTED.frame_counter if side == "candidate" else 721,
                    )
                )
    return samples


def ratio_measurement(samples: Sequence[Sample], **changes: Any) -> RatioMeasurement:
    fields: dict[str, Any] = {
        "workload": "play@1",
        "candidate": "reference",
        "baseline": "peer",
        "order_seed": SEED,
        "comparisons": 1,
        "expected": EXPECTED,
        "load": Load(load_average_1min=0.1, other_cpu_share=0.01, steal_share=0.0, waited_s=1.0, busy=False),
        "samples": tuple(samples),
        "digest_from": ("candidate",),
    }
    return RatioMeasurement.model_validate({**fields, **changes})


@pytest.fixture
def claim() -> Callable[..., Claim]:
    return ratio_claim


@pytest.fixture
def make_samples() -> Callable[..., list[Sample]]:
    return samples_for


@pytest.fixture
def measurement() -> Callable[..., RatioMeasurement]:
    return ratio_measurement
