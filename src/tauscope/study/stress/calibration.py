"""The verb `calibration`: predicted probabilities against what was true, as tested and under a stress."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data import labels
from tauscope.errors import InputError, UnknownName
from tauscope.results.stress.by_group import Group, gap_table
from tauscope.results.stress.calibration import Calibration, CalibrationAsked, Strategy
from tauscope.results.stress.numbers.joint_answer import MetricEstimate, answer_groups, metric_estimates
from tauscope.results.stress.tables.calibration_tables import (
    SCORE_EDGES,
    bin_table,
    change_table,
    decomposition_table,
    histogram_table,
    in_order,
    measure_table,
)
from tauscope.stress.bins.quantile_windows import QuantileWindow
from tauscope.stress.calibration.calibration import Bins, observed_shares
from tauscope.stress.calibration.isotonic import Decomposition, decompose
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.stress.reliability import CODES
from tauscope.stress.sums.calibration import (
    CalibratedPopulation,
    add_cells,
    calibrate_groups,
    fit_groups,
    fitted_metrics,
    sum_cells,
)
from tauscope.stress.sums.calibration_sums import JudgedScores, TiltedFits
from tauscope.stress.sums.chunk import RowChunk
from tauscope.stress.sums.projection import Tilt
from tauscope.stress.sums.score_cells import ScoreCells
from tauscope.stress.sums.score_order import (
    Intervals,
    ScoreCuts,
    ScoreOrder,
    counted_scores,
    most_cells,
    read_windows,
)
from tauscope.study.stress.asked_rows import AskedRows
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.populations import Population, number_above
from tauscope.study.stress.reweight import reweighted
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.results.stress.scenario import Scenario
    from tauscope.stress.joint.constraints import Constraint, Stress
    from tauscope.study.verbs import Asked

Array = NDArray[np.float64]
STRATEGIES = ("quantile", "uniform")
MOST_BINS = 200


def calibration(
    self: Asked,
    stress: Constraint | Stress | Scenario | Reweighting | None = None,
    *,
    n_bins: int = 10,
    strategy: Strategy = "quantile",
    by: Any = None,
    target_class: Hashable | None = None,
    quantile: float = 0.05,
    confidence: float = 0.95,
    progress: bool = True,
) -> Calibration:
    """Compare predicted probabilities with what was true: a reliability diagram, as tested and under a stress.

    Parameters
    ----------
    stress : Constraint, Stress, Scenario or Reweighting, optional
        As in `reweight`; a scenario where rows are in memory. By default nothing is moved.
    n_bins : int, default 10
        Bins of the probability, 1 to 200; fewer where probabilities are tied. The same in every population and group.
    strategy : {"quantile", "uniform"}, default "quantile"
        "quantile": as many rows as they are in each, whatever they weigh; "uniform": of one width. As in scikit-learn's
        `calibration_curve`.
    by : str, sequence of str, or column of shape (n_rows,), optional
        Groups, as in `metrics_by`: a curve and measures for each, and how far they are apart.
    target_class : label, optional
        The class whose probability it is, against all others. By default the positive of two; of more it is needed.
    quantile : float, default 0.05
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).
    progress : bool, default True
        Whether bars show after two seconds.

    Returns
    -------
    Calibration
        `.frame` with a row per bin, `.summary` with the measures, `.changes`, `.gaps`, `.decomposition`, `.chart()`. Of
        rows in chunks with more scores than 16,384, or fewer of many groups, miscalibration and discrimination are
        those of cells of them, and a note says how far they can be off.

    Raises
    ------
    InputError
        For a regression, a study without y or without probabilities in [0, 1], several classes of which none is named,
        a number of bins that cannot be, and as `reweight`.
    InfeasibleTarget, DependentConstraints, UnknownName
        As `reweight`; and for a class or strategy that is not there.

    Notes
    -----
    The model is not asked again. Shares of a bin have the intervals of any rate in `reweight`; intercept and slope
    those of their maximum likelihood fit with a sandwich variance, which counts the weights and what the rows say of
    the target. The interval of the expected calibration error holds it at least as often as said, and reaches down to
    0 where chance alone would explain it: a plain one about the estimate would leave out 0 for every calibrated model.
    Intercept, slope and calibration in the large are metrics too, for `reweight` and along τ:
    ``study.stress_curves(metrics="calibration_slope")``.

    Of rows in chunks there are six or seven passes besides those of `reweight` and of the groups: where the scores lie;
    sums over cells of them; one to three of Newton's steps, for intercept and slope of all groups in both populations
    together, which start from the fit to the cells; and two for intervals.

    References
    ----------
    Cox, "Two further applications of a model for binary regression", Biometrika 45, 1958.
    Van Calster et al., "Calibration: the Achilles heel of predictive analytics", BMC Medicine 17, 2019.

    Examples
    --------
    >>> moved = study.calibration(ts.Mean("mean radius", shift=1), n_bins=5)
    >>> moved.changes["measure"].tolist()
    ['calibration_in_the_large', 'calibration_intercept', 'calibration_slope']
    """
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    check_bins(n_bins, strategy)
    with self._bars(progress):
        rows = self._as_rows()
        outcomes = rows.summed.allowing
        scored = outcomes.score is not None or outcomes.scores is not None
        check_judged(outcomes.task, labelled=outcomes.truth is not None, scored=scored)
        code = class_code(outcomes.task, self.classes, target_class)
        order = rows.sum(_order_scores, code, plus=ScoreOrder.__add__)
        check_probabilities(*order.range)
        moved = None if stress is None else reweighted(self, rows, stress, float(quantile), "calibration")
        asked = _Asked(AskedRows(self, rows, rows.groups(by), moved), code, int(n_bins), strategy, float(confidence))
        return _calibrate(asked, order, float(quantile))


class _Asked(NamedTuple):
    """What is asked of which rows."""

    rows: AskedRows
    code: int
    n_bins: int
    strategy: Strategy
    confidence: float

    @property
    def labels(self) -> list[str | None]:
        """What the groups are called; None for all rows."""
        return list(self.rows.groups.labels) if self.rows.grouped else [None]


def _calibrate(asked: _Asked, order: ScoreOrder, quantile: float) -> Calibration:
    rows, total = asked.rows, asked.rows.rows.sum
    populations = rows.populations()
    tilts = [each.weighted.tilt for each in populations]
    judged = JudgedScores(ClassScores(asked.code), rows.groups, order.nearest, rows.n_groups)
    cuts = order.cut(most_cells(rows.n_groups * len(tilts)))
    levels = np.linspace(0.0, 1.0, asked.n_bins + 1) * 100 / 100  # rounded as numpy.percentile rounds them
    intervals = order.intervals(levels) if asked.strategy == "quantile" else ()
    summed: _Scores = total(_Scores.of, judged, tuple(tilts), cuts, intervals, plus=_Scores.__add__)
    cells, windows = summed.cells, summed.windows
    bins = Bins.uniform(asked.n_bins) if asked.strategy == "uniform" else Bins.at(order.quantiles(levels, windows))
    fits = fit_groups(judged, tilts, cells, total)
    with_fits = [TiltedFits(each.weighted, fits.table(p, rows.n_groups)) for p, each in enumerate(populations)]
    found = calibrate_groups(judged, bins, with_fits, fits, rows.counts, total, asked.confidence)
    tables = _Tables(asked, bins)
    pairs = list(zip(populations, found, strict=True))
    summaries = [tables.summary(*each) for each in pairs]
    block, parts = rows.rows.resident, [each.decompose for each in cells]
    if block is not None:
        parts = [_RowParts(block, judged, tilt).decompose for tilt in tilts]
    return Calibration(
        target_class=rows.rows.summed.allowing.class_names[asked.code],
        edges=bins.edges,
        strategy=asked.strategy,
        grouped_by=rows.groups.name,
        groups=rows.describe([None if each is None else each.sums for each in found[-1].groups]),
        populations=tuple(each.name for each in populations),
        reweighting=rows.reweighting,
        ess=1 / sum(float(each.sums.squared[0]) for each in found[-1].groups if each is not None),
        n_extreme=order.n_extreme,
        confidence=asked.confidence,
        n_rows=rows.study.n_rows,
        model_name=rows.study._model_name,
        _frame=in_order([tables.frame(*each) for each in pairs]),
        _summary=in_order([frame for frame, _ in summaries]),
        _changes=tables.changes(found[-1]),
        _gaps=summaries[-1][1],
        _decomposition=in_order([tables.decomposition(*each) for each in zip(populations, cells, parts, strict=True)]),
        _scores=in_order([tables.histogram(*each) for each in zip(populations, cells, strict=True)]),
        _asked=CalibrationAsked(asked.n_bins, asked.code, rows.codes, quantile, rows.groups.columns),
        bounds=() if block is not None else _bound_words(cells, cuts, rows.n_groups),
        source=rows.study._as_source(),
    )


@dataclass(frozen=True)
class ClassScores:
    """Reads the probability of a class; see `tauscope.stress.sums.calibration_sums.ScoreReader`.

    Attributes
    ----------
    code : int
        Of the class.
    """

    code: int

    def __call__(self, chunk: RowChunk) -> tuple[Array, Array]:
        """Return score and truth (0 or 1) of each row."""
        outcomes = chunk.outcomes
        assert outcomes.truth is not None
        return _score_of_class(outcomes, self.code), (outcomes.truth == self.code).astype(np.float64)


@dataclass(frozen=True)
class _Scores:
    """Scores kept where edges of bins lie, and sums of each population over cells of them."""

    windows: tuple[QuantileWindow, ...]
    cells: tuple[ScoreCells, ...]

    @classmethod
    def of(
        cls, chunk: RowChunk, judged: JudgedScores, tilts: Sequence[Tilt], cuts: ScoreCuts, intervals: Intervals
    ) -> _Scores:
        windows = read_windows(counted_scores(judged.reader(chunk)[0], chunk.weight), intervals)
        return cls(windows, sum_cells(chunk, judged, tilts, cuts, SCORE_EDGES))

    def __add__(self, other: _Scores) -> _Scores:
        windows = tuple(one + two for one, two in zip(self.windows, other.windows, strict=True))
        return _Scores(windows, add_cells(self.cells, other.cells))


class _RowParts(NamedTuple):
    """Rows in memory, by which a Brier score is taken apart score by score."""

    block: RowChunk
    judged: JudgedScores
    tilt: Tilt

    def decompose(self, group: int) -> Decomposition:
        score, truth = self.judged.reader(self.block)
        own = np.flatnonzero(self.judged.groups.codes(self.block) == group)
        return decompose(score[own], truth[own], self.tilt.shares(self.block)[3][own])


def _order_scores(chunk: RowChunk, code: int) -> ScoreOrder:
    return ScoreOrder.of(_score_of_class(chunk.outcomes, code), chunk.weight)


class _Tables(NamedTuple):
    """Makes the tables of a result, of each group, or of all rows without a label."""

    asked: _Asked
    bins: Bins

    def frame(self, population: Population, found: CalibratedPopulation) -> pd.DataFrame:
        """Return the bins."""
        frames: list[pd.DataFrame] = []
        for label, each, estimates in zip(
            self.asked.labels, found.groups, self._estimates(population, found), strict=True
        ):
            if each is not None:
                own = observed_shares(self.bins.n), estimates[: self.bins.n]
                frames.append(bin_table(label, population.name, self.bins.edges, each.bins, *own))
        return pd.concat(frames)

    def summary(self, population: Population, found: CalibratedPopulation) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the measures, and how far groups are apart in them."""
        n, metrics = self.bins.n, fitted_metrics(self.bins.n)
        frames: list[pd.DataFrame] = []
        every = [each[n:] for each in self._estimates(population, found)]
        for label, each, estimates in zip(self.asked.labels, found.groups, every, strict=True):
            errors = None if each is None else each.errors
            frames.append(measure_table(label, population.name, metrics, estimates, errors, self.asked.confidence))
        gaps = pd.DataFrame()
        if self.asked.rows.grouped:
            supports = [population.support(None if each is None else each.sums) for each in found.groups]
            of_groups = [metrics] * len(every)
            n_rows = self.asked.rows.groups.n_counted
            answer = answer_groups(of_groups, found.fitted, n_rows, supports, self.asked.confidence)
            groups = [Group(label, 0, np.nan, np.nan, np.nan) for label in self.asked.rows.groups.labels]
            gaps = gap_table(groups, metrics, answer.estimates, answer.gaps)
        return pd.concat(frames), gaps

    def changes(self, found: CalibratedPopulation) -> pd.DataFrame:
        """Return what the stress changes."""
        named = zip(self.asked.labels, found.changes, strict=True)
        return change_table([(label, changes) for label, changes in named if changes is not None])

    def decomposition(
        self, population: Population, cells: ScoreCells, parts: Callable[[int], Decomposition]
    ) -> pd.DataFrame:
        """Return what the Brier score is made of."""
        frames = [
            decomposition_table(label, population.name, parts(k))
            for k, label in enumerate(self.asked.labels)
            if cells.share(k) > 0
        ]
        return pd.concat(frames)

    def histogram(self, population: Population, cells: ScoreCells) -> pd.DataFrame:
        """Return the share of the weight over the score."""
        return pd.concat(
            [histogram_table(label, population.name, cells.bars[k]) for k, label in enumerate(self.asked.labels)]
        )

    def _estimates(self, population: Population, found: CalibratedPopulation) -> list[tuple[MetricEstimate, ...]]:
        metrics = [*observed_shares(self.bins.n), *fitted_metrics(self.bins.n)]
        nothing = (MetricEstimate(np.nan, np.nan, np.nan, CODES["undefined"]),) * len(metrics)
        out: list[tuple[MetricEstimate, ...]] = []
        for each, n in zip(found.groups, self.asked.rows.groups.n_counted, strict=True):
            support = population.support(None if each is None else each.sums)
            if each is None or support is None:
                out.append(nothing)
            else:
                out.append(metric_estimates(metrics, each.estimates, support, self.asked.confidence, n))
        return out


def _bound_words(cells: Sequence[ScoreCells], cuts: ScoreCuts, n_groups: int) -> tuple[str, ...]:
    bounds = [each.bound(cuts, [k for k in range(n_groups) if each.share(k) > 0]) for each in cells]
    if not max(bounds) > 0:
        return ()
    return (
        f"Miscalibration and discrimination in the Brier score: of scores in {count(cuts.n, 'cell')}, too small by "
        "at most "
        f"{number_above(max(bounds))}.",
    )


def check_bins(n_bins: int, strategy: str) -> None:
    """Refuse a number of bins that cannot be, and an unknown way to cut them."""
    if not 1 <= n_bins <= MOST_BINS:
        raise InputError(f"n_bins must be 1 to {MOST_BINS}; got {n_bins}.")
    if strategy not in STRATEGIES:
        raise UnknownName.among("strategy", strategy, list(STRATEGIES))


def check_judged(task: Task, *, labelled: bool, scored: bool) -> None:
    """Refuse what has no probabilities of classes, or no truth."""
    if task == "regression":
        raise InputError(
            "Calibration is of probabilities of a class, and this study is of a regression. Ask for its bias: "
            'reweight(…, metrics="bias").'
        )
    if not labelled:
        raise InputError("Calibration compares with true labels, and this study has none. Give y: Study(model, X, y).")
    if not scored:
        raise InputError(
            "Calibration is of probabilities, and this study has none. Give a model with predict_proba, or "
            "Study.from_predictions(…, y_score=…)."
        )


def check_probabilities(low: float, high: float) -> None:
    """Refuse scores that go from `low` to `high`, where these are no probabilities."""
    if low < 0 or high > 1:
        raise InputError(
            f"Calibration is of probabilities in [0, 1]; these scores go from {low:.3g} to {high:.3g}. Use a model "
            "with predict_proba, as scikit-learn's CalibratedClassifierCV makes one."
        )


def _score_of_class(outcomes: Outcomes, code: int) -> Array:
    """Return the probability of a class, one per row."""
    if outcomes.task == "multiclass":
        assert outcomes.scores is not None
        return outcomes.scores[:, code]
    assert outcomes.score is not None
    return outcomes.score if code == 1 else 1 - outcomes.score


def class_code(task: Task, classes: Sequence[Hashable], target_class: Hashable | None) -> int:
    """Return the place of a class among others, by default that of the positive of two.

    Raises
    ------
    UnknownName
        For a class that is not there.
    InputError
        For several classes of which none is named.
    """
    if target_class is None:
        if task == "binary":
            return 1
        raise InputError(
            f"Calibration of several classes is of one against the others. Name it: target_class={classes[0]!r}."
        )
    label = labels.plain(target_class)
    if label not in classes:
        raise UnknownName.among("class", label, [str(name) for name in classes])
    return list(classes).index(label)
