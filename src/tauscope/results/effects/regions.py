"""Two groups of rows whose curves have different shapes, separated by one other feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.dates import to_dates
from tauscope.data.table_rows import engine_values
from tauscope.effects import PartialDependence, Regions, find_regions
from tauscope.effects.curves.regions import RegionsStatus
from tauscope.errors import InputError, UnknownName
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.effects.axis import Axis
from tauscope.results.effects.text import difference, extent, regions_message
from tauscope.results.formatting import number, share
from tauscope.words import count, quoted_level

if TYPE_CHECKING:
    import altair as alt

    from tauscope.data.columns import Column
    from tauscope.results.effects.effect import FeatureEffect


@dataclass(frozen=True, repr=False, eq=False)
class EffectRegions(Charted):
    """The split of the rows, by one other feature, that leaves the individual curves of each side most alike.

    Made by `FeatureEffect.regions`.

    Attributes
    ----------
    effect : FeatureEffect
    feature : str or None
        What the rows are split by.
    names : tuple of str
        The two regions in words, "fare ≤ 32.5" and "fare > 32.5"; empty where there is no split.

    Examples
    --------
    >>> regions = study.effect("mean radius", grid=5).regions()
    >>> regions.feature
    'mean concavity'
    """

    effect: FeatureEffect
    _output: int
    """Place of the class among those the effect is given for."""

    _computed: Regions
    """The engine's answer; without regions where no split is worth making."""

    feature: str | None
    names: tuple[str, ...]

    @property
    def title(self) -> str:
        """Name the effect."""
        return self.effect.title

    @property
    def _caption(self) -> str:
        """The model, and how many rows and points."""
        return extent(self.effect)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know: nothing beyond the effect's own notes."""
        return self.effect.notes

    @property
    def status(self) -> RegionsStatus:
        """Whether there is a split, or why there is none; `message` says it in words."""
        return self._computed.status

    @property
    def message(self) -> str:
        """The finding in words: how much of the spread the split removes, or why there is none."""
        return regions_message(self._computed)

    @property
    def reduction(self) -> float:
        """Part of the squared spread of the curves' shapes that the split removes, in [0, 1]."""
        return self._computed.reduction

    def mask(self, which: int) -> NDArray[np.bool_]:
        """Rows of one region, shape (n_rows,), as `Study.where` takes them.

        Parameters
        ----------
        which : int
            Place of the region among `names`, from 0.

        Returns
        -------
        ndarray of bool of shape (n_rows,)

        Raises
        ------
        InputError
            Where there is no such region.
        """
        if not 0 <= which < len(self._computed.regions):
            raise InputError(f"There are {count(len(self._computed.regions), 'region')}, numbered from 0; got {which}.")
        rows = np.zeros(self.effect.n_rows, dtype=np.bool_)
        rows[self._computed.regions[which].rows] = True
        return rows

    @property
    def frame(self) -> pd.DataFrame:
        """One row per region and point: `region`, `value`, `effect`; no rows where there is no split."""
        values = self.effect._axes[0].values
        frames = [
            pd.DataFrame({"region": name, "value": values, "effect": region.effect})
            for name, region in zip(self.names, self._computed.regions, strict=True)
        ]
        empty = pd.DataFrame({"region": [], "value": [], "effect": []})
        return pd.concat(frames, ignore_index=True) if frames else empty

    @property
    def summary(self) -> pd.DataFrame:
        """One row per region: `region`, `rows`, `share` (of the weight), `spread` of its curves' shapes; first all."""
        computed = self._computed
        return pd.DataFrame(
            {
                "region": ["all rows", *self.names],
                "rows": [self.effect.n_rows, *(len(region.rows) for region in computed.regions)],
                "share": [1.0, *(region.share for region in computed.regions)],
                "spread": [computed.spread, *(region.spread for region in computed.regions)],
            }
        )

    @property
    def sentence(self) -> str:
        """The finding for a person."""
        spread = difference(self.effect, self._computed.spread)
        if not self.names:
            return f"individual curves differ in shape by {spread}; {self.message}"
        spreads = [
            f"{difference(self.effect, region.spread)} where {name} ({share(region.share)} of the rows)"
            for name, region in zip(self.names, self._computed.regions, strict=True)
        ]
        return (
            f"individual curves differ in shape by {spread}; split by {self.feature}, by {spreads[0]} and "
            f"{spreads[1]}: {share(self.reduction)} less squared spread"
        )

    def chart(self) -> alt.LayerChart:
        """Draw the curve of each region and that of all rows (dotted); without a split the latter alone.

        Shown without a network as the notes of `FeatureEffect.chart` say.
        """
        return show.draw(self)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: the effect, the split, and the curve of each region."""
        return self.effect._described("effect_regions") | {
            "feature": self.feature,
            "regions": records(self.summary),
            "reduction": self.reduction,
            "sentence": self.sentence,
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        return f"{self.title}: {extent(self.effect)}\n  {self.sentence}"


def split(
    effect: FeatureEffect,
    features: Sequence[str] | None,
    min_share: float,
    min_reduction: float,
    target_class: object,
) -> EffectRegions:
    """Find the regions of an effect; see `FeatureEffect.regions`."""
    effect._check_rows_kept("regions")
    if not isinstance(effect._computed, PartialDependence) or len(effect._axes) != 1:
        raise InputError(f"Regions are of kind='pd' and one feature; this is {effect.kind!r}. Compute that one.")
    if effect._moved:
        raise InputError("This effect is under a stress of its own; use study.under(stress).effect(…).regions().")
    effect._computed.curves()  # refuses where they were not kept, before the rows are read
    columns = effect._require_source()._table_rows.columns
    among = _positions(columns, features)
    output = effect._output(target_class)
    values = np.column_stack([engine_values(column) for column in columns])
    categorical = frozenset(place for place, column in enumerate(columns) if column.codes is not None)
    computed = find_regions(
        effect._computed,
        values,
        output=output,
        categorical=categorical,
        among=among,
        min_share=min_share,
        min_reduction=min_reduction,
    )
    if computed.column is None:
        return EffectRegions(effect, output, computed, None, (), source=effect.source)
    column = columns[computed.column]
    return EffectRegions(effect, output, computed, column.name, _names(column, computed), source=effect.source)


def _positions(columns: tuple[Column, ...], features: Sequence[str] | None) -> frozenset[int] | None:
    """Find the columns that may split; None for all."""
    if features is None:
        return None
    names = tuple(column.name for column in columns)
    named = [features] if isinstance(features, str) else features
    for name in named:
        if name not in names:
            raise UnknownName.among("column", name, names)
    return frozenset(names.index(name) for name in named)


def _names(column: Column, computed: Regions) -> tuple[str, str]:
    missing = " or missing" if column.n_missing else ""
    first, second = (missing, "") if computed.missing_first else ("", missing)
    if computed.level is not None:
        own = column.levels[int(computed.level)]
        level = quoted_level(own)
        others = [name for name, n in zip(column.levels, column.level_counts(), strict=True) if n and name != own]
        if len(others) == 1:
            return f"{column.name} is {quoted_level(others[0])}{first}", f"{column.name} is {level}{second}"
        return f"{column.name} is not {level}{first}", f"{column.name} is {level}{second}"
    assert computed.threshold is not None
    edge = number(computed.threshold)
    if column.unit == "year":
        point = np.array([computed.threshold])
        edge = Axis(column.name, "date", point, to_dates(point), np.empty(0)).label(0)
    elif column.unit:
        edge = f"{edge} {column.unit}"
    return f"{column.name} ≤ {edge}{first}", f"{column.name} > {edge}{second}"
