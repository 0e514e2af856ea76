"""Rows in one block, as engines sum them: what tests ask of groups, by one call."""

import numpy as np

from tauscope.rows.judged import JudgedRows
from tauscope.stress.metrics import measure_units
from tauscope.stress.sums.groups import RowTilt, measure_groups, regress_groups
from tauscope.stress.sums.projection import Weighted


class Block(JudgedRows):
    """Rows with their outcomes, of equal weights, in groups by their codes."""

    weight = None

    @classmethod
    def of(cls, outcomes, names):
        return cls(outcomes, measure_units(outcomes, names), names)

    @property
    def n_rows(self):
        return len(self.outcomes.predicted)

    @property
    def scores(self):
        return (0.0, 1.0)

    def part(self, rows):
        return self.take(rows)

    def sum(self, function, *arguments, plus):
        return function(self, *arguments)


class Codes:
    def __init__(self, codes):
        self.of_rows = codes

    def codes(self, chunk):
        return self.of_rows


def group_estimates(outcomes, metrics, phi, target, weights, target_covariance, codes, *, unstressed=False):
    """Estimate metrics, the same of each group, under weights of all rows."""
    block, names = Block.of(outcomes, tuple(metric.name for metric in metrics)), range(codes.max() + 1)
    n = len(codes)
    tilt = RowTilt(phi, target, np.full(n, 1 / n), weights / weights.sum())
    measured = measure_groups(tilt, Codes(codes), [(np.sum(codes == k), np.sum(codes == k)) for k in names], block.sum)
    own = [metrics if k in measured.groups and measured.groups[k].share > 0 else None for k in names]
    weighted = Weighted(tilt, unstressed, target_covariance)
    return regress_groups(weighted, Codes(codes), measured, own, block.sum)
