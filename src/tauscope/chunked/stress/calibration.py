"""The verb `calibration` of chunks: probabilities against what was true, from sums over bins and Newton's passes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.chunked.stress.populations import AskedRows, Population, refuse_scenario
from tauscope.chunked.stress.score_steps import number_above
from tauscope.results.stress.by_group import Group, gap_table
from tauscope.results.stress.calibration import Calibration, CalibrationAsked, Strategy
from tauscope.results.stress.calibration_tables import (
    SCORE_EDGES,
    bin_table,
    change_table,
    decomposition_table,
    histogram_table,
    in_order,
    measure_table,
)
from tauscope.results.stress.joint_answer import MetricEstimate, answer_groups, metric_estimates
from tauscope.results.stress.reweight import Reweighting
from tauscope.rows.chunked_groups import ChunkedGroups
from tauscope.rows.outputs import read_outcomes
from tauscope.rows.schema import AlignedChunk, Schema
from tauscope.stress.calibration import Bins, observed_shares
from tauscope.stress.chunked.calibration import (
    CalibratedPopulation,
    Fits,
    add_cells,
    calibrate_chunked,
    fit_chunked,
    fitted_metrics,
    sum_cells,
)
from tauscope.stress.chunked.calibration_sums import JudgedScores, TiltedFits
from tauscope.stress.chunked.projection import Tilt
from tauscope.stress.chunked.quantile_windows import QuantileWindow
from tauscope.stress.chunked.score_cells import ScoreCells
from tauscope.stress.chunked.score_order import (
    Intervals,
    ScoreCuts,
    ScoreOrder,
    counted_scores,
    most_cells,
    read_windows,
)
from tauscope.stress.reliability import CODES
from tauscope.study.stress.calibration import (
    check_bins,
    check_judged,
    check_probabilities,
    class_code,
    name_class,
    score_of_class,
)
from tauscope.study.stress.curves import check_fraction
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.model.prediction import OutputSpec
    from tauscope.rows.reading import Chunk
    from tauscope.stress.chunked.chunk import RowChunk
    from tauscope.stress.joint.constraints import Constraint, Stress

Array = NDArray[np.float64]


def calibration(
    self: ChunkedBase,
    stress: Constraint | Stress | Reweighting | None = None,
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
    stress : Constraint, Stress or Reweighting, optional
        As in `reweight`; a reweighting of this study. By default nothing is moved.
    n_bins, strategy, target_class, quantile, confidence
        As in `Study.calibration`. Bins of the strategy "quantile" are cut at the exact quantiles of all scores.
    by : str or sequence of str, optional
        Groups, as in `metrics_by`.
    progress : bool, default True
        Whether bars show after two seconds.

    Returns
    -------
    Calibration
        The numbers of `Study.calibration` to 1e-9, but for the parts of the Brier score: where there are more scores
        than 16,384, or fewer of many groups, miscalibration and discrimination are those of cells of them, and a note
        says how far they can be off.

    Raises
    ------
    InputError, InputTypeError
        As `Study.calibration`; for a scenario, which needs the rows in memory, and what `metrics_by` refuses.
    InfeasibleTarget, DependentConstraints, UnknownName
        As `reweight`; and for a class or strategy that is not there.

    Notes
    -----
    Six or seven passes besides those of `reweight` and of the groups: where the scores lie; sums over cells of them;
    one to three of Newton's steps, for intercept and slope of all groups in both populations together, which start from
    the fit to the cells; and two for intervals. The model is asked once about each row: its answers are kept in an
    unnamed temporary file meanwhile, 8 bytes a number. Dask's workers, which keep rows and no answers, ask it in each.

    Examples
    --------
    >>> chunked.calibration(n_bins=5).summary["measure"].tolist()[:3]
    ['calibration_in_the_large', 'calibration_intercept', 'calibration_slope']
    """
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    check_bins(n_bins, strategy)
    refuse_scenario(stress, "sample().calibration(scenario)")
    with self.bars(progress):
        passes = self.passes_asking_once()
        schema = self.schema(passes)
        outputs = schema.outputs
        scored = self.outputs(passes, self.first_pass(passes, ordered=False)).scored
        check_judged(outputs.task, labelled=schema.labelled, scored=scored)
        code = class_code(outputs.task, outputs.classes, target_class)
        rows = AskedRows.of(self, passes, stress, by, float(quantile))
        return _calibrate(_Asked(rows, code, int(n_bins), strategy, float(confidence)), float(quantile))


@dataclass(frozen=True)
class ClassScores:
    """Reads the probability of a class; see `tauscope.stress.chunked.calibration_sums.ScoreReader`.

    Attributes
    ----------
    code : int
        Of the class.
    """

    code: int

    def __call__(self, chunk: RowChunk) -> tuple[Array, Array]:
        """Return score and truth (0 or 1) of each row."""
        score, truth = score_of_class(cast(AlignedChunk, chunk).outcomes, self.code)
        return score, truth.astype(np.float64)


class _Asked(NamedTuple):
    """What is asked of which rows."""

    rows: AskedRows
    code: int
    n_bins: int
    strategy: Strategy
    confidence: float


def _calibrate(asked: _Asked, quantile: float) -> Calibration:
    rows, passes, schema, total = asked.rows, asked.rows.passes, asked.rows.schema, asked.rows.total
    order = passes.total(_order_scores, schema.outputs, schema.model_name, asked.code, plus=ScoreOrder.__add__)
    assert order is not None
    check_probabilities(*order.range)
    populations = rows.populations(order.weight)
    tilts = [each.tilt for each in populations]
    judged = JudgedScores(ClassScores(asked.code), rows.groups, order.nearest, rows.n_groups)
    cuts = order.cut(most_cells(rows.n_groups * len(tilts)))
    levels = np.linspace(0.0, 1.0, asked.n_bins + 1) * 100 / 100  # rounded as numpy.percentile rounds them
    intervals = order.intervals(levels) if asked.strategy == "quantile" else ()
    summed = passes.total(_sum_scores, schema, judged, tuple(tilts), cuts, intervals, plus=_Scores.__add__)
    assert summed is not None
    assert summed.cells is not None
    cells, windows = summed.cells, summed.windows
    bins = Bins.uniform(asked.n_bins) if asked.strategy == "uniform" else Bins.at(order.quantiles(levels, windows))
    fits = fit_chunked(judged, tilts, cells, total)
    counts = rows.counts(order.n_counted)
    with_fits = [_with_fits(each, fits, p, rows.n_groups) for p, each in enumerate(populations)]
    found = calibrate_chunked(judged, bins, with_fits, fits, counts, total, asked.confidence)
    tables = _Tables(asked, bins, [counted for counted, _ in counts])
    pairs = list(zip(populations, found, strict=True))
    summaries = [tables.summary(*each) for each in pairs]
    return Calibration(
        target_class=name_class(schema.outputs.classes, asked.code),
        edges=bins.edges,
        strategy=asked.strategy,
        grouped_by=rows.groups.name,
        groups=rows.describe([None if each is None else each.sums for each in found[-1].groups]),
        populations=tuple(each.name for each in populations),
        reweighting=rows.reweighting,
        ess=1 / sum(float(each.sums.squared[0]) for each in found[-1].groups if each is not None),
        n_extreme=order.n_extreme,
        confidence=asked.confidence,
        n_rows=schema.n_rows,
        model_name=rows.study.model_name,
        _frame=in_order([tables.frame(*each) for each in pairs]),
        _summary=in_order([frame for frame, _ in summaries]),
        _changes=tables.changes(found[-1]),
        _gaps=summaries[-1][1],
        _decomposition=in_order([tables.decomposition(*each) for each in zip(populations, cells, strict=True)]),
        _scores=in_order([tables.histogram(*each) for each in zip(populations, cells, strict=True)]),
        _asked=CalibrationAsked(asked.n_bins, asked.code, None, quantile, rows.columns),
        bounds=_bound_words(cells, cuts, rows.n_groups),
        source=rows.study.as_source(),
    )


def _with_fits(population: Population, fits: Fits, place: int, n_groups: int) -> TiltedFits:
    table = fits.table(place, n_groups)
    return TiltedFits(population.tilt, table, population.unstressed, population.target_covariance)


@dataclass(frozen=True)
class _Scores:
    """Scores kept where edges of bins lie, and sums of each population over cells of them; None without weight."""

    windows: tuple[QuantileWindow, ...]
    cells: tuple[ScoreCells, ...] | None

    def __add__(self, other: _Scores) -> _Scores:
        windows = tuple(one + two for one, two in zip(self.windows, other.windows, strict=True))
        if self.cells is None or other.cells is None:
            return _Scores(windows, self.cells or other.cells)
        return _Scores(windows, add_cells(self.cells, other.cells))


def _order_scores(chunk: Chunk, spec: OutputSpec, model_name: str, code: int) -> ScoreOrder:
    outcomes = read_outcomes(spec, chunk.y, chunk.predict(), model_name)
    return ScoreOrder.of(score_of_class(outcomes, code)[0], chunk.weight)


def _sum_scores(
    chunk: Chunk, schema: Schema, judged: JudgedScores, tilts: Sequence[Tilt], cuts: ScoreCuts, intervals: Intervals
) -> _Scores:
    rows = AlignedChunk(chunk, schema)
    windows = read_windows(counted_scores(judged.reader(rows)[0], chunk.weight), intervals)
    counted = chunk.weight is None or bool((chunk.weight > 0).any())
    return _Scores(windows, sum_cells(rows, judged, tilts, cuts, SCORE_EDGES) if counted else None)


class _Tables(NamedTuple):
    """Makes the tables of a result, of each group, or of all rows without a label."""

    asked: _Asked
    bins: Bins
    n_counted: list[int]

    def frame(self, population: Population, found: CalibratedPopulation) -> pd.DataFrame:
        """Return the bins."""
        frames: list[pd.DataFrame] = []
        for label, each, estimates in zip(
            self.asked.rows.labels, found.groups, self._estimates(population, found), strict=True
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
        for label, each, estimates in zip(self.asked.rows.labels, found.groups, every, strict=True):
            errors = None if each is None else each.errors
            frames.append(measure_table(label, population.name, metrics, estimates, errors, self.asked.confidence))
        gaps = pd.DataFrame()
        if isinstance(self.asked.rows.groups, ChunkedGroups):
            supports = [population.support(None if each is None else each.sums) for each in found.groups]
            of_groups = [metrics] * len(every)
            answer = answer_groups(of_groups, found.fitted, self.n_counted, supports, self.asked.confidence)
            groups = [Group(label, 0, np.nan, np.nan, np.nan) for label in self.asked.rows.groups.labels]
            gaps = gap_table(groups, metrics, answer.estimates, answer.gaps)
        return pd.concat(frames), gaps

    def changes(self, found: CalibratedPopulation) -> pd.DataFrame:
        """Return what the stress changes."""
        named = zip(self.asked.rows.labels, found.changes, strict=True)
        return change_table([(label, changes) for label, changes in named if changes is not None])

    def decomposition(self, population: Population, cells: ScoreCells) -> pd.DataFrame:
        """Return what the Brier score is made of."""
        frames = [
            decomposition_table(label, population.name, cells.decompose(k))
            for k, label in enumerate(self.asked.rows.labels)
            if cells.share(k) > 0
        ]
        return pd.concat(frames)

    def histogram(self, population: Population, cells: ScoreCells) -> pd.DataFrame:
        """Return the share of the weight over the score."""
        return pd.concat(
            [histogram_table(label, population.name, cells.bars[k]) for k, label in enumerate(self.asked.rows.labels)]
        )

    def _estimates(self, population: Population, found: CalibratedPopulation) -> list[tuple[MetricEstimate, ...]]:
        metrics = [*observed_shares(self.bins.n), *fitted_metrics(self.bins.n)]
        nothing = (MetricEstimate(np.nan, np.nan, np.nan, CODES["undefined"]),) * len(metrics)
        out: list[tuple[MetricEstimate, ...]] = []
        for each, n in zip(found.groups, self.n_counted, strict=True):
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
