"""How far a number under stress can be relied on, in words: a sentence for each reason, levels, stretches of τ.

The rule is the engine's, `tauscope.stress.reliability`; here its codes become words, once for Python and the page.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.metrics import Metric
from tauscope.stress.reliability import (
    CODES,
    COUNTED_BEYOND,
    LEVEL_OF,
    LEVELS,
    MANY_DF,
    MAX_PARETO_K,
    MIN_DF,
    MIN_DF_WIDE,
    REASONS,
    Level,
)
from tauscope.weights.carriers import MIN_CARRIERS_WIDE, NO_FEW, Carriers, few_carriers
from tauscope.weights.concentration import pareto_khat

Codes = NDArray[np.int8]
Array = NDArray[np.float64]

READ = ": read the interval, not the number"
RELIABLE, WIDE, UNRELIABLE = range(len(LEVELS))
"""Places among the levels."""


class Sentence(NamedTuple):
    """What is said for one reason.

    Attributes
    ----------
    words : str
        With {amount}, {events} and {non_events} in place of a number and the metric's own names, and {share} in place
        of a percentage; "" for none.
    few : str
        The same for an amount below 2, so that no name needs a singular.
    decimals : int
        Of the amount: 0 for rows and events, which are rounded down, 2 for k̂.
    """

    words: str
    few: str
    decimals: int = 0


HAIR = 1e-9
"""What rounding may leave a whole number of rows below itself, as a share of it."""
_CARRIERS = "{amount} rows carry {share} % of the weight", "one row carries {share} % of the weight"
_BEYOND = "only {amount} rows lie at or beyond the target", "at most one row lies at or beyond the target"
_LONG_TAIL = "the shift rests on a long tail: another sample would give another number"

SENTENCES: dict[str, Sentence] = {
    "none": Sentence("", ""),
    "determined": Sentence("determined by the constraints", "determined by the constraints"),
    "undefined": Sentence("it is not defined on these rows", "it is not defined on these rows"),
    "few_rows_beyond": Sentence(*_BEYOND),
    "few_rows_carry_all": Sentence("a handful of rows carries the weight", "a handful of rows carries the weight"),
    "end_in_doubt": Sentence(
        "the end of the range hangs on a few rows: another sample would put it elsewhere",
        "the end of the range hangs on a few rows: another sample would put it elsewhere",
    ),
    "heavy_weights": Sentence(
        "a few large weights decide it (Pareto k̂ {amount})", "a few large weights decide it (Pareto k̂ {amount})", 2
    ),
    "heavy_tail": Sentence(
        "a few {events} decide it (tail index {amount})", "a few {events} decide it (tail index {amount})", 2
    ),
    "some_rows_beyond": Sentence(_BEYOND[0] + READ, _BEYOND[1] + READ),
    "some_rows_carry_all": Sentence(
        "about {amount} effective rows decide the width of the interval" + READ,
        "one or two effective rows decide the width of the interval" + READ,
    ),
    "few_events": Sentence("{amount} effective {events}" + READ, "fewer than 2 effective {events}" + READ),
    "few_non_events": Sentence("{amount} effective {non_events}" + READ, "fewer than 2 effective {non_events}" + READ),
    "few_errors": Sentence("{amount} effective {events}" + READ, "fewer than 2 effective {events}" + READ),
    "few_of_class": Sentence("{amount} effective {non_events}" + READ, "fewer than 2 effective {non_events}" + READ),
    "too_few_errors": Sentence("only {amount} effective {events}", "fewer than 2 effective {events}"),
    "too_few_of_class": Sentence("only {amount} effective {non_events}", "fewer than 2 effective {non_events}"),
    "some_tail": Sentence(
        "a few {events} weigh much (tail index {amount})" + READ,
        "a few {events} weigh much (tail index {amount})" + READ,
        2,
    ),
    "few_spread_rows": Sentence(
        "{amount} effective rows make up the spread" + READ, "fewer than 2 effective rows make up the spread" + READ
    ),
    "long_tail": Sentence(_LONG_TAIL, _LONG_TAIL),
    "few_carriers": Sentence(*_CARRIERS),
    "some_carriers": Sentence(*_CARRIERS),
}
"""By name of the reason, of which `tauscope.stress.reliability.REASONS` has the level."""


def levels(reason: Codes) -> NDArray[np.int8]:
    """Return the place among "reliable", "wide", "unreliable" of each reason."""
    return LEVEL_OF[reason]


def counted_levels(reason: Codes, amount: Array) -> NDArray[np.int8]:
    """Return the levels by which changes are ranked: numbers that next to no rows make up count as unreliable."""
    few = (reason == CODES["some_rows_beyond"]) & (amount < COUNTED_BEYOND * (1 - HAIR))
    few |= (reason == CODES["some_rows_carry_all"]) & (amount < MIN_DF_WIDE)
    return np.where(few, np.int8(UNRELIABLE), levels(reason))


def level_names(reason: Codes) -> NDArray[np.object_]:
    """Return the level of each reason by its name."""
    return np.array(LEVELS, dtype=object)[levels(reason)]


def level_of(reason: int) -> Level:
    """Return the level of one reason by its name."""
    return REASONS[reason].level


def sentence(reason: int, amount: float, events: tuple[str, str] = ("", ""), share: float = 0.0) -> str:
    """Say why a number is not reliable; "" where it is.

    Parameters
    ----------
    reason : int
        Code among `tauscope.stress.reliability.REASONS`.
    amount : float
        Rows, effective events or k̂, as `judge` gives it.
    events : pair of str
        What the metric calls its events and non-events, `Metric.events`.
    share : float
        Of all weight, that carriers hold.
    """
    words, few, decimals = SENTENCES[REASONS[reason].name]
    template = few if round_down(amount) < 2 else words
    percent = f"{100 * share:.0f}"
    return template.format(amount=_written(amount, decimals), events=events[0], non_events=events[1], share=percent)


def _written(amount: float, decimals: int) -> str:
    if not np.isfinite(amount):
        return "∞"
    return f"{amount:.{decimals}f}" if decimals else f"{int(round_down(amount)):,}"


def round_down(amount: Array | float) -> Array:
    """Round rows or events down; what rounding has left a hair below a whole number is that number on every machine."""
    return np.floor(np.asarray(amount) * (1 + HAIR))


def degrees_of_freedom(weights: Array) -> float:
    """Return (Σw²)² / Σw⁴ of weights of any mean, those of Student's t."""
    squares = (weights / weights.max()) ** 2
    return float(squares.sum() ** 2 / (squares**2).sum())


class Judged(NamedTuple):
    """What speaks against any number of a population: a reason's code, and the numbers that its sentence quotes."""

    reason: int = CODES["none"]
    amount: float = 0.0
    share: float = 0.0

    @property
    def words(self) -> str:
        """The reason in a sentence, "" where nothing speaks against it."""
        return sentence(self.reason, self.amount, share=self.share)

    @property
    def caveats(self) -> tuple[str, ...]:
        """Level and sentence; nothing where nothing speaks against it."""
        return (f"{level_of(self.reason)}: {self.words}",) if self.words else ()


def judge_weights(weights: Array, base: Array | None = None) -> Judged:
    """Say what of the weights alone speaks against any number that they make.

    For what is known by its weights only: effects, and populations before any metric of them. Reliable from 10 degrees
    of freedom (Σw²)² / Σw⁴, with a Pareto k̂ of at most 0.7 or 100 degrees and more, and where no fewer than 30 rows
    carry the weight moved; wide from 3 degrees, and with at least 10 carriers.

    Parameters
    ----------
    weights : ndarray of shape (n_rows,)
        Non-negative, of any mean.
    base : ndarray of shape (n_rows,), optional
        What they were moved from; None: all alike.
    """
    return judge_size(degrees_of_freedom(weights), pareto_khat(weights, base), few_carriers(weights, base))


def judge_size(df: float, pareto_k: float, carriers: Carriers = NO_FEW) -> Judged:
    """Do as `judge_weights` by what is known of weights; where df is not, the effective sample is the most it can."""
    enough = df * (1 + HAIR)  # ten rows that are alike are ten, whatever rounding leaves of their weights
    if not enough >= MIN_DF_WIDE:
        return Judged(CODES["few_rows_carry_all"], df)
    if df < MANY_DF and not pareto_k <= MAX_PARETO_K:
        return Judged(CODES["heavy_weights"], pareto_k)
    few = judge_carriers(carriers)
    if enough < MIN_DF and level_of(few.reason) != LEVELS[UNRELIABLE]:
        return Judged(CODES["some_rows_carry_all"], df)
    return few


def judge_carriers(carriers: Carriers) -> Judged:
    """Say whether a few rows carry the weight moved; reliable where none do."""
    n, share = carriers
    if not n:
        return Judged()
    return Judged(CODES["few_carriers" if n < MIN_CARRIERS_WIDE else "some_carriers"], float(n), share)


def caveats(reason: int, amount: float, events: tuple[str, str] = ("", "")) -> tuple[str, ...]:
    """Return level and sentence, "wide: 9 effective false positives: …"; the sentence alone of a reliable number."""
    if reason == CODES["none"]:
        return ()
    said, level = sentence(reason, amount, events), level_of(reason)
    return (said if level == LEVELS[RELIABLE] else f"{level}: {said}",)


def sentences(reason: Codes, amount: Array, metrics: Sequence[Metric], axis: int) -> NDArray[np.object_]:
    """Return the caveat of every cell, "" where it is reliable.

    Parameters
    ----------
    reason : ndarray of int8
    amount : ndarray of the same shape
    metrics : sequence of Metric
        Along one axis of the shape.
    axis : int
    """
    out = np.full(reason.shape, "", dtype=object)
    for place in np.argwhere(reason).tolist():
        at = tuple(place)
        out[at] = caveats(int(reason[at]), float(amount[at]), metrics[place[axis]].events)[0]
    return out


def usable(level: NDArray[np.int8], zero: int) -> tuple[NDArray[np.bool_], Level]:
    """Tell where along τ a change is counted.

    That is where the number is reliable. Where no step away from 0 is for any feature, as of a rate that a few events
    make up everywhere, it is where the interval can be read; where none is either, everywhere.

    Parameters
    ----------
    level : ndarray of shape (p, T)
        From `counted_levels`, of one metric.
    zero : int
        Place of τ = 0.

    Returns
    -------
    ndarray of bool of shape (p, T), and the worst level that is among them
    """
    for most, name in enumerate(LEVELS):
        good = level <= most
        if _any_step(good, zero):
            return good, name
    return np.ones(level.shape, bool), LEVELS[-1]


def usable_ends(good: NDArray[np.bool_], zero: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first and last place of the stretch of usable τ around 0, for each feature.

    Parameters
    ----------
    good : bool ndarray of shape (p, T)
        From `usable`.
    zero : int
        Place of τ = 0.

    Returns
    -------
    first, last : ndarray of shape (p,)
    """
    below = np.cumprod(good[:, :zero][:, ::-1], axis=1).sum(1)
    above = np.cumprod(good[:, zero + 1 :], axis=1).sum(1)
    return zero - below, zero + above


def _any_step(good: NDArray[np.bool_], zero: int) -> bool:
    steps = [t for t in (zero - 1, zero + 1) if 0 <= t < good.shape[1]]
    return bool(good[:, steps].any())
