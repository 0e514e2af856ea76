"""The effect of a feature from rows in chunks: the curve and its interval, without the rows behind it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results import show
from tauscope.results.effects.axis import Axis, tidy

if TYPE_CHECKING:
    import altair as alt

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False, eq=False)
class SummedEffect:
    """What a model's answer is along one feature, or over two, from sums over rows in chunks.

    Made by `ChunkedStudy.effect`; the numbers of `FeatureEffect`. Bounds, individual curves and
    effects under a stress need the rows.

    Attributes
    ----------
    kind : {"pd", "cd", "ale"}
    axes : tuple of Axis
        The points of each feature; their `data` are a thousand values with the distribution of the rows.
    response : str
        What is followed: "probability of yes", "prediction".
    classes : tuple of str
        The classes the effect is given for; empty for a regression.
    effect, lower, upper : ndarray of shape (q, G) or (q, G1, G2)
        The curve for each response, and the ends of its interval.
    n : ndarray of shape (G,) or (G1, G2)
        Rows behind each point.
    n_rows, n_model_rows : int
        Rows in all, and rows the model was asked about.
    ess : float
        Effective sample size (Σw)²/Σw² of the rows' weights, rows; `n_rows` where they are not weighted.
    confidence : float
    notes : tuple of str
        What a reader of the curve must know.
    model_name : str
    """

    kind: Literal["pd", "cd", "ale"]
    axes: tuple[Axis, ...]
    response: str
    classes: tuple[str, ...]
    effect: Array
    lower: Array
    upper: Array
    n: NDArray[np.int64]
    n_rows: int
    ess: float
    n_model_rows: int
    confidence: float
    notes: tuple[str, ...]
    model_name: str

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the one or two features."""
        return tuple(axis.name for axis in self.axes)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per point: `value`, `effect`, `lower`, `upper` (interval), `n`; as `FeatureEffect.frame`."""
        columns = {"effect": self.effect, "lower": self.lower, "upper": self.upper, "n": self.n}
        return tidy(self.axes, self.classes, columns)

    def chart(self) -> "alt.LayerChart | alt.HConcatChart":
        """Draw the curve with its interval; levels as points, two features as a heat map for each class.

        Returns
        -------
        altair.LayerChart or altair.HConcatChart
            Data inline, to restyle or save. The number of rows behind each point is in its tooltip.
        """
        return show.draw(self)

    def __repr__(self) -> str:
        weighted = "" if self.ess == self.n_rows else f" (effective sample {self.ess:,.0f})"
        names = {"pd": "Partial dependence", "cd": "Conditional dependence", "ale": "Accumulated local effect"}
        lines = [
            f"{names[self.kind]} of {self.model_name} on {' and '.join(self.feature_names)}: {self.response}",
            f"  {self.n_rows:,} rows{weighted}, {self.n_model_rows:,} asked; "
            f"{100 * self.confidence:g} % interval of the mean",
        ]
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])
