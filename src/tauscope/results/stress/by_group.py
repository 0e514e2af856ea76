"""Every metric in groups of rows, as tested and under a stress, and how far the groups are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from tauscope.results import show
from tauscope.results.base import Result, finite_records, records
from tauscope.results.formatting import aligned, number, points, share
from tauscope.results.reliability import level_of
from tauscope.results.stress.harm import worse_side
from tauscope.results.stress.joint_answer import MetricEstimate
from tauscope.results.stress.reweight_tables import note_of
from tauscope.stress.gaps import measure_gap
from tauscope.stress.metrics import Metric
from tauscope.stress.reliability import LEVELS, REASONS

if TYPE_CHECKING:
    import altair as alt

MARGINAL = "The population moves as a whole (a marginal shift); shares of groups follow. No group is moved by itself."
OF_GAPS = (
    "Intervals of gaps follow from intervals that hold for all groups together, whatever ties these (Bonferroni): they "
    "are wide."
)
SHOWN = 24
FRAME = (
    "group", "metric", "before", "value", "lower", "upper", "reliability", "note", "n_rows", "share_before", "share",
    "ess",
)  # fmt: skip
GAPS = (
    "metric", "largest", "smallest", "worst", "gap", "gap_lower", "gap_upper", "ratio", "ratio_lower", "ratio_upper",
    "reliability",
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


@dataclass(frozen=True, repr=False, eq=False)
class MetricsByGroup(Result):
    """Every metric in groups of rows, before and under a stress of the whole population.

    Made by `Reweighting.by`. The shift is marginal: all groups have the weights of one population that moves, and their
    shares follow.

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

    @property
    def title(self) -> str:
        """What is told apart, of which model: "Metrics of LogisticRegression by sex"."""
        return f"Metrics of {self.model_name} by {self.grouped_by}"

    @property
    def caption(self) -> str:
        """What a page saved from this is a copy of: the population."""
        return f"{self.title}: {self.population}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Which kind of shift this is, and what the intervals of gaps are."""
        return (MARGINAL, OF_GAPS) if len(self._gaps) else (MARGINAL,)

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
        ratio_upper; reliability (the least of the groups'). The intervals are at `confidence`: each group's is taken
        at 1 - (1 - confidence) / n_groups, so that all hold together, and the ends follow from theirs. A metric with
        negative values has no ratio, and groups without a value are left out.
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

    def document(self) -> dict[str, Any]:
        """See `Result.document`."""
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
        return "\n".join([self.caption, *(f"  {line}" for line in (*lines, *gaps, *self.notes))])

    def _is_share(self, name: str) -> bool:
        return next(metric.kind == "share" for metric in self.metrics if metric.name == name)

    def _gap_words(self, record: dict[str, Any]) -> str:
        write = points if self._is_share(record["metric"]) else number
        ends = f"{write(record['gap_lower'])} … {write(record['gap_upper'])}"
        worst = f", worst {record['worst']}" if record["worst"] else ""
        return f"{record['metric']}: {record['largest']} − {record['smallest']} {write(record['gap'])} ({ends}){worst}"


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


def gap_table(
    groups: Sequence[Group], metrics: Sequence[Metric], together: Sequence[Sequence[MetricEstimate]]
) -> pd.DataFrame:
    """Return the numbers of `MetricsByGroup.gaps`.

    Parameters
    ----------
    groups : sequence of Group
    metrics : sequence of Metric
    together : sequence of sequence of MetricEstimate
        For each group its metrics, with intervals that hold for all groups together.
    """
    rows: list[tuple[Any, ...]] = []
    for metric, estimates in zip(metrics, zip(*together, strict=True), strict=True):
        there = [(g.label, e) for g, e in zip(groups, estimates, strict=True) if np.isfinite(e.value)]
        if len(there) < 2:
            continue
        labels = [label for label, _ in there]
        known: list[MetricEstimate] = [estimate for _, estimate in there]
        ends = (np.array([getattr(e, name) for e in known], float) for name in ("value", "lower", "upper"))
        gap = measure_gap(*ends)
        worst = {"higher": labels[gap.largest], "lower": labels[gap.smallest]}.get(worse_side(metric.name), "")
        level = LEVELS[max(LEVELS.index(level_of(e.reason)) for e in known)]
        rows.append((metric.name, labels[gap.largest], labels[gap.smallest], worst, *gap[2:], level))
    return pd.DataFrame(rows, columns=[*GAPS])
