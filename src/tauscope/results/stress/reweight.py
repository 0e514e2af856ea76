"""The weights of one stress, what they achieve and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.results.formatting import number, share
from tauscope.results.stress.population import population
from tauscope.results.stress.reweighted import Reweighted
from tauscope.stress.distances import mean_shift, wasserstein
from tauscope.stress.joint.constraints import Stress
from tauscope.stress.joint.projection import Status
from tauscope.stress.joint.terms import Term

if TYPE_CHECKING:
    import altair as alt

    from tauscope.data.features import Feature


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows drawn from a stressed population, with replacement.

    Attributes
    ----------
    rows : ndarray of shape (n,)
        Positions among the study's rows; a row can come more than once.
    X : DataFrame or ndarray of n rows
        Those rows, in the container the study was given.
    y : ndarray of shape (n,) or None
        Their labels as given.
    random_state : int
        Seed that repeats the draw.
    """

    rows: NDArray[np.int64]
    X: Any
    y: NDArray[Any] | None
    random_state: int


@dataclass(frozen=True, repr=False, eq=False)
class Reweighting(Reweighted):
    """The weights closest to the present ones under which a stress holds.

    Made by `Study.reweight`.

    Attributes
    ----------
    stress : Stress
        As asked.
    weights : ndarray of shape (n_rows,)
        One per row, the study's sample weight included; non-negative, mean 1.
    before : ndarray of shape (n_rows,) or None
        The study's sample weight, mean 1; None where all rows count alike.
    terms : tuple of Term
        The constraints in numbers: what was asked for, then what had to be held.
    values : ndarray of shape (n_terms,)
        What each has become.
    multipliers : pandas.Series
        ξ by constraint, per unit of its Φ; ±inf where the target is as far as the rows go. Φ of a variance or
        covariance are products of deviations from the required means.
    residual : float
        Largest |achieved - required|, unstressed standard deviations of Φ.
    iterations : int
        Passes over the rows that it took.
    ess : float
        Effective sample size (Σw)²/Σw², rows.
    kl : float
        Kullback-Leibler divergence of the stressed from the unstressed rows, nats.
    tv : float
        Total variation between them, in [0, 1].
    pareto_k : float
        Pareto k̂ of the largest weights: above 0.5 no interval, above 0.7 no estimate is to be trusted.
    largest_weight : float
        In multiples of the mean weight.
    half_share : float
        Smallest share of the rows that together hold half of the weight.
    status : {"solved", "limit", "unconverged"}
        "limit": a target lies as far as the rows go, and only some of them keep weight.
    message : str
        The status in words.
    notes : tuple of str
        Where τ does not stand for the plain quantile.
    quantile : float
        τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float
        Level of the intervals in `metrics`.
    model_name : str
    """

    stress: Stress
    weights: NDArray[np.float64]
    before: NDArray[np.float64] | None
    terms: tuple[Term, ...]
    values: NDArray[np.float64]
    multipliers: pd.Series
    residual: float
    iterations: int
    ess: float
    kl: float
    tv: float
    pareto_k: float
    largest_weight: float
    half_share: float
    status: Status
    message: str
    notes: tuple[str, ...]
    quantile: float
    confidence: float
    model_name: str
    _metrics: pd.DataFrame
    _features: tuple[Feature, ...]
    _draw: Callable[[NDArray[np.float64], int | None, Any], Sample]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.weights)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per row of the study: `row` (position), `before` and `weight` (both of mean 1)."""
        before = np.ones(self.n_rows) if self.before is None else self.before.copy()
        return pd.DataFrame({"row": np.arange(self.n_rows), "before": before, "weight": self.weights.copy()})

    @property
    def balance(self) -> pd.DataFrame:
        """What the stress did to every feature, largest difference first: the numbers of a love plot.

        Columns: feature; mean_before and mean_after (rows with a value); smd, their difference in standard
        deviations before; wasserstein, the mean distance its values travel, in the feature's unit (exact).
        """
        return self._balance.copy()

    @cached_property
    def _balance(self) -> pd.DataFrame:
        records: list[tuple[str, float, float, float, float]] = []
        for feature in self._features:
            values = feature.values()
            before, after, difference = mean_shift(values, self.before, self.weights)
            share = feature.kind == "share"
            distance = abs(after - before) if share else wasserstein(values, self.before, self.weights)
            records.append((feature.name, before, after, difference, distance))
        frame = pd.DataFrame(records, columns=["feature", "mean_before", "mean_after", "smd", "wasserstein"])
        order = np.argsort(-np.abs(frame["smd"].to_numpy()), kind="stable")
        return frame.iloc[order].reset_index(drop=True)

    @property
    def population(self) -> str:
        """Which population this is: "age 45.0 on average instead of 38.6; effective sample 4,210 of 6,400"."""
        return population(self.terms, self.values.tolist(), self.ess, self.n_rows)

    def check_usable(self, n_rows: int) -> None:
        """Refuse to put these weights on other rows, or on any where they do not meet their constraints.

        Raises
        ------
        InputError
        """
        if self.n_rows != n_rows:
            raise InputError(
                f"Weights must be of this study's rows; got {self.n_rows:,} for {n_rows:,}. Give the stress itself."
            )
        if self.status == "unconverged":
            raise InputError(f"These weights do not meet their constraints. {self.message}")

    def sample(self, n: int | None = None, random_state: Any = None) -> Sample:
        """Draw rows with probabilities proportional to the weights: a stressed test set.

        Parameters
        ----------
        n : int, optional
            Rows to draw, with replacement; as many as the study has by default.
        random_state : int, RandomState, Generator or None
            The sample's own `random_state` is an int that repeats the draw.

        Returns
        -------
        Sample
            `rows`, `X`, `y`, `random_state`.

        Raises
        ------
        InputError, InputTypeError
            For a number of rows below 1, or a random state of another kind.
        """
        return self._draw(self.weights, n, random_state)

    def chart(
        self, kind: Literal["balance", "histograms"] = "balance", features: str | Sequence[str] | None = None
    ) -> alt.LayerChart | alt.ConcatChart:
        """Draw what the stress did to the features, as an Altair chart to restyle or save.

        Parameters
        ----------
        kind : {"balance", "histograms"}
            "balance", a love plot: how far each mean moved, in standard deviations before. "histograms": the share of
            the rows in each bar (or with the level) before and after.
        features : str or several, optional
            By default the 30 that moved most, or for histograms the features the stress asks for, else the 6 that
            moved most.

        Returns
        -------
        altair.LayerChart or altair.ConcatChart
            Data inline.

        Raises
        ------
        UnknownName
            For a feature that is not there, with the nearest names.
        InputError
            For another kind.
        """
        from tauscope.figures.stress.reweight import reweighting_chart

        return reweighting_chart(self, kind, features)

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features of `balance`, in the order of the study's columns."""
        return self._features

    def save(self, path: str | Path, kind: Literal["balance", "histograms"] = "balance") -> None:
        """Write to a file, by its ending.

        Parameters
        ----------
        path : str or Path
            .csv, the weights row by row; .json, everything; .html, a page with the chart that needs no network, and
            .png, .svg or .pdf, the chart (these need the `export` extra).
        kind : {"balance", "histograms"}
            Which chart.

        Raises
        ------
        InputError
            For another ending.
        ImportError
            For a chart without vl-convert; names the extra to install.
        """
        from tauscope.sharing.reweighting import save_reweighting

        save_reweighting(self, Path(path), kind)

    def __repr__(self) -> str:
        lines = [
            f"{self.population}",
            f"  KL {number(self.kl)} nats, total variation {number(self.tv)}, Pareto k̂ {number(self.pareto_k)}; "
            f"half the weight on {share(self.half_share)} of rows, the largest {number(self.largest_weight)} "
            "times the mean",
        ]
        return self._with_remarks(lines)
