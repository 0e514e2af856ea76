"""Effects of many features, one curve each: compared on one scale, ranked by how far each moves the answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.errors import UnknownName
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.effects.axis import Axis
from tauscope.results.effects.text import KINDS, exactness, stopped_message, written
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.effects.effect import FeatureEffect


@dataclass(frozen=True, repr=False, eq=False)
class FeatureEffects(Charted):
    """One effect for each of several features; iterate over them, or take one by name.

    Made by `Study.effects`.

    Attributes
    ----------
    effects : tuple of FeatureEffect
        In the order requested, or of the columns.
    skipped : tuple of (str, str)
        Columns left out, and why.
    n_requested : int
        Features requested; a run that was stopped has fewer effects.

    Examples
    --------
    >>> study.effects(["mean radius", "mean texture"], grid=5).rank().index.tolist()
    [0, 1]
    """

    effects: tuple[FeatureEffect, ...]
    skipped: tuple[tuple[str, str], ...]
    n_requested: int

    @property
    def title(self) -> str:
        """Name the effects: "Partial dependence of probability of yes, 7 features"."""
        n = len(self)
        return f"{KINDS[self.effects[0].kind]} of {self.effects[0].response}, {count(n, 'feature')}"

    @property
    def _caption(self) -> str:
        """The title, the model, and how many rows."""
        return f"{self.title}: {self.effects[0].model_name}, {count(self.effects[0].n_rows, 'row')}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Which columns were left out, and why."""
        return tuple(f"left out {name!r}: {reason}" for name, reason in self.skipped)

    @property
    def status(self) -> Literal["complete", "stopped"]:
        """Whether every feature was reached; `message` says how far a run that was stopped came."""
        return "complete" if len(self.effects) == self.n_requested else "stopped"

    @property
    def message(self) -> str:
        """Return "complete", or how far a run that was stopped came."""
        return stopped_message(len(self.effects), self.n_requested, "features")

    @property
    def n_model_rows(self) -> int:
        """Rows the model was called on."""
        return sum(effect.n_model_rows for effect in self.effects)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(effect.feature_names[0] for effect in self.effects)

    def __getitem__(self, feature: str) -> FeatureEffect:
        if feature not in self.feature_names:
            raise UnknownName.among("feature", feature, self.feature_names)
        return self.effects[self.feature_names.index(feature)]

    def __iter__(self) -> Iterator[FeatureEffect]:
        return iter(self.effects)

    def __len__(self) -> int:
        return len(self.effects)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per feature and point: `feature`, (`class`,) `value`, `effect`, `lower`, `upper`, `n`."""
        frames = [effect.frame.assign(value=effect.frame["value"].astype(object)) for effect in self.effects]
        named = [frame.assign(feature=name) for frame, name in zip(frames, self.feature_names, strict=True)]
        table = pd.concat(named, ignore_index=True)
        return table[["feature", *(name for name in table.columns if name != "feature")]]

    def rank(self, target_class: object = None) -> pd.DataFrame:
        """Order the features by how far their curves move the answer: feature, `importance`, `lowest`, `highest`.

        Parameters
        ----------
        target_class : label, optional
            Which class, where the effects are given for several.

        Returns
        -------
        pandas.DataFrame
            `importance` is the standard deviation over the rows of the curve at each row's own value, in the
            response's unit; the most important first.

        References
        ----------
        Greenwell, Boehmke and McCarthy, "A simple and effective model-based variable importance measure", 2018, who
        take it over the grid instead.
        """
        records: list[dict[str, object]] = []
        for effect in self.effects:
            curve = effect._computed.effect[effect._output(target_class)]
            records.append(
                {
                    "feature": effect.feature_names[0],
                    "importance": _spread_over_rows(effect._axes[0], curve, effect._computed.sample_weight),
                    "lowest": float(np.nanmin(curve)),
                    "highest": float(np.nanmax(curve)),
                }
            )
        table = pd.DataFrame(records)
        return table.sort_values("importance", ascending=False, kind="stable", ignore_index=True)

    def chart(self, *, columns: int = 3) -> alt.ConcatChart:
        """Draw one small panel for each feature, all on one scale of the answer.

        Parameters
        ----------
        columns : int, default 3
            Panels in a row.

        Notes
        -----
        Shown without a network as the notes of `FeatureEffect.chart` say.
        """
        return show.draw(self, columns=columns)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: how the effects were computed, and the points of each."""
        return self.effects[0]._described("effects") | {
            "features": list(self.feature_names),
            "n_model_rows": self.n_model_rows,
            "status": self.message,
            "skipped": [list(item) for item in self.skipped],
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        first = self.effects[0]
        lines = [self._caption]
        several = len(first._computed.effect) > 1
        order = self.feature_names if several else self.rank()["feature"]
        for name in list(order)[:10]:
            effect = self[name]
            curve = effect._computed.effect
            low, high = float(np.nanmin(curve)), float(np.nanmax(curve))
            lines.append(f"  {name}: {written(effect, low)} to {written(effect, high)}")
        if len(self) > 10:
            lines.append(f"  and {len(self) - 10} more")
        how = f"{exactness(first)}; " if first._computed_from == "trees" else ""
        lines.append(f"  {how}the model was called on {count(self.n_model_rows, 'row')}")
        lines += [f"  {note}" for note in self.notes[:5]]
        return "\n".join([*lines, *([] if self.status == "complete" else [f"  {self.message}"])])


def _spread_over_rows(axis: Axis, curve: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """Weighted standard deviation over rows of a curve at each row's value, linear between points."""
    at = np.full(len(axis.data), np.nan)
    missing = np.isnan(axis.points)
    if missing.any():
        at[np.isnan(axis.data)] = curve[missing][0]
    if axis.kind == "levels":
        for code, value in zip(axis.points, curve, strict=True):
            at[axis.data == code] = value
    else:
        present = ~np.isnan(axis.data)
        at[present] = np.interp(axis.data[present], axis.points[~missing], curve[~missing])
    valid = ~np.isnan(at) & (weight > 0)
    if not valid.any():
        return float("nan")
    mean = np.average(at[valid], weights=weight[valid])
    return float(np.sqrt(np.average((at[valid] - mean) ** 2, weights=weight[valid])))
