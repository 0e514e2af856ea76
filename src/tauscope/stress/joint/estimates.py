"""Metrics under the weights of a joint projection, with what their intervals are made of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.estimates import (
    Estimate,
    count_support,
    linearise,
    share_of_targets,
    stack_alike,
    unstressed_inflation,
)
from tauscope.stress.joint.cells import CellSums
from tauscope.stress.joint.dual import blocks
from tauscope.stress.joint.products import of_rows, over_rows
from tauscope.stress.metric_forms import Quantity
from tauscope.stress.metrics import Power, Quantities, SummedMetric
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.row_metrics import Measured

Array = NDArray[np.float64]

FLAT = 1e-10  # share of the largest variance of Φ below which a direction is one the weights have left
MANY = 64
"""Metrics of cells, from which on they are summed cell by cell."""
OPEN = 1e-16
"""Share of a metric's variance that rounding leaves where the constraints determine it."""


def joint_estimates(
    quantities: Quantities,
    metrics: Sequence[SummedMetric],
    phi: Array,
    target: Array,
    weights: Array,
    target_covariance: Array | None = None,
    *,
    unstressed: bool = False,
    within: NDArray[np.bool_] | None = None,
    penalty: Array | None = None,
) -> list[Estimate]:
    """Estimate metrics under weights that give the columns of Φ their target means.

    Parameters
    ----------
    quantities : Quantities
    metrics : sequence of SummedMetric
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    weights : ndarray of shape (n_rows,)
        Non-negative, on any scale; such that the mean of `phi` is `target`.
    target_covariance : ndarray of shape (k, k) or None
        Σ v² ψψᵀ of what each row of share v adds to the targets; 0 for those given in units. None: all are.
    unstressed : bool
        Whether every target is the mean that `phi` has anyway, estimated from these rows.
    within : ndarray of bool of shape (n_rows,) or None
        Rows that the metrics are of, some of weight above 0; the targets remain those of all rows. None: all.
    penalty : ndarray of shape (k,) or None
        Where the weights were solved for means at a price: variance that each column of Φ has beside its own, sd² /
        price; `target` is then what they achieve. None: the means are met.

    Returns
    -------
    list of Estimate
        One for each metric.

    Notes
    -----
    Row i moves a metric by w_i r_i + ⟨b, ψ_i⟩, r_i = g_i - ⟨b, Φ_i - t⟩, where g is the metric's own influence, b its
    regression on Φ under the weights, and ψ_i what the row adds to the targets. The two parts are summed apart, as in
    `tauscope.stress.estimates`. Residuals are taken larger by their leverage
    h_i = w_i (1 + (Φ_i - t)ᵀ Cov_λ(Φ)⁻¹ (Φ_i - t)), to first order. Unstressed, the influence is g alone. Of a group, g
    is 0 outside of it and w are shares of the group's weight, of which all rows have more than 1.
    """
    regressed = regress_metrics(
        quantities, metrics, phi, target, weights, unstressed=unstressed, within=within, penalty=penalty
    )
    return regressed_estimates(regressed, phi, target, target_covariance, within)


def regressed_estimates(
    regressed: "Regressed",
    phi: Array,
    target: Array,
    target_covariance: Array | None = None,
    within: NDArray[np.bool_] | None = None,
) -> list[Estimate]:
    """Return every metric that was regressed on Φ with its error; parameters as in `joint_estimates`."""
    share, regression = regressed.share, regressed.regression
    of_targets = None if target_covariance is None else target_covariance * float(share.sum()) ** 2
    residuals = residual_sums(regressed.quantities, phi, target, share, regression, within)
    return estimate_measured(regression, residuals, of_targets, regressed.measured)


class Regressed(NamedTuple):
    """Metrics regressed on Φ under some weights.

    Attributes
    ----------
    quantities : Quantities
        Those of the influences of metrics that take all rows at once besides.
    regression : Regression
    share : ndarray of shape (n_rows,)
        Of the weight of all rows, or of the group's.
    measured : mapping of str to Measured
        The metrics that take all rows at once.
    """

    quantities: Quantities
    regression: "Regression"
    share: Array
    measured: Mapping[str, Measured]


def regress_metrics(
    quantities: Quantities,
    metrics: Sequence[SummedMetric],
    phi: Array,
    target: Array,
    weights: Array,
    *,
    unstressed: bool = False,
    within: NDArray[np.bool_] | None = None,
    penalty: Array | None = None,
) -> Regressed:
    """Regress metrics, of all rows or of a group, on Φ; parameters as in `joint_estimates`."""
    share = weights / (weights.sum() if within is None else weights[within].sum())
    inside = share if within is None else np.where(within, share, 0.0)
    measured = {name: measure(inside) for name, measure in quantities.by_rows.items()}
    quantities, linear = linearise_rows(quantities, metrics, measured)
    moments = joint_moments(quantities, phi, target, share, within)
    regression = Regression.of(linear, moments, unstressed=unstressed, penalty=penalty)
    return Regressed(quantities, regression, share, measured)


def linearise_rows(
    quantities: Quantities, metrics: Sequence[SummedMetric], measured: Mapping[str, Measured]
) -> tuple[Quantities, list[SummedMetric]]:
    """Return metrics that take all rows at once as means of their influence, which is 0, added to their value."""
    return with_influences(quantities, measured), linear_metrics(metrics, measured, quantities.n_sums)


def with_influences(quantities: Quantities, measured: Mapping[str, Measured]) -> Quantities:
    """Return what to sum, with the influence of each metric that takes all rows at once as a power more."""
    influences = [
        Power(Quantity(name, _no_values), (1, 2), each.influence.__getitem__) for name, each in measured.items()
    ]
    return replace(quantities, powers=(*quantities.powers, *influences)) if influences else quantities


def linear_metrics(
    metrics: Sequence[SummedMetric], measured: Mapping[str, Measured], n_sums: int
) -> list[SummedMetric]:
    """Return metrics as means of the influences that `with_influences` puts behind `n_sums` sums."""
    place = {name: n_sums + 2 * k for k, name in enumerate(measured)}
    return [
        replace(
            metric,
            form="mean",
            scale="plain",
            columns=(0, place[metric.name]),
            squares=(0, place[metric.name], place[metric.name] + 1),
            centre=measured[metric.name].value,
        )
        if metric.form == "by_rows"
        else metric
        for metric in metrics
    ]


def _no_values(outcomes: Outcomes, rows: slice) -> Array:
    raise TypeError("An influence is of given weights.")


def estimate_measured(
    regression: "Regression",
    residuals: "ResidualSums",
    target_covariance: Array | None,
    measured: Mapping[str, Measured],
) -> list[Estimate]:
    """Return every metric with its error; those by rows with what they rest on."""
    estimates = regression.estimates(residuals, target_covariance)
    return [
        with_support(each, measured[metric.name]) if metric.name in measured else each
        for metric, each in zip(regression.metrics, estimates, strict=True)
    ]


def with_support(estimate: Estimate, measured: Measured) -> Estimate:
    """Return the estimate of a metric by rows with what it rests on."""
    sizes = (np.array(size) for size in (measured.denominator, measured.events, measured.non_events))
    return estimate._replace(**dict(zip(("denominator", "events", "non_events"), sizes, strict=True)))


@dataclass(frozen=True)
class JointMoments:
    """Sums over rows of shares w of the weight, to be added over sets of rows.

    Attributes
    ----------
    sums, squared : ndarray of shape (n_sums,)
        Σ w g and Σ w² g.
    second : ndarray of shape (k, k)
        Σ w (Φ - t)(Φ - t)ᵀ.
    cross : ndarray of shape (n_sums, k)
        Σ w g (Φ - t)ᵀ.
    """

    sums: Array
    squared: Array
    second: Array
    cross: Array

    def __add__(self, other: "JointMoments") -> "JointMoments":
        """Return the sums over both sets of rows."""
        return JointMoments(
            self.sums + other.sums,
            self.squared + other.squared,
            self.second + other.second,
            self.cross + other.cross,
        )


@dataclass(frozen=True)
class ResidualSums:
    """Sums of squared residuals, to be added over sets of rows.

    Attributes
    ----------
    plain, levered : ndarray of shape (n_metrics,)
        Σ w² r² and Σ w³ r² (1 + (Φ - t)ᵀ Cov⁻¹ (Φ - t)).
    fourth : float
        Σ w⁴.
    """

    plain: Array
    levered: Array
    fourth: float

    def __add__(self, other: "ResidualSums") -> "ResidualSums":
        """Return the sums over both sets of rows."""
        return ResidualSums(
            self.plain + other.plain,
            self.levered + other.levered,
            self.fourth + other.fourth,
        )


@dataclass(frozen=True)
class Regression:
    """The influence of the rows on each metric, and its regression on Φ under the weights.

    Attributes
    ----------
    metrics : tuple of SummedMetric
    values : ndarray of shape (n_metrics,)
    unbounded : ndarray of shape (n_metrics,)
        Whose error is infinite.
    influence : ndarray of shape (n_sums, n_metrics)
        Influence, as a combination of the sums' quantities.
    total : ndarray of shape (n_metrics,)
        Σ w² g² of the influence before the regression.
    support : ndarray of shape (3, n_metrics)
        Effective rows below the line, events and the others; see `Estimate`.
    squares : float
        Σ w².
    slopes : ndarray of shape (k, n_metrics)
    whiten : ndarray of shape (k, r)
        Turns Φ - t into uncorrelated columns of variance 1; of no column where there is no stress.
    unstressed : bool
    """

    metrics: tuple[SummedMetric, ...]
    values: Array
    unbounded: NDArray[np.bool_]
    influence: Array
    total: Array
    support: Array
    squares: float
    slopes: Array
    whiten: Array
    unstressed: bool

    @classmethod
    def of(
        cls,
        metrics: Sequence[SummedMetric],
        moments: JointMoments,
        *,
        unstressed: bool = False,
        penalty: Array | None = None,
    ) -> "Regression":
        """Regress every metric on Φ, a ridge where there is a penalty; where there is no stress, on nothing."""
        n_metrics, squares = len(metrics), float(moments.squared[0])
        values, unbounded, total = np.zeros(n_metrics), np.zeros(n_metrics, bool), np.zeros(n_metrics)
        influence, support = np.zeros((len(moments.sums), n_metrics)), np.zeros((3, n_metrics))
        ess = np.array(1 / squares)
        for positions, metric in stack_alike(metrics):
            sums, squared = moments.sums[list(metric.columns)], moments.squared[list(metric.squares)]
            value, gradient, unbounded[positions] = linearise(metric, sums)
            values[positions], total[positions] = value, np.vecdot(metric.square(gradient), squared)
            influence.T[np.ix_(positions, metric.columns)] = gradient
            for count, each in zip(
                support, count_support(metric, value, moments.sums, moments.squared, ess), strict=True
            ):
                count[positions] = each
        whiten = np.zeros((len(moments.second), 0)) if unstressed else _whitener(moments.second, penalty)
        return cls(
            metrics=tuple(metrics),
            values=values,
            unbounded=unbounded,
            influence=influence,
            total=total,
            support=support,
            squares=squares,
            slopes=whiten @ (whiten.T @ (moments.cross.T @ influence)),
            whiten=whiten,
            unstressed=unstressed,
        )

    def estimates(self, residuals: ResidualSums, target_covariance: Array | None = None) -> list[Estimate]:
        """Return every metric with its error; `target_covariance` as in `joint_estimates`."""
        ess, plain = np.array(1 / self.squares), residuals.plain
        if self.unstressed:
            variance = plain * unstressed_inflation(np.array([metric.is_rate for metric in self.metrics], bool), ess)
        else:
            # below 1, as where one row holds nearly all weight the residual divided by 1 - h would change its sign
            leverage = np.clip(residuals.levered / np.where(plain > 0, plain, 1.0), 0.0, 0.9)
            variance = plain / (1 - leverage) ** 2
        of_targets = np.zeros(len(self.metrics))
        if target_covariance is not None:
            of_targets = np.einsum("jm,jk,km->m", self.slopes, target_covariance, self.slopes)
            variance = variance + of_targets
        # as many parameters as rows fit anything: nothing is determined by that
        determined = (variance <= OPEN * self.total) & (self.total > 0) & (ess > self.whiten.shape[1] + 1)
        std_errs = np.where(self.unbounded, np.inf, np.sqrt(np.where(determined, 0.0, variance)))
        errors = std_errs * [metric.unit for metric in self.metrics]
        df = np.array(max(self.squares**2 / residuals.fourth, 1.0))
        values, (rows, events, others) = self.values, self.support
        of_targets = share_of_targets(of_targets, variance)
        at = [(i, ...) for i in range(len(self.metrics))]
        return [
            Estimate(values[i], errors[i], df, ess, rows[i], events[i], others[i], determined[i], of_targets[i])
            for i in at
        ]


def _whitener(second: Array, penalty: Array | None = None) -> Array:
    """Return W with W Wᵀ the inverse of a covariance, on the directions that have any variance left."""
    second = second if penalty is None else second + np.diag(penalty)
    scale = np.sqrt(np.maximum(np.diag(second), 0.0))
    scale = np.where(scale > 0, scale, 1.0)
    variances, vectors = np.linalg.eigh(second / np.outer(scale, scale))
    # on a face, or at an extreme, Φ has directions without variance: they explain nothing and must not be inverted
    positive = variances > FLAT * max(float(variances[-1]), 0.0)
    return vectors[:, positive] / np.sqrt(variances[positive]) / scale[:, None]


def residual_sums(
    quantities: Quantities,
    phi: Array,
    target: Array,
    share: Array,
    regression: Regression,
    within: NDArray[np.bool_] | None = None,
) -> ResidualSums:
    """Sum squared residuals over some rows; parameters as in `joint_estimates`, `share` of all weight."""
    n_metrics = len(regression.metrics)
    if not quantities.powers and n_metrics > MANY:
        return _residual_sums_of_cells(quantities, phi, target, share, regression, within)
    plain, levered = np.zeros(n_metrics), np.zeros(n_metrics)
    for rows, g, distance in _blocks(quantities, phi, target, within):
        squared = _residuals(g, distance, regression) ** 2
        w = share[rows]
        plain += w**2 @ squared
        levered += (w**3 * (g[:, 0] + np.sum(of_rows(distance, regression.whiten) ** 2, axis=1))) @ squared
    inside = share if within is None else share[within]
    return ResidualSums(plain, levered, float(np.sum(inside**4)))


def _residual_sums_of_cells(
    quantities: Quantities,
    phi: Array,
    target: Array,
    share: Array,
    regression: Regression,
    within: NDArray[np.bool_] | None,
) -> ResidualSums:
    """Return the same of many metrics of cells alone, cell by cell."""
    inside = np.ones(len(share)) if within is None else within.astype(np.float64)
    distance = np.subtract(phi, target, order="C")
    values = cell_influence(quantities, regression)
    levers = inside + np.sum(of_rows(distance, regression.whiten) ** 2, axis=1)
    plain, levered = (
        cell_sums(quantities, distance, weight, within).squares(values, regression.slopes)
        for weight in (share**2, share**3 * levers)
    )
    return ResidualSums(plain, levered, float(np.sum((share * inside) ** 4)))


def cell_influence(quantities: Quantities, regression: Regression) -> Array:
    """Return the influence of a row of each cell, shape (n_cells, n_metrics)."""
    return regression.influence[0] + regression.influence[1 : 1 + quantities.n_cells]


def cell_sums(quantities: Quantities, distance: Array, weight: Array, within: NDArray[np.bool_] | None) -> CellSums:
    """Sum over rows by cell; rows outside of a group are of none."""
    cell = quantities.cell.astype(np.intp)
    cell = cell if within is None else np.where(within, cell, -1)
    return CellSums.of(cell, quantities.n_cells, distance, weight)


def row_residuals(
    quantities: Quantities,
    phi: Array,
    target: Array,
    regression: Regression,
    within: NDArray[np.bool_] | None = None,
) -> Array:
    """Return what is left of each row's influence after the regression, of shape (n_rows, n_metrics)."""
    residuals = np.empty((len(phi), len(regression.metrics)))
    for rows, g, distance in _blocks(quantities, phi, target, within):
        residuals[rows] = _residuals(g, distance, regression)
    return residuals


def _residuals(g: Array, distance: Array, regression: Regression) -> Array:
    return of_rows(g, regression.influence) - of_rows(distance, regression.slopes)


def metric_values(quantities: Quantities, metrics: Sequence[SummedMetric], weights: Array) -> list[float]:
    """Return each metric under some weights, NaN where it is not defined.

    Parameters
    ----------
    quantities : Quantities
    metrics : sequence of SummedMetric
    weights : ndarray of shape (n_rows,)
        Non-negative, on any scale.
    """
    share = weights / weights.sum()
    sums, values = weighted_sums(quantities, share), np.zeros(len(metrics))
    for positions, metric in stack_alike(metrics):
        if metric.form == "by_rows":
            values[positions] = quantities.by_rows[metric.name](share).value
        else:
            values[positions] = metric.evaluate(sums[list(metric.columns)])[0]
    return values.tolist()


def weighted_sums(quantities: Quantities, share: Array) -> Array:
    """Return Σ w g over some rows, shape (n_sums,)."""
    no_phi, sums = np.zeros((len(share), 0)), np.zeros(quantities.n_sums)
    for rows, g, _ in _blocks(quantities, no_phi, np.zeros(0)):
        sums += share[rows] @ g
    return sums


def joint_moments(
    quantities: Quantities, phi: Array, target: Array, share: Array, within: NDArray[np.bool_] | None = None
) -> JointMoments:
    """Sum over some rows; parameters as in `joint_estimates`, `share` of all weight."""
    k = phi.shape[1]
    sums, squared = np.zeros(quantities.n_sums), np.zeros(quantities.n_sums)
    second, cross = np.zeros((k, k)), np.zeros((quantities.n_sums, k))
    for rows, g, distance in _blocks(quantities, phi, target, within):
        w = share[rows]
        weighted = distance * w[:, None]
        sums += w @ g
        squared += (w * w) @ g
        second += over_rows(np.ascontiguousarray(weighted.T), np.ascontiguousarray(distance.T))
        cross += over_rows(np.ascontiguousarray(g.T), np.ascontiguousarray(weighted.T))
    return JointMoments(sums, squared, second, cross)


def squared_cross(
    quantities: Quantities, phi: Array, target: Array, share: Array, within: NDArray[np.bool_] | None = None
) -> Array:
    """Return Σ w² g (Φ - t)ᵀ over some rows, shape (n_sums, k); parameters as in `joint_estimates`."""
    out = np.zeros((quantities.n_sums, phi.shape[1]))
    for rows, g, distance in _blocks(quantities, phi, target, within):
        out += over_rows(np.ascontiguousarray(g.T), np.ascontiguousarray((distance * share[rows, None] ** 2).T))
    return out


def _blocks(
    quantities: Quantities, phi: Array, target: Array, within: NDArray[np.bool_] | None = None
) -> Iterator[tuple[slice, Array, Array]]:
    """Yield slices of rows with their quantities, shape (m, n_sums), 0 outside of a group, and Φ - t, shape (m, k)."""
    for rows in blocks(phi.shape[0], phi.shape[1] + quantities.n_sums):
        m = rows.stop - rows.start
        g = np.zeros((m, quantities.n_sums))
        g[:, 0] = 1.0
        g[np.arange(m), 1 + quantities.cell[rows].astype(np.int64)] = 1.0
        for j, values in enumerate(quantities.reals(rows), 1 + quantities.n_cells):
            g[:, j] = values
        if within is not None:
            g[~within[rows]] = 0.0
        yield rows, g, np.subtract(phi[rows], target, order="C")
