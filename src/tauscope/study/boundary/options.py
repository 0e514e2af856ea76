"""The options of a boundary, checked and given to the engine."""

# Decided in docs/decisions/0051-the-nearest-point-is-sought-as-the-model-is.md.

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, cast, get_args

import numpy as np

from tauscope.arguments import describe
from tauscope.boundary.options import Explainer, FittedOn, Refinement, SearchOptions, Vertices, VerticesChoice
from tauscope.data.labels import plain
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.pipelines.trees import is_flat_between_jumps
from tauscope.study.boundary.certify import model_read
from tauscope.study.boundary.limits import column_groups
from tauscope.study.columns import column_position, column_positions
from tauscope.weights.seeds import seed_of
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.boundary.space import Metric
    from tauscope.results.boundary.spec import BoundarySpec
    from tauscope.study.base import StudyBase
    from tauscope.study.boundary.decision import StudyDecision
    from tauscope.study.boundary.space import StudySpace

CHOICES: dict[str, tuple[str, ...]] = {
    "refine": ("auto", *get_args(Refinement)),
    "vertices": get_args(VerticesChoice),
    "explainer": get_args(Explainer),
    "fitted_on": get_args(FittedOn),
}
MOST_TIMES = 1e6
"""Radius and step of a path, as multiples of distances: beyond, points overflow what models compute with."""
LEAST = {"n_rivals": 1, "n_samples": 20, "n_regions": 1, "n": 1, "n_features": 1, "max_model_rows": 1}
OPTIONAL = ("n_features", "max_model_rows")


def check_options(spec: BoundarySpec) -> None:
    """Refuse options that are none, or do not go together.

    Raises
    ------
    InputError, InputTypeError
        Says which.
    """
    own = not isinstance(spec.vertices, str)
    for name, choices in CHOICES.items():
        if (name != "vertices" or not own) and getattr(spec, name) not in choices:
            raise InputError(f"{name} must be one of {', '.join(choices)}; got {getattr(spec, name)!r}.")
    whole: Any = spec.whole
    if whole is not None and not (isinstance(whole, str) and whole == "auto"):
        error = InputError if isinstance(whole, str) else InputTypeError
        raise error(f"whole must be 'auto' or None; got {describe(whole)}. Use None to search between whole numbers.")
    for name, least in LEAST.items():
        _check_count(name, getattr(spec, name), least, name in OPTIONAL)
    for name in ("bounds", "monotonic_cst"):
        if not isinstance(getattr(spec, name) or {}, Mapping):
            raise InputTypeError(f"{name} takes a dict from column to constraint; got {getattr(spec, name)!r}.")
    if not isinstance(spec.radius, str):
        _check_positive("radius", spec.radius, MOST_TIMES)
    elif spec.radius != "tuned":
        raise InputError(f"radius must be 'tuned' or a number above 0; got {spec.radius!r}.")
    if spec.path_step is not None:
        _check_positive("path_step", spec.path_step, MOST_TIMES)
    _check_positive("tolerance", spec.tolerance)
    if spec.n_features is not None and spec.explainer != "lasso":
        raise InputError(f"n_features is for explainer='lasso'; got explainer={spec.explainer!r}. Leave one out.")
    if spec.explainer == "logistic_pls" and spec.fitted_on == "probabilities":
        raise InputError("explainer='logistic_pls' is fitted on labels; got fitted_on='probabilities'. Leave one out.")
    if spec.n_features is not None and own:
        raise InputError("n_features counts features, and a row of vertices may move several. Leave one out.")
    if spec.groups is not None and (own or spec.vertices != "groups"):
        raise InputError(f"groups are for vertices='groups'; got vertices={describe(spec.vertices)}. Leave one out.")


def settled_spec(
    study: StudyBase,
    spec: BoundarySpec,
    metric: Metric,
    one_hot: tuple[tuple[int, ...], ...],
    vertices: Vertices = "distant",
) -> BoundarySpec:
    """Return a record of the options as they were read: names, the metric and groups found, a seed.

    Parameters
    ----------
    study : Study
    spec : BoundarySpec
    metric : str
    one_hot : tuple of tuple of int
        Groups of columns.
    vertices : str, default "distant"
        What "auto" stands for.
    """
    names = study.feature_names
    fixed = spec.fixed if isinstance(spec.fixed, str) or len(spec.fixed) else ()
    return replace(
        spec,
        fixed=tuple(names[j] for j in column_positions(study, fixed, "fixed")) if len(fixed) else (),
        bounds=_by_name(study, spec.bounds),
        monotonic_cst=_by_name(study, spec.monotonic_cst),
        metric=metric,
        refine=_refinement(study) if spec.refine == "auto" else spec.refine,
        vertices=_vertices(study, spec.vertices, vertices),
        one_hot=tuple(tuple(names[j] for j in group) for group in one_hot),
        random_state=seed_of(spec.random_state),
    )


def _vertices(study: StudyBase, given: Any, default: Vertices) -> Any:
    """Read a word, or changes of the features as a table of numbers, one change a row."""
    if isinstance(given, str):
        return default if given == "auto" else given
    names = list(getattr(given, "columns", study.feature_names))
    places = column_positions(study, names, "vertices")
    try:
        values: Any = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.ndim != 2 or values.shape[1] != len(names) or not len(values) or not np.isfinite(values).all():
        raise InputTypeError(
            f"vertices as a table has a finite number for each of the {count(len(names), 'feature')} in each row; got "
            f"{describe(given)}. Give 0 for features that a change leaves."
        )
    if not values.any(axis=1).all():
        idle = int(values.any(axis=1).argmin())
        raise InputError(f"Each row of vertices must change a feature; row {idle} is all 0. Leave it out.")
    changes = np.zeros((len(values), len(study.feature_names)))
    changes[:, places] = values
    return tuple(tuple(row) for row in changes.tolist())


def _axes(spec: BoundarySpec, measured: StudySpace) -> tuple[tuple[float, ...], ...]:
    """Return changes of a person's own, each of which moves some number."""
    if isinstance(spec.vertices, str):
        return ()
    moves = (np.array(spec.vertices)[:, measured.space.numbers] != 0).any(axis=1)
    if not moves.all():
        raise InputError(
            f"Each row of vertices must change a number; row {int(moves.argmin())} changes levels alone, which are no "
            "amounts. Leave it out."
        )
    return spec.vertices


def _refinement(study: StudyBase) -> Refinement:
    """Return what "auto" stands for, as the model is."""
    return "coordinate" if is_flat_between_jumps(model_read(study)[0]) else "line"


def _by_name(study: StudyBase, constraints: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if constraints is None:
        return None
    return {study.feature_names[column_position(study, name)]: value for name, value in constraints.items()}


def search_options(
    study: StudyBase, spec: BoundarySpec, measured: StudySpace, decision: StudyDecision
) -> SearchOptions:
    """Give the engine's options.

    Raises
    ------
    InputError
        For groups that do not partition the columns, or probabilities of a model that has none.
    """
    if spec.fitted_on == "probabilities" and decision.decision.answers is None:
        raise InputError(
            f"fitted_on='probabilities' needs a model with probabilities or scores; {study._model_name} gives labels. "
            "Use fitted_on='labels'."
        )
    assert isinstance(spec.random_state, int)
    assert spec.vertices != "auto"
    assert spec.refine != "auto"
    return SearchOptions(
        n_rivals=spec.n_rivals,
        refine=spec.refine,
        vertices=cast(Vertices, spec.vertices) if isinstance(spec.vertices, str) else "own",
        radius=spec.radius,
        explainer=spec.explainer,
        fitted_on=spec.fitted_on,
        groups=_groups(study, spec, measured) if spec.vertices == "groups" else (),
        axes=_axes(spec, measured),
        keep_sample=spec.keep_sample,
        n_samples=spec.n_samples,
        n_features=spec.n_features,
        path_step=None if spec.path_step is None else float(spec.path_step),
        tolerance=spec.tolerance,
        max_model_rows=spec.max_model_rows,
        random_state=spec.random_state,
    )


def target_code(study: StudyBase, spec: BoundarySpec) -> int | None:
    """Return the code of the class looked for; None for any other.

    Raises
    ------
    UnknownName
        For a class that is not there.
    InputError
        For a class of a regression.
    """
    if spec.target is None:
        return None
    if study._task == "regression":
        raise InputError(
            f"A regression has two sides of its threshold and the other one is looked for; got target={spec.target!r}. "
            "Leave it out."
        )
    target: Hashable = plain(spec.target)
    if target not in study.classes:
        raise UnknownName.among("class", target, [str(name) for name in study.classes])
    return study.classes.index(target)


def _groups(study: StudyBase, spec: BoundarySpec, measured: StudySpace) -> tuple[tuple[int, ...], ...]:
    def of_levels() -> tuple[tuple[int, ...], ...]:
        if not measured.one_hot:
            raise InputError(
                "vertices='groups' moves columns of a group together; there are no groups. Give groups=[[…], …], or "
                "one group number a column."
            )
        grouped = {j for group in measured.one_hot for j in group}
        return (*measured.one_hot, *((j,) for j in range(measured.space.n_columns) if j not in grouped))

    return column_groups(study, spec.groups, of_levels)


def _check_count(name: str, value: Any, least: int, optional: bool) -> None:
    if value is None and optional:
        return
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InputTypeError(f"{name} must be a whole number{' or None' if optional else ''}; got {value!r}.")
    if int(value) < least:
        raise InputError(f"{name} must be at least {least}; got {value}.")


def _check_positive(name: str, value: Any, most: float = sys.float_info.max) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputTypeError(f"{name} must be a number above 0; got {describe(value)}.")
    if not 0 < cast(float, value) <= most:  # numbers too large for a float compare too
        end = f"at most {most:,.0f}" if most < sys.float_info.max else "finite"
        raise InputError(f"{name} must be above 0 and {end}; got {describe(value)}.")
