"""One point of a curve as a function of the rows' other columns, and what an attack on it did."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tauscope.effects.bounds.distance import exact_distance, histogram_distance
from tauscope.effects.bounds.published import check_output_range
from tauscope.effects.curves.grids import custom_grid
from tauscope.effects.curves.neighbourhoods import Window, inside_window
from tauscope.effects.curves.sorted_means import SortedMeans
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions, BatchPredictor
from tauscope.prediction.outputs import Predict
from tauscope.prediction.rows import as_rows, check_columns
from tauscope.weights.arrays import Floats, Ints
from tauscope.weights.checks import check_weights

Aim = float | Literal["high", "low"]
AttackStatus = Literal["complete", "converged", "stopped"]
"""All steps taken; ended early since nothing was gained; or stopped by the progress hook or an interrupt."""


@dataclass(frozen=True)
class BoundCheck:
    """What a bound says of the change that an attack made.

    Attributes
    ----------
    name : str
    lower, upper : float
        Furthest down and furthest up it allows, as changes of the curve; NaN where it is not known.
    certified : bool
        Whether it is proven for this change: computed from the exact distance, and from the answers seen before and
        after it unless an `output_range` was given. Another change of the rows has bounds of its own. An estimated
        distance certifies nothing.
    holds : bool
        Whether this change stayed inside.
    """

    name: str
    lower: float
    upper: float
    certified: bool
    holds: bool

    @property
    def half_width(self) -> float:
        """The larger of both sides: this change, up or down, can be no larger."""
        return max(-self.lower, self.upper)


@dataclass(frozen=True)
class Attack:
    """Perturbed rows and what they did to one point of a curve.

    Attributes
    ----------
    method : str
    columns : tuple of int
        The columns perturbed.
    rows : ndarray of shape (m,)
        Rows the curve averages at the point: all, or those near it.
    values : ndarray of shape (m, k)
        What the columns of these rows became.
    summary : ndarray of shape (2, k, 4)
        Mean, standard deviation, lowest and highest of each column, before and after.
    before, after : float
        The curve at the point.
    history : ndarray
        Best curve value so far, after each step of a search; one value for a single draw.
    histogram_tv : float
        The paper's distance: an estimate from the perturbed columns alone. NaN where one is missing.
    exact_tv : float
        Total variation between the rows before and after, all columns but the curve's own.
    changed : float
        Share of the weight on rows that changed at all.
    verdicts : tuple of BoundCheck
    n_model_rows : int
    seed : int or None
    n_done, n_total : int
        Steps taken, and steps there were to take: draws, candidates or generations.
    status : {"complete", "converged", "stopped"}
        "converged": a search that gained nothing over its last steps ended before its time.
    """

    method: str
    columns: tuple[int, ...]
    rows: Ints
    values: Floats
    summary: Floats
    before: float
    after: float
    history: Floats
    histogram_tv: float
    exact_tv: float
    changed: float
    verdicts: tuple[BoundCheck, ...]
    n_model_rows: int
    seed: int | None
    n_done: int
    n_total: int
    status: AttackStatus


class AttackTarget:
    """The curve's value at one point, for any values of some other columns.

    Parameters
    ----------
    predict, rows, sample_weight, batches
        As in `partial_dependence`.
    column : int
        The curve's feature, left as it is.
    point : float
        Grid value; NaN for missing.
    columns : tuple of int
        Columns an attack may change.
    window : Window, optional
        Attack conditional dependence: only rows near the point count. None: partial dependence.
    categorical : bool, default=False
        Whether the curve's feature holds codes of levels.
    output : int, default=0
        Response.
    output_range : (float, float), optional
        Known lowest and highest answers; None: the observed ones, before and after.
    whole : frozenset of int
        Columns that take whole numbers.
    clip : bool, default=True
        Keep perturbed values within each column's observed range.
    nearest : callable, optional
        Perturbed values (…, k) to the nearest that rows may have together, such as one level of several.
    """

    def __init__(
        self,
        predict: Predict,
        rows: object,
        column: int,
        point: float,
        columns: tuple[int, ...],
        *,
        window: Window | None = None,
        categorical: bool = False,
        sample_weight: object = None,
        output: int = 0,
        output_range: tuple[float, float] | None = None,
        whole: frozenset[int] = frozenset(),
        clip: bool = True,
        nearest: Callable[[Floats], Floats] | None = None,
        batches: BatchOptions | None = None,
    ) -> None:
        table = as_rows(rows)
        check_columns((column, *columns), table.n_columns)
        if not columns:
            raise InputError("an attack needs at least one column to change, got none")
        values = table.column(column)
        weights = check_weights(sample_weight, table.n_rows)
        inside = np.ones(table.n_rows, dtype=np.bool_)
        if window is not None:
            inside = inside_window(values, point, custom_grid([point], values, categorical=categorical), window)
        self.rows = np.flatnonzero(inside & (weights > 0)).astype(np.int64)
        if len(self.rows) == 0:
            raise InputError(f"no row with weight is near {point:g}: attack another point, or widen the window")
        self.columns = tuple(int(j) for j in columns)
        self.weights = weights[self.rows] / weights[self.rows].sum()
        self.original = np.column_stack([table.column(j)[self.rows] for j in columns])
        data = np.column_stack([table.column(j) for j in columns])
        if np.isnan(data).all(axis=0).any():
            raise InputError("a column without any value cannot be perturbed: leave it out")
        self.lowest, self.highest = np.nanmin(data, axis=0), np.nanmax(data, axis=0)
        self.deviation = np.nanstd(data, axis=0)
        self.batches = batches or BatchOptions()
        self._table, self._point, self._output = table, float(point), output
        self._range = None if output_range is None else (float(output_range[0]), float(output_range[1]))
        self._column = column
        self._whole = np.array([j in whole for j in columns])
        self._clip, self._nearest = clip, nearest
        self._predictor = BatchPredictor(
            predict, table, (column, *columns), BatchOptions(self.batches.batch_rows), total=0
        )
        self.before = self.answers(self.original[None])[0]
        if output_range is not None:
            check_output_range(output_range, self.before, self.before)

    @property
    def n_model_rows(self) -> int:
        """Rows the model was called on so far."""
        return self._predictor.n_model_rows

    def allowed(self, values: Floats) -> Floats:
        """Values (…, k) brought into each column's range and onto whole numbers, where required."""
        clipped = np.clip(values, self.lowest, self.highest) if self._clip else values
        near = clipped if self._nearest is None else self._nearest(clipped)
        return np.where(self._whole, np.round(near), near)

    def answers(self, values: Floats) -> Floats:
        """Answers at the point for v versions (v, m, k) of the columns: shape (v, m)."""
        v, m, k = values.shape
        answers = np.empty((m, v))
        step = max(1, self._predictor.batch_rows // v)
        for start in range(0, m, step):
            batch = slice(start, min(start + step, m))
            inputs = np.empty(((batch.stop - batch.start) * v, k + 1))
            inputs[:, 0] = self._point
            inputs[:, 1:] = values[:, batch].transpose(1, 0, 2).reshape(-1, k)
            outputs = self._predictor.predict(np.repeat(self.rows[batch], v), inputs)
            if not 0 <= self._output < len(outputs):
                raise InputError(f"output must be one of 0 … {len(outputs) - 1}, got {self._output}")
            answers[batch] = outputs[self._output].reshape(-1, v)
        return answers.T

    def curve(self, answers: Floats) -> Floats:
        """Weighted means (v,) of answers (v, m)."""
        return answers @ self.weights

    def result(
        self,
        method: str,
        values: Floats,
        history: Floats,
        *,
        seed: int | None,
        steps: tuple[int, int] = (1, 1),
        status: AttackStatus = "complete",
        rows_before: int = 0,
    ) -> Attack:
        """Judge perturbed values (m, k) after some of the steps; `rows_before` model rows are not this attack's own."""
        after = self.answers(values[None])[0]
        same = np.all((values == self.original) | (np.isnan(values) & np.isnan(self.original)), axis=1)
        changed = float(self.weights[~same].sum())
        others = [j for j in range(self._table.n_columns) if j not in (self._column, *self.columns)]
        rest = [self._table.column(j)[self.rows] for j in others]
        exact = exact_distance(
            np.column_stack([*rest, self.original]),
            np.column_stack([*rest, values]),
            weight_before=self.weights,
            weight_after=self.weights,
        )
        estimate = float("nan")
        if not np.isnan(self.original).any():
            estimate = histogram_distance(self.original, values, weight_before=self.weights, weight_after=self.weights)
        return Attack(
            method=method,
            columns=self.columns,
            rows=self.rows,
            values=values,
            summary=np.stack([_summary(self.original), _summary(values)]),
            before=float(self.curve(self.before[None])[0]),
            after=float(self.curve(after[None])[0]),
            history=history,
            histogram_tv=estimate,
            exact_tv=exact,
            changed=changed,
            verdicts=self._verdicts(after, estimate, exact),
            n_model_rows=self.n_model_rows - rows_before,
            seed=seed,
            n_done=steps[0],
            n_total=steps[1],
            status=status,
        )

    def _verdicts(self, after: Floats, estimate: float, exact: float) -> tuple[BoundCheck, ...]:
        low, high = self._range or (
            min(float(self.before.min()), float(after.min())),
            max(float(self.before.max()), float(after.max())),
        )
        largest = max(abs(low), abs(high)) if self._range else float(np.abs(self.before).max())
        differences = after - self.before
        change = float(self.curve(differences[None])[0])
        sharp = SortedMeans(self.before[:, None], self.weights)
        lower, upper = sharp.tv_range(np.array([exact]), (low, high))
        mean = float(sharp.mean()[0])
        slack = 1e-9 * (1 + abs(high - low))
        paper, oscillation = 2 * largest * estimate, (high - low) * exact
        coupled = float(np.abs(differences) @ self.weights)
        bounds = [
            ("paper: 2 B times the histogram distance", -paper, paper, False),
            ("oscillation times the exact distance", -oscillation, oscillation, True),
            (
                "sharp band at the exact distance, rows replaced",
                float(lower[0, 0]) - mean,
                float(upper[0, 0]) - mean,
                True,
            ),
            ("coupling: mean change of the rows' answers", -coupled, coupled, True),
        ]
        return tuple(
            BoundCheck(name, down, up, certified, bool(down - slack <= change <= up + slack))
            for name, down, up, certified in bounds
        )


def aim_loss(aim: Aim) -> Callable[[Floats], Floats]:
    """Make the function an attack makes small: of curve values, elementwise."""
    if aim == "high":
        return lambda curve: -curve
    if aim == "low":
        return lambda curve: curve
    if isinstance(aim, str) or not np.isfinite(float(aim)):
        raise InputError(f"aim must be 'high', 'low' or a finite number, got {aim!r}")
    target = float(aim)
    return lambda curve: np.abs(curve - target)


def _summary(values: Floats) -> Floats:
    numbers = [np.nanmean(values, axis=0), np.nanstd(values, axis=0), np.nanmin(values, axis=0)]
    return np.stack([*numbers, np.nanmax(values, axis=0)], axis=1)
