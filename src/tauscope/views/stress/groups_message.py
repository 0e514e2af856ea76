"""Stress curves in groups of rows as a message and a buffer, word for word as TypeScript reads them."""

# Decided in docs/decisions/0040-curves-by-group-are-followed-in-the-kernel.md.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Annotated, NamedTuple, Required, TypedDict

import numpy as np
from numpy.typing import NDArray

from tauscope.data.groups import read_groups
from tauscope.results.stress.by_group import MARGINAL
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.curves_by_group import WITHIN, CurvesByGroup
from tauscope.results.stress.harm import Worse, worse_side
from tauscope.stress.groups.group_curves import Shift
from tauscope.stress.metric_definitions import definitions
from tauscope.views.grouped import check_few
from tauscope.views.packing import pack_floats
from tauscope.views.study_columns import in_memory
from tauscope.views.wire import Absent, Block, Layout, layout_of, reason_bytes

BUDGET = 1_000_000
"""Bytes that groups of all features may take; of more, those of the feature chosen are sent."""
AT_ONCE = 1_000_000
"""Rows times features that are followed before the first is shown."""
OF_CELL = ("value", "lower", "upper", "reason", "amount")
OF_GROUP = ("target", "share", "ess")
OF_GAP = ("largest", "smallest", "gap", "gap_lower", "gap_upper", "ratio", "ratio_lower", "ratio_upper")


class CurvesBlockMessage(TypedDict):
    """Whose numbers come next: a feature under one kind of shift."""

    feature: str
    shift: Shift


class CurvesGroupsMessage(TypedDict, total=False):
    """Groups of rows, and of which features and shifts their numbers are; `error` says why there are none.

    `metrics` are those that have numbers by group, `worse` which way each gets worse. `notes` say what each kind of
    shift is, in words.
    """

    by: Required[str]
    error: Required[str]
    labels: list[str]
    group_rows: list[int]
    metrics: list[str]
    worse: list[Worse]
    blocks: list[CurvesBlockMessage]
    layout: Layout
    notes: Annotated[dict[Shift, str], Absent({"marginal": "", "within": ""})]


class GroupsWire(NamedTuple):
    """What is sent of groups.

    Attributes
    ----------
    groups : CurvesGroupsMessage
    group_numbers : bytes
        Packed float32, as `layout` says: reasons and amounts as of `tauscope.views.wire.reason_bytes`, the largest and
        the smallest by their places among the groups, NaN where there is none.
    """

    groups: CurvesGroupsMessage
    group_numbers: bytes


def groups_wire(curves: StressCurves, by: object, name: str, feature: str, shifts: Sequence[Shift]) -> GroupsWire:
    """Follow groups along τ: of every feature where they fit, else of one.

    Parameters
    ----------
    curves : StressCurves
        On the grid of the sliders, with a study to ask.
    by : str, sequence of str, or column of shape (n_rows,)
    name : str
        What a view calls it.
    feature : str
        The one that is shown.
    shifts : sequence of {"marginal", "within"}

    Raises
    ------
    InputError
        For more than 12 groups, fewer than two, and all that `StressCurves.by` refuses.
    """
    _, labels = name_few(curves, by)
    metrics = _summed(curves)
    n_taus, n_metrics = len(curves.taus), len(metrics)
    blocks = (
        Block(OF_CELL, "group metric field", (len(labels), n_metrics, len(OF_CELL))),
        Block(OF_GROUP, "group field", (len(labels), len(OF_GROUP))),
        Block(OF_GAP, "metric field", (n_metrics, len(OF_GAP))),
    )
    width = sum(prod(block.shape) for block in blocks)
    fits = 4 * len(shifts) * len(curves.features) * n_taus * width <= BUDGET
    every = fits and curves.n_rows * len(curves.features) <= AT_ONCE
    asked = _part(curves, metrics, curves.feature_names if every else (feature,))
    found = [asked.by(by, within=shift == "within") for shift in shifts]
    sent: list[CurvesBlockMessage] = [
        {"feature": one, "shift": each.shift} for each in found for one in each.feature_names
    ]
    return GroupsWire(
        {
            "by": name,
            "error": "",
            "labels": list(found[0].groups),
            "group_rows": list(found[0].group_rows),
            "metrics": list(metrics),
            "worse": [worse_side(metric) for metric in metrics],
            "blocks": sent,
            "layout": layout_of(blocks, outer="block tau", shape=(len(sent), n_taus)),
            "notes": {"marginal": MARGINAL, "within": WITHIN},
        },
        pack_floats(np.concatenate([_numbers(each) for each in found]), width),
    )


def name_few(curves: StressCurves, by: object) -> tuple[str, tuple[str, ...]]:
    """Return what groups are called and their names, of which a view draws a few.

    Raises
    ------
    InputError
        For fewer than two or more than 12, and for what names no groups.
    """
    source = curves._require_source()
    if in_memory(source):
        name, labels, _ = read_groups(by, source._columns, source.X, source.n_rows)
    else:
        found = _part(curves, _summed(curves)[:1], curves.feature_names[:1]).by(by)
        name, labels = found.grouped_by, found.groups
    check_few(name, labels, "stress_curves()")
    return name, labels


def _summed(curves: StressCurves) -> tuple[str, ...]:
    """Return the metrics that have groups: those that follow from sums over the rows."""
    there = {one.name for one in definitions(curves._require_source()._outcomes, curves.metric_names)}
    return tuple(name for name in curves.metric_names if name in there)


def _part(curves: StressCurves, metrics: Sequence[str], features: Sequence[str]) -> StressCurves:
    """Return what is asked for: some features and metrics, whose numbers are counted anew."""
    chosen = tuple(one for one in curves.features if one.name in features)
    kept = tuple(one for one in curves._curves.metrics if one.name in metrics)
    return replace(curves, features=chosen, _curves=replace(curves._curves, metrics=kept))


def _numbers(found: CurvesByGroup) -> NDArray[np.float64]:
    """Return the numbers of every feature as [feature][tau][field]."""
    curves, gaps = found._curves, found._curves.gaps
    codes = reason_bytes(curves.reason, curves.amount)
    cells = np.stack(
        [curves.value, curves.lower, curves.upper, codes[..., 0], codes[..., 1]], axis=-1, dtype=np.float64
    )
    of_groups = np.stack([getattr(curves, name) for name in OF_GROUP], axis=-1)
    of_gaps = np.stack([getattr(gaps, name) for name in OF_GAP], axis=-1).astype(np.float64)
    of_gaps[np.isnan(of_gaps[..., 2]), :2] = np.nan
    p, n_taus = len(found.features), len(found.taus)
    return np.concatenate(
        [
            cells.transpose(0, 3, 1, 2, 4).reshape(p, n_taus, -1),
            of_groups.transpose(0, 2, 1, 3).reshape(p, n_taus, -1),
            of_gaps.transpose(0, 2, 1, 3).reshape(p, n_taus, -1),
        ],
        axis=-1,
    )
