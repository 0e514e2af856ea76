"""What a sketch is laid out for: the columns, the task, the units; and how each column's sums are kept."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from tauscope.data import labels
from tauscope.data.columns import ColumnKind
from tauscope.errors import InputError
from tauscope.model.prediction import OutputSpec
from tauscope.rows.first_pass import ColumnSummary, FirstPass
from tauscope.rows.outputs import OutputStart, no_outcomes, read_outcomes
from tauscope.rows.reading import Chunk, Reader
from tauscope.stress.bins.binned import same_layout
from tauscope.stress.bins.layout import GROWTH, Layout, lay_out
from tauscope.stress.bins.order_range import interpolate_quantile, order_intervals, order_range
from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.bins.quantile_windows import QuantileWindow, value_at
from tauscope.stress.bins.range_errors import add_slopes
from tauscope.stress.bins.weighted_range import quantile_in, weighted_intervals, weighted_range
from tauscope.stress.column.sketch import EXACT_VALUES, SMALL, Scale
from tauscope.stress.column.target import quantile_rank
from tauscope.stress.histogram import TAIL, bar_edges
from tauscope.stress.metric_definitions import definitions, without_more_sums
from tauscope.stress.metric_forms import PowerDefinition
from tauscope.stress.metrics import SummedMetric, Units, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.score_steps import ScoreSteps
from tauscope.stress.tails import Tails, spreads_of
from tauscope.weights.pareto import tail_size

Ends = tuple[tuple[float, float], ...]
ColumnIntervals = tuple[tuple[Ends, Ends], ...]
"""Of each column, where values are to be kept by rows, and where by weight."""
Windows = tuple[QuantileWindow, ...]
ColumnWindows = tuple[tuple[Windows, Windows], ...]
"""Of each column, by rows and by weight."""


@dataclass(frozen=True)
class ColumnPlan:
    """How one column is kept.

    Attributes
    ----------
    name : str
    kind : {"numeric", "boolean", "categorical"}
    unit : str
    whole : bool
        Whether every observed number is whole.
    layout : Layout or None
        None where sums are kept value by value.
    keep : int
        Heaviest rows kept, of each value or for each tilt; 0 where rows are not weighted.
    """

    name: str
    kind: ColumnKind
    unit: str
    whole: bool
    layout: Layout | None
    keep: int = 0


@dataclass(frozen=True)
class Plan:
    """What sketches must share to be added.

    Attributes
    ----------
    columns : tuple of ColumnPlan
    outputs : OutputSpec
        How a model's answers are read.
    labelled, scored : bool
        Whether there is a truth, and a score of the positive class.
    units : mapping of str to Unit
        In which real quantities are summed.
    quantile : float
    model_name : str
    sample_weight : str or None
        The column that weights the rows.
    n_outer : int
        Smallest and largest values kept of each quantity whose spread is a metric.
    asked : tuple of str
        Metrics that are summed besides those that always are.
    steps : ScoreSteps or None
        Where one of these is of ranks.
    """

    columns: tuple[ColumnPlan, ...]
    outputs: OutputSpec
    labelled: bool
    scored: bool
    units: Units
    quantile: float
    model_name: str
    sample_weight: str | None = None
    n_outer: int = 0
    asked: tuple[str, ...] = ()
    steps: ScoreSteps | None = None

    def outcomes(self, chunk: Chunk) -> Outcomes:
        """Read a chunk's answers and truth."""
        return read_outcomes(self.outputs, chunk.y, chunk.predict(), self.model_name, self.steps)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes in code order; empty for a regression."""
        return labels.names(self.outputs.classes)

    def metrics(self, units: Units, probable: bool, tails: Tails | None = None) -> tuple[SummedMetric, ...]:
        """Return every metric that sums in these units answer."""
        return define_quantities(self.no_outcomes, units, probable, tails, self.asked)[1]

    @property
    def spreads(self) -> list[PowerDefinition]:
        """The variances and roots of means among the metrics."""
        return spreads_of(definitions(self.no_outcomes, self.asked))

    @property
    def allowing(self) -> Outcomes:
        """Those that tell which metrics may be asked for."""
        return self.no_outcomes

    @property
    def no_outcomes(self) -> Outcomes:
        """Outcomes of no rows, for what there would be."""
        return no_outcomes(self.outputs, labelled=self.labelled, scored=self.scored, steps=self.steps)


def in_bins(summary: ColumnSummary) -> bool:
    """Tell whether a column has so many values, in so many rows, that it is summed in bins."""
    few = summary.ranks.n_distinct is not None and summary.ranks.n_distinct <= EXACT_VALUES
    return summary.kind == "numeric" and summary.ranks.n > SMALL and not few


def window_intervals(first: FirstPass, quantile: float) -> ColumnIntervals:
    """Return the intervals within which each column's values are collected."""
    out: list[tuple[Ends, Ends]] = []
    for column in first.columns:
        by_rows = tuple(order_intervals(column.ranks, quantile, TAIL)) if in_bins(column) else ()
        masses = column.masses if by_rows and _moves(column) else None
        by_weight = () if masses is None else tuple(weighted_intervals(masses, column.ranks.n, quantile))
        out.append((by_rows, by_weight))
    return tuple(out)


def _moves(summary: ColumnSummary) -> bool:
    """Tell whether rows of weight above zero have two values."""
    masses = summary.masses
    return masses is None or bool(len(masses.low) and masses.low[0] < masses.high[-1])


def windows_of(first: FirstPass) -> ColumnWindows | None:
    """Return the windows that the first pass holds already; None where another pass is needed."""
    if any(in_bins(column) and column.ranks.n_distinct is None for column in first.columns):
        return None
    if any(in_bins(column) and column.masses is not None for column in first.columns):
        return None
    return tuple(((_all_of(column.ranks),) if in_bins(column) else (), ()) for column in first.columns)


def read_windows(chunk: Chunk, intervals: ColumnIntervals) -> ColumnWindows:
    """Collect a chunk's values inside the intervals."""
    out: list[tuple[Windows, Windows]] = []
    for column, (by_rows, by_weight) in zip(chunk.columns, intervals, strict=True):
        values = column.values if by_rows else None
        seen = np.zeros(0, np.bool_) if values is None else ~np.isnan(values)
        values = np.zeros(0) if values is None else values
        present = values if seen.all() else values[seen]
        weight = np.zeros(len(values)) if chunk.weight is None else chunk.weight
        counted = seen & (weight > 0) if len(values) else seen
        out.append(
            (
                tuple(QuantileWindow.of(present, low, high) for low, high in by_rows),
                tuple(QuantileWindow.of_weight(values[counted], weight[counted], low, high) for low, high in by_weight),
            )
        )
    return tuple(out)


def add_windows(a: ColumnWindows, b: ColumnWindows) -> ColumnWindows:
    """Return the windows of both row sets."""

    def added(p: Windows, q: Windows) -> Windows:
        return tuple(x + y for x, y in zip(p, q, strict=True))

    return tuple((added(p[0], q[0]), added(p[1], q[1])) for p, q in zip(a, b, strict=True))


def make_plan(
    first: FirstPass,
    windows: ColumnWindows,
    intervals: ColumnIntervals,
    start: OutputStart,
    reader: Reader,
    quantile: float,
    asked: Collection[str] = (),
) -> Plan:
    """Lay out every column."""
    keep = 0 if first.weight is None else tail_size(GROWTH * first.n_rows) + 1
    columns = tuple(
        ColumnPlan(
            column.name,
            column.kind,
            column.unit,
            column.kind == "numeric" and column.ranks.n > 0 and column.ranks.whole,
            _layout(column, of_column, ends, quantile, keep) if in_bins(column) and _moves(column) else None,
            keep,
        )
        for column, of_column, ends in zip(first.columns, windows, intervals, strict=True)
    )
    labelled = first.labels is not None
    free = without_more_sums(no_outcomes(start.spec, labelled=labelled, scored=start.scored))
    return Plan(
        columns,
        start.spec,
        labelled,
        start.scored,
        start.units,
        quantile,
        reader.model_name,
        reader.options.sample_weight,
        tail_size(GROWTH * first.n_rows) + 1,
        tuple(sorted({*free, *asked})),
    )


def _layout(
    column: ColumnSummary,
    windows: tuple[Sequence[QuantileWindow], Sequence[QuantileWindow]],
    intervals: tuple[Ends, Ends],
    quantile: float,
    keep: int,
) -> Layout:
    ranks, masses = column.ranks, column.masses
    n, low, high = ranks.n, float(ranks.low[0]), float(ranks.high[-1])

    def at(rank: int) -> float:
        return value_at(windows[0], rank, low, high, n)

    ends = interpolate_quantile(n, TAIL, at), interpolate_quantile(n, 1 - TAIL, at)
    edges = bar_edges(*(ends if ends[0] < ends[1] else (low, high)), ranks.whole)
    if masses is None:
        around = order_range(n, ranks.mean, low, high, at, quantile)
        steep = add_slopes(around, n, lambda level: at(quantile_rank(n, level)))
        return lay_out(ranks, around, Scale.about(steep, ranks.sd), intervals[0], edges)
    low, high = float(masses.low[0]), float(masses.high[-1])
    quantile_at = quantile_in(windows[1], masses.total, low, high)
    around = weighted_range(n, masses.mean, low, high, quantile_at, quantile)
    steep = add_slopes(around, n, lambda level: quantile_at(min(max(level, 0.0), 1.0), False))
    return lay_out(masses, around, Scale.about(steep, masses.sd), intervals[1], edges, n_rows=n, n_heaviest=keep)


def _all_of(ranks: QuantileSketch) -> QuantileWindow:
    return QuantileWindow(float(ranks.low[0]), float(ranks.high[-1]), 0, ranks.low, ranks.count)


def check_same(a: Plan, b: Plan) -> None:
    """Refuse sketches that cannot be added, saying in what they differ.

    Raises
    ------
    InputError
        For other columns, another task, classes, quantile, or bins made for other rows.
    """

    def refuse(what: str, left: object, right: object, step: str) -> None:
        raise InputError(f"Sketches add only when they are of the same {what}; got {left!r} and {right!r}. {step}")

    names, others = (tuple(column.name for column in plan.columns) for plan in (a, b))
    if names != others:
        odd = [name for name in (*names, *others) if name not in names or name not in others]
        if odd:
            lone = ", ".join(map(repr, odd))
            raise InputError(
                f"Sketches add only when they are of the same features; only one of these has {lone}. Make both of the "
                "same columns."
            )
        refuse("features", names, others, "Make both of the same columns, in one order.")
    if a.outputs.task != b.outputs.task:
        refuse("task", a.outputs.task, b.outputs.task, "Give task=… to both.")
    if a.outputs.classes != b.outputs.classes:
        refuse("classes", list(a.outputs.classes), list(b.outputs.classes), "Give classes=(…) to both.")
    if (a.labelled, a.scored) != (b.labelled, b.scored):
        refuse("quantities", _describe(a), _describe(b), "Give y to both, or to none, and scores alike.")
    if (a.sample_weight is None) != (b.sample_weight is None):
        refuse("weighting", _weighting(a), _weighting(b), "Give sample_weight to both, or to none.")
    if a.quantile != b.quantile:
        refuse("quantile", a.quantile, b.quantile, "Make both with one quantile.")
    for left, right in zip(a.columns, b.columns, strict=True):
        if left.kind != right.kind:
            refuse("kind of column", f"{left.name}: {left.kind}", f"{right.name}: {right.kind}", "Convert one of them.")
        if left.layout is None and right.layout is None:
            continue
        if left.layout is None or right.layout is None or not same_layout(left.layout, right.layout):
            raise InputError(
                f"Sketches add only over the same bins; those of {left.name!r} were made for other rows. "
                "Start each from empty() of one sketch of all rows, then update it."
            )
    if a.asked != b.asked:
        refuse("metrics", a.asked, b.asked, "Give metrics=… to both.")
    edges, other_edges = (np.zeros(0) if plan.steps is None else plan.steps.edges for plan in (a, b))
    if not np.array_equal(edges, other_edges):
        raise InputError(
            "Sketches add only over the same steps of the score; those of the two were made for other rows. Start "
            "each from empty() of one sketch of all rows, then update it."
        )
    if a.units != b.units:
        refuse("units", a.units, b.units, "Start each from empty() of one sketch, then update it.")


def _weighting(plan: Plan) -> str:
    return "without sample_weight" if plan.sample_weight is None else "with sample_weight"


def _describe(plan: Plan) -> str:
    return f"{'with' if plan.labelled else 'without'} y, {'with' if plan.scored else 'without'} scores"
