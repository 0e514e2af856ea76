"""One effect as it was asked for, computed: from answers known before, from trees, or by asking the model."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tauscope import effects
from tauscope.effects import BatchOptions, Effect, Grid, Interval, Nearest, PartialDependence, Window
from tauscope.errors import InputError
from tauscope.model.progress_bar import Bar, Callback
from tauscope.model.response import Response
from tauscope.results.effects.numbers import Kind
from tauscope.study.effects.trees import has_trees

if TYPE_CHECKING:
    from tauscope.study.effects.source import EffectSource

Method = Literal["auto", "brute"]


@dataclass(frozen=True, eq=False)
class EffectAsked:
    """What tells one effect of a study from another, its weights and interval aside.

    Attributes
    ----------
    kind : {"pd", "cd", "ale", "dale"}
    positions : tuple of int
    grids : tuple of Grid
    response : Response
    neighbourhood : Window, Nearest or None
        Of conditional dependence.
    slopes : ndarray or None
        Derivatives given.
    step : float or None
        Of differences.
    method : {"auto", "brute"}
    """

    kind: Kind
    positions: tuple[int, ...]
    grids: tuple[Grid, ...]
    response: Response
    neighbourhood: Window | Nearest | None
    slopes: NDArray[np.float64] | None
    step: float | None
    method: Method

    def key(self, kind: Kind | None = None) -> Hashable:
        """Under which its answers, or those of another kind, are kept."""
        response, asked = self.response, kind or self.kind
        near = self.neighbourhood if asked == "cd" else None
        return (asked, self.positions, response.method, response.name, response.classes, near, self.step, self.method)


def compute(
    source: EffectSource,
    asked: EffectAsked,
    interval: Interval,
    ice_bytes: int,
    progress: bool,
    callback: Callback | None,
) -> Effect:
    """Compute an effect, and keep its answers for the studies derived from this one.

    Parameters
    ----------
    source : EffectSource
    asked : EffectAsked
    interval : Interval
    ice_bytes : int
        Memory allowed for individual curves.
    progress : bool
    callback : callable or None

    Returns
    -------
    Effect
        With `n_model_rows` 0 where every answer was known.
    """
    weight, kept = source.study.sample_weight, source.kept
    if asked.slopes is None and ice_bytes > 0:
        known = kept.find(asked.key(), asked.grids, source.kept_rows, weight, interval, source.rows.n_rows)
        if known is not None:
            return known
    with Bar(f"Asking {source.model.name}", shown=progress, callback=callback) as bar:
        batches = BatchOptions(source.model.batch_rows, bar.update, asked.response.known)
        common: dict[str, Any] = {"sample_weight": weight, "interval": interval, "batches": batches}
        found = _ask(source, asked, common, ice_bytes)
    if asked.slopes is None:
        kept.keep(asked.key(), asked.grids, source.kept_rows, found)
    return found


def _ask(source: EffectSource, asked: EffectAsked, common: dict[str, Any], ice_bytes: int) -> Effect:
    model, rows, response = source.model.model, source.rows, asked.response
    predict, positions, grids = response.predict, asked.positions, asked.grids
    if asked.kind == "pd":
        if len(positions) == 1 and asked.method == "auto" and has_trees(model, rows, response):
            return effects.exact_dependence(
                model,
                predict,
                rows,
                positions[0],
                grids[0],
                response=response.method.rpartition(".")[2],
                outputs=response.columns or None,
                ice_bytes=ice_bytes,
                **common,
            )
        return effects.partial_dependence(predict, rows, positions, grids, ice_bytes=ice_bytes, **common)
    if asked.kind == "cd":
        found = source.kept.find(asked.key("pd"), grids, source.kept_rows, None, common["interval"], rows.n_rows)
        known = found if isinstance(found, PartialDependence) else None
        return effects.conditional_dependence(
            predict, rows, positions, grids, neighbourhood=asked.neighbourhood, known=known, **common
        )
    if asked.kind == "dale":
        ask = None if asked.slopes is not None else predict
        moved = rows.with_reals(positions[0])
        return effects.derivative_effect(
            moved, positions[0], grids[0], gradient=asked.slopes, predict=ask, step=asked.step, **common
        )
    return _accumulated(source, asked, common)


def _accumulated(source: EffectSource, asked: EffectAsked, common: dict[str, Any]) -> Effect:
    rows, positions, grids, predict = source.rows, asked.positions, asked.grids, asked.response.predict
    levels = [p for p in positions if p in rows.categorical]
    if len(positions) == 2:
        if levels:
            raise InputError(
                f"An accumulated effect of two features takes numbers; {rows.columns[levels[0]].name!r} holds levels. "
                "Use kind='pd'."
            )
        return effects.accumulated_surface(predict, rows, (positions[0], positions[1]), (grids[0], grids[1]), **common)
    if levels:
        return effects.accumulated_levels(
            predict,
            rows,
            positions[0],
            grids[0],
            categorical=rows.categorical,
            ordered=rows.ordered(positions[0]),
            **common,
        )
    return effects.accumulated_effect(predict, rows, positions[0], grids[0], **common)
