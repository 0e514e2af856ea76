"""What a stress does to rows in chunks: multipliers, what is achieved and what it costs; no weight per row."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.formatting import number
from tauscope.results.stress.population import population
from tauscope.results.stress.reweighted import Reweighted
from tauscope.stress.joint.constraints import Stress
from tauscope.stress.joint.projection import Status
from tauscope.stress.joint.terms import Term


@dataclass(frozen=True, repr=False, eq=False)
class SummedReweighting(Reweighted):
    """The reweighting closest to the present weights under which a stress holds, of rows in chunks.

    Made by `ChunkedStudy.reweight`; the same numbers as those of `Reweighting`, without the
    weights themselves.

    Attributes
    ----------
    stress : Stress
        As asked.
    n_rows : int
    terms : tuple of Term
        The constraints in numbers: what was asked for, then what had to be held.
    values : ndarray of shape (n_terms,)
        What each has become.
    multipliers : pandas.Series
        ξ by constraint, per unit of its Φ.
    residual : float
        Largest |achieved - required|, unstressed standard deviations of Φ.
    iterations : int
        Passes over the rows that the multipliers took.
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
    status : {"solved", "unconverged"}
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
    n_rows: int
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
    status: Status
    message: str
    notes: tuple[str, ...]
    quantile: float
    confidence: float
    model_name: str
    _metrics: pd.DataFrame

    @property
    def population(self) -> str:
        """Which population this is: "age 45.0 on average instead of 38.6; effective sample 4,210 of 6,400"."""
        return population(self.terms, self.values.tolist(), self.ess, self.n_rows)

    def __repr__(self) -> str:
        lines = [
            self.population,
            f"  KL {number(self.kl)} nats, total variation {number(self.tv)}, Pareto k̂ {number(self.pareto_k)}; "
            f"the largest weight {number(self.largest_weight)} times the mean",
        ]
        return self._with_remarks(lines)
