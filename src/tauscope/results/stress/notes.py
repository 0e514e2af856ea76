"""Notes about a feature's τ: widened sides, limits, and unreliable numbers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.results.formatting import number, percentile, share
from tauscope.results.reliability import UNRELIABLE, WIDE, judge_carriers, level_of, levels, sentence
from tauscope.stress.column.far_values import FarValues, find_far_values
from tauscope.stress.column.two_values import ODDS
from tauscope.stress.curves import Curves
from tauscope.stress.reliability import LEVELS
from tauscope.weights.carriers import Carriers
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.data.features import Feature

OUT_OF_REACH = "these rows cannot be weighted that far while the others are held"
ROUNDING = 1e-9
ODDS_WORDS = {-1: f"÷ {ODDS:g}", 1: f"× {ODDS:g}"}
MOST_ROUNDING = 1e-4
"""Share of a column's range up to which the rounding of its values moves no weight by a thousandth."""
FEW_NAMES = 3
"""Metrics that a caveat names; more are counted."""


@dataclass(frozen=True)
class FeatureNotes:
    """Words about one feature.

    Attributes
    ----------
    low, high : str
        About the sides τ < 0 and τ > 0: what τ = ∓1 stands for, where it is not the plain quantile; else "".
    far : tuple of str
        About values so far off that they may be codes for missing ones.
    caveats : tuple of str
        From which τ on numbers are unreliable or wide, of which metrics, and why at the far end.
    by_tau : tuple of str
        About each τ of the grid, whatever the metric: the side's words, the limit case and few carriers, with "; "
        between them.
    """

    low: str
    high: str
    caveats: tuple[str, ...]
    by_tau: tuple[str, ...]
    far: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The feature's notes, one sentence each."""
        return tuple(part for part in (*self.far, self.low, self.high, *self.caveats) if part)


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
        carriers = Carriers(int(curves.n_carriers[row, t]), float(curves.carried[row, t]))
        words.append(judge_carriers(carriers).words)
        by_tau.append("; ".join(word for word in words if word))
    return FeatureNotes(low, high, summarise_caveats(curves, row), tuple(by_tau), far_notes(feature, sample_weight))


def far_notes(feature: "Feature", sample_weight: NDArray[np.float64] | None) -> tuple[str, ...]:
    """Name values so far off that a mean is theirs, and such as are too large to be told apart."""
    if feature.kind == "share":
        return ()
    far = far_words(find_far_values(*feature.counted_values(sample_weight)))
    return (*far, *rounded_words(feature.source.lower, feature.source.upper))


def rounded_words(lower: float, upper: float) -> tuple[str, ...]:
    """Say that numbers beyond 2⁵³ were rounded, where their differences suffer."""
    largest = max(abs(lower), abs(upper))
    step = float(np.spacing(largest))
    if not largest > 2.0**53 or step <= MOST_ROUNDING * (upper - lower):
        return ()
    return (f"values beyond 2⁵³ are rounded to multiples of {step:,.0f}, and weights with them: subtract a constant",)


def far_words(found: Iterable[FarValues]) -> tuple[str, ...]:
    """Say of values far off how many rows have them."""
    return tuple(map(_far_words, found))


def _far_words(far: FarValues) -> str:
    if far.n_values == 1:
        rows = count(far.n_rows, "row holds", "rows hold")
        return f"{rows} {number(far.value)}, far off all others: a code for missing values?"
    rows = count(far.n_rows, "row lies", "rows lie")
    return f"{rows} far off all others, up to {number(far.value)}: the mean is theirs; codes for missing values?"


def summarise_caveats(curves: Curves, row: int) -> tuple[str, ...]:
    """Gather what is out of reach, unreliable and wide along one feature's τ in a sentence each.

    Metrics that are wide without any stress are left to `unstressed_caveats`.
    """
    missing = np.isnan(curves.ess[row])
    level = np.where(missing, 0, levels(curves.reason[row]))
    if _starts_unstressed(curves):
        level[(level == WIDE) & (level[:, curves.taus == 0] == WIDE)] = 0
    sentences = [f"{OUT_OF_REACH} at {_where(missing, curves.taus)}"] if missing.any() else []
    for most in (UNRELIABLE, WIDE):
        cells = level == most
        if cells.any():
            words = f"{LEVELS[most]} at {_where(cells.any(0), curves.taus)}"
            uneven = cells[cells.any(1)] != cells.any(0)
            which = _which(cells.any(1), curves) + (", some at fewer of them" if uneven.any() else "")
            sentences.append(f"{words}, {which}; {_reason_at_end(cells, curves, row)}")
    return tuple(sentences)


def unstressed_caveats(curves: Curves) -> tuple[str, ...]:
    """Say which metrics are not reliable on the rows as they are, whatever the feature."""
    if not _starts_unstressed(curves):
        return ()
    zero = int(curves.taus.searchsorted(0.0))
    cells = zip(curves.metrics, curves.reason[0, :, zero], curves.amount[0, :, zero], strict=True)
    return tuple(
        f"{metric.label} is {level_of(int(reason))} without any stress: {sentence(int(reason), amount, metric.events)}"
        for metric, reason, amount in cells
        if levels(reason)
    )


def _starts_unstressed(curves: Curves) -> bool:
    """Tell whether τ = 0 leaves the weights as they are, which is not so where features are made uncorrelated."""
    return not np.any(curves.kl[:, curves.taus == 0] > ROUNDING)


def _which(of: NDArray[np.bool_], curves: Curves) -> str:
    """Name the metrics that a caveat is about."""
    if of.all() and len(of) > 1:
        return "every metric"
    labels = [metric.label for metric, holds in zip(curves.metrics, of, strict=True) if holds]
    return ", ".join(labels) if len(labels) <= FEW_NAMES else f"{len(labels)} of {count(len(of), 'metric')}"


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
        return _odds_words(curves, row, -1), _odds_words(curves, row, 1)
    values, weight = feature.weighted_values(sample_weight)
    counted = ~np.isnan(values) if weight is None else ~np.isnan(values) & (weight > 0)
    values, weight = values[counted], None if weight is None else weight[counted]
    notes: list[str] = []
    for sign, level, wide in ((-1, low_level, widened[0]), (+1, high_level, widened[1])):
        if np.isnan(level):
            notes.append(_odds_words(curves, row, sign, (float(values.min()), float(values.max()))))
            continue
        end = _end(curves, row, sign)
        extreme = float(values.min() if sign < 0 else values.max())
        # τ = ∓1 leads to the end itself; from another τ it is reached by arithmetic
        room = 0.0 if sign in curves.taus else ROUNDING * max(abs(extreme), abs(mean - extreme))
        at_extreme = end is not None and abs(end - extreme) <= room
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


def _odds_words(curves: Curves, row: int, sign: int, values: tuple[float, float] | None = None) -> str:
    """Say which share of the higher value τ = ∓1 leads to, where that is by its odds."""
    end = _end(curves, row, sign)
    if end is None or not np.isnan(curves.reached[row, (sign + 1) // 2]):
        return ""
    low, high = values or (0.0, 1.0)
    before, after = (share((each - low) / (high - low)) for each in (float(curves.mean[row]), end))
    of = f" at {number(high)}" if values else ""
    return f"τ = {'−' if sign < 0 else '+'}1 is a share of {after}{of}: {before} of rows now, odds {ODDS_WORDS[sign]}"


def _end(curves: Curves, row: int, sign: int) -> float | None:
    """Find the mean at τ = ∓1 from the τ of that side: the target is linear on each side."""
    t = 0 if sign < 0 else -1
    tau = float(curves.taus[t])
    if tau * sign <= 0:
        return None
    if abs(tau) == 1:
        return float(curves.target[row, t])
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
