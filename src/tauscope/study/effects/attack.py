"""The verb `attack`: rows perturbed by chance or by search to bend one point of a curve, and what that did."""

# A point, an aim and columns are what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import fields, replace
from numbers import Real
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, cast, get_args

import numpy as np

from tauscope import effects
from tauscope.arguments import REAL
from tauscope.effects import Attack, AttackTarget, BatchOptions, GeneticSearch, Grid, PerturbedRows, Window, custom_grid
from tauscope.effects.curves.grids import SortedValues
from tauscope.errors import InputError, InputTypeError
from tauscope.model.progress_bar import Bar, Callback
from tauscope.results.effects.attack import AttackMethod, EffectAttack
from tauscope.results.effects.spec import EffectSpec
from tauscope.study.columns import column_position, column_positions
from tauscope.study.effects.effect import effect_from
from tauscope.study.effects.grid import make_grid, read_points
from tauscope.study.effects.importance import most_important
from tauscope.weights.arrays import Floats
from tauscope.weights.seeds import seed_of
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.data.table_rows import TableRows
    from tauscope.model.calls import ResponseMethod
    from tauscope.model.response import Response
    from tauscope.prediction.batches import Progress
    from tauscope.study.base import StudyBase
    from tauscope.weights.seeds import RandomState

AttackKind = Literal["pd", "cd"]
SEARCHES = {"published": GeneticSearch.published, "sparse": GeneticSearch.sparse}
OPTIONS: dict[str, frozenset[str]] = {
    "gaussian": frozenset({"sigma", "repeats", "relative", "accumulate"}),
    "greedy": frozenset({"aim", "budget", "n_candidates"}),
    "genetic": frozenset({"aim", "search", *(field.name for field in fields(GeneticSearch))}),
}
N_PERTURBED = 2
BUDGET = 0.1
MOST_SECONDS_AFTER = 1.0
"""What an interrupted attack may still ask the model, seconds."""


class AttackOptions(TypedDict, total=False):
    """What methods of attack take; see `attack`."""

    aim: str | float
    budget: float
    n_candidates: int
    sigma: float | Sequence[float]
    repeats: int
    relative: bool
    accumulate: bool
    search: str
    population: int
    iterations: int
    patience: int
    tolerance: float
    first_sigma: float
    mutated: float
    mutated_columns: float
    mutated_rows: float
    crossover: float
    elites: int
    keep_elites: bool
    keep_best: bool


def attack(
    self: StudyBase,
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
    **options: Unpack[AttackOptions],
) -> EffectAttack:
    """Perturb some columns of the rows so that one point of a curve moves, and judge it by every bound.

    Parameters
    ----------
    feature : name or position
        The curve's feature; its own values stay.
    method : {"greedy", "gaussian", "genetic"}, default "greedy"
        "greedy" gives a share of the rows the values that move their own answers most, and of these three goes
        furthest. "gaussian" adds normal noise to every row, for several standard deviations. "genetic" is the
        search of the cited paper, over whole data sets.
    at : number, date or level, optional
        The point of the curve to move. By default the median, or the most frequent level.
    columns : names or positions, optional
        What is perturbed. By default, as in the paper, the two other columns of numbers whose partial dependence
        varies most. All levels of a one-hot column are perturbed together, so that each row keeps one.
    kind : {"pd", "cd"}, default "pd"
    grid : int or sequence, default 20
        Of the curve drawn before and after.
    response_method, target_class, window
        As in `effect`; of several classes one must be named.
    output_range : (float, float), optional
        Known lowest and highest answers, such as (0, 1). By default B of the paper's bound is the largest answer
        before, and the bounds certified for this change use the range seen before and after it.
    clip : bool, default True
        Whether perturbed numbers stay within each column's range; whole numbers stay whole.
    random_state : int, Generator or None
    progress : bool, default True
        Whether a bar shows after two seconds. An interrupt stops with the best found so far; where the model would
        take more than a second for the curve that this bent, and before the attack has begun, with nothing.
    callback : callable, optional
        Called as callback(done, total) while the model is called and after each step of the attack; something true
        stops it with the best found so far.
    **options
        "greedy": `aim` ("high", "low" or a number, default "high"), `budget` (share of the rows' weight that may
        change, default 0.1), `n_candidates` (combinations of values tried, default 50).
        "gaussian": `sigma` (one or several; default those of the paper), `repeats` (5), `relative` (True: sigma
        in standard deviations of each column, False: in its unit), `accumulate` (False; True as the paper's code).
        "genetic": `aim`; `search` ("sparse", which changes few rows strongly and loses nothing it found, or
        "published", as in the papers); and any field of `tauscope.effects.GeneticSearch`, such as `population`.

    Returns
    -------
    EffectAttack
        `.frame` (each attack with its distances and bounds), `.verdicts`, `.curve`, `.summary` (the perturbed
        columns), `.chart()`, `.perturbed_rows()`.

    Raises
    ------
    UnknownName
        For a feature, column, level or class that is not there.
    InputError, InputTypeError
        For columns that cannot take noise, options of another method, or a study without a model.

    References
    ----------
    Baniecki, Casalicchio, Bischl and Biecek, "On the robustness of global feature effect explanations", 2024.
    Baniecki, Kretowicz and Biecek, "Fooling partial dependence via data poisoning", 2022.

    Examples
    --------
    >>> attack = study.attack("mean radius", at=14, random_state=0)
    >>> attack.method
    'greedy'
    """
    rows = self._table_rows
    chosen = cast(dict[str, Any], options)
    _check_choices(method, kind, chosen)
    position = column_position(self, feature)
    response = self._response(response_method, target_class)
    if len(response.classes) > 1:
        shown = ", ".join(map(repr, response.classes[:10]))
        raise InputError(f"An attack bends the curve of one class; there are {shown}. Name it: target_class=…")
    seed = seed_of(random_state)
    point = _point(rows, position, at)
    spec = EffectSpec(
        position,
        kind=kind,
        grid=_grid(rows, position, grid, point),
        response_method=response_method,
        target_class=target_class,
        window=window,
    )
    with Bar("Ranking the columns", shown=progress, callback=callback) as bar:
        perturbed, notes, n_ranked = _columns(self, position, columns, method, spec, bar.update)
    before = effect_from(self, spec, progress=progress, callback=callback)
    if before.status == "stopped":
        raise InputError("The attack was stopped before it began: the curve it is to bend was not complete.")
    near = None if kind == "pd" else Window(None if window is None else float(window))
    with Bar(f"Attacking ({method})", unit="step", shown=progress, callback=callback) as bar:
        calls = _Calls(response.predict)
        target = AttackTarget(
            calls,
            rows,
            position,
            point,
            perturbed,
            window=near,
            categorical=position in rows.categorical,
            sample_weight=self.sample_weight,
            output_range=output_range,
            whole=frozenset(column for column in perturbed if rows.columns[column].integer),
            clip=clip,
            nearest=_nearest_levels(self, perturbed),
            batches=BatchOptions(response.batch_rows, bar.update, response.predictions),
        )
        attacks, settings = _run(target, method, chosen, seed)
    if calls.interrupted and calls.seconds(rows.n_rows * len(before._computed.grids[0])) > MOST_SECONDS_AFTER:
        raise KeyboardInterrupt("the attack was interrupted; asking for the curve it bent would have gone on for long")
    strongest = int(np.argmax([abs(attack.after - attack.before) for attack in attacks]))
    grids = before._computed.grids
    after = _curve_after(self, attacks[strongest], position, grids, near, response)
    return EffectAttack(
        before=before,
        after=after,
        method=method,
        attacks=attacks,
        strongest=strongest,
        _place=int(np.flatnonzero(_same(grids[0].values, point))[0]),
        columns=tuple(self.feature_names[column] for column in perturbed),
        levels=tuple(rows.columns[column].codes is not None for column in perturbed),
        _settings=settings,
        random_state=seed,
        n_model_rows=before.n_model_rows + n_ranked + target.n_model_rows + after.n_model_rows,
        _extra_notes=notes,
        source=self._as_source(),
    )


class _Calls:
    """A model's calls: how long a row takes, and whether one was interrupted.

    Parameters
    ----------
    predict : callable
    """

    def __init__(self, predict: Callable[[Any], Any]) -> None:
        self._predict = predict
        self._rows, self._seconds, self.interrupted = 0, 0.0, False

    def __call__(self, rows: Any) -> Any:
        """Return what the model answers."""
        start = perf_counter()
        try:
            answers = self._predict(rows)
        except KeyboardInterrupt:
            self.interrupted = True
            raise
        self._rows += len(rows)
        self._seconds += perf_counter() - start
        return answers

    def seconds(self, n_rows: int) -> float:
        """Estimate how long so many rows take."""
        return n_rows * self._seconds / max(1, self._rows)


def _curve_after(
    study: StudyBase, attack: Attack, position: int, grids: tuple[Grid, ...], near: Window | None, response: Response
) -> effects.Effect:
    """Compute the same curve on the rows as an attack left them."""
    rows = PerturbedRows(study._table_rows, attack.columns, attack.rows, attack.values)
    common: dict[str, Any] = {"sample_weight": study.sample_weight, "batches": BatchOptions(response.batch_rows)}
    if near is None:
        return effects.partial_dependence(response.predict, rows, (position,), grids, **common)
    return effects.conditional_dependence(response.predict, rows, (position,), grids, neighbourhood=near, **common)


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
        sigmas = [float(sigma)] if isinstance(sigma, Real) else [float(value) for value in sigma]
        repeats = options.pop("repeats", 5)
        attacks = effects.gaussian_attack(target, sigmas, repeats=repeats, random_state=seed, **options)
        set_to = [{"sigma": value, "repeat": repeat} for value in sigmas for repeat in range(repeats)]
        return attacks, tuple(set_to[: len(attacks)])
    aim = options.pop("aim", "high")
    if method == "greedy":
        options.setdefault("budget", BUDGET)
        attacks = (effects.greedy_attack(target, aim, random_state=seed, **options),)
        return attacks, ({"aim": aim, "budget": float(options["budget"])},)
    search = options.pop("search", "sparse")
    if search not in SEARCHES:
        raise InputError(f"search must be one of {', '.join(SEARCHES)}; got {search!r}.")
    if "sigma" in options:
        REAL.check("sigma", options["sigma"])
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


def _grid(rows: TableRows, position: int, points_or_size: Any, point: float) -> Grid:
    """Make the curve's grid, the point attacked on it."""
    order = SortedValues(rows.column(position))
    grid, _ = make_grid(rows.columns[position], order, points_or_size, "quantile")
    if not _same(grid.values, point).any():
        grid = custom_grid(np.append(grid.values, point), order, categorical=grid.kind == "categorical")
    rows.check_values(position, grid.values)
    return grid


def _same(values: np.ndarray[Any, Any], point: float) -> np.ndarray[Any, Any]:
    return np.isnan(values) if np.isnan(point) else values == point


def _columns(
    study: StudyBase,
    position: int,
    columns: Sequence[str | int] | None,
    method: AttackMethod,
    spec: EffectSpec,
    progress: Progress,
) -> tuple[tuple[int, ...], tuple[str, ...], int]:
    """Find the columns to perturb, what to say of them, and the rows the model was called on to find them."""
    rows = study._table_rows
    if columns is None:
        levels = {j for group in study._one_hot_groups for j in group.columns}  # noise would make another of one
        others = [
            column
            for column in range(rows.n_columns)
            if column != position and column not in levels and rows.takes_any_number(column)
        ]
        others = [
            column for column in others if np.unique(rows.column(column)[~np.isnan(rows.column(column))]).size > 1
        ]
        if not others:
            raise InputError(
                f"There is no column of numbers besides {study.feature_names[position]!r} to perturb. "
                "Name others: columns=[…], with method='greedy' for levels."
            )
        perturbed, n_rows, n_model_rows = most_important(study, others, N_PERTURBED, spec, progress)
        names = " and ".join(study.feature_names[column] for column in perturbed)
        note = (
            f"perturbed: {names}, the numbers whose partial dependence varies most (18 equidistant points, "
            f"{count(n_rows, 'row')})"
        )
        return perturbed, (note if len(others) > N_PERTURBED else f"perturbed: {names}",), n_model_rows
    named = column_positions(study, columns, "columns")
    groups = [group.columns for group in study._one_hot_groups if not set(group.columns).isdisjoint(named)]
    perturbed = tuple(dict.fromkeys(j for column in named for j in _with_its_group(column, groups)))
    if position in perturbed:
        own = study.feature_names[position]
        got = f"{own!r} among" if position in named else f"another level of the same one-hot column as {own!r} among"
        raise InputError(f"The curve's own feature keeps its values; got {got} the columns to perturb. Leave it out.")
    fixed = [study.feature_names[column] for column in perturbed if not rows.takes_any_number(column)]
    if fixed and method != "greedy":
        raise InputError(
            f"Noise needs columns of numbers; {fixed[0]!r} holds levels, dates or decimals. "
            "Use method='greedy', which puts in values that occur."
        )
    together = "; ".join(" and ".join(repr(study.feature_names[j]) for j in group) for group in groups)
    return perturbed, (f"perturbed together, as levels of one column: {together}",) if together else (), 0


def _with_its_group(column: int, groups: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return next((group for group in groups if column in group), (column,))


def _nearest_levels(study: StudyBase, columns: tuple[int, ...]) -> Callable[[Floats], Floats] | None:
    """Return what keeps one level of each one-hot group among columns; None where there is no group."""
    groups = [group for group in study._one_hot_groups if group.columns[0] in columns]

    def nearest(values: Floats) -> Floats:
        kept = values.copy()
        for group in groups:
            places = [columns.index(j) for j in group.columns]
            kept[..., places] = group.nearest(values[..., places])
        return kept

    return nearest if groups else None
