"""Stress curves in groups of rows: the same features, metrics and τ, every group by its own rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.data.features import select_features
from tauscope.data.groups import read_groups
from tauscope.errors import InputError
from tauscope.model import progress_bar
from tauscope.results.stress.curves_by_group import CurvesByGroup
from tauscope.stress.group_curves import group_curves
from tauscope.study.stress.metrics import check_own, select_metrics

if TYPE_CHECKING:
    from tauscope.results.stress.curves import StressCurves
    from tauscope.study.base import StudyBase


def curves_by_group(self: StudyBase, curves: StressCurves, by: Any, *, within: bool = False) -> CurvesByGroup:
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
        For curves with other intervals, features held, or metrics that follow from no sums; else as `StressCurves.by`.
    """
    options = curves._options
    if options.hold is not None or options.interval != "analytic":
        got = f"hold={options.hold!r}" if options.hold is not None else f"interval={options.interval!r}"
        raise InputError(
            f"Curves by group have analytic intervals and hold nothing; got curves of {got}. Ask for others, or for "
            "one population: reweight(…).by(…)."
        )
    selection = select_metrics(self, curves.metric_names)
    check_own(selection, "A curve by group")
    if selection.by_rows:
        raise InputError(
            f"Curves by group follow metrics that are sums over rows; {selection.by_rows[0]!r} takes them all at once. "
            "Ask for it of one population: reweight(…).by(…)."
        )
    groups = read_groups(by, self._columns, self.X, self.n_rows)
    features = select_features(self._columns, curves.feature_names)
    with progress_bar.bars_shown(options.progress):
        values = (feature.values() for feature in features)
        found = group_curves(
            progress_bar.progress(values, "Stressing groups", len(features), "feature"),
            self._outcomes,
            groups.codes,
            taus=curves.taus,
            shift="within" if within else "marginal",
            quantile=options.quantile,
            confidence=options.confidence,
            metrics=curves.metric_names,
            sample_weight=self.sample_weight,
        )
    return CurvesByGroup(
        grouped_by=groups.name,
        groups=groups.labels,
        group_rows=tuple(np.bincount(groups.codes).tolist()),
        shift="within" if within else "marginal",
        features=curves.features,
        _curves=replace(found, metrics=tuple(metric.in_words() for metric in found.metrics)),
        confidence=options.confidence,
        quantile=options.quantile,
        n_rows=self.n_rows,
        model_name=self._model_name,
        source=self._as_source(),
    )
