"""The verb `attack`: rows perturbed by chance or by search to bend one point of a curve, and what that did."""

# A point, an aim and columns are what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from tauscope import effects
from tauscope.effects import Attack, AttackTarget, BatchOptions, GeneticSearch, Grid, PerturbedRows, Window, given_grid
from tauscope.errors import InputError, InputTypeError
from tauscope.model.progress_bar import Bar, Callback
from tauscope.results.effects.attack import AttackMethod, EffectAttack
from tauscope.study.effects.effect import effect
from tauscope.study.effects.features import column_position, column_positions
from tauscope.study.effects.grid import make_grid, read_points
from tauscope.study.effects.importance import most_important
from tauscope.weights.seeds import RandomState, seed_of

if TYPE_CHECKING:
    from tauscope.data.table_rows import TableRows
    from tauscope.model.model import ResponseMethod
    from tauscope.study.effects.source import EffectSource

AttackKind = Literal["pd", "cd"]
SEARCHES = {"published": GeneticSearch.published, "sparse": GeneticSearch.sparse}
OPTIONS: dict[str, frozenset[str]] = {
    "gaussian": frozenset({"sigma", "repeats", "relative", "accumulate"}),
    "greedy": frozenset({"aim", "budget", "n_candidates"}),
    "genetic": frozenset({"aim", "search", *(field.name for field in fields(GeneticSearch))}),
}
N_PERTURBED = 2
BUDGET = 0.1


def attack(
    source: EffectSource,
    feature: str | int,
    method: AttackMethod = "greedy",
    *,
    at: Any = None,
    columns: Sequence[str | int] | None = None,
    kind: AttackKind = "pd",
    grid: Any = 20,
    response_method: ResponseMethod = "auto",
    target_class: Hashable | None = None,
    window: float | None = None,
    output_range: tuple[float, float] | None = None,
    clip: bool = True,
    random_state: RandomState = None,
    progress: bool = True,
    callback: Callback | None = None,
    **options: Any,
) -> EffectAttack:
    """Perturb rows to bend one point of a curve; parameters and what is raised as in `Study.attack`."""
    study, rows = source.study, source.rows
    _check_choices(method, kind, options)
    position = column_position(study, feature)
    response = source.response(response_method, target_class)
    if len(response.classes) > 1:
        shown = ", ".join(map(repr, response.classes[:10]))
        raise InputError(f"An attack bends the curve of one class; there are {shown}. Name it: target_class=…")
    seed = seed_of(random_state)
    point = _point(rows, position, at)
    chosen, notes, spent = _columns(source, position, columns, method, response_method, target_class)
    before = effect(
        source,
        position,
        kind=kind,
        grid=_grid(rows, position, grid, point),
        response_method=response_method,
        target_class=target_class,
        window=window,
        progress=progress,
        callback=callback,
    )
    if before.status != "complete":
        raise InputError("The attack was stopped before it began: the curve it is to bend was not complete.")
    near = None if kind == "pd" else Window(None if window is None else float(window))
    with Bar(f"Attacking ({method})", unit="step", shown=progress, callback=callback) as bar:
        target = AttackTarget(
            response.predict,
            rows,
            position,
            point,
            chosen,
            window=near,
            categorical=position in rows.categorical,
            sample_weight=study.sample_weight,
            output_range=output_range,
            whole=frozenset(one for one in chosen if rows.columns[one].integer),
            clip=clip,
            asking=BatchOptions(source.model.batch_rows, bar.update, response.known),
        )
        attacks, settings = _run(target, method, options, seed)
    strongest = int(np.argmax([abs(one.after - one.before) for one in attacks]))
    perturbed = PerturbedRows(rows, chosen, attacks[strongest].rows, attacks[strongest].values)
    asking = BatchOptions(source.model.batch_rows)
    common: dict[str, Any] = {"sample_weight": study.sample_weight, "asking": asking}
    grids = before.computed.grids
    if kind == "pd":
        after: effects.Effect = effects.partial_dependence(response.predict, perturbed, (position,), grids, **common)
    else:
        after = effects.conditional_dependence(
            response.predict, perturbed, (position,), grids, neighbourhood=near, **common
        )
    place = int(np.flatnonzero(_same(grids[0].values, point))[0])
    return EffectAttack(
        before=before,
        after=after,
        method=method,
        attacks=attacks,
        strongest=strongest,
        place=place,
        columns=tuple(study.feature_names[one] for one in chosen),
        levels=tuple(rows.columns[one].codes is not None for one in chosen),
        settings=settings,
        random_state=seed,
        n_model_rows=before.n_model_rows + spent + target.n_model_rows + after.n_model_rows,
        notes=(*notes, *before.notes),
        _perturbed=lambda which: _native(rows, chosen, attacks[which]),
    )


def _check_choices(method: str, kind: str, options: dict[str, Any]) -> None:
    if method not in OPTIONS:
        raise InputError(f"method must be one of {', '.join(OPTIONS)}; got {method!r}.")
    if kind not in get_args(AttackKind):
        raise InputError(
            f"Attacks are on partial or conditional dependence, kind='pd' or 'cd'; got {kind!r}. "
            "study.randomize_model disturbs the model behind an accumulated effect."
        )
    others = sorted(set(options) - OPTIONS[method])
    if others:
        raise InputTypeError(
            f"method={method!r} takes {', '.join(sorted(OPTIONS[method]))}; got {', '.join(others)}. "
            "See the table in Study.attack."
        )


def _run(
    target: AttackTarget, method: AttackMethod, options: dict[str, Any], seed: int
) -> tuple[tuple[Attack, ...], tuple[dict[str, Any], ...]]:
    """Run one method; its attacks, and what was set in each."""
    if method == "gaussian":
        sigma = options.pop("sigma", (0.01, 0.05, 0.1, 0.12, 0.25))
        sigmas = [float(sigma)] if isinstance(sigma, Real) else [float(one) for one in sigma]
        repeats = options.pop("repeats", 5)
        found = effects.gaussian_attack(target, sigmas, repeats=repeats, random_state=seed, **options)
        set_to = [{"sigma": one, "repeat": repeat} for one in sigmas for repeat in range(repeats)]
        return found, tuple(set_to[: len(found)])
    aim = options.pop("aim", "high")
    if method == "greedy":
        options.setdefault("budget", BUDGET)
        found = (effects.greedy_attack(target, aim, random_state=seed, **options),)
        return found, ({"aim": aim, "budget": float(options["budget"])},)
    search = options.pop("search", "sparse")
    if search not in SEARCHES:
        raise InputError(f"search must be one of {', '.join(SEARCHES)}; got {search!r}.")
    made = replace(SEARCHES[search](), **options)
    return (effects.genetic_attack(target, aim, made, random_state=seed),), ({"aim": aim},)


def _point(rows: TableRows, position: int, at: Any) -> float:
    """Read the point attacked; the median of numbers, the most frequent level."""
    column = rows.columns[position]
    if at is not None:
        if not isinstance(at, str) and isinstance(at, Sequence):
            raise InputTypeError(f"An attack bends one point; got at={at!r}. Attack them one after another.")
        return float(read_points(column, [at])[0])
    values = rows.column(position)
    present = values[~np.isnan(values)]
    if not len(present):
        raise InputError(f"Every value of {column.name!r} is missing: there is no curve to bend. Take another feature.")
    if column.codes is None:
        return float(np.quantile(present, 0.5, method="inverted_cdf"))
    levels, counts = np.unique(present, return_counts=True)
    return float(levels[np.argmax(counts)])


def _grid(rows: TableRows, position: int, asked: Any, point: float) -> Grid:
    """Make the curve's grid, the point attacked on it."""
    made, _ = make_grid(rows, position, asked, "quantile")
    if _same(made.values, point).any():
        return made
    grid = given_grid(np.append(made.values, point), rows.column(position), categorical=made.kind == "categorical")
    rows.check_values(position, grid.values)
    return grid


def _same(values: np.ndarray[Any, Any], point: float) -> np.ndarray[Any, Any]:
    return np.isnan(values) if np.isnan(point) else values == point


def _columns(
    source: EffectSource,
    position: int,
    asked: Sequence[str | int] | None,
    method: AttackMethod,
    response_method: ResponseMethod,
    target_class: Hashable | None,
) -> tuple[tuple[int, ...], tuple[str, ...], int]:
    """Find the columns to perturb, what to say of them, and the rows asked about to find them."""
    study, rows = source.study, source.rows
    if asked is None:
        others = [one for one in range(rows.n_columns) if one != position and rows.takes_any_number(one)]
        others = [one for one in others if np.unique(rows.column(one)[~np.isnan(rows.column(one))]).size > 1]
        if not others:
            raise InputError(
                f"There is no column of numbers beside {study.feature_names[position]!r} to perturb. "
                "Name others: columns=[…], with method='greedy' for levels."
            )
        found, n_rows, spent = most_important(source, others, N_PERTURBED, response_method, target_class)
        names = " and ".join(study.feature_names[one] for one in found)
        note = (
            f"perturbed: {names}, the numbers whose partial dependence varies most (18 equidistant points, "
            f"{n_rows:,} rows)"
        )
        return found, (note if len(others) > N_PERTURBED else f"perturbed: {names}",), spent
    found = column_positions(study, asked, "columns")
    if position in found:
        raise InputError(
            f"The curve's own feature keeps its values; got {study.feature_names[position]!r} among the columns to "
            "perturb. Leave it out."
        )
    fixed = [study.feature_names[one] for one in found if not rows.takes_any_number(one)]
    if fixed and method != "greedy":
        raise InputError(
            f"Noise needs columns of numbers; {fixed[0]!r} holds levels, dates or decimals. "
            "Use method='greedy', which puts in values that occur."
        )
    return found, (), 0


def _native(rows: TableRows, columns: tuple[int, ...], attack: Attack) -> Any:
    """Return the rows as an attack left them, in the container they came in."""
    every = np.arange(rows.n_rows, dtype=np.int64)
    values = np.column_stack([rows.column(one) for one in columns])
    values[attack.rows] = attack.values
    return rows.substituted(every, columns, values)
