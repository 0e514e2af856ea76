"""Intervals of a weighted mean over rows: the rows are a sample, the model is held fixed."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from tauscope.errors import InputError
from tauscope.weights.arrays import Floats, Ints
from tauscope.weights.checks import check_share
from tauscope.weights.seeds import RandomState, seed_of
from tauscope.weights.student import student_bounds

EDGE = 1e-12
"""Shares this close to 0 or 1 are taken for it."""


@dataclass(frozen=True)
class Interval:
    """What interval to draw around a curve.

    Attributes
    ----------
    kind : {"mean", "bootstrap"}
        "mean": Student t around the weighted mean, its variance from the rows' spread. "bootstrap":
        percentiles of the curve over rows drawn again with replacement.
    confidence : float
        In (0, 1).
    replicates : int
        Bootstrap samples.
    random_state : int, Generator or None
        For the bootstrap; the seed used is stored in the result.
    scale : {"identity", "logit"}
        Where Student's interval is symmetric. "logit" is for means of answers in [0, 1], which it does not leave. An
        accumulated effect is a difference, which has no such scale: its interval is symmetric around the curve.
    """

    kind: Literal["mean", "bootstrap"] = "mean"
    confidence: float = 0.95
    replicates: int = 200
    random_state: RandomState = None
    scale: Literal["identity", "logit"] = "identity"

    def __post_init__(self) -> None:
        check_share(self.confidence, "confidence", open_low=True, open_high=True)
        if self.kind not in ("mean", "bootstrap"):
            raise InputError(f"interval kind must be 'mean' or 'bootstrap', got {self.kind!r}")
        if self.replicates < 2:
            raise InputError(f"replicates must be at least 2, got {self.replicates}")

    @property
    def label(self) -> str:
        """What the interval is, in words."""
        share = f"{100 * self.confidence:g} % interval of the mean over rows, the model held fixed"
        if self.kind == "mean":
            return f"{share} (Student t{' on the logit scale' if self.scale == 'logit' else ''})"
        return f"{share} (percentiles of {self.replicates} bootstrap samples)"

    def seed(self) -> int | None:
        """Seed of the bootstrap; None where nothing is drawn."""
        return seed_of(self.random_state) if self.kind == "bootstrap" else None


def mean_bounds(mean: Floats, variance: Floats, size: Floats | float, interval: Interval) -> tuple[Floats, Floats]:
    """Lower and upper ends of Student's interval of a mean, on the scale of `interval`; as `student_bounds`.

    On the logit scale logit(mean) ± t·√variance / (mean (1 − mean)), taken back. A mean of 0 or 1, where no row tells
    how far it may be off, gets the exact binomial end 1 − (α/2)^(1/size) on its other side. One outside [0, 1] is no
    share, and keeps the identity.
    """
    lower, upper = student_bounds(mean, variance, size, interval.confidence)
    if interval.scale == "identity":
        return lower, upper
    share = np.clip(mean, EDGE, 1 - EDGE)
    centre = special.logit(share)
    half = (upper - mean) / (share * (1 - share))
    with np.errstate(divide="ignore"):
        limit = -np.expm1(np.log(0.5 - interval.confidence / 2) / np.asarray(size, dtype=np.float64))
    limit = np.where(np.isnan(lower), np.nan, limit)
    zero, one = (mean <= EDGE) & (mean >= 0), (mean >= 1 - EDGE) & (mean <= 1)
    outside = (mean < 0) | (mean > 1)
    low = np.select([outside, zero, one], [lower, limit * 0, 1 - limit], special.expit(centre - half))
    high = np.select([outside, zero, one], [upper, limit, limit * 0 + 1], special.expit(centre + half))
    return low, high


def no_interval_notes(effect: Floats, lower: Floats) -> tuple[str, ...]:
    """Sentence on the points (q, …) of a mean that have a value and, for want of effective rows, no interval."""
    alone = np.isfinite(effect[0]) & np.isnan(lower[0])
    if not alone.any():
        return ()
    n, size = int(alone.sum()), alone.size
    return (f"{n} of {size} grid points rest on fewer than two effective rows: there is no interval",)


class Resampler:
    """Draws of n rows with replacement, dealt out batch by batch.

    The counts of a batch are binomial given those of the batches before it, so that all batches together are one
    multinomial draw and none needs to know the others.
    """

    def __init__(self, n_rows: int, replicates: int, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._rows_left = n_rows
        self._draws_left = np.full(replicates, n_rows, dtype=np.int64)

    def counts(self, n_batch: int) -> Ints:
        """How often each of the next `n_batch` rows is drawn: shape (replicates, n_batch)."""
        share = min(1.0, n_batch / self._rows_left)
        n_draws = self._random.binomial(self._draws_left, share)
        self._draws_left -= n_draws
        self._rows_left -= n_batch
        counts = np.empty((len(n_draws), n_batch), dtype=np.int64)
        for replicate, k in enumerate(n_draws):
            picked: Ints = self._random.integers(0, n_batch, int(k))
            counts[replicate] = np.bincount(picked, minlength=n_batch)
        return counts


def percentile_bounds(replicates: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Central percentiles over the first axis; NaN where a replicate has no value is left out."""
    if len(replicates) == 0 or np.isnan(replicates).all():
        empty_ends = np.full(replicates.shape[1:], np.nan)
        return empty_ends, empty_ends.copy()
    ends = [0.5 - confidence / 2, 0.5 + confidence / 2]
    empty = np.isnan(replicates).all(axis=0)
    # of R replicates a new one stays below the k-th with probability k / (R + 1), which is what "weibull" inverts
    low, high = np.nanquantile(np.where(empty, 0.0, replicates), ends, axis=0, method="weibull")
    return np.where(empty, np.nan, low), np.where(empty, np.nan, high)
