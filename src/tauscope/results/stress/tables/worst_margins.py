"""What a reweighting leans on: the means it moves, as a table, in words, and as sliders show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.results.stress.columns import StressColumns
from tauscope.results.stress.numbers.natural_units import written_means
from tauscope.stress.distances import mean_shift
from tauscope.stress.joint.terms import Reading

if TYPE_CHECKING:
    from tauscope.data.features import Feature

Array = NDArray[np.float64]
NOTABLE = 0.05
"""Standard deviations that a mean is moved at least to be named."""
NAMED = 5
HAIR = 1e-9
"""What rounding may carry a τ past 1."""
STILL = 1e-9
"""|τ| that moves nothing."""


@dataclass(frozen=True)
class MovedMean:
    """The mean of a feature before and after.

    Attributes
    ----------
    feature : str
    kind : {"numeric", "share"}
    mean_before, mean_after : float
        In the feature's unit; a share in [0, 1].
    smd : float
        Their difference in standard deviations before.
    twin : bool
        Whether another level of the same column says as much: of two levels the second.
    reading : {"", "year", "days", "0/1"}
        How the means are to be read.
    """

    feature: str
    kind: str
    mean_before: float
    mean_after: float
    smd: float
    twin: bool = False
    reading: Reading = ""

    @property
    def words(self) -> str:
        """From where to where: "38.6 → 43.2", "33.1 % → 43.1 %"."""
        return " → ".join(written_means(self.reading, self.mean_before, self.mean_after))


def moved_means(features: Iterable[Feature], before: Array | None, after: Array) -> tuple[MovedMean, ...]:
    """Measure every feature under weights before and after, the largest difference first."""
    features = tuple(features)
    return table_of(features, [mean_shift(each.values(), before, after) for each in features])


def table_of(features: Sequence[Feature], shifts: Iterable[tuple[float, float, float]]) -> tuple[MovedMean, ...]:
    """Return what is known of features, the largest difference first.

    Parameters
    ----------
    features : sequence of Feature
        Their values are not asked for.
    shifts : iterable of (mean before, mean after, difference in standard deviations)
        Of each.
    """
    out: list[MovedMean] = []
    for each, shift in zip(features, shifts, strict=True):
        levels = [one.name for one in features if one.column == each.column and one.kind == "share"]
        twin = len(levels) == 2 and each.kind == "share" and each.name == levels[1]
        out.append(MovedMean(each.name, each.kind, *shift, twin=twin, reading=each.reading))
    return tuple(sorted(out, key=lambda margin: -abs(margin.smd) if np.isfinite(margin.smd) else np.inf))


def lean_words(margins: Sequence[MovedMean]) -> str:
    """Say which means are moved most: "more sex = Male (66.9 % → 71 %); lower age (38 → 36)"."""
    named = [margin for margin in margins if abs(margin.smd) >= NOTABLE and not margin.twin][:NAMED]
    if not named:
        return f"no mean moves by {NOTABLE:g} standard deviations"
    words = {"share": ("more", "fewer"), "numeric": ("higher", "lower")}
    return "; ".join(f"{words[each.kind][each.smd < 0]} {each.feature} ({each.words})" for each in named)


def slider_taus(moved: Sequence[tuple[str, float, float]], columns: StressColumns) -> dict[str, float]:
    """Say shifts of means in τ.

    Parameters
    ----------
    moved : sequence of (name, mean before, shift)
    columns : StressColumns
        The sliders of the study.

    Raises
    ------
    InputError
        Where sliders cannot say it, with the reason.
    """
    taus: dict[str, float] = {}
    for name, _, shift in moved:
        if name not in columns.names:
            raise InputError(f"No slider moves {name}. Use study.under(…) of this result itself.")
        k = columns.place(name)
        end = columns.low[k] if shift < 0 else columns.high[k]
        size = float(shift / (end - columns.mean[k]))
        if size > 1 + HAIR:
            feature, target = columns.features[k], float(columns.mean[k] + shift)
            end_words, here = written_means(feature.reading, float(end), target)
            raise InputError(
                f"The slider of {name} ends at {end_words}, before the {here} here. "
                "Allow less, or use study.under(…) of this result."
            )
        if size <= STILL:
            raise InputError(
                f"The mean of {name} stays here, and sliders let go of what they do not move. Use study.under(…) of "
                "this result itself."
            )
        taus[name] = min(size, 1.0) if shift > 0 else -min(size, 1.0)
    return taus
