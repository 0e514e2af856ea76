"""The verb `threshold_curves` of chunks: what a decision costs at other thresholds, from cells of the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.chunked.stress.populations import AskedRows, Population, refuse_scenario
from tauscope.chunked.stress.requests import check_requests, list_requests
from tauscope.chunked.stress.score_steps import number_above
from tauscope.errors import InputError
from tauscope.model.jobs import one_blas_thread
from tauscope.results.stress.joint_answer import answer_groups, metric_estimates
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.threshold_tables import BEST, GroupCosts, ThresholdTables
from tauscope.results.stress.thresholds import ThresholdCurves, ThresholdsAsked
from tauscope.rows.chunked_groups import ChunkedGroups
from tauscope.rows.outputs import no_outcomes, read_outcomes
from tauscope.rows.schema import AlignedChunk, Schema
from tauscope.stress.chunked.groups import AllGroups, GroupReader
from tauscope.stress.chunked.projection import Tilt
from tauscope.stress.chunked.quantile_windows import QuantileWindow
from tauscope.stress.chunked.score_order import (
    Intervals,
    ScoreCuts,
    ScoreOrder,
    counted_scores,
    most_cells,
    read_windows,
)
from tauscope.stress.chunked.thresholds import DecidedRows, costs_of_group, least_of_masses, sum_masses
from tauscope.stress.metric_forms import MeanRatioDefinition, RatioDefinition
from tauscope.stress.thresholds import Costs, DecidedScores, Decisions, even_thresholds, spread_levels
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.thresholds import (
    MOST,
    cell_definitions,
    check_scored,
    declared_thresholds,
    default_thresholds,
    read_costs,
    read_thresholds,
)

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.model.prediction import OutputSpec
    from tauscope.rows.reading import Chunk
    from tauscope.stress.chunked.chunk import RowChunk
    from tauscope.stress.joint.constraints import Constraint, Stress

Array = NDArray[np.float64]


def threshold_curves(
    self: ChunkedBase,
    stress: Constraint | Stress | Reweighting | None = None,
    *,
    thresholds: Sequence[float] | NDArray[np.float64] | None = None,
    cost: Mapping[str, float] | None = None,
    by: Any = None,
    metrics: str | Sequence[str] | None = None,
    quantile: float = 0.05,
    confidence: float = 0.95,
    progress: bool = True,
) -> ThresholdCurves:
    """Decide at other thresholds of the score: metrics and cost of each, and which costs least, under a stress too.

    Parameters
    ----------
    stress : Constraint, Stress or Reweighting, optional
        As in `reweight`; a reweighting of this study. By default nothing is moved.
    thresholds : sequence of float, optional
        As in `Study.threshold_curves`. By default the same, but that of more than 16,384 different scores, or fewer of
        many groups, those of least cost are sought among as many; a note says what another one could cost less.
    cost, metrics, quantile, confidence
        As in `Study.threshold_curves`.
    by : str or sequence of str, optional
        Groups, as in `metrics_by`.
    progress : bool, default True
        Whether bars show after two seconds.

    Returns
    -------
    ThresholdCurves
        The numbers of `Study.threshold_curves` at the same thresholds to 1e-9.

    Raises
    ------
    InputError, InputTypeError
        As `Study.threshold_curves`; for a scenario, which needs the rows in memory, and what `metrics_by` refuses.
    InfeasibleTarget, DependentConstraints, UnknownName
        As `reweight`.

    Notes
    -----
    Three passes besides those of `reweight` and of the groups: where the scores lie, the cells between thresholds, and
    intervals; and one more to choose thresholds where none are given. The model is asked once about each row: its
    answers are kept in an unnamed temporary file meanwhile, 8 bytes a number. Dask's workers, which keep rows and no
    answers, ask it in each.

    Examples
    --------
    >>> curves = chunked.threshold_curves(ts.Mean("mean radius", shift=1), cost={"fp": 1, "fn": 5})
    >>> curves.best.columns.tolist()[:4]
    ['population', 'threshold', 'lower', 'upper']
    """
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    refuse_scenario(stress, "sample().threshold_curves(scenario)")
    costs = read_costs(cost)
    given = None if thresholds is None else read_thresholds(thresholds)
    with self.bars(progress):
        passes = self.passes_asking_once()
        schema = self.schema(passes)
        scored = self.outputs(passes, self.first_pass(passes, ordered=False)).scored
        check_scored(schema.outputs.task, scored=scored)
        chosen = _definitions(schema, metrics)
        rows = AskedRows.of(self, passes, stress, by, float(quantile))
        return _decide(_Asked(rows, given, costs, chosen, float(confidence)), float(quantile))


@dataclass(frozen=True)
class PositiveScores:
    """Reads the score of the positive class; see `tauscope.stress.chunked.thresholds.DecidedReader`."""

    def __call__(self, chunk: RowChunk) -> tuple[Array, NDArray[np.intp] | None]:
        """Return the score and, where it is known, the truth (0 or 1) of each row."""
        outcomes = cast(AlignedChunk, chunk).outcomes
        assert outcomes.score is not None
        return outcomes.score, None if outcomes.truth is None else outcomes.truth.astype(np.intp)


class _Asked(NamedTuple):
    """What is asked of which rows."""

    rows: AskedRows
    thresholds: Array | None
    costs: Costs
    chosen: list[RatioDefinition | MeanRatioDefinition]
    confidence: float


def _definitions(schema: Schema, metrics: str | Sequence[str] | None) -> list[RatioDefinition | MeanRatioDefinition]:
    no_rows = no_outcomes(schema.outputs, labelled=schema.labelled, scored=True)
    names = list_requests(metrics)
    if names is not None:
        check_requests(no_rows, names)
        twice = sorted({name for name in names if names.count(name) > 1})
        if not names or twice:
            raise InputError(f"Name each metric once, and at least one; got {names}. Leave metrics=None for all.")
    return cell_definitions(no_rows, names)


def _decide(asked: _Asked, quantile: float) -> ThresholdCurves:
    rows, schema = asked.rows, asked.rows.schema
    read: _Read | None = rows.passes.total(_Read.of, schema.outputs, schema.model_name, plus=_Read.__add__)
    assert read is not None
    present, present_above = read.decided.threshold(declared_thresholds(rows.study.reader.model))
    populations = rows.populations(read.order.weight)
    at, bounds = asked.thresholds, ()
    if at is None:
        spread, bounds = _choose(asked, read.order, [each.tilt for each in populations])
        at = default_thresholds(spread, present, above=schema.labelled)
    decided = DecidedRows(PositiveScores(), rows.groups, at, rows.total)
    counts = rows.counts(read.order.n_counted)
    measured = decided.measure([each.tilt for each in populations], counts)
    none = np.zeros(0)
    decisions = Decisions(none, none.astype(np.intp) if schema.labelled else None, at)
    tables = ThresholdTables.of(decisions, asked.chosen, asked.costs, at, present)
    n_reached = tuple(_n_reached(decisions, measured[0], k) for k in range(rows.n_groups))
    here, sums = populations[-1], [measured[-1].groups.get(k) for k in range(rows.n_groups)]
    groups = rows.describe(sums)
    estimates = decided.regress(
        here.tilt,
        measured[-1],
        tables.metrics,
        rows.n_groups,
        unstressed=here.unstressed,
        target_covariance=here.target_covariance,
    )
    before = [_before(tables, measured[0], k) for k in range(rows.n_groups)]
    supports, n_counted = [here.support(each) for each in sums], [counted for counted, _ in counts]
    if isinstance(rows.groups, ChunkedGroups):
        every = [tables.metrics] * rows.n_groups
        answer = answer_groups(every, estimates, n_counted, supports, asked.confidence)
        named = zip(rows.groups.labels, before, answer.estimates, strict=True)
        frame = pd.concat([tables.rows(*each) for each in named], ignore_index=True)
        gaps = tables.gaps(groups, answer)
    else:
        own, support = estimates.estimates[0], supports[0]
        assert own is not None
        assert support is not None
        found = metric_estimates(tables.metrics, own, support, asked.confidence, n_counted[0])
        frame, gaps = tables.rows("", before[0], found), pd.DataFrame()
    return ThresholdCurves(
        thresholds=at,
        present=present if present is not None and present in at else None,
        present_above=present_above,
        costs=asked.costs,
        metrics=tuple(metric.in_words() for metric in tables.metrics[: tables.n_each]),
        grouped_by=rows.groups.name,
        groups=groups,
        reweighting=rows.reweighting,
        population=here.name,
        ess=1 / sum(float(each.squared[0]) for each in sums if each is not None),
        confidence=asked.confidence,
        n_rows=schema.n_rows,
        model_name=rows.study.model_name,
        _frame=frame,
        _best=_best(asked, tables, decisions, populations, measured, n_reached),
        _gaps=gaps,
        _asked=ThresholdsAsked(asked.thresholds, None, quantile, rows.columns),
        bounds=bounds,
        n_reached=n_reached,
        source=rows.study.as_source(),
    )


@dataclass(frozen=True)
class _Read:
    """What the first pass tells of scores and decisions."""

    order: ScoreOrder
    decided: DecidedScores

    @classmethod
    def of(cls, chunk: Chunk, spec: OutputSpec, model_name: str) -> _Read:
        outcomes = read_outcomes(spec, chunk.y, chunk.predict(), model_name)
        assert outcomes.score is not None
        counted = np.ones(len(outcomes.score), bool) if chunk.weight is None else chunk.weight > 0
        decided = DecidedScores.of(outcomes.score[counted], outcomes.predicted[counted] == 1)
        return cls(ScoreOrder.of(outcomes.score, chunk.weight), decided)

    def __add__(self, other: _Read) -> _Read:
        return _Read(self.order + other.order, self.decided.joined(other.decided))


@dataclass(frozen=True)
class _Scores:
    """Scores kept where quantiles lie, and weight over cells of them; None without weight or truth."""

    windows: tuple[QuantileWindow, ...]
    masses: Array | None

    @classmethod
    def of(
        cls,
        chunk: Chunk,
        schema: Schema,
        groups: GroupReader,
        n_groups: int,
        tilts: Sequence[Tilt],
        cuts: ScoreCuts,
        intervals: Intervals,
    ) -> _Scores:
        rows, reader = AlignedChunk(chunk, schema), PositiveScores()
        windows = read_windows(counted_scores(reader(rows)[0], chunk.weight), intervals)
        if not schema.labelled or (chunk.weight is not None and not (chunk.weight > 0).any()):
            return cls(windows, None)
        return cls(windows, sum_masses(rows, reader, groups, n_groups, tilts, cuts))

    def __add__(self, other: _Scores) -> _Scores:
        windows = tuple(one + two for one, two in zip(self.windows, other.windows, strict=True))
        known = [each for each in (self.masses, other.masses) if each is not None]
        return _Scores(windows, sum(known[1:], known[0]) if known else None)


def _choose(asked: _Asked, order: ScoreOrder, tilts: list[Tilt]) -> tuple[Array, tuple[str, ...]]:
    """Choose thresholds by the scores, and say what one in between could cost less: a pass."""
    rows, distinct = asked.rows, order.ranks.n_distinct
    few = distinct is not None and distinct <= MOST
    levels = np.zeros(0) if few else spread_levels(MOST)
    cuts = order.cut(most_cells(rows.n_groups * len(tilts)))
    arguments = rows.schema, rows.groups, rows.n_groups, tuple(tilts), cuts, order.intervals(levels)
    found: _Scores | None = rows.passes.total(_Scores.of, *arguments, plus=_Scores.__add__)
    assert found is not None
    low, high = order.range
    higher = order.quantiles(levels, found.windows, higher=True)
    spread = order.ranks.low if few else np.union1d(even_thresholds(low, high, MOST), higher)
    if found.masses is None:
        return spread, ()
    parts = found.masses.reshape(-1, 2, cuts.n)
    least = [least_of_masses(each, asked.costs, cuts) for each in parts if each.any()]
    short = max(each.short for each in least)
    words = (
        f"The threshold of least cost was sought among {cuts.n:,} scores; one between them costs less by at most "
        f"{number_above(short)} a row." if short > 0 else ""
    )  # fmt: skip
    return np.concatenate([spread, [each.threshold for each in least]]), (words,) if words else ()


def _before(tables: ThresholdTables, measured: AllGroups, group: int) -> list[float]:
    sums = measured.groups.get(group)
    if sums is None or not sums.share > 0:
        return [float("nan")] * len(tables.metrics)
    share = sums.sums / sums.share
    return [float(metric.evaluate(share[list(metric.columns)])[0]) for metric in tables.metrics]


def _n_reached(decisions: Decisions, measured: AllGroups, group: int) -> int:
    sums = measured.groups.get(group)
    return 0 if sums is None else decisions.n_reached(sums.before[1 : 1 + decisions.quantities.n_cells])


def _best(
    asked: _Asked,
    tables: ThresholdTables,
    decisions: Decisions,
    populations: Sequence[Population],
    measured: Sequence[AllGroups],
    n_reached: Sequence[int],
) -> pd.DataFrame:
    if not decisions.has_truth:
        return pd.DataFrame(columns=list(BEST))
    found: list[GroupCosts] = []
    for k, (label, reached) in enumerate(zip(asked.rows.labels, n_reached, strict=True)):
        for population, each in zip(populations, measured, strict=True):
            sums, costs = each.groups.get(k), None
            if sums is not None and sums.share > 0:
                costs = costs_of_group(
                    decisions.quantities,
                    tables.costs,
                    sums,
                    each,
                    unstressed=population.unstressed,
                    target_covariance=population.target_covariance,
                )
            found.append(GroupCosts(label or "", population.name, reached, costs))
    with one_blas_thread():
        return tables.best(found, asked.confidence)
