"""Notes about a feature's τ: widened sides, limits, and unreliable numbers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.results.formatting import number, percentile, share
from tauscope.results.reliability import MAX_K_ESTIMATE, MAX_K_INTERVAL, MIN_ESS, VERDICTS, caveats
from tauscope.stress.curves import Curves

if TYPE_CHECKING:
    from tauscope.data.features import Feature


@dataclass(frozen=True)
class FeatureNotes:
    """Words about one feature.

    Attributes
    ----------
    low, high : str
        About the sides τ < 0 and τ > 0: what τ = ∓1 stands for, where it is not the plain quantile; else "".
    doubt : tuple of str
        From which τ on the numbers are not to be believed, and why.
    by_tau : tuple of str
        About each τ of the grid: the side's words, the limit case and doubts, joined by "; ".
    """

    low: str
    high: str
    doubt: tuple[str, ...]
    by_tau: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The feature's notes, one sentence each."""
        return tuple(part for part in (self.low, self.high, *self.doubt) if part)


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
            words.append("no weights on these rows do it while the others are held")
        elif tau != 0:
            words += caveats(float(curves.ess[row, t]), float(curves.pareto_k[row, t]))
        by_tau.append("; ".join(word for word in words if word))
    return FeatureNotes(low, high, _summarise_caveats(curves, row), tuple(by_tau))


def _summarise_caveats(curves: Curves, row: int) -> tuple[str, ...]:
    """Gather the doubts of all τ in a few sentences."""
    ess, k = curves.ess[row], curves.pareto_k[row]
    reasons = (
        (np.isnan(ess), "no weights on these rows do it while the others are held"),
        (ess < MIN_ESS, f"fewer than {MIN_ESS:.0f} effective rows"),
        (k > MAX_K_ESTIMATE, f"Pareto k > {MAX_K_ESTIMATE}, {VERDICTS[2]}"),
        (
            (k > MAX_K_INTERVAL) & ~(k > MAX_K_ESTIMATE),
            f"Pareto k > {MAX_K_INTERVAL}, {VERDICTS[1]}",
        ),
    )
    sentences: list[str] = []
    for where, words in reasons:
        below, above = curves.taus[where & (curves.taus < 0)], curves.taus[where & (curves.taus > 0)]
        sides = [_from(curves.taus[0], below[-1], "≤")] if below.size else []
        sides += [_from(curves.taus[-1], above[0], "≥")] if above.size else []
        if where.all():
            sentences.append(f"{words} at any τ")
        elif sides:
            sentences.append(f"{words} at {' and '.join(sides)}")
    return tuple(sentences)


def _from(end: float, first: float, sign: str) -> str:
    """Name the stretch of τ from the first doubtful one to the end of the grid."""
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
