"""Images as pixels: the curves that follow from their counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tauscope.model import progress_bar
from tauscope.stress.curves import Curves
from tauscope.stress.images import PixelCounts, image_curves
from tauscope.stress.metrics import Metric, SummedMetric


def compute_pixel_curves(
    counts: PixelCounts,
    metrics: Sequence[Metric],
    taus: NDArray[np.float64],
    *,
    quantile: float,
    confidence: float,
    progress: bool,
) -> Curves:
    """Compute every metric along τ for every pixel, from counts of their values.

    Parameters
    ----------
    counts : PixelCounts
    metrics : sequence of SummedMetric
    taus : ndarray of shape (n_taus,)
    quantile, confidence, progress
        As in `Study.stress_image`.
    """
    summed = [metric for metric in metrics if isinstance(metric, SummedMetric)]
    with progress_bar.bars_shown(progress):
        return image_curves(counts, summed, taus=taus, quantile=quantile, confidence=confidence, each=_bar)


def _bar(starts: Iterable[int]) -> Iterable[int]:
    return progress_bar.progress(starts, "Solving pixels", len(list(starts)), "block")
