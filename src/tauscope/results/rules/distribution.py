"""What is decided of the rows like one row, by the values of a few features alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from tauscope.errors import InputError
from tauscope.results import show
from tauscope.results.base import ChartedParts, records
from tauscope.results.rules.text import (
    FEW_ROWS,
    distribution_sentence,
    distributions_summary,
    few_effective_sentence,
    forest_sentence,
    row_words,
)

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.rules.spec import ForestInfo, RulesSpec
    from tauscope.weights.arrays import Bools, Floats

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
ROUNDING = 1e-12
"""Of a sum of shares: what is that near a level reaches it."""


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
        What is decided of the row: a value, or a code; NaN where not all of its values were given.
    low, high : float
        The values that count as the same, ends included; of classes both the code. NaN where `decided` is.
    t : float
        The squared difference from `decided` that does; NaN where an interval was given, and for classes.
    lowest, highest : float
        Least and greatest value of any of the forest's rows.
    ess : float
        Effective sample size of the weights of the forest's rows, in rows.

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
    ess: float

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
        """Same-decision probability: the weight of the values that count as the same; NaN where `decided` is."""
        return float(min(self.share[self.same].sum(), 1.0)) if self.decided == self.decided else float("nan")

    @property
    def mean(self) -> float:
        """Mean of a regression's values, E[Y | X_S]; NaN for classes."""
        return float("nan") if self.classes else float(self.share @ self.values) / float(self.share.sum())

    def cdf(self, values: Floats) -> Floats:
        """Return the weight of the rows up to each of some values."""
        reached = np.concatenate([[0.0], self.cumulative])
        return reached[np.searchsorted(self.values, values, side="right")]

    def quantile(self, levels: Floats) -> Floats:
        """Return the least value up to which the weight reaches each level, in [0, 1]."""
        at = np.searchsorted(np.cumsum(self.share), np.asarray(levels) - ROUNDING, side="left")
        return self.values[np.minimum(at, len(self.values) - 1)]

    @property
    def frame(self) -> pd.DataFrame:
        """One line per value or class: value, share, cumulative, same."""
        named = [self.classes[int(code)] for code in self.values] if self.classes else self.values
        return pd.DataFrame({"value": named, "share": self.share, "cumulative": self.cumulative, "same": self.same})

    def __str__(self) -> str:
        return distribution_sentence(self)


@dataclass(frozen=True, repr=False, eq=False)
class ProjectedDistribution(ChartedParts[SetDistribution]):
    """How what is explained is distributed, given some values of each of one or more rows.

    A sequence of `SetDistribution`, one a row. Made by `Study.distribution`.

    Attributes
    ----------
    model_name : str
    rows : tuple of int
        Positions among the study's rows; −1 for new values.
    distributions : tuple of SetDistribution
    given : tuple of str
        The values given of each row: "age = 40, job = clerk".

    Examples
    --------
    >>> found = forest_study.distribution([0, 1, 2], ["mean radius"])
    >>> found.frame["sdp"].round(2).tolist()
    [0.95, 0.04, 0.05]
    """

    _spec: RulesSpec
    """The options it was projected with."""

    model_name: str
    rows: tuple[int, ...]
    distributions: tuple[SetDistribution, ...]
    given: tuple[str, ...]
    _forest: ForestInfo

    @property
    def features(self) -> tuple[str, ...]:
        """The features whose values are given."""
        return self.distributions[0].features

    @property
    def title(self) -> str:
        """Name it: "Distribution of the prediction given age and job, row 17"."""
        what = "prediction" if self._spec.explained == "predictions" else "true value"
        return f"Distribution of the {what} given {' and '.join(self.features)}, {row_words(self.rows)}"

    @property
    def _caption(self) -> str:
        """The title and the model."""
        return f"{self.title}: {self.model_name}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know."""
        few = sum(one.ess < FEW_ROWS for one in self)
        said = [few_effective_sentence(few, len(self))] if few else []
        return (*said, forest_sentence(self._forest, self.model_name))

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes; empty for a regression."""
        return self.distributions[0].classes

    @property
    def frame(self) -> pd.DataFrame:
        """One line per row.

        Columns: row, given; of a regression mean, q05, q25, q50, q75 and q95, of classes probability_<class> for each;
        predicted, sdp, ess.
        """
        columns: dict[str, Any] = {"row": list(self.rows), "given": list(self.given)}
        if self.classes:
            shares = np.stack([one.share for one in self])
            columns |= {f"probability_{name}": shares[:, code] for code, name in enumerate(self.classes)}
            known = [one.decided == one.decided for one in self]
            predicted = [
                self.classes[int(one.decided)] if is_known else None for one, is_known in zip(self, known, strict=True)
            ]
        else:
            quantiles = self.quantile(LEVELS)
            columns["mean"] = [one.mean for one in self]
            columns |= {f"q{round(100 * level):02d}": quantiles[:, k] for k, level in enumerate(LEVELS)}
            predicted = [one.decided for one in self]
        columns |= {"predicted": predicted, "sdp": [one.sdp for one in self], "ess": [one.ess for one in self]}
        return pd.DataFrame(columns)

    @property
    def curves(self) -> pd.DataFrame:
        """The distribution functions, one line per row and value or class: row, value, share, cumulative, same.

        `row` is a position, of new values their place.
        """
        frames = [one.frame.assign(row=row) for row, one in zip(self._index, self, strict=True)]
        return pd.concat(frames, ignore_index=True)[["row", "value", "share", "cumulative", "same"]]

    @property
    def mean(self) -> pd.Series:
        """E[Y | X_S] of each row, by its position or place.

        Raises
        ------
        InputError
            For classes.
        """
        self._check_values("A mean is")
        return pd.Series([one.mean for one in self], index=self._index, name="mean")

    @property
    def probabilities(self) -> pd.DataFrame:
        """Probability of each class given the values of each row, by its position or place.

        Raises
        ------
        InputError
            For a regression.
        """
        if not self.classes:
            raise InputError(
                "Probabilities are of classes, and this is of values. Use cdf(values) or quantile(levels)."
            )
        return pd.DataFrame([one.share for one in self], index=self._index, columns=list(self.classes))

    def cdf(self, values: Any) -> Floats:
        """Return the distribution function F_S(y | x_S) of each row at some values.

        Parameters
        ----------
        values : float, or array-like of shape (m,)

        Returns
        -------
        ndarray of shape (n_rows, m)

        Raises
        ------
        InputError
            For classes, and for what is not a number.
        """
        self._check_values("A distribution function is")
        return np.stack([one.cdf(_numbers("values", values)) for one in self])

    def quantile(self, levels: Any = LEVELS) -> Floats:
        """Return the least value at which the distribution function of each row reaches each level.

        Parameters
        ----------
        levels : float, or array-like of shape (m,), default (0.05, 0.25, 0.5, 0.75, 0.95)
            In [0, 1].

        Returns
        -------
        ndarray of shape (n_rows, m)

        Raises
        ------
        InputError
            For classes, and for a level outside [0, 1].
        """
        self._check_values("Quantiles are")
        asked = _numbers("levels", levels)
        if not ((asked >= 0) & (asked <= 1)).all():
            raise InputError(f"levels must lie in [0, 1]; got {levels!r}. Give shares, such as 0.5.")
        return np.stack([one.quantile(asked) for one in self])

    def chart(self) -> alt.LayerChart:
        """Draw one row's distribution function, or its classes as bars; of several rows a line for each.

        Of several rows of a regression the line is from the 5 % to the 95 % quantile, its middle half wide, with the
        median as a tick and the mean as a dot; of classes a dot for each class' probability. At most 40 rows.

        Returns
        -------
        altair.LayerChart
        """
        return show.draw(self)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds."""
        return {
            "schema": "tauscope.distribution",
            "version": 1,
            "model": self.model_name,
            "features": list(self.features),
            "rows": records(self.frame),
            "notes": list(self.notes),
        }

    @property
    def _index(self) -> pd.Index:
        new = all(row < 0 for row in self.rows)
        return pd.RangeIndex(len(self), name="row") if new else pd.Index(self.rows, name="row")

    def _check_values(self, what: str) -> None:
        if self.classes:
            raise InputError(f"{what} of values, and this is of classes. Use .probabilities.")

    @property
    def _parts(self) -> tuple[SetDistribution, ...]:
        return self.distributions

    def __repr__(self) -> str:
        return distributions_summary(self)


def _numbers(name: str, given: Any) -> Floats:
    numbers = np.atleast_1d(np.asarray(given, dtype=np.float64))
    if numbers.ndim != 1 or np.isnan(numbers).any():
        raise InputError(f"{name} must be numbers; got {given!r}. Give one, or a list of them.")
    return numbers
