"""Curves of groups of rows over an effect as a message and a buffer, word for word as TypeScript reads them."""

# Decided in docs/decisions/0041-groups-over-an-effect-are-the-kernels.md.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Required, TypedDict

import numpy as np

from tauscope.data.groups import read_groups
from tauscope.results.effects.by_group import EffectByGroup
from tauscope.results.stress.by_group import UNMOVED
from tauscope.stress.reliability import LEVELS
from tauscope.views.grouped import check_few
from tauscope.views.shared_stress import StressState
from tauscope.views.wire import OF_GAP, VALUES, Block, Layout, float32, layout_of

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.results.effects.spec import EffectKind
    from tauscope.results.stress.reweight import Reweighting


class EffectGroupMessage(TypedDict):
    """One group: its name, its rows, and how many of them count."""

    label: str
    n_rows: int
    ess: float


class EffectGroupsMessage(TypedDict, total=False):
    """Groups of rows, and of which effect and stress their curves are; `error` says why there are none.

    `words` say what the population is, "" where nothing is moved, and `kept` what a page without a kernel says under
    another; `notes` are what is to be known of the groups. `widest` is of each class the point where their curves are
    farthest apart, −1 for none.
    """

    by: Required[str]
    features: Required[list[str]]
    kind: Required[EffectKind]
    stress: Required[StressState]
    error: Required[str]
    words: str
    groups: list[EffectGroupMessage]
    layout: Layout
    kept: str
    notes: list[str]
    widest: list[int]


class EffectGroupsWire(NamedTuple):
    """What is sent of groups.

    Attributes
    ----------
    groups : EffectGroupsMessage
    group_numbers : bytes
        Float32, as `layout` says: the level by its place among `LEVELS`, the largest and the smallest by theirs among
        the groups, −1 where fewer than two have a value.
    """

    groups: EffectGroupsMessage
    group_numbers: bytes


def effect_groups_wire(
    effect: FeatureEffect, by: object, name: str, stress: StressState, moved: Reweighting | None
) -> EffectGroupsWire:
    """Compute the curves of groups.

    Parameters
    ----------
    effect : FeatureEffect
        With a study in memory.
    by : str, sequence of str, or column of shape (n_rows,)
    name : str
        What a view calls it.
    stress : StressState
    moved : Reweighting or None
        Its answer; None where nothing is moved.

    Raises
    ------
    InputError
        For more than 12 groups, fewer than two, and all that `FeatureEffect.by` refuses.
    """
    name_few(effect, by)
    found: EffectByGroup = effect.by(by, moved)
    curves, gaps = found.curves, found.gaps_of_curves
    words = "" if found.population == UNMOVED else found.population.partition(";")[0]
    level = np.array([[LEVELS.index(one) for one in levels] for levels in found._point_levels], np.float64)
    levels = np.broadcast_to(level[:, None], curves.effect.shape)
    of_groups = np.stack([curves.effect, curves.lower, curves.upper, levels], axis=2).swapaxes(0, 1)
    places = (gaps.largest.astype(np.float64), gaps.smallest.astype(np.float64))
    of_gaps = np.stack([*places, gaps.gap, gaps.gap_lower, gaps.gap_upper], axis=1)
    return EffectGroupsWire(
        {
            **asked(effect, name, stress),
            "words": words,
            "kept": f"The groups are of {words or 'the data as they are'}: this copy has no kernel to move them.",
            "groups": [{"label": one.label, "n_rows": one.n_rows, "ess": float(one.ess)} for one in found.groups],
            "layout": layout_of(
                [
                    Block((*VALUES, "level"), "class group field point", of_groups.shape),
                    Block(OF_GAP, "class field point", of_gaps.shape),
                ]
            ),
            "notes": [note for note in found.notes if note not in effect.notes],
            "widest": [int(np.nanargmax(gap)) if np.isfinite(gap).any() else -1 for gap in gaps.gap],
        },
        float32(np.concatenate([of_groups.ravel(), of_gaps.ravel()])),
    )


def asked(effect: FeatureEffect, name: str, stress: StressState, error: str = "") -> EffectGroupsMessage:
    """Say what was asked for, and why there is no answer."""
    return {
        "by": name,
        "features": list(effect.feature_names),
        "kind": effect.kind,
        "stress": stress,
        "error": error,
    }


def name_few(effect: FeatureEffect, by: Any) -> str:
    """Return what groups are called, of which a view draws a few.

    Raises
    ------
    InputError
        For fewer than two or more than 12, for what names no groups, and for rows in chunks.
    """
    effect._check_rows_kept("curves by group in a view")
    source: Study = effect._require_source()
    name, labels, _ = read_groups(by, source._columns, source.X, source.n_rows)
    check_few(name, labels, f"study.effect({effect.feature_names[0]!r})")
    return name
