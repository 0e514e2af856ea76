"""One effect as it was asked for, read and checked: the columns, the points, the response, the options."""

# A grid, a window and a number of neighbours are what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from tauscope.effects import Grid, Interval, Nearest, Window
from tauscope.errors import InputError, InputTypeError
from tauscope.model.response import Response
from tauscope.results.effects.spec import EffectInterval, EffectMethod, EffectSpec, Kind, Spacing
from tauscope.study.effects.features import effect_positions
from tauscope.study.effects.gradient import read_gradient
from tauscope.study.effects.grid import asked_grids, make_grid
from tauscope.study.stress.curves import check_fraction
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


@dataclass(frozen=True, eq=False)
class EffectPlan:
    """What an effect is computed from.

    Attributes
    ----------
    spec : EffectSpec
        As asked for, with what was read of it in the place of what was typed.
    positions : tuple of int
        The one or two columns.
    grids : tuple of Grid
    notes : tuple of str
        What was left out of the grids.
    response : Response
    neighbourhood : Window, Nearest or None
        Of conditional dependence.
    slopes : ndarray or None
        Derivatives given.
    interval : Interval
    """

    spec: EffectSpec
    positions: tuple[int, ...]
    grids: tuple[Grid, ...]
    notes: tuple[str, ...]
    response: Response
    neighbourhood: Window | Nearest | None
    slopes: NDArray[np.float64] | None
    interval: Interval

    def key(self, kind: Kind | None = None) -> Hashable:
        """Tell one effect of a study from another, its weights and interval aside: what its answers are kept under."""
        response, spec, of_kind = self.response, self.spec, kind or self.spec.kind
        near = self.neighbourhood if of_kind == "cd" else None
        return (of_kind, self.positions, response.label, response.name, response.classes, near, spec.step, spec.method)


def plan_effect(study: StudyBase, spec: EffectSpec) -> EffectPlan:
    """Read and check what was asked for.

    Raises
    ------
    UnknownName
        For a feature, level or class that is not there.
    InputError, InputTypeError
        For an option that cannot be used, of another kind, or of a study without a model.
    """
    study.require_model("has effects")
    _check_choice("kind", spec.kind, Kind)
    _check_choice("interval", spec.interval, EffectInterval)
    _check_choice("spacing", spec.spacing, Spacing)
    _check_choice("method", spec.method, EffectMethod)
    check_fraction("confidence", spec.confidence, 1.0)
    positions = effect_positions(study, spec.feature)
    of_each = [_rereadable(one) for one in asked_grids(spec.grid, len(positions))]
    made = [make_grid(study.rows, place, one, spec.spacing) for place, one in zip(positions, of_each, strict=True)]
    response = study.response(spec.response_method, spec.target_class)
    drawn = spec.interval == "bootstrap"
    seed = seed_of(spec.random_state) if drawn else None
    slopes = read_gradient(study, positions, response, spec)
    read = replace(
        spec,
        feature=tuple(study.feature_names[place] for place in positions),
        grid=_settled_grid(spec.grid, of_each),
        gradient=slopes,
        step=None if spec.step is None else float(spec.step),
        random_state=seed,
    )
    return EffectPlan(
        spec=read,
        positions=positions,
        grids=tuple(grid for grid, _ in made),
        notes=tuple(note for _, notes in made for note in notes),
        response=response,
        neighbourhood=neighbourhood_of(spec.kind, spec.window, spec.n_neighbors),
        slopes=slopes,
        interval=Interval("bootstrap" if drawn else "mean", float(spec.confidence), random_state=seed),
    )


def neighbourhood_of(kind: Kind, window: object, n_neighbors: object) -> Window | Nearest | None:
    """Return which rows count as near a point, of what was asked; None where nothing was."""
    if window is None and n_neighbors is None:
        return None
    if kind != "cd":
        raise InputError(f"window and n_neighbors are of kind='cd'; got kind={kind!r}. Leave them out.")
    if window is not None and n_neighbors is not None:
        raise InputError("Rows near a point are those in a window or the nearest; got both. Give one of the two.")
    if window is not None:
        if isinstance(window, bool) or not isinstance(window, Real):
            raise InputTypeError(f"window must be half a width in the feature's unit; got {window!r}.")
        return Window(float(window))
    if isinstance(n_neighbors, bool) or not isinstance(n_neighbors, int | np.integer):
        raise InputTypeError(f"n_neighbors must be a number of rows; got {n_neighbors!r}.")
    return Nearest(int(n_neighbors))


def _check_choice(name: str, value: object, choices: Any) -> None:
    if value not in get_args(choices):
        raise InputError(f"{name} must be one of {', '.join(get_args(choices))}; got {value!r}.")


def _settled_grid(grid: Any, of_each: list[Any]) -> Any:
    """Return the grid of an effect that was computed: a number of points, or the points of each feature."""
    if isinstance(grid, int | np.integer):
        return int(grid)
    return of_each[0] if len(of_each) == 1 else tuple(of_each)


def _rereadable(grid: Any) -> Any:
    """Hold points that may come from an iterator, so that the same effect can be asked for again."""
    plain = isinstance(grid, int | np.integer | str | bytes | float | bool | Grid | None)
    return grid if plain or not hasattr(grid, "__iter__") else tuple(grid)
