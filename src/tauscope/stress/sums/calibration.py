"""Calibration: bins, fits, errors and changes of every group in every population, from sums."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.calibration.calibration import BinErrors, Bins, BinSums, errors_of_sums, observed_shares
from tauscope.stress.estimates import Estimate
from tauscope.stress.joint.changes import Change, changes_of_sums
from tauscope.stress.joint.estimates import Regression, ResidualSums, linearise_rows, with_support
from tauscope.stress.joint.groups import GroupEstimates, GroupRegression, vary_together
from tauscope.stress.metric_definitions import definitions
from tauscope.stress.metric_forms import Unit
from tauscope.stress.metrics import Counted, Quantities, SummedMetric, choose, define_quantities, degrees_of
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.row_metrics import Measured
from tauscope.stress.sums.calibration_sums import (
    ERROR,
    FITTED,
    JudgedScores,
    LeftOver,
    MeasuredPopulation,
    TiltedFits,
    add_measured,
    fitted_alone,
    measure,
    power_of,
    sum_left,
)
from tauscope.stress.sums.chunk import MapReduce, RowChunk
from tauscope.stress.sums.groups import GroupSums
from tauscope.stress.sums.projection import Tilt
from tauscope.stress.sums.recalibration import (
    NOTHING,
    Coefficient,
    LogisticPoint,
    LogisticSums,
    Newton,
    as_numbers,
    fit_all,
)
from tauscope.stress.sums.score_cells import ScoreCells
from tauscope.stress.sums.score_order import ScoreCuts
from tauscope.weights.measures import effective_size_of_sums
from tauscope.weights.pareto import tail_size

Array = NDArray[np.float64]
Place = tuple[int, int]
"""A population and a group."""
Way = tuple[int, int, int]
"""A population, a group, and 0 for its intercept or 1 for its slope."""


def sum_cells(
    chunk: RowChunk, judged: JudgedScores, tilts: Sequence[Tilt], cuts: ScoreCuts, edges: Array
) -> tuple[ScoreCells, ...]:
    """Sum a chunk's rows over cells of the score, for each population."""
    rows, codes = judged.rows(chunk), judged.groups.codes(chunk)
    return tuple(ScoreCells.of(cuts, edges, rows, codes, judged.n_groups, tilt.shares(chunk)[3]) for tilt in tilts)


def add_cells(a: tuple[ScoreCells, ...], b: tuple[ScoreCells, ...]) -> tuple[ScoreCells, ...]:
    """Return the sums over both row sets."""
    return tuple(one + other for one, other in zip(a, b, strict=True))


class Fits(NamedTuple):
    """Intercepts and slopes.

    Attributes
    ----------
    coefficients : mapping of Way to Coefficient
        Of every group in every population.
    n_passes : int
        Over the chunks.
    """

    coefficients: Mapping[Way, Coefficient]
    n_passes: int

    def table(self, population: int, n_groups: int) -> Array:
        """Return them as numbers, shape (2, n_groups, 6)."""
        return np.array([[as_numbers(self.coefficients[population, k, j]) for k in range(n_groups)] for j in (0, 1)])


def fit_groups(judged: JudgedScores, tilts: Sequence[Tilt], cells: Sequence[ScoreCells], total: MapReduce) -> Fits:
    """Fit intercept and slope of every group in every population: one to three passes, of all together."""
    ways: dict[Way, Newton] = {}
    for p, each in enumerate(cells):
        for k in range(judged.n_groups):
            started = each.start(k) if each.share(k) > 0 else (None, None)
            ways |= {(p, k, j): way for j, way in enumerate(started) if way is not None}
    shares = {(p, k): each.share(k) for p, each in enumerate(cells) for k in range(judged.n_groups)}

    def ask(points: dict[Way, LogisticPoint]) -> dict[Way, LogisticSums]:
        return total(_sum_logistic, judged, tuple(tilts), points, shares, plus=_add_logistic)

    n_passes = fit_all(ways, ask)
    every = [(p, k, j) for p in range(len(cells)) for k in range(judged.n_groups) for j in (0, 1)]
    return Fits({key: ways[key].coefficient() if key in ways else NOTHING for key in every}, n_passes)


class CalibratedGroup(NamedTuple):
    """What is known of a group in a population.

    Attributes
    ----------
    sums : GroupSums
    bins : BinSums
        Of weights that are shares of its own.
    estimates : list of Estimate
        The share of positives of each bin, then the three that are fitted.
    errors : BinErrors
    """

    sums: GroupSums
    bins: BinSums
    estimates: list[Estimate]
    errors: BinErrors


class CalibratedPopulation(NamedTuple):
    """What is known of a population.

    Attributes
    ----------
    groups : list of CalibratedGroup or None
        None for one without weight.
    fitted : GroupEstimates
        Of the three that are fitted, with how the groups' vary together.
    changes : list of (list of Change) or None
        Less the first population; None for a group without weight, and for the first.
    """

    groups: list[CalibratedGroup | None]
    fitted: GroupEstimates
    changes: list[list[Change] | None]


def calibrate_groups(
    judged: JudgedScores,
    bins: Bins,
    populations: Sequence[TiltedFits],
    fits: Fits,
    counts: Sequence[tuple[int, int]],
    total: MapReduce,
    confidence: float,
) -> list[CalibratedPopulation]:
    """Measure every group in every population: two passes.

    Parameters
    ----------
    judged : JudgedScores
    bins : Bins
    populations : sequence of TiltedFits
        The first is the rows as they are.
    fits : Fits
    counts : sequence of tuple of int
        Rows of each group, those of weight above zero and all.
    total : MapReduce
    confidence : float
        Of the intervals of changes.
    """
    sizes = tuple((tail_size(counted) + 1, tail_size(n) + 1) for counted, n in counts)
    here = tuple(populations)
    measured = total(measure, judged, bins, here, sizes, plus=add_measured)
    known = [
        _Known.of(population, sums, [_metrics(bins.n, fits, (p, k)) for k in range(judged.n_groups)])
        for p, (population, sums) in enumerate(zip(here, measured, strict=True))
    ]
    regressions = tuple(each.regressions for each in known)
    shares = tuple(each.shares for each in known)
    left = total(sum_left, judged, bins, here, regressions, shares, plus=LeftOver.__add__)
    out: list[CalibratedPopulation] = []
    for p, each in enumerate(known):
        groups = [each.group(k, left.residuals[p]) for k in range(judged.n_groups)]
        changes: list[list[Change] | None] = [None] * judged.n_groups
        for k in each.regressions if p else ():
            changes[k] = each.change(k, regressions[0][k], left.residuals[p][k], left.differences[k], confidence)
        out.append(CalibratedPopulation(groups, each.together(groups), changes))
    return out


class _Known(NamedTuple):
    """A population with the regressions of its groups."""

    population: TiltedFits
    measured: MeasuredPopulation
    regressions: dict[int, Regression]

    @classmethod
    def of(
        cls, population: TiltedFits, measured: MeasuredPopulation, metrics: Sequence[list[SummedMetric]]
    ) -> "_Known":
        second = measured.groups.second
        found = {
            k: population.weighted.regress(metrics[k], sums.as_moments(second))
            for k, sums in measured.groups.groups.items()
            if sums.share > 0
        }
        return cls(population, measured, found)

    @property
    def shares(self) -> dict[int, float]:
        return {k: self.measured.groups.groups[k].share for k in self.regressions}

    def _of_targets(self, k: int) -> Array:
        return self.population.weighted.target_covariance / self.shares[k] ** 2

    def group(self, k: int, residuals: Mapping[int, ResidualSums]) -> CalibratedGroup | None:
        if k not in self.regressions:
            return None
        regression, sums = self.regressions[k], self.measured.groups.groups[k]
        bins = self.measured.bins[k].of_own_weight()
        common = self.measured.groups.squared_second / sums.share**2 + self._of_targets(k)
        estimates = regression.estimates(residuals[k], self._of_targets(k))
        n = len(estimates) - len(FITTED)
        sizes = _sizes(sums, n)
        estimates = [*estimates[: n + 1], *(with_support(each, sizes) for each in estimates[n + 1 :])]
        errors = errors_of_sums(bins, regression.whiten, common)
        return CalibratedGroup(sums, bins, estimates, errors)

    def together(self, groups: Sequence[CalibratedGroup | None]) -> GroupEstimates:
        every: list[GroupRegression | None] = []
        for k, each in enumerate(groups):
            if each is None:
                every.append(None)
            else:
                own = fitted_alone(self.regressions[k])
                every.append(GroupRegression(own, each.sums.squared_cross, self.shares[k]))
        common = self.measured.groups.squared_second + self.population.weighted.target_covariance
        estimates = [None if each is None else each.estimates[-len(FITTED) :] for each in groups]
        return GroupEstimates(estimates, vary_together(every, common, len(FITTED)))

    def change(
        self, k: int, tested: Regression, residuals: ResidualSums, differences: Array, confidence: float
    ) -> list[Change]:
        own = slice(-len(FITTED), None)
        of_fits = ResidualSums(residuals.plain[own], residuals.levered[own], residuals.fourth)
        return changes_of_sums(
            fitted_alone(self.regressions[k]),
            fitted_alone(tested),
            of_fits,
            differences,
            self._of_targets(k),
            confidence,
        )


def fitted_metrics(n: int) -> list[SummedMetric]:
    """Return calibration in the large, intercept and slope, as their intervals are read; after the cells of n bins."""
    none = np.zeros(0)
    no_rows = Outcomes("binary", none.astype(np.intp), none.astype(np.intp), none, ("0", "1"))
    units = {quantity.name: Unit() for quantity in degrees_of(definitions(no_rows, FITTED))}
    large, *by_rows = choose(define_quantities(no_rows, units, True, names=FITTED)[1], FITTED)
    first, cells = 1 + 2 * n, tuple(range(1, 1 + 2 * n))
    counted = tuple(Counted(cells, cells, np.tile(rows, n)) for rows in ([1.0, 1.0], [0.0, 1.0], [1.0, 0.0]))
    return [
        replace(large, columns=(0, first), squares=(0, first, first + 1), power=0, counted=counted),
        *by_rows,
    ]


def _metrics(n: int, fits: Fits, place: Place) -> list[SummedMetric]:
    """Return the metrics of a group as sums have them, the fits being means of their influences."""
    none = np.zeros(0)
    shape = Quantities(none.astype(np.int32), 2 * n, (power_of(ERROR, none),))
    values = {name: fits.coefficients[*place, j].value for j, name in enumerate(FITTED[1:])}
    measured = {name: Measured(value, none, 0.0, 0.0, 0.0) for name, value in values.items()}
    return [*observed_shares(n), *linearise_rows(shape, fitted_metrics(n), measured)[1]]


def _sizes(sums: GroupSums, n: int) -> Measured:
    """Return the effective positives and negatives of a group, which its fits rest on."""
    totals, squares = (each[1 : 1 + 2 * n].reshape(n, 2).sum(axis=0) for each in (sums.sums, sums.squared))
    if not totals.min() > 0:
        return Measured(np.nan, np.zeros(0), 0.0, 0.0, 0.0)
    negative, positive = effective_size_of_sums(totals, squares).tolist()
    return Measured(np.nan, np.zeros(0), min(positive, negative), positive, negative)


def _sum_logistic(
    chunk: RowChunk,
    judged: JudgedScores,
    tilts: Sequence[Tilt],
    points: Mapping[Way, LogisticPoint],
    shares: Mapping[Place, float],
) -> dict[Way, LogisticSums]:
    _, odds, truth = judged.rows(chunk)
    codes = judged.groups.codes(chunk)
    out: dict[Way, LogisticSums] = {}
    for p in sorted({p for p, _, _ in points}):
        share = tilts[p].shares(chunk)[3]
        for k in sorted({k for q, k, _ in points if q == p}):
            own = np.flatnonzero(codes == k)
            for j in (0, 1):
                if (p, k, j) in points and len(own):
                    weight = share[own] / shares[p, k]
                    out[p, k, j] = LogisticSums.of(odds[own], truth[own], weight, points[p, k, j])
    return out


def _add_logistic(a: dict[Way, LogisticSums], b: dict[Way, LogisticSums]) -> dict[Way, LogisticSums]:
    return {key: a[key] + b[key] if key in a and key in b else a.get(key) or b[key] for key in {*a, *b}}
