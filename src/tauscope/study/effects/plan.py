"""The options of one effect, read and checked: the columns, the points, the response, the options."""

# A grid, a window and a number of neighbours are what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# A feature is what a person typed.

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from tauscope.data.one_hot import OneHotGroup
from tauscope.effects import Grid, Interval, Nearest, Window
from tauscope.errors import InputError, InputTypeError
from tauscope.model.response import Response, ResponseKind
from tauscope.results.effects.spec import EffectInterval, EffectKind, EffectMethod, EffectSpec, Spacing
from tauscope.study.columns import column_position
from tauscope.study.effects.gradient import read_gradient
from tauscope.study.effects.grid import grid_options, make_grid
from tauscope.study.needs_rows import EFFECT_OPTIONS
from tauscope.study.stress.curves import check_fraction
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.results.stress.numbers.natural_units import HasNames
    from tauscope.rows.rows import OrderedColumns, Rows
    from tauscope.study.base import StudyBase
    from tauscope.study.verbs import Asked


@dataclass(frozen=True, eq=False)
class EffectPlan:
    """What an effect is computed from.

    Attributes
    ----------
    spec : EffectSpec
        As passed, with the values read from it in the place of those typed.
    positions : tuple of int
        The one or two features.
    ordered : OrderedColumns
        These.
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
    ordered: OrderedColumns
    grids: tuple[Grid, ...]
    notes: tuple[str, ...]
    response: Response
    neighbourhood: Window | Nearest | None
    slopes: NDArray[np.float64] | None
    interval: Interval

    def key(self, kind: EffectKind | None = None) -> Hashable:
        """Identify an effect of a study, its weights and interval aside: the key of its answers in the cache."""
        response, spec, of_kind = self.response, self.spec, kind or self.spec.kind
        neighbourhood = self.neighbourhood if of_kind == "cd" else None
        answers = (response.label, response.name, response.classes)
        return (of_kind, self.positions, *answers, neighbourhood, spec.step, spec.method)


def plan_effect(study: Asked, rows: Rows, spec: EffectSpec) -> EffectPlan:
    """Read the options of an effect, checked by `check_spec`, and choose its points.

    Raises
    ------
    UnknownName
        For a feature, level or class that is not there.
    InputError, InputTypeError
        For an option that cannot be used, of another kind, or points that the column's type cannot hold.
    """
    positions = effect_positions(study, spec.feature)
    options = [rereadable(grid) for grid in grid_options(spec.grid, len(positions))]
    ordered = rows.ordered(positions)
    of_levels = one_hot_notes(positions, study.feature_names, ordered.one_hot)
    features = zip(ordered.columns, ordered.orders, options, strict=True)
    made = [make_grid(column, order, grid, spec.spacing) for column, order, grid in features]
    response = study._response(spec.response_method, spec.target_class)
    bootstrap = spec.interval == "bootstrap"
    seed = seed_of(spec.random_state) if bootstrap else None
    slopes = read_gradient(cast("StudyBase", study), positions, response, spec)  # chunks have none
    if ordered.rows is not None:
        for position, (grid, _), option in zip(positions, made, options, strict=True):
            if not isinstance(option, Grid):
                ordered.rows.check_values(position, grid.values)
    read = replace(
        spec,
        feature=tuple(study.feature_names[place] for place in positions),
        grid=settled_grid(spec.grid, options),
        gradient=slopes,
        step=None if spec.step is None else float(spec.step),
        random_state=seed,
    )
    return EffectPlan(
        spec=read,
        positions=positions,
        ordered=ordered,
        grids=tuple(grid for grid, _ in made),
        notes=(*(note for _, notes in made for note in notes), *(of_levels if spec.kind != "cd" else ())),
        response=response,
        neighbourhood=neighbourhood_of(spec.kind, spec.window, spec.n_neighbors),
        slopes=slopes,
        interval=Interval(
            "bootstrap" if bootstrap else "mean",
            float(spec.confidence),
            random_state=seed,
            scale=interval_scale(spec.kind, response.quantity),
        ),
    )


def check_spec(study: Asked, spec: EffectSpec, callback: object = None) -> None:
    """Check what can be checked of an effect before the rows are read.

    Raises
    ------
    InputError
        For a study without a model, an option that is none, and of rows in chunks one that needs them in memory.
    """
    _check_choice("kind", spec.kind, EffectKind)
    _check_choice("interval", spec.interval, EffectInterval)
    _check_choice("spacing", spec.spacing, Spacing)
    _check_choice("method", spec.method, EffectMethod)
    check_fraction("confidence", spec.confidence, 1.0)
    study._check_effect()
    options = vars(spec) | {"callback": callback}
    study._check_options("effect", **{name: options[name] for name in EFFECT_OPTIONS})
    neighbourhood_of(spec.kind, spec.window, spec.n_neighbors)


def one_hot_notes(
    positions: tuple[int, ...], names: Sequence[str], one_hot: tuple[OneHotGroup, ...]
) -> tuple[str, ...]:
    """Say what the other columns of one-hot groups do where some are features of an effect.

    Raises
    ------
    InputError
        For two levels of one column, of which a row has one at most.
    """
    found = [(group, position) for position in positions for group in one_hot if position in group.columns]
    if len(found) == 2 and found[0][0] == found[1][0]:
        pair = " and ".join(repr(names[position]) for position in positions)
        raise InputError(
            f"Two features are set to every pair of values; {pair} are levels of one column, and no row has both. "
            "Take one of them."
        )
    return tuple(group.note(group.columns.index(position), names) for group, position in found)


def interval_scale(kind: EffectKind, quantity: ResponseKind) -> Literal["identity", "logit"]:
    """Return "logit" for means of answers in [0, 1]; an accumulated effect is a difference of such means."""
    return "logit" if kind in ("pd", "cd") and quantity in ("probability", "predicted label") else "identity"


def neighbourhood_of(kind: EffectKind, window: object, n_neighbors: object) -> Window | Nearest | None:
    """Return which rows count as near a point; None where neither option is given."""
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


def settled_grid(grid: Any, options: list[Any]) -> Any:
    """Return the grid of an effect that was computed: a number of points, or the points of each feature."""
    if isinstance(grid, int | np.integer):
        return int(grid)
    return options[0] if len(options) == 1 else tuple(options)


def rereadable(grid: Any) -> Any:
    """Hold points that may come from an iterator, so that the same effect can be computed again."""
    plain = isinstance(grid, int | np.integer | str | bytes | float | bool | Grid | None)
    return grid if plain or not hasattr(grid, "__iter__") else tuple(grid)


def effect_positions(study: HasNames, feature: object) -> tuple[int, ...]:
    """Find the columns of one effect: one, or two that differ.

    Raises
    ------
    UnknownName
        For a column that is not there, with the nearest names.
    InputError, InputTypeError
        For anything else.
    """
    if isinstance(feature, str | int | np.integer) and not isinstance(feature, bool):
        return (column_position(study, feature),)
    if not isinstance(feature, Sequence) or isinstance(feature, bytes):
        raise InputTypeError(f"An effect is of one feature, by name or position, or of two; got {feature!r}.")
    positions = tuple(column_position(study, name) for name in feature)
    if len(positions) not in (1, 2) or len(set(positions)) != len(positions):
        raise InputError(f"An effect is of one feature or of two different ones; got {list(feature)!r}.")
    return positions
