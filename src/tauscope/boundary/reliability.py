"""How far an explanation can be relied on: diagnostics rolled into one level, with reasons and amounts.

Chosen on the two moons of the thesis (nearest neighbours of 1 and of 5, noise .25 and .35, 800 explanations each), an
explanation being bad where its direction meets no flip within 1.5 of the point's distance. That is measured itself,
with some 27 rows of the model, so it decides alone. Of 1 nearest neighbour, fitted at one radius, .15 of the
explanations are bad; with the radius tuned .02 are. What else is looked at flags many that are good, and only widens:
a balance outside .3 to .7 finds .94 to .99 of the bad ones, and a third of those it names are bad; a balanced accuracy
below .7 finds .8 to .9 with the same precision. A cosine below .5 is rare and right in a third to a half of the cases;
below .7, as one might choose on two columns, it names good explanations of a linear model in thirty, where the nearest
rivals lie far to the side: so it counts only where the direction crosses later than the way to the point. Stability
between replicates tells bad explanations apart no better than chance once the radius is tuned: it warns of small
samples alone.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from tauscope.boundary.planes.inspection import Diagnostics, Paths
from tauscope.weights.arrays import Bools, Floats, Ints

Level = Literal["reliable", "wide", "unreliable"]
LEVELS: tuple[Level, ...] = ("reliable", "wide", "unreliable")
"""The direction can be read; it leads across, but how much each column counts is doubtful; neither."""

MAX_CROSSING = 1.5
LATE_CROSSING = 1.05
"""Of where a plane through the point is met, or of its distance; a twentieth above 1 for boundaries that curve."""
BALANCE = (0.3, 0.7)
MIN_BALANCED_ACCURACY = 0.7
MIN_COSINE = 0.5
MIN_STABILITY = 0.9


class Reason(NamedTuple):
    """What speaks against an explanation, and to which level it takes it."""

    name: str
    level: Level


REASONS = (
    Reason("none", "reliable"),
    Reason("unsteady", "unreliable"),
    Reason("not_explained", "unreliable"),
    Reason("no_crossing", "unreliable"),
    Reason("late_crossing", "wide"),
    Reason("one_sided", "wide"),
    Reason("unfaithful", "wide"),
    Reason("askew", "wide"),
    Reason("unstable", "wide"),
    Reason("returns", "wide"),
)
"""By code, the gravest first."""
CODES = {reason.name: code for code, reason in enumerate(REASONS)}


@dataclass(frozen=True, eq=False)
class Verdict:
    """How far each of n explanations can be relied on.

    Attributes
    ----------
    level : ndarray of shape (n,)
        Place among `LEVELS`.
    reason : ndarray of shape (n,)
        Code among `REASONS` of the gravest; 0 where nothing speaks against it.
    holds : ndarray of bool, shape (n, n_reasons)
        All that hold.
    amount : ndarray of shape (n, n_reasons)
        The number that each one's sentence quotes; NaN where it has none.
    """

    level: Ints
    reason: Ints
    holds: Bools
    amount: Floats


def judge(diagnostics: Diagnostics, unsteady: Bools, paths: Paths | None = None) -> Verdict:
    """Roll diagnostics into a level.

    Parameters
    ----------
    diagnostics : Diagnostics
        What was not computed speaks against nothing, but the crossing, without which nothing is known.
    unsteady : ndarray of bool, shape (n,)
    paths : Paths, optional
        Whose return over the boundary is then a reason as well.

    Returns
    -------
    Verdict
    """
    n = len(unsteady)
    holds = np.zeros((n, len(REASONS)), dtype=np.bool_)
    amount = np.full((n, len(REASONS)), np.nan)
    for name, is_so, number in _tests(diagnostics, unsteady, paths):
        holds[:, CODES[name]] = is_so
        amount[:, CODES[name]] = np.where(is_so, number, np.nan)
    level_of = np.array([LEVELS.index(reason.level) for reason in REASONS])
    reason = holds.argmax(axis=1)
    return Verdict(level_of[reason], reason, holds, amount)


def _tests(d: Diagnostics, unsteady: Bools, paths: Paths | None) -> list[tuple[str, Bools, Floats | float]]:
    ratio = d.crossing_ratio
    outside = (d.balance < BALANCE[0]) | (d.balance > BALANCE[1])
    returns = np.zeros(len(unsteady), dtype=np.bool_) if paths is None else paths.returns
    return [
        ("unsteady", unsteady, np.nan),
        ("not_explained", np.isnan(ratio), np.nan),
        ("no_crossing", ratio > MAX_CROSSING, ratio),
        ("late_crossing", (ratio > LATE_CROSSING * np.maximum(d.plane_ratio, 1)) & (ratio <= MAX_CROSSING), ratio),
        ("one_sided", outside, d.balance),
        ("unfaithful", d.balanced_accuracy < MIN_BALANCED_ACCURACY, d.balanced_accuracy),
        ("askew", (d.cosine < MIN_COSINE) & ~(ratio <= 1), d.cosine),
        ("unstable", d.stability < MIN_STABILITY, d.stability),
        ("returns", returns, np.nan if paths is None else paths.crossing),
    ]
