"""A metric as a function of the rows' shares of the weight, with the influence of each row."""

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.metrics import Quantities, SummedMetric

Array = NDArray[np.float64]


class MetricOfShares:
    """One metric of given rows, under any weights.

    Parameters
    ----------
    quantities : Quantities
        What it is made of.
    metric : SummedMetric

    Notes
    -----
    Rows' sums are gathered once: a search evaluates it hundreds of times.
    """

    def __init__(self, quantities: Quantities, metric: SummedMetric) -> None:
        self.metric = metric
        self._by_rows = quantities.by_rows.get(metric.name) if metric.form == "by_rows" else None
        self._cell = quantities.cell.astype(np.intp, copy=False) if metric.of_cells else None
        self._n_cells = quantities.n_cells
        self._columns = np.zeros((0, 0))
        if self._by_rows is None and self._cell is None:
            reals = quantities.reals(slice(None))
            n = len(quantities.cell)
            self._columns = np.stack(
                [np.ones(n) if j == 0 else reals[j - 1 - quantities.n_cells] for j in metric.columns], axis=1
            )

    def __call__(self, share: Array) -> tuple[float, Array]:
        """Return the value and each row's influence on it, 0 on average, under shares that sum to 1."""
        if self._by_rows is not None:
            measured = self._by_rows(share)
            return measured.value, measured.influence
        if self._cell is not None:
            value, gradient = self.metric.evaluate(np.bincount(self._cell, share, self._n_cells).astype(np.float64))
            return float(value), gradient[self._cell]
        value, gradient = self.metric.evaluate(share @ self._columns)
        return float(value), self.metric.unit * (self._columns @ gradient)
