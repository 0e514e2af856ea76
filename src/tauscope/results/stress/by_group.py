"""Every metric in groups of rows, as tested and under a stress, and how far the groups are apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results import show
from tauscope.results.base import Charted, finite_records, records
from tauscope.results.formatting import aligned, number, points, share
from tauscope.results.reliability import level_of
from tauscope.results.stress.harm import worse_side
from tauscope.results.stress.numbers.joint_answer import MetricEstimate
from tauscope.results.stress.numbers.reweight_tables import note_of
from tauscope.stress.joint.gaps import Gaps
from tauscope.stress.metrics import Metric
from tauscope.stress.reliability import LEVELS, REASONS

if TYPE_CHECKING:
    import altair as alt

MARGINAL = "The population moves as a whole (a marginal shift); shares of groups follow. No group is moved by itself."
UNMOVED = "the rows as they are"
OF_GAPS = (
    "Intervals of gaps are those of the difference itself: they count how the groups' numbers vary together, and of "
    "more than two groups which could be the largest and the smallest."
)
SHOWN = 24
FRAME = (
    "group", "metric", "before", "value", "lower", "upper", "reliability", "note", "n_rows", "share_before", "share",
    "ess",
)  # fmt: skip
GAPS = (
    "metric", "largest", "smallest", "worst", "gap", "gap_lower", "gap_upper", "ratio", "ratio_lower", "ratio_upper",
    "reliability", "note",
)  # fmt: skip


@dataclass(frozen=True)
class Group:
    """Rows that are told apart, and what a stress makes of them.

    Attributes
    ----------
    label : str
    n_rows : int
        Each counted once whatever its weight.
    share_before, share : float
        Of all weight, before and under the stress, in [0, 1].
    ess : float
        Effective sample size (Σw)²/Σw² of its own rows under the stress.
    """

    label: str
    n_rows: int
    share_before: float
    share: float
    ess: float


def labels_of(
    codes: NDArray[np.int32] | None, groups: Sequence[Group], name: str, source: object | None
) -> pd.Series[Any] | None:
    """Return each row's group, by the labels and in the order that groups have, as `by` takes it.

    Parameters
    ----------
    codes : ndarray of shape (n_rows,) or None
        Each row's place among the groups; None without groups.
    groups : sequence of Group
    name : str
        What they are told apart by.
    source : Study or None
        By whose rows the index is.
    """
    if codes is None:
        return None
    from_codes: Any = getattr(pd.Categorical, "from_codes")  # noqa: B009  (pandas' types have it take no labels)
    labels: Any = from_codes(codes, [group.label for group in groups])
    X = getattr(source, "X", None)
    return pd.Series(labels, name=name, index=X.index if isinstance(X, pd.DataFrame) else None)


@dataclass(frozen=True, repr=False, eq=False)
class MetricsByGroup(Charted):
    """Every metric in groups of rows, before and under a stress of the whole population.

    Made by `Study.metrics_by`, of the rows as they are, and by `Reweighting.by`. There the shift is marginal: all
    groups have the weights of one population that moves, and their shares follow.

    Attributes
    ----------
    grouped_by : str
        What the groups are told apart by: "sex", "sex, race".
    groups : tuple of Group
        In the order of the column's levels, "missing" last.
    metrics : tuple of Metric
    population : str
        Which population this is, in words.
    confidence : float
        Level of the intervals, in (0, 1).
    n_rows : int
        Of all groups.
    model_name : str
    bounds : tuple of str
        How far metrics in steps of the score can be off, where rows came in chunks.

    Examples
    --------
    >>> larger = study.reweight(ts.Mean("mean radius", shift=1))
    >>> by_texture = larger.by(X_test["mean texture"] > 20, metrics="error_rate")
    >>> by_texture.frame.columns.tolist()[:4]
    ['group', 'metric', 'before', 'value']
    >>> by_texture.gaps["largest"].item()
    'False'
    """

    grouped_by: str
    groups: tuple[Group, ...]
    metrics: tuple[Metric, ...]
    population: str
    confidence: float
    n_rows: int
    model_name: str
    _frame: pd.DataFrame
    _gaps: pd.DataFrame
    bounds: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What is told apart, of which model: "Metrics of LogisticRegression by sex"."""
        return f"Metrics of {self.model_name} by {self.grouped_by}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of: the population."""
        return f"{self.title}: {self.population}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Which kind of shift this is, and what gaps leave out; of chunks, how far ranks can be off."""
        shift = () if self.population == UNMOVED else (MARGINAL,)
        of_gaps = (OF_GAPS,) if len(self._gaps) else ()
        return (
            *shift,
            *of_gaps,
            *left_out(self._frame, {each.name: each.label for each in self.metrics}),
            *self.bounds,
        )

    @property
    def frame(self) -> pd.DataFrame:
        """One row per group and metric.

        Columns: group; metric; before, value (as tested and under the stress); lower, upper (interval of the value at
        `confidence`, as of `Reweighting.metrics`, of the group's rows and with the error of the stress's own targets);
        reliability, note (by the group's own rows); n_rows, share_before, share, ess (of the group; see `Group`).
        """
        return self._frame.copy()

    @property
    def gaps(self) -> pd.DataFrame:
        """How far the groups are apart under the stress, one row per metric; none where there is one group.

        Columns: metric; largest, smallest (groups); worst (group, "" where a metric has no worse side); gap, largest
        minus smallest, with gap_lower, gap_upper; ratio, smallest over largest in [0, 1], with ratio_lower,
        ratio_upper; reliability (the least of the groups'), note (which group has it, and why). The intervals, at
        `confidence`, are of the difference and the ratio themselves: made of the two groups' own and of how these vary
        together, and of more than two groups of all pairs that could be the largest and the smallest, at a level at
        which they hold together. A metric with negative values has no ratio, groups without a value are left out, and
        where one has no interval, of a mean over a single row for instance, the gap has none.

        References
        ----------
        Zou, Donner, "Construction of confidence limits about effect measures: a general approach", Statistics in
        Medicine 27, 2008.
        """
        return self._gaps.copy()

    def chart(self, metrics: str | Sequence[str] | None = None) -> alt.ConcatChart:
        """Draw every group as tested and under the stress with its interval, as an Altair chart to restyle or save.

        Parameters
        ----------
        metrics : str or several, optional
            By default all.

        Returns
        -------
        altair.ConcatChart
            A panel for each metric, data inline.

        Raises
        ------
        UnknownName
            For a metric that is not there, with the nearest names.
        InputError
            For none.
        """
        return show.draw(self, metrics)

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        return {
            "schema": "tauscope.metrics_by_group",
            "version": 1,
            "model": self.model_name,
            "by": self.grouped_by,
            "population": self.population,
            "confidence": self.confidence,
            "n_rows": self.n_rows,
            "computed": self.computed_on.isoformat(),
            "notes": list(self.notes),
            "groups": [asdict(group) for group in self.groups],
            "records": finite_records(self._frame),
            "gaps": finite_records(self._gaps),
        }

    def __repr__(self) -> str:
        cells = [("group", "rows", "metric", "before", "value", f"{100 * self.confidence:g} %", "")]
        for record in records(self._frame)[:SHOWN]:
            write = share if self._is_share(record["metric"]) else number
            cells.append(
                (
                    str(record["group"]),
                    f"{record['ess']:,.0f} of {record['n_rows']:,}",
                    str(record["metric"]),
                    write(record["before"]),
                    write(record["value"]),
                    f"{write(record['lower'])} … {write(record['upper'])}",
                    str(record["reliability"]),
                )
            )
        lines = aligned(cells)
        more = len(self._frame) - SHOWN
        lines += [f"and {more:,} more in .frame"] if more > 0 else []
        gaps = [self._gap_words(record) for record in records(self._gaps)[:SHOWN]]
        return "\n".join([self._caption, *(f"  {line}" for line in (*lines, *gaps, *self.notes))])

    def _is_share(self, name: str) -> bool:
        return next(metric.kind == "share" for metric in self.metrics if metric.name == name)

    def _gap_words(self, record: dict[str, Any]) -> str:
        write = points if self._is_share(record["metric"]) else number
        ends = f"{write(record['gap_lower'])} … {write(record['gap_upper'])}"
        worst = f", worst {record['worst']}" if record["worst"] else ""
        level = "" if record["reliability"] == "reliable" else f", {record['reliability']}"
        of = f"{record['metric']}: {record['largest']} − {record['smallest']}"
        return f"{of} {write(record['gap'])} ({ends}){worst}{level}"


class Estimates(NamedTuple):
    """The metrics of one group: without stress, and under it."""

    before: Sequence[float]
    after: Sequence[MetricEstimate]


def metric_rows(groups: Sequence[Group], metrics: Sequence[Metric], values: Sequence[Estimates]) -> pd.DataFrame:
    """Return the numbers of `MetricsByGroup.frame`.

    Parameters
    ----------
    groups : sequence of Group
    metrics : sequence of Metric
    values : sequence of Estimates
        One for each group.
    """
    rows = [
        (
            group.label, metric.name, before, after.value, after.lower, after.upper, REASONS[after.reason].level,
            note_of(metric, after), group.n_rows, group.share_before, group.share, group.ess,
        )
        for group, estimates in zip(groups, values, strict=True)
        for metric, before, after in zip(metrics, *estimates, strict=True)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=[*FRAME])


def left_out(frame: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield which groups a gap leaves out, and which metrics have no gap at all.

    Parameters
    ----------
    frame : pandas.DataFrame
        With columns group, metric and value; several values of one metric in a group are those at several thresholds.
    labels : mapping of str to str
        Of the metrics, by name.
    """
    undefined = ~np.isfinite(frame["value"].to_numpy(float))
    groups = frame["group"].astype(str).to_numpy()
    for name, label in labels.items():
        own = (frame["metric"] == name).to_numpy()
        missing = {group: float(undefined[own & (groups == group)].mean()) for group in dict.fromkeys(groups[own])}
        if len(missing) < 2:
            continue
        whole = [group for group, share in missing.items() if share == 1]
        part = [group for group, share in missing.items() if 0 < share < 1]
        for at, names in (("", whole), (" at some thresholds", part)):
            if names:
                more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
                gap = "No gap" if not at and len(missing) - len(names) < 2 else "The gap"
                inside = ", ".join(names[:SHOWN]) + more
                yield f"{gap} of the {label}{at}: it is not defined on the rows of {inside}."


def gap_note(groups: Sequence[str], levels: Sequence[int], notes: Sequence[str]) -> str:
    """Return the note of the first group of the least reliable level, behind its name; "" where all are reliable."""
    place = int(np.argmax(levels))
    return f"{groups[place]}: {notes[place]}" if levels[place] else ""


def gap_table(
    groups: Sequence[Group],
    metrics: Sequence[Metric],
    estimates: Sequence[Sequence[MetricEstimate]],
    gaps: Sequence[Gaps],
) -> pd.DataFrame:
    """Return the numbers of `MetricsByGroup.gaps`.

    Parameters
    ----------
    groups : sequence of Group
    metrics : sequence of Metric
    estimates : sequence of sequence of MetricEstimate
        For each group its metrics.
    gaps : sequence of Gaps
        For each metric how far the groups are apart.
    """
    rows: list[tuple[Any, ...]] = []
    for metric, of_groups, gap in zip(metrics, zip(*estimates, strict=True), gaps, strict=True):
        if gap.largest < 0:
            continue
        largest, smallest = (groups[int(place)].label for place in (gap.largest, gap.smallest))
        worst = {"higher": largest, "lower": smallest}.get(worse_side(metric.name), "")
        levels = [LEVELS.index(level_of(each.reason)) if np.isfinite(each.value) else 0 for each in of_groups]
        note = gap_note([group.label for group in groups], levels, [note_of(metric, each) for each in of_groups])
        rows.append((metric.name, largest, smallest, worst, *map(float, gap[2:]), LEVELS[max(levels)], note))
    return pd.DataFrame(rows, columns=[*GAPS])
