"""What is decided of the rows like one row, by the values of a few features alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from tauscope.results.rules.text import distribution_sentence

if TYPE_CHECKING:
    from tauscope.weights.arrays import Bools, Floats


@dataclass(frozen=True, eq=False)
class SetDistribution:
    """The projected distribution of what is explained, given a row's values of a set of features.

    Attributes
    ----------
    features : tuple of str
    values : ndarray of shape (m,)
        Ascending: of a regression the values of the forest's rows in the projected cells, else the codes of all
        classes.
    share : ndarray of shape (m,)
        Weight of the rows of each value; not negative, sum 1.
    classes : tuple of str
        Names of the codes; empty for a regression.
    decided : float
        What is decided of the row: a value, or a code.
    low, high : float
        The values that count as the same, ends included; of classes both the code.
    t : float
        The squared difference from `decided` that does; NaN where an interval was given, and for classes.
    lowest, highest : float
        Least and greatest value of any of the forest's rows.

    References
    ----------
    Amoukou, Brunel, "Consistent sufficient explanations and minimal local rules for explaining the decision of any
    classifier or regressor", 2022, equation 6.
    """

    features: tuple[str, ...]
    values: Floats
    share: Floats
    classes: tuple[str, ...]
    decided: float
    low: float
    high: float
    t: float
    lowest: float
    highest: float

    @property
    def cumulative(self) -> Floats:
        """Weight of the rows up to each value: the projected distribution function, shape (m,)."""
        return np.minimum(np.cumsum(self.share), 1.0)

    @property
    def same(self) -> Bools:
        """Whether each value counts as the same decision: shape (m,)."""
        return (self.values >= self.low) & (self.values <= self.high)

    @property
    def sdp(self) -> float:
        """Same-decision probability: the weight of the values that count as the same."""
        return float(min(self.share[self.same].sum(), 1.0))

    @property
    def frame(self) -> pd.DataFrame:
        """One line per value or class: value, share, cumulative, same."""
        named = [self.classes[int(code)] for code in self.values] if self.classes else self.values
        return pd.DataFrame({"value": named, "share": self.share, "cumulative": self.cumulative, "same": self.same})

    def __str__(self) -> str:
        return distribution_sentence(self)
