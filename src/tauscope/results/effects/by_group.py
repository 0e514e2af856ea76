"""The effect of one feature in groups of rows, and how far the groups' curves are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.effects import GroupCurve
from tauscope.errors import InputError, place_of
from tauscope.results import show
from tauscope.results.base import Charted, finite_records
from tauscope.results.effects.axis import tidy
from tauscope.results.effects.text import centred, difference, extent, written
from tauscope.results.formatting import aligned
from tauscope.results.reliability import Judged, judge_size, sentence
from tauscope.results.stress.by_group import MARGINAL, UNMOVED, Group
from tauscope.results.stress.curves_by_group import NO_GAP, WITHIN
from tauscope.stress.groups.group_curves import Shift
from tauscope.stress.joint.gaps import Gaps, difference_ends
from tauscope.stress.reliability import CODES, LEVEL_OF, LEVELS

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.effects.effect import FeatureEffect

Array = NDArray[np.float64]

OF_GAPS = (
    "Intervals of gaps are those of the difference itself, at each point by itself; of more than two groups they count "
    "which could be the largest and the smallest."
)
CENTRED = "Each group's curve has mean 0 over its own rows: gaps are of the curves' shapes, not of their heights."
UNDEFINED = sentence(CODES["undefined"], 0)
SHOWN = 24


class GroupEffects(NamedTuple):
    """The curves of all groups.

    Attributes
    ----------
    effect, lower, upper : ndarray of shape (n_groups, q, G)
        For each group and response; NaN where a group has none.
    n, ess : ndarray of shape (n_groups, G)
        The group's rows behind each point, and their effective number.
    """

    effect: Array
    lower: Array
    upper: Array
    n: NDArray[np.int64]
    ess: Array

    @classmethod
    def of(cls, curves: Sequence[GroupCurve]) -> GroupEffects:
        """Put the curves of groups together."""
        return cls(*(np.stack([getattr(each, name) for each in curves]) for name in cls._fields))


@dataclass(frozen=True, repr=False, eq=False)
class EffectByGroup(Charted):
    """The effect of one feature in every group of rows, and the gaps between the groups' curves.

    Made by `FeatureEffect.by`.

    Attributes
    ----------
    effect : FeatureEffect
        Of all rows: its points, response and kind are those of the groups.
    grouped_by : str
        What the groups are told apart by: "sex", "sex, race".
    groups : tuple of Group
        In the order of the column's levels, "missing" last.
    shift : {"marginal", "within"}
        Whether all groups have the weights of one population, or each was moved by itself.
    population : str
        Which population this is, in words.
    curves : GroupEffects
        The numbers of all groups.
    gaps_of_curves : Gaps
        Of shape (q, G).
    n_model_rows : int
        Rows the model was called on for the groups; 0 where answers were kept. Those of the effect are its own.

    Examples
    --------
    >>> by_texture = study.effect("mean radius", grid=5).by(X_test["mean texture"] > 20)
    >>> by_texture.frame.columns.tolist()
    ['group', 'value', 'effect', 'lower', 'upper', 'n', 'ess', 'reliability', 'note']
    >>> by_texture.gaps["largest"].unique().tolist()
    ['False']
    """

    effect: FeatureEffect
    grouped_by: str
    groups: tuple[Group, ...]
    shift: Shift
    population: str
    curves: GroupEffects
    gaps_of_curves: Gaps
    _judged: tuple[Judged, ...]
    """What of the weights of each group's rows speaks against any number computed with them."""

    _extra_notes: tuple[str, ...]
    """What is to be known of single groups; among the `notes`."""

    n_model_rows: int = 0

    @property
    def title(self) -> str:
        """Name the effect and what is told apart: "Partial dependence of probability of yes on age, by sex"."""
        return f"{self.effect.title}, by {self.grouped_by}"

    @property
    def _caption(self) -> str:
        """The title, the model, and how many rows and points; the population where it was moved."""
        return f"{self.title}: {extent(self.effect)}{'' if self.population == UNMOVED else f'; {self.population}'}"

    @property
    def confidence(self) -> float:
        """Level of the intervals, in (0, 1)."""
        return self.effect.confidence

    @property
    def notes(self) -> tuple[str, ...]:
        """Which kind of shift this is, what is to be known of single groups, and what the intervals of gaps are."""
        moved = WITHIN if self.shift == "within" else "" if self.population == UNMOVED else MARGINAL
        several = len(self.groups) > 1
        last = (CENTRED if several and centred(self.effect) else "", OF_GAPS if several else "")
        caveats = (
            f"{group.label}: {caveat}" for group, each in zip(self.groups, self._judged, strict=True)
            for caveat in each.caveats
        )  # fmt: skip
        return tuple(filter(None, (moved, *self.effect.notes, *caveats, *self._extra_notes, *last)))

    @cached_property
    def _point_reasons(self) -> tuple[NDArray[np.int8], NDArray[np.object_]]:
        """Place among `LEVELS`, and level with its reason, of each group at each point, both (n_groups, G).

        By the weights of the group's rows; of means by `ess` at the point too.
        """
        shape = self.curves.n.shape
        level, note = np.zeros(shape, np.int8), np.full(shape, "", dtype=object)
        for place, whole in enumerate(self._judged):
            for point, ess in enumerate(self.curves.ess[place].tolist()):
                here = Judged() if centred(self.effect) else judge_size(ess, 0.0)
                graver = here if LEVEL_OF[here.reason] > LEVEL_OF[whole.reason] else whole
                level[place, point], note[place, point] = LEVEL_OF[graver.reason], "".join(graver.caveats)
        return level, note

    @property
    def _point_levels(self) -> NDArray[np.object_]:
        """Level of each group at each point, (n_groups, G)."""
        return np.array(LEVELS, dtype=object)[self._point_reasons[0]]

    @property
    def frame(self) -> pd.DataFrame:
        """One row per group and point (and class).

        Columns: group; class, for several; value; effect; lower, upper (interval at `confidence`, of the mean over the
        group's rows, their weights taken as known); n (rows of the group behind the point), ess (their effective
        number; of accumulated effects both of the bin that ends there); reliability, note (by the weights of the
        group's rows, of means by `ess` too). NaN, and no level, where a group has no rows that make up the point.
        """
        tables: list[pd.DataFrame] = []
        curves = self.curves
        for place, group in enumerate(self.groups):
            columns = {name: array[place] for name, array in curves._asdict().items()}
            columns |= relied(self, [place], curves.effect[place])
            table = tidy(self.effect._axes, self.effect._classes, columns)
            table.insert(0, "group", pd.Series([group.label] * len(table), dtype=object))
            tables.append(table)
        return pd.concat(tables, ignore_index=True)

    @property
    def gaps(self) -> pd.DataFrame:
        """How far the groups' curves are apart, one row per point (and class).

        Columns: class, for several; value; largest, smallest (groups; "" where fewer than two have a value); gap,
        largest minus smallest, with gap_lower, gap_upper; reliability (the least of the groups'; "" without a gap),
        note. The interval, at `confidence` at each point, is of the difference itself: the groups have no row in
        common, so that their numbers vary apart.
        """
        gaps, names = self.gaps_of_curves, np.array([*(group.label for group in self.groups), ""], dtype=object)
        columns: dict[str, NDArray[Any]] = {
            "largest": names[gaps.largest],
            "smallest": names[gaps.smallest],
            "gap": gaps.gap,
            "gap_lower": gaps.gap_lower,
            "gap_upper": gaps.gap_upper,
            **relied(self, range(len(self.groups)), gaps.gap, NO_GAP),
        }
        return tidy(self.effect._axes, self.effect._classes, columns)

    def difference(self, group: str, other: str) -> pd.DataFrame:
        """Return one group's curve less another's: where it is above, and where below.

        Parameters
        ----------
        group, other : str
            Labels among `groups`.

        Returns
        -------
        pandas.DataFrame
            One row per point (and class): value; difference, with lower, upper, the interval of the difference at
            `confidence`, at each point by itself; reliability (the lesser of the two groups'), note.

        Raises
        ------
        UnknownName
            For a group that is not there, with the nearest labels.
        InputError
            For a group less itself.

        References
        ----------
        Zou, Donner, "Construction of confidence limits about effect measures: a general approach", Statistics in
        Medicine 27, 2008.

        Examples
        --------
        >>> by_texture = study.effect("mean radius", grid=3).by(X_test["mean texture"] > 20)
        >>> by_texture.difference("False", "True").columns.tolist()
        ['value', 'difference', 'lower', 'upper', 'reliability', 'note']
        """
        one, two = self._place(group), self._place(other)
        if one == two:
            raise InputError(f"A difference is of two groups; got {group!r} twice. Name two of: {self._labels()}.")
        effect, lower, upper = self.curves[:3]
        a, b = ((effect[place], lower[place], upper[place]) for place in (one, two))
        uncorrelated: Array = np.zeros(effect.shape[1:])
        ends = difference_ends(a, b, uncorrelated)
        columns = {"difference": a[0] - b[0], "lower": ends[0], "upper": ends[1]}
        columns |= relied(self, [one, two], columns["difference"], NO_GAP)
        return tidy(self.effect._axes, self.effect._classes, columns)

    def _place(self, label: str) -> int:
        return place_of("group", str(label), [group.label for group in self.groups])

    def _labels(self) -> str:
        return ", ".join(repr(group.label) for group in self.groups[:10])

    def chart(self, target_class: object = None) -> alt.ConcatChart:
        """Draw the curve of every group with its interval, and how far they are apart.

        Parameters
        ----------
        target_class : label, optional
            Which class, where the effect is given for several.

        Returns
        -------
        altair.ConcatChart
            Two groups in one panel, beside it the first less the second; more in a panel each among the others in
            grey, then the gap. Data inline, to restyle or save.

        Raises
        ------
        UnknownName
            For a class that is not there.
        InputError
            Where there are several and none is named.
        """
        return show.draw(self, target_class)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: how the effect was computed, the groups, their points and gaps."""
        return self.effect._described("effect_by_group") | {
            "by": self.grouped_by,
            "n_model_rows_of_groups": self.n_model_rows,
            "shift": self.shift,
            "population": self.population,
            "notes": list(self.notes),
            "groups": [asdict(group) for group in self.groups],
            "records": finite_records(self.frame),
            "gaps": finite_records(self.gaps),
        }

    def __repr__(self) -> str:
        lines = [f"{self.title}: {extent(self.effect)}", *([self.population] if self.population != UNMOVED else [])]
        for output in range(self.curves.effect.shape[1]):
            lines += [self.effect._classes[output]] if self.curves.effect.shape[1] > 1 else []
            lines += aligned([("group", "rows", "lowest", "highest"), *self._ends(output)])
            more = len(self.groups) - SHOWN
            lines += [f"and {more:,} more in .frame"] if more > 0 else []
            lines += self._widest(output)
        return "\n".join([lines[0], *(f"  {line}" for line in (*lines[1:], *self.notes))])

    def _ends(self, output: int) -> list[tuple[str, str, str, str]]:
        """Say for each group how many effective rows it has, and where its curve is lowest and highest."""
        axis, rows = self.effect._axes[0], list[tuple[str, str, str, str]]()
        for group, curves in zip(self.groups[:SHOWN], self.curves.effect, strict=False):
            curve = curves[output]
            known = np.isfinite(curve).any()
            places = (int(np.nanargmin(curve)), int(np.nanargmax(curve))) if known else ()
            ends = [f"{written(self.effect, float(curve[place]))} at {axis.label(place)}" for place in places]
            low, high = ends or ("no curve", "")
            rows.append((group.label, f"{group.ess:,.0f} of {group.n_rows:,}", low, high))
        return rows

    def _widest(self, output: int) -> list[str]:
        """Say where the curves are farthest apart."""
        gaps, axis = self.gaps_of_curves, self.effect._axes[0]
        gap = gaps.gap[output]
        if not np.isfinite(gap).any():
            return []
        place = int(np.nanargmax(gap))
        largest, smallest = (self.groups[int(each[output, place])].label for each in (gaps.largest, gaps.smallest))
        width, low, high = (
            difference(self.effect, float(each[output, place])) for each in (gaps.gap, gaps.gap_lower, gaps.gap_upper)
        )
        where = f"{axis.name} {axis.label(place)}"
        return [f"farthest apart at {where}: {largest} − {smallest} {width} ({low} … {high})"]


def relied(
    found: EffectByGroup, places: Sequence[int], value: Array, missing: str = UNDEFINED
) -> dict[str, NDArray[np.object_]]:
    """Return columns of level and note, each (q, G), of what groups make up: those of the least reliable.

    Parameters
    ----------
    found : EffectByGroup
    places : sequence of int
        Of the groups, whose names are said where there are several.
    value : ndarray of shape (q, G)
        NaN has no level.
    missing : str
        Its note.
    """
    own = list(places)
    level = np.where(np.isfinite(found.curves.effect[own]), found._point_reasons[0][own][:, None], 0)
    least, gravest, known = level.argmax(0), level.max(0), np.isfinite(value)
    names = np.array([f"{found.groups[place].label}: " if len(own) > 1 else "" for place in own], dtype=object)
    notes = names[:, None, None] + found._point_reasons[1][own][:, None]
    note = np.take_along_axis(np.broadcast_to(notes, level.shape), least[None], 0)[0]
    return {
        "reliability": np.where(known, np.array(LEVELS, dtype=object)[gravest], ""),
        "note": np.where(known, np.where(gravest > 0, note, ""), missing),
    }
