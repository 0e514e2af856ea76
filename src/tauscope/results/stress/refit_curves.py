"""Stress curves over refits of the learner: how much of a curve is the data that happened to be fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.errors import place_of
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.formatting import number, percentile, share
from tauscope.results.stress.numbers.metrics import WithMetrics
from tauscope.stress.metrics import Metric
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False, eq=False)
class RefitCurves(WithMetrics, Charted):
    """Median and spread of stress curves over models refitted on random splits.

    The band is the learner's variance: what another draw of training and test rows would have given. It is no
    interval of one model's curve; `StressCurves` has that.

    Attributes
    ----------
    features : tuple of str
    metrics : tuple of Metric
    taus : ndarray of shape (n_taus,)
    values : ndarray of shape (n_splits, n_features, n_metrics, n_taus)
        The curves of each refit, on the rows it was not fitted on; NaN where a split's test rows have one value of
        the feature only, or a metric is not defined.
    quantiles : tuple of float
        Levels of the band, in (0, 1).
    n_splits : int
        Refits done.
    asked_splits : int
        Requested refits; more than `n_splits` after an interrupt.
    n_train, n_test : int
        Rows of each split.
    quantile : float
    model_name : str
    random_state : int
        Draws the same splits again.

    Examples
    --------
    >>> refits = study.refit_curves(LogisticRegression(), X, y, n_splits=3, taus=3, random_state=0)
    >>> refits.frame.columns.tolist()[:4]
    ['feature', 'tau', 'metric', 'median']
    """

    features: tuple[str, ...]
    metrics: tuple[Metric, ...]
    taus: Array
    values: Array
    quantiles: tuple[float, float]
    n_splits: int
    asked_splits: int
    n_train: int
    n_test: int
    quantile: float
    model_name: str
    random_state: int

    @property
    def _metrics(self) -> tuple[Metric, ...]:
        return self.metrics

    @property
    def _counts(self) -> NDArray[np.int64]:
        """Refits that give a value, of shape (n_features, n_metrics, n_taus)."""
        return np.isfinite(self.values).sum(0)

    @property
    def summary(self) -> tuple[Array, Array, Array]:
        """Median and both ends of the band, each of shape (n_features, n_metrics, n_taus); NaN without any value."""
        has_values = self._counts > 0
        filled = np.where(has_values, self.values, 0.0)
        low, high = self.quantiles
        median, lower, upper = np.nanquantile(filled, [0.5, low, high], axis=0)
        return tuple(np.where(has_values, each, np.nan) for each in (median, lower, upper))  # pyright: ignore[reportReturnType]

    @property
    def frame(self) -> pd.DataFrame:
        """Tidy table: feature, tau, metric, median, lower, upper, n_splits (those with a value)."""
        f, i, t = (part.ravel() for part in np.indices(self._counts.shape))
        median, lower, upper = (each.ravel() for each in self.summary)
        table = pd.DataFrame(
            {
                "feature": np.array(self.features, dtype=object)[f],
                "tau": self.taus[t],
                "metric": np.array(self.metric_names, dtype=object)[i],
                "median": median,
                "lower": lower,
                "upper": upper,
                "n_splits": self._counts.ravel(),
            }
        )
        return table.sort_values(["feature", "tau"], key=self._order, kind="stable", ignore_index=True)

    def _order(self, column: pd.Series) -> pd.Series:
        if column.name != "feature":
            return column
        return column.map({name: place for place, name in enumerate(self.features)})

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know: an interrupt, and features that some splits could not move."""
        notes: list[str] = []
        if self.n_splits < self.asked_splits:
            notes.append(f"stopped after {self.n_splits} of {count(self.asked_splits, 'refit')}")
        fewest = self._counts.max(axis=(1, 2))
        incomplete = [
            f"{name} in {self.n_splits - n}" for name, n in zip(self.features, fewest, strict=True) if n < self.n_splits
        ]
        if incomplete:
            notes.append(f"refits whose test rows have one value only: {', '.join(incomplete)}")
        return tuple(notes)

    @property
    def title(self) -> str:
        """What was done to what."""
        return f"Stress curves of {count(self.n_splits, 'refit')} of {self.model_name}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of: what the band is."""
        return self._words

    @property
    def _words(self) -> str:
        """What the band is."""
        low, high = self.quantiles
        return (
            f"median and {percentile(low)} to {percentile(high)} over random splits ({count(self.n_train, 'row')} "
            "to fit, "
            f"{self.n_test:,} to stress): the learner's variance, not the interval of one model's curve"
        )

    def _feature_place(self, name: str) -> int:
        """Return the position of a feature."""
        return place_of("feature", name, self.features)

    def chart(
        self, metric: str | None = None, features: str | int | Sequence[str | int] | None = None
    ) -> alt.ConcatChart:
        """Draw median and band along τ, one panel a feature, as an Altair chart.

        Parameters
        ----------
        metric : str, optional
            By default the first.
        features : str or int, or several, optional
            By default the twelve whose median moves most.

        Notes
        -----
        Shown without a network as the notes of `StressCurves.chart` say.
        """
        return show.draw(self, metric, features)

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        return {
            "schema": "tauscope.refit_curves",
            "version": 1,
            "model": self.model_name,
            "band": self._words,
            "quantiles": list(self.quantiles),
            "n_splits": self.n_splits,
            "n_train": self.n_train,
            "n_test": self.n_test,
            "quantile": self.quantile,
            "random_state": self.random_state,
            "notes": list(self.notes),
            "curves": records(self.frame),
        }

    def __repr__(self) -> str:
        metric, zero = self.metrics[0], int(np.abs(self.taus).argmin())
        median, lower, upper = self.summary
        shown = share if metric.kind == "share" else number
        lines = [self.title, f"  {self._words}", f"  {metric.label}, τ = {self.taus[0]:g} → 0 → {self.taus[-1]:g}"]
        for place, name in enumerate(self.features[:8]):
            ends = [f"{shown(median[place, 0, t])} ({shown(lower[place, 0, t])} – {shown(upper[place, 0, t])})"
                    for t in (0, zero, -1)]  # fmt: skip
            lines.append(f"  {name}: {' → '.join(ends)}")
        lines += [f"  and {len(self.features) - 8} more"] if len(self.features) > 8 else []
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])
