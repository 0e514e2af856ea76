"""Every metric in groups of rows along τ, and how far the groups are apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.errors import place_of
from tauscope.results import show
from tauscope.results.base import Charted, finite_records, records
from tauscope.results.formatting import aligned, number, points, share
from tauscope.results.reliability import level_names, levels, sentences
from tauscope.results.stress.by_group import MARGINAL, OF_GAPS, left_out
from tauscope.results.stress.harm import worse_side
from tauscope.results.stress.numbers.metrics import WithMetrics
from tauscope.stress.groups.group_curves import GroupCurves, Shift
from tauscope.stress.metrics import Metric
from tauscope.stress.reliability import LEVELS
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.data.features import Feature

WITHIN = (
    "Each group moves by itself (a shift within groups): τ stands for the quantiles of its own rows, and the shares of "
    "the groups stay."
)
NO_GAP = "fewer than two groups have a value"
SHOWN = 12


@dataclass(frozen=True, repr=False, eq=False)
class CurvesByGroup(WithMetrics, Charted):
    """Every metric of each group of rows along τ, for every feature, and the gaps between the groups.

    Made by `StressCurves.by`.

    Attributes
    ----------
    grouped_by : str
        What the groups are told apart by: "sex", "sex, race".
    groups : tuple of str
        In the order of the column's levels, "missing" last.
    group_rows : tuple of int
        Rows of each, counted once whatever their weight.
    shift : {"marginal", "within"}
        Whether the population moves as a whole and the shares of the groups follow, or each group by itself.
    features : tuple of Feature
    confidence : float
        Level of the intervals, in (0, 1).
    quantile : float
        τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    n_rows : int
        Of all groups.
    model_name : str

    Examples
    --------
    >>> curves = study.stress_curves("mean radius", metrics="error_rate", taus=3)
    >>> by_texture = curves.by(X_test["mean texture"] > 20)
    >>> by_texture.gaps[["tau", "largest", "worst"]]
       tau largest  worst
    0 -1.0    True   True
    1  0.0   False  False
    2  1.0   False  False
    """

    grouped_by: str
    groups: tuple[str, ...]
    group_rows: tuple[int, ...]
    shift: Shift
    features: tuple[Feature, ...]
    _curves: GroupCurves
    """The engine's arrays."""

    confidence: float
    quantile: float
    n_rows: int
    model_name: str

    @property
    def title(self) -> str:
        """What is told apart, of which model: "Stress curves of LogisticRegression by sex"."""
        moved = ", each group moved by itself" if self.shift == "within" else ""
        return f"Stress curves of {self.model_name} by {self.grouped_by}{moved}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Which kind of shift this is, which groups cannot be moved, and what gaps and their intervals are of."""
        about = (MARGINAL if self.shift == "marginal" else WITHIN, *self._not_moved)
        return (*about, *self._left_out, OF_GAPS) if len(self.groups) > 1 else about

    @property
    def _left_out(self) -> Iterator[str]:
        unmoved = self._curves.value[..., int(np.argmin(np.abs(self.taus)))]
        known = np.fmax.reduce(unmoved, axis=0)  # a feature that a group cannot move has no value there
        columns = {"group": np.repeat(self.groups, known.shape[1]), "metric": np.tile(self.metric_names, len(known))}
        frame = pd.DataFrame({**columns, "value": known.ravel()})
        return left_out(frame, {each.name: each.label for each in self._curves.metrics})

    @property
    def _not_moved(self) -> tuple[str, ...]:
        return tuple(
            f"{feature.name}: one value in the group {group}, which cannot be moved."
            for feature, targets in zip(self.features, self._curves.target, strict=True)
            for group, target in zip(self.groups, targets, strict=True)
            if np.isnan(target).all()
        )

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features, in order."""
        return tuple(feature.name for feature in self.features)

    @property
    def _metrics(self) -> tuple[Metric, ...]:
        return self._curves.metrics

    @property
    def taus(self) -> NDArray[np.float64]:
        """The grid, ascending, with 0 (the unstressed population) in it."""
        return self._curves.taus

    @property
    def frame(self) -> pd.DataFrame:
        """One row per feature, group, τ and metric.

        Columns: feature; group; tau; target (mean of the feature, its own unit: of all rows, or where each group moves
        by itself of the group's); metric; value, lower, upper (interval at `confidence`); reliability, note (by the
        group's own rows); share (of all weight that the group has); ess (of the group's rows).
        """
        return self._frame.copy()

    @cached_property
    def _caveats(self) -> NDArray[np.object_]:
        """Level and reason of each cell, of the shape of `curves.value`; "" where it is reliable."""
        return sentences(self._curves.reason, self._curves.amount, self._curves.metrics, axis=2)

    @cached_property
    def _frame(self) -> pd.DataFrame:
        curves = self._curves
        p, n_groups, n_metrics, n_taus = curves.value.shape

        def of_cells(values: NDArray[Any]) -> NDArray[Any]:
            return values.swapaxes(2, 3).ravel()

        def of_groups(values: NDArray[Any]) -> NDArray[Any]:
            return np.repeat(values, n_metrics, axis=2).ravel()

        named = (np.array(names, dtype=object) for names in (self.feature_names, self.groups, self.metric_names))
        features, groups, metrics = named
        return pd.DataFrame(
            {
                "feature": np.repeat(features, n_groups * n_taus * n_metrics),
                "group": np.tile(np.repeat(groups, n_taus * n_metrics), p),
                "tau": np.tile(np.repeat(curves.taus, n_metrics), p * n_groups),
                "target": of_groups(curves.target),
                "metric": np.tile(metrics, p * n_groups * n_taus),
                "value": of_cells(curves.value),
                "lower": of_cells(curves.lower),
                "upper": of_cells(curves.upper),
                "reliability": of_cells(level_names(curves.reason)),
                "note": of_cells(self._caveats),
                "share": of_groups(curves.share),
                "ess": of_groups(curves.ess),
            }
        )

    @property
    def gaps(self) -> pd.DataFrame:
        """How far the groups are apart, one row per feature, τ and metric.

        Columns: feature; tau; metric; largest, smallest, worst, gap, gap_lower, gap_upper, ratio, ratio_lower,
        ratio_upper, reliability, note, as in `MetricsByGroup.gaps`; where fewer than two groups have a value, NaN, and
        "" for the groups and the level of what is not there.
        """
        gaps, (p, n_metrics, n_taus) = self._curves.gaps, self._curves.gaps.gap.shape
        names = np.array([*self.groups, ""], dtype=object)
        largest, smallest = names[gaps.largest], names[gaps.smallest]
        sides = np.array([worse_side(name) for name in self.metric_names], dtype=object)[:, None]
        worst = np.where(sides == "higher", largest, np.where(sides == "lower", smallest, ""))
        level = np.where(np.isnan(self._curves.value), 0, levels(self._curves.reason))
        least = level.argmax(1)
        notes = np.take_along_axis(self._caveats, least[:, None], 1)[:, 0]
        doubted = np.where(level.max(1) > 0, names[least] + ": " + notes, "")
        numbers = {name: part for name, part in gaps._asdict().items() if name not in ("largest", "smallest")}
        columns = {
            "largest": largest,
            "smallest": smallest,
            "worst": worst,
            **numbers,
            "reliability": np.where(gaps.largest < 0, "", np.array(LEVELS, dtype=object)[level.max(1)]),
            "note": np.where(gaps.largest < 0, NO_GAP, doubted),
        }
        return pd.DataFrame(
            {
                "feature": np.repeat(np.array(self.feature_names, dtype=object), n_taus * n_metrics),
                "tau": np.tile(np.repeat(self.taus, n_metrics), p),
                "metric": np.tile(np.array(self.metric_names, dtype=object), p * n_taus),
                **{name: values.swapaxes(1, 2).ravel() for name, values in columns.items()},
            }
        )

    def _feature_place(self, name: str) -> int:
        """Place of a feature among `feature_names`; UnknownName, with the nearest, when it is not there."""
        return place_of("feature", name, self.feature_names)

    def chart(self, metric: str | None = None, feature: str | int | None = None) -> alt.ConcatChart:
        """Draw a metric of every group along τ and the gap between them, as an Altair chart to restyle or save.

        Parameters
        ----------
        metric : str, optional
            By default the leading one.
        feature : str or int, optional
            By default that along which the gap moves most.

        Returns
        -------
        altair.ConcatChart
            Two groups in one panel, more in a panel each among the others in grey; then the gap. Data inline.

        Raises
        ------
        UnknownName
            For a metric or feature that is not there, with the nearest names.
        """
        return show.draw(self, metric, feature)

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        return {
            "schema": "tauscope.curves_by_group",
            "version": 1,
            "model": self.model_name,
            "by": self.grouped_by,
            "shift": self.shift,
            "confidence": self.confidence,
            "quantile": self.quantile,
            "n_rows": self.n_rows,
            "computed": self.computed_on.isoformat(),
            "notes": list(self.notes),
            "groups": [{"label": label, "n_rows": n} for label, n in zip(self.groups, self.group_rows, strict=True)],
            "records": finite_records(self._frame),
            "gaps": finite_records(self.gaps),
        }

    def __repr__(self) -> str:
        metric = self._leading_metric
        write, apart = (share, points) if metric.kind == "share" else (number, number)
        gaps = self.gaps
        shown = dict.fromkeys((float(self.taus[0]), 0.0, float(self.taus[-1])))
        cells = [("feature", "τ", *self.groups[:6], "gap")]
        for name in self.feature_names[:SHOWN]:
            values = self._frame[(self._frame["feature"] == name) & (self._frame["metric"] == metric.name)]
            of_gap = gaps[(gaps["feature"] == name) & (gaps["metric"] == metric.name)]
            for tau in shown:
                row = records(of_gap[of_gap["tau"] == tau])[0]
                here = values[values["tau"] == tau]["value"].tolist()
                ends = f" ({apart(row['gap_lower'])} … {apart(row['gap_upper'])})" if np.isfinite(row["gap"]) else ""
                gap = f"{apart(row['gap'])}{ends}"
                cells.append((name, f"{tau:g}", *(write(value) for value in here[:6]), gap))
        more = len(self.features) - SHOWN
        lines = [metric.label, *aligned(cells), *([f"and {count(more, 'feature')} more in .frame"] if more > 0 else [])]
        return "\n".join([self.title, *(f"  {line}" for line in (*lines, *self.notes))])
