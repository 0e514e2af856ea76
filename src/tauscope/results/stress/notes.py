"""Notes about a feature's τ: widened sides, limits, and unreliable numbers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.results.formatting import number, percentile, share
from tauscope.results.reliability import UNRELIABLE, WIDE, level_of, levels, sentence
from tauscope.stress.curves import Curves
from tauscope.stress.reliability import LEVELS

if TYPE_CHECKING:
    from tauscope.data.features import Feature

OUT_OF_REACH = "no weights on these rows do it while the others are held"
FEW_NAMES = 3
"""Metrics that a caveat names; more are counted."""


@dataclass(frozen=True)
class FeatureNotes:
    """Words about one feature.

    Attributes
    ----------
    low, high : str
        About the sides τ < 0 and τ > 0: what τ = ∓1 stands for, where it is not the plain quantile; else "".
    caveats : tuple of str
        From which τ on numbers are unreliable or wide, of which metrics, and why at the far end.
    by_tau : tuple of str
        About each τ of the grid, whatever the metric: the side's words and the limit case, joined by "; ".
    """

    low: str
    high: str
    caveats: tuple[str, ...]
    by_tau: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The feature's notes, one sentence each."""
        return tuple(part for part in (self.low, self.high, *self.caveats) if part)


def feature_notes(
    feature: "Feature", curves: Curves, row: int, quantile: float, sample_weight: NDArray[np.float64] | None
) -> FeatureNotes:
    """Say what is unusual about the curves of one feature.

    Parameters
    ----------
    feature : Feature
    curves : Curves
    row : int
        The feature's place in `curves`.
    quantile : float
        Requested probability level.
    sample_weight : ndarray of shape (n_rows,) or None

    Returns
    -------
    FeatureNotes
    """
    low, high = _sides(feature, curves, row, quantile, sample_weight)
    by_tau: list[str] = []
    for t, tau in enumerate(curves.taus):
        words = [low if tau < 0 else high if tau > 0 else ""]
        multiplier = float(curves.multiplier[row, t])
        if np.isinf(multiplier):
            words.append(_limit(feature, multiplier > 0, float(curves.target[row, t])))
        if np.isnan(curves.ess[row, t]):
            words.append(OUT_OF_REACH)
        by_tau.append("; ".join(word for word in words if word))
    return FeatureNotes(low, high, summarise_caveats(curves, row), tuple(by_tau))


def summarise_caveats(curves: Curves, row: int) -> tuple[str, ...]:
    """Gather what is out of reach, unreliable and wide along one feature's τ in a sentence each.

    Metrics that are wide without any stress are left to `unstressed_caveats`.
    """
    missing = np.isnan(curves.ess[row])
    level = np.where(missing, 0, levels(curves.reason[row]))
    level[(level == WIDE) & (level[:, curves.taus == 0] == WIDE)] = 0
    sentences = [f"{OUT_OF_REACH} at {_where(missing, curves.taus)}"] if missing.any() else []
    for most in (UNRELIABLE, WIDE):
        cells = level == most
        if cells.any():
            words = f"{LEVELS[most]} at {_where(cells.any(0), curves.taus)}"
            sentences.append(f"{words}, {_which(cells.any(1), curves)}; {_reason_at_end(cells, curves, row)}")
    return tuple(sentences)


def unstressed_caveats(curves: Curves) -> tuple[str, ...]:
    """Say which metrics are not reliable on the rows as they are, whatever the feature."""
    zero = int(curves.taus.searchsorted(0.0))
    cells = zip(curves.metrics, curves.reason[0, :, zero], curves.amount[0, :, zero], strict=True)
    return tuple(
        f"{metric.label} is {level_of(int(reason))} without any stress: {sentence(int(reason), amount, metric.events)}"
        for metric, reason, amount in cells
        if levels(reason)
    )


def _which(of: NDArray[np.bool_], curves: Curves) -> str:
    """Name the metrics that a caveat is about."""
    if of.all() and len(of) > 1:
        return "every metric"
    labels = [metric.label for metric, holds in zip(curves.metrics, of, strict=True) if holds]
    return ", ".join(labels) if len(labels) <= FEW_NAMES else f"{len(labels)} of {len(of)} metrics"


def _reason_at_end(cells: NDArray[np.bool_], curves: Curves, row: int) -> str:
    """Give the reason of one cell: that farthest from τ = 0, of the first metric."""
    t = int(np.argmax(np.where(cells.any(0), 1 + np.abs(curves.taus), 0)))
    i = int(np.argmax(cells[:, t]))
    metric, tau = curves.metrics[i], number(float(curves.taus[t]))
    words = sentence(int(curves.reason[row, i, t]), float(curves.amount[row, i, t]), metric.events)
    return f"{metric.label} at τ = {tau}: {words}"


def _where(cells: NDArray[np.bool_], taus: NDArray[np.float64]) -> str:
    """Name the τ of a caveat: "any τ", "τ = −1 and τ ≥ 0.5"."""
    if cells.all():
        return "any τ"
    below, above = taus[cells & (taus < 0)], taus[cells & (taus > 0)]
    sides = [_from(taus[0], below[-1], "≤")] if below.size else []
    sides += [_from(taus[-1], above[0], "≥")] if above.size else []
    return " and ".join(sides or ["τ = 0"])


def _from(end: float, first: float, sign: str) -> str:
    """Name the stretch of τ from the first such one to the end of the grid."""
    return f"τ {'=' if first == end else sign} {number(first)}"


def _limit(feature: "Feature", maximum: bool, target: float) -> str:
    if feature.kind == "share":
        return f"only rows {'with' if maximum else 'without'} it"
    return f"only rows at the {'maximum' if maximum else 'minimum'}, {number(target)}"


def _sides(
    feature: "Feature", curves: Curves, row: int, quantile: float, sample_weight: NDArray[np.float64] | None
) -> tuple[str, str]:
    mean, (low_level, high_level) = float(curves.mean[row]), map(float, curves.reached[row])
    widened = (low_level < quantile * (1 - 1e-9), 1 - high_level < quantile * (1 - 1e-9))
    if feature.kind == "share":
        return (
            f"τ = −1 is a share of 0 %: {share(mean)} of rows have it" if widened[0] else "",
            f"τ = +1 is a share of 100 %: {share(mean)} of rows have it" if widened[1] else "",
        )
    values, weight = feature.weighted_values(sample_weight)
    seen = ~np.isnan(values)
    values, weight = values[seen], None if weight is None else weight[seen]
    notes: list[str] = []
    for sign, level, wide in ((-1, low_level, widened[0]), (+1, high_level, widened[1])):
        end = _end(curves, row, sign)
        extreme = float(values.min() if sign < 0 else values.max())
        at_extreme = end is not None and abs(end - extreme) <= 1e-9 * max(abs(extreme), abs(mean - extreme))
        if at_extreme or level in (0.0, 1.0):
            words = f"τ = {'−' if sign < 0 else '+'}1 is the {'minimum' if sign < 0 else 'maximum'}"
        elif wide:
            words = f"τ {'<' if sign < 0 else '>'} 0 reaches the {percentile(level)}"
        else:
            words = ""
        if words and wide:
            words += f": {_reason(values, weight, quantile if sign < 0 else 1 - quantile, mean)}"
        notes.append(words)
    return notes[0], notes[1]


def _end(curves: Curves, row: int, sign: int) -> float | None:
    """Find the mean at τ = ∓1 from the τ of that side: the target is linear on each side."""
    t = 0 if sign < 0 else -1
    tau = float(curves.taus[t])
    if tau * sign <= 0:
        return None
    mean = float(curves.mean[row])
    return mean + (float(curves.target[row, t]) - mean) / abs(tau)


def _reason(values: NDArray[np.float64], weight: NDArray[np.float64] | None, level: float, mean: float) -> str:
    """Why the plain quantile would not do: it sits on a value that most rows have, or short of the mean."""
    quantile = float(np.quantile(values, level, weights=weight, method="inverted_cdf"))
    tied = float(np.average(values == quantile, weights=weight))
    if tied >= 0.5:
        return f"{share(tied)} of rows are {number(quantile)}"
    past = "below" if level < 0.5 else "above"
    return f"the {percentile(level)}, {number(quantile)}, is not {past} the mean, {number(mean)}"
