"""What is on screen as Python: the lines that give a view's numbers again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np
import pandas as pd

from tauscope.arguments import describe
from tauscope.data.features import features_by_name
from tauscope.data.sparse import are_sparse
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.results.boundary.spec import BoundarySpec
from tauscope.results.effects.spec import EffectSpec
from tauscope.results.rules.spec import RulesSpec
from tauscope.results.stress.scenario import Scenario, named_features, with_features_named
from tauscope.study.stress.metrics import select_metrics
from tauscope.study.stress.scenarios.scenario import read_stress

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


CodeView = Literal[
    "workspace", "joint", "curves", "effect", "boundary", "pooled", "rules", "rows", "thresholds", "calibration"
]
VIEWS: tuple[CodeView, ...] = get_args(CodeView)
QUANTILE = 0.05
WIDTH = 100
"""Characters of a line, above which each constraint has one of its own."""


def to_code(
    self: StudyBase,
    stress: Mapping[str, Any] | Scenario | None = None,
    *,
    view: CodeView = "workspace",
    feature: str | Sequence[str] | None = None,
    row: int | Mapping[str, Any] | None = None,
    rows: Literal["errors", "all"] | Sequence[int] = "errors",
    metric: str | None = None,
    epsilon: float | None = None,
    **options: Any,
) -> str:
    """Write what a view shows as Python, for a cell where the study is named `study`.

    Parameters
    ----------
    stress : mapping or Scenario, optional
        {"taus": {feature: τ}, "hold": …}, the trait `stress` of any view. By default nothing is moved.
    view : {"workspace", "joint", "curves", "effect", "boundary", "pooled", "rules", "rows",
        "thresholds", "calibration"}, default "workspace"
        "workspace" and "joint": every metric as tested, or under the stress; "curves": the stress curves, which are of
        the rows as tested; "effect": of `feature`, also under the stress; "boundary" of `row`; "pooled": the pooled
        boundary of `rows`, also under the stress; "rules" of `row`, also under the stress; "rows": the rows, or their
        weights before and under the stress, of `row` alone if it is given; "thresholds": decisions at every threshold,
        also under the stress; "calibration": probabilities against what was true, also under the stress.
    feature : str or sequence of str, optional
        The feature chosen; for an effect the column, or two.
    row : int or mapping, optional
        Position of the row chosen; for a boundary or rules also values by feature.
    rows : {"errors", "all"} or sequence of int, default "errors"
        Of "pooled": those misclassified, all, or positions.
    metric : str, optional
        The metric chosen; by default all of the task's.
    epsilon : float, optional
        For an effect the total variation of the band drawn, which `bounds` then has.
    **options
        Of the verb that answers, as chosen in the view: `taus` of curves, `kind` and `by` of an effect, `fixed` of a
        boundary, `max_rows` of a pooled one, `pi` of rules, `cost` and `by` of thresholds, `n_bins` and `by` of
        calibration. Those at their default are not written.

    Returns
    -------
    str
        Lines whose last is the answer, with the import that they need. What a view does not show is not asked for, so
        that the whole state of a page can be given.

    Raises
    ------
    UnknownName
        For a feature, metric or option that is not there, with the nearest names.
    InputError, InputTypeError
        For another view, one that lacks its feature or row, a row that is not there, what is no stress, or an option
        that cannot be written down, such as a function.

    Examples
    --------
    >>> print(study.to_code({"taus": {"mean radius": 0.3}, "hold": "none"}, metric="error_rate"))
    import tauscope as ts
    <BLANKLINE>
    study.reweight(ts.Mean('mean radius', tau=0.3), metrics='error_rate')
    """
    if view not in VIEWS:
        raise InputError(f"view must be one of {', '.join(VIEWS)}; got {describe(view)}.")
    scenario = _read_scenario(stress)
    moved = None if scenario is None else _stress_code(self, scenario)
    _check_row(self, row)
    said = write_options(view, options)
    if view == "pooled":
        lines = _under(_call("study.pooled_boundary", *_rows_pooled(self, rows), **said), moved)
    else:
        lines = _view_code(self, view, moved, feature, row, metric, epsilon, said)
    return f"import tauscope as ts\n\n{lines}" if "ts." in lines else lines


def _view_code(
    study: StudyBase,
    view: CodeView,
    moved: Sequence[str] | None,
    feature: Any,
    row: Any,
    metric: str | None,
    epsilon: float | None,
    options: Mapping[str, str],
) -> str:
    match view:
        case "curves":
            named = () if feature is None else (_names(feature, _features_and_columns(study)),)
            return _call("study.stress_curves", *named, metrics=_metric(study, metric), **options)
        case "effect":
            _need(view, "feature", feature, "'age'")
            return _effect(_names(feature, study.feature_names), moved, epsilon, **options)
        case "boundary":
            _need(view, "row", row, "0")
            return _call("study.boundary", literal("row", row), **{"random_state": "0", **options})
        case "rules":
            _need(view, "row", row, "0")
            return _under(_call("study.rules", literal("row", row), **options), moved)
        case "thresholds":
            return _call("study.threshold_curves", *(moved or ()), **options)
        case "calibration":
            return _call("study.calibration", *(moved or ()), **options)
        case "rows":
            return _rows(study, moved, _position(row))
        case _:
            return _metrics(study, moved, _metric(study, metric))


def _effect(
    feature: str, moved: Sequence[str] | None, epsilon: float | None, *, by: str | None = None, **options: str
) -> str:
    """Write an effect, of groups or under the stress; where a band is drawn both have names."""
    effect = _call("study.effect", feature, **options)
    named = [] if epsilon is None else [f"effect = {effect}", f"bounds = effect.bounds({literal('epsilon', epsilon)})"]
    shown = "effect" if named else effect
    stress = None if moved is None else " & ".join(moved)
    answer = _under(shown, moved) if by is None else _call(f"{shown}.by", by=by, stress=stress)
    return "\n".join([*named, answer])


def _metrics(study: StudyBase, moved: Sequence[str] | None, metric: str | None) -> str:
    if moved is not None:
        return _call("study.reweight", *moved, metrics=metric)
    some = (repr([study.feature_names[0]]),) if are_sparse(study._columns) else ()
    joint = _call("study.joint_stress", *some, metrics=metric)
    return f"joint = {joint}\ndict(zip(joint.metric_names, joint.unstressed))"


def _rows(study: StudyBase, moved: Sequence[str] | None, row: int | None) -> str:
    if moved is not None:
        frame = f"{_call('study.reweight', *moved)}.frame"
        return frame if row is None else f"{frame}.loc[[{row}]]"
    if row is None:
        return "study.X"
    return f"study.X.iloc[[{row}]]" if isinstance(study.X, pd.DataFrame) else f"study.X[{row}:{row + 1}]"


def _rows_pooled(study: StudyBase, rows: Any) -> tuple[str, ...]:
    if isinstance(rows, str):
        if rows not in ("errors", "all"):
            raise InputError(f"rows must be 'errors', 'all' or positions; got {rows!r}.")
        return ("study.errors",) if rows == "errors" else ()
    places = [int(row) for row in rows]
    for row in places:
        _check_row(study, row)
    if not places:
        raise InputError("view='pooled' shows one row at least; got none. Give positions, or rows='errors'.")
    return (repr(places),)


def _read_scenario(stress: object) -> Scenario | None:
    if stress is None or isinstance(stress, Scenario):
        return stress
    if not isinstance(stress, Mapping):
        raise InputTypeError(
            f"A stress is {{'taus': {{feature: τ}}, 'hold': 'none'}} or a ts.Scenario; got {describe(stress)}."
        )
    fields = cast(Mapping[Any, Any], stress)
    strange = [key for key in fields if key not in ("taus", "hold")]
    if strange:
        raise InputError(f"A stress has the keys 'taus' and 'hold'; got {describe(strange[0])}. Leave it out.")
    taus = fields.get("taus", {})
    if isinstance(taus, Mapping):
        taus = {name: tau for name, tau in cast(Mapping[Any, Any], taus).items() if not _is_zero(tau)}
        if not taus:
            return None
    return Scenario("stress", taus, fields.get("hold", "none"))


def _is_zero(tau: object) -> bool:
    return isinstance(tau, int | float) and not isinstance(tau, bool) and tau == 0


def _stress_code(study: StudyBase, scenario: Scenario) -> tuple[str, ...]:
    """Write a stress as constraints, or as a scenario where something is held, which takes many of them."""
    if scenario.hold == "none":
        return tuple(repr(constraint) for constraint in read_stress(study, scenario, QUANTILE))
    scenario = with_features_named(scenario, study.feature_names)
    named_features(scenario, study._columns)
    return (repr(scenario),)


def _under(code: str, moved: Sequence[str] | None) -> str:
    return code if moved is None else _call(f"{code}.under", *moved)


def _call(name: str, *given: str, **options: str | None) -> str:
    """Write a call; several things given are constraints, joined."""
    said = [f"{option}={value}" for option, value in options.items() if value is not None]
    code = f"{name}({', '.join([*([' & '.join(given)] if given else []), *said])})"
    if len(code) <= WIDTH or len(given) < 2:
        return code
    lines = ",\n    ".join(["\n    & ".join(given), *said])
    return f"{name}(\n    {lines},\n)"


def _metric(study: StudyBase, metric: str | None) -> str | None:
    if metric is None:
        return None
    select_metrics(study, metric)
    return repr(metric)


def _features_and_columns(study: StudyBase) -> list[str]:
    """Return the names that stress curves take: of features, and of columns for all their levels."""
    return list(dict.fromkeys([*study.feature_names, *features_by_name(study._columns)]))


def _names(feature: Any, known: Sequence[str]) -> str:
    names = [feature] if isinstance(feature, str) else list(feature)
    for name in names:
        if not isinstance(name, str):
            raise InputTypeError(f"feature is a name, or several; got {describe(name)}.")
        if name not in known:
            raise UnknownName.among("feature", name, known)
    if not names:
        raise InputError("feature must name one at least; got none. Leave it out.")
    return repr(names[0] if len(names) == 1 else names)


def _need(view: str, what: str, value: object, example: str) -> None:
    if value is None:
        raise InputError(f"view={view!r} shows one {what}; got none. Give {what}={example}.")


def _position(row: Any) -> int | None:
    if isinstance(row, Mapping):
        raise InputError(
            "view='rows' shows rows of the study; got values. Give the position of a row, or leave it out."
        )
    return row


def _check_row(study: StudyBase, row: Any) -> None:
    if row is not None and not isinstance(row, Mapping) and not 0 <= row < study.n_rows:
        raise InputError(f"Rows are numbered 0 to {study.n_rows - 1:,}; got {row}. Give a position among them.")


CURVES: Mapping[str, Any] = MappingProxyType({"taus": 21})
THRESHOLDS: Mapping[str, Any] = MappingProxyType({"thresholds": None, "cost": None, "by": None, "metrics": None})
CALIBRATION: Mapping[str, Any] = MappingProxyType(
    {
        "n_bins": 10,
        "strategy": "quantile",
        "by": None,
        "target_class": None,
        "quantile": 0.05,
        "confidence": 0.95,
    }
)
OF_VERBS = MappingProxyType({"curves": CURVES, "thresholds": THRESHOLDS, "calibration": CALIBRATION})
MORE = MappingProxyType({"pooled": {"max_rows": None, "confidence": 0.95}, "effect": {"by": None}})
"""What a view shows besides the options of a boundary or an effect."""


def write_options(view: str, options: Mapping[str, Any]) -> dict[str, str]:
    """Return the options of a view's verb as Python writes them, but for those at their default.

    Raises
    ------
    UnknownName
        For an option that the verb has not, with the nearest.
    InputError
        For one that cannot be written down.
    """
    usual = _defaults(view)
    for name in options:
        if not usual:
            raise InputError(f"view={view!r} takes no further options; got {name}. Leave it out.")
        if name not in usual:
            raise UnknownName.among("option", name, list(usual))
    changed = {name: value for name, value in options.items() if not _same(value, usual[name])}
    return {name: literal(name, value) for name, value in changed.items()}


def literal(name: str, value: Any) -> str:
    """Return a value as Python reads it again.

    Raises
    ------
    InputError
        For one that is no number, text, bool or None, nor a list or mapping of these.
    """
    if isinstance(value, np.generic):
        return literal(name, cast(Any, value).item())
    if value is None or isinstance(value, str | bool | int):
        return repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
    if isinstance(value, Mapping):
        pairs = cast(Mapping[Any, Any], value).items()
        return "{" + ", ".join(f"{literal(name, key)}: {literal(name, one)}" for key, one in pairs) + "}"
    if isinstance(value, tuple):
        parts = [literal(name, one) for one in cast(tuple[Any, ...], value)]
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    if isinstance(value, list):
        return f"[{', '.join(literal(name, one) for one in cast(list[Any], value))}]"
    raise InputError(
        f"Code has numbers, text, bools, None, and lists and mappings of these; got {name}={describe(value)}. Leave it "
        "out, and write it by hand."
    )


def _defaults(view: str) -> dict[str, Any]:
    if view in OF_VERBS:
        return dict(OF_VERBS[view])
    specs: dict[str, Any] = {
        "effect": EffectSpec(""),
        "boundary": BoundarySpec(random_state=0),
        "pooled": BoundarySpec(),
        "rules": RulesSpec(),
    }
    if view not in specs:
        return {}
    spec = specs[view]
    usual = {field.name: getattr(spec, field.name) for field in fields(spec) if field.name != "feature"}
    return usual | dict(MORE.get(view, {}))


def _same(value: Any, usual: Any) -> bool:
    comparable = type(value) is type(usual) and isinstance(usual, str | int | float | tuple)
    return value is usual or (comparable and bool(value == usual))
