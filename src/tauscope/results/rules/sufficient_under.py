"""What becomes of a row's sufficient sets when the population is another: before and after, and which still reach π."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from tauscope.results import show
from tauscope.results.base import Charted
from tauscope.results.formatting import share
from tauscope.results.rules.text import under_sentence
from tauscope.rules.sufficient import ROUNDING
from tauscope.weights.measures import effective_size

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.rules.sufficient import SufficientExplanation
    from tauscope.weights.arrays import Bools, Floats


@dataclass(frozen=True, repr=False, eq=False)
class SufficientUnder(Charted):
    """The same sets of features, with rows counted by other weights.

    Made by `SufficientExplanation.under`.

    Attributes
    ----------
    before : SufficientExplanation
    sets : tuple of tuple of int
        Those asked about: the inclusion-minimal sets; where none reached π, the one that came nearest.
    sdp : ndarray of shape (n_sets,)
        Same-decision probabilities under the stress.
    weight : ndarray of shape (n_rows,)
        Of the study's rows, under the stress.

    Examples
    --------
    >>> explanation = forest_study.sufficient(0)
    >>> explanation.under(ts.Mean("mean radius", tau=0.2)).frame.shape
    (1, 6)
    """

    before: SufficientExplanation
    sets: tuple[tuple[int, ...], ...]
    sdp: Floats
    weight: Floats

    @property
    def sdp_before(self) -> Floats:
        """Same-decision probabilities without the stress: shape (n_sets,)."""
        numbers = self.before._numbers
        return np.array([numbers.sdp[numbers.subsets.index(subset)] for subset in self.sets])

    @property
    def reaches(self) -> Bools:
        """Of each set whether it still reaches π."""
        return self.sdp >= self.before._spec.pi - ROUNDING

    @property
    def ess(self) -> float:
        """Effective sample size of the weights, in rows."""
        return effective_size(self.weight)

    @property
    def title(self) -> str:
        """Name the explanation and say that it is under a stress."""
        return f"{self.before.title}, under a stress"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know."""
        return (SETS_STAY, under_sentence(self.ess, len(self.weight)), *self.before.notes)

    @property
    def frame(self) -> pd.DataFrame:
        """One line per set: features, size, sdp_before, sdp, reached_before, reaches."""
        names = [column.name for column in self.before._columns]
        return pd.DataFrame(
            {
                "features": [tuple(names[j] for j in subset) for subset in self.sets],
                "size": [len(subset) for subset in self.sets],
                "sdp_before": self.sdp_before,
                "sdp": self.sdp,
                "reached_before": self.sdp_before >= self.before._spec.pi - ROUNDING,
                "reaches": self.reaches,
            }
        )

    def chart(self) -> alt.LayerChart:
        """Draw the probability of each set before and under the stress, and the line of π.

        Returns
        -------
        altair.LayerChart
        """
        return show.draw(self)

    def __repr__(self) -> str:
        pi = share(self.before._spec.pi)
        lines = [
            f"{' + '.join(line['features']) or 'No value at all'}: probability {share(line['sdp_before'])} → "
            f"{share(line['sdp'])}. {_verdict(line['reached_before'], line['reaches'], pi)}"
            for line in self.frame.to_dict("records")
        ]
        return "\n".join([self.title, *lines, *self.notes])


SETS_STAY = (
    "The sets are those found before; under the stress others may suffice: search them with study.under(stress)."
)


def _verdict(reached: bool, reaches: bool, pi: str) -> str:
    if reaches:
        return "Still enough." if reached else f"Now reaches π = {pi}."
    return f"No longer enough at π = {pi}." if reached else f"Does not reach π = {pi}."
