"""Stress curves in groups of rows: the same features, metrics and τ, every group by its own rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tauscope.data.features import select_features
from tauscope.errors import InputError
from tauscope.results.stress.curves_by_group import CurvesByGroup
from tauscope.stress.metric_definitions import ranks, row_definitions
from tauscope.study.stress.metrics import select_own

if TYPE_CHECKING:
    from tauscope.results.stress.curves import StressCurves
    from tauscope.study.verbs import AskedForCurves


def curves_by_group(self: AskedForCurves, curves: StressCurves, by: Any, *, within: bool = False) -> CurvesByGroup:
    """Return stress curves of this study group by group; see `StressCurves.by`.

    Parameters
    ----------
    curves : StressCurves
        Of this study.
    by, within
        As in `StressCurves.by`.

    Raises
    ------
    InputError
        For curves with other intervals, features held, or metrics that follow from no sums; in chunks also for a shift
        within groups, and sums of a group that are not exact enough; else as `StressCurves.by`.

    Notes
    -----
    In chunks two passes, or three where a column of groups holds numbers.
    """
    self._check_options("stress_curves(…).by", within=within)
    options = curves._options
    if options.hold is not None or options.interval != "analytic":
        got = f"hold={options.hold!r}" if options.hold is not None else f"interval={options.interval!r}"
        raise InputError(
            f"Curves by group have analytic intervals and hold nothing; got curves of {got}. Ask for others, or for "
            "one population: reweight(…).by(…)."
        )
    shift = "within" if within else "marginal"
    with self._bars(options.progress):
        rows = self._as_rows(ordered=True)
        names = select_own(rows.summed, curves.metric_names, "A curve by group")
        outcomes = rows.summed.allowing
        of_all = [name for name in names if row_definitions(outcomes, [name]) or ranks(outcomes, [name])]
        if of_all:
            raise InputError(
                f"Curves by group follow metrics that are sums over rows; {of_all[0]!r} takes them all at once. "
                "Ask for it of one population: reweight(…).by(…)."
            )
        columns, groups = rows.moved(options.quantile, names), rows.groups(() if by is None else by)
        features = select_features(columns.columns, curves.feature_names)
        found = columns.group_curves(features, groups, curves._curves, shift, options.confidence)
    return CurvesByGroup(
        grouped_by=groups.name,
        groups=groups.labels,
        group_rows=groups.n_rows,
        shift=shift,
        features=curves.features,
        _curves=replace(found, metrics=tuple(metric.in_words() for metric in found.metrics)),
        confidence=options.confidence,
        quantile=options.quantile,
        n_rows=curves.n_rows,
        model_name=self._model_name,
        source=self._as_source(),
    )
