"""Several metrics looked at together: which stand out when one in twenty would stand out by chance.

For advisory metrics alone: they are reported and decide nothing. Claims share the run's error budget instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

__all__ = ["false_discovery_adjusted"]


def false_discovery_adjusted(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's adjusted p-values, in the order given: those of at most q have a false discovery rate of
    q where the metrics are independent or rise together.

    Raises:
        ValueError: a value outside 0 to 1.
    """
    values = np.asarray(p_values, dtype=np.float64)
    if values.size == 0:
        return []
    return [float(p) for p in stats.false_discovery_control(values, method="bh")]
