"""What is on screen as Python: the view chosen, with the choices made in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.errors import InputError
from tauscope.results.rules.spec import RulesSpec
from tauscope.results.stress.harm import worse_side
from tauscope.views.boundary.pooled_message import MOST_ROWS

if TYPE_CHECKING:
    from tauscope.results.stress.towards import TargetPopulation
    from tauscope.views.workspace.table import RowTableView
    from tauscope.views.workspace.workspace import Workspace


MOMENTS = {"mean": "mean", "share": "mean", "variance": "variance", "covariance": "covariance"}
"""By kind of a margin the moment that asks for it."""
USUAL_COSTS = {"fp": 1, "fn": 1}
USUAL_SEARCH: Mapping[str, float] = {"held_out": 0.5, "confidence": 0.95, "random_state": 0}
BY_NAME = ("errors", "all")
"""Rows pooled that have a name; others are written as they were drawn."""


def code_of(workspace: Workspace) -> str:
    """Write what the view chosen shows, as `Study.to_code` does.

    Raises
    ------
    InputError
        For a choice that cannot be written down, and why.
    """
    write, name = workspace.study.to_code, workspace.view
    view: Any = workspace.inside.get(name)
    stress = workspace.stress
    if name == "models":
        raise InputError(
            "Code for two models needs a name for the other, which the page has not. Write ts.compare(study, other)."
        )
    if name == "towards":
        there = workspace.given["towards"]
        usual = [metric.name for metric in workspace.inside["joint"].result.metrics]
        return _towards(there, there.amount if view is None else view.amount, usual)
    if name == "thresholds":
        return write(stress, view="thresholds", **_thresholds(workspace, view))
    if name == "calibration":
        return write(stress, view="calibration", **_calibration(workspace, view))
    if name == "worst_case":
        return write(stress) if view is None else _worst_case(view)
    if name == "curves":
        n_taus = len(view.message["taus"])
        return write(view="curves", feature=workspace.feature, taus=n_taus)
    if name == "effect":
        return _effect(workspace, view)
    if name == "boundary":
        return write(view="boundary", **_row(workspace, view), **_boundary(view))
    if name == "pooled":
        return write(stress, view="pooled", rows=_pooled_rows(workspace, view), **_pooled(view))
    if name == "rules":
        return write(stress, view="rules", **_row(workspace, view), **_rules(view))
    if name == "table" and view is not None:
        moved = write(stress, view="rows")
        return rows_code(view, moved.removesuffix(".frame") + ".weights" if stress["taus"] else "")
    return write(stress, view="rows" if name == "table" else "workspace")


def _thresholds(workspace: Workspace, view: Any) -> dict[str, Any]:
    """Return groups and costs that are not the usual ones."""
    if view is None:
        return {}
    options, by = view.result._options, view.result.grouped_by
    costs = {name: value for name, value in options["cost"].items() if value}
    return _by(workspace, options["by"], by) | ({} if costs == USUAL_COSTS else {"cost": costs})


def _calibration(workspace: Workspace, view: Any) -> dict[str, Any]:
    """Return options that are not the usual ones; the class where it is another than the positive."""
    if view is None:
        return {}
    options = dict(view.result._options)
    by, label = options.pop("by"), options.pop("target_class")
    study = workspace.study
    usual = study._task == "binary" and label == study.classes[1]
    return options | _by(workspace, by, view.result.grouped_by) | ({} if usual else {"target_class": label})


def _by(workspace: Workspace, labels: Any, name: str) -> dict[str, Any]:
    """Return groups by the name of a column where they are of one; as the labels they are of else."""
    return {"by": name if name in workspace.study.feature_names else labels} if name else {}


def _worst_case(view: Any) -> str:
    """Write the search within the part of what was allowed that is shown."""
    result, amount = view.result, view.amount
    within, reach, options = result.within, result.reach, dict(result._options)
    if amount < 1:
        options["held_out"] = 0.0
        within = within.part(amount) if reach is None else within
        reach = None if reach is None else result.before + amount * (reach - result.before)
    if options["worse"] == worse_side(result.metric.name):
        options["worse"] = None
    options = {"within": within.as_argument() or None, "reach": reach} | options
    changed = {name: one for name, one in options.items() if one is not None and one != USUAL_SEARCH.get(name)}
    said = [f"{name}={value!r}" for name, value in changed.items()]
    return f"study.worst_case({', '.join([repr(result.metric.name), *said])})"


def _effect(workspace: Workspace, view: Any) -> str:
    if view is None:
        return workspace.study.to_code(workspace.stress, view="effect", feature=workspace.column)
    band = {} if len(view.features) == 2 or _follows(workspace, view) else {"epsilon": view.epsilon}
    groups = {} if len(view.features) == 2 else _by(workspace, view.grouping, view.by)
    return workspace.study.to_code(
        workspace.stress, view="effect", feature=view.features, kind=view.kind, **band, **groups
    )


def _follows(workspace: Workspace, view: Any) -> bool:
    """Whether the band drawn is that of the stress's own distance, which the effect under it has."""
    return bool(workspace.stress["taus"]) and view.follow


def _row(workspace: Workspace, view: Any) -> dict[str, Any]:
    if view is None or view.row >= 0:
        return {"row": workspace.row if view is None else view.row}
    return {"row": view.start_values}


def _boundary(view: Any) -> dict[str, Any]:
    """Return what a person can choose of a search, where it was chosen."""
    if view is None:
        return {}
    spec = view.wanted
    fixed, bounds = list(spec.fixed), dict(spec.bounds or {})
    chosen = {"fixed": fixed, "bounds": bounds, "target": spec.target}
    return {name: value for name, value in chosen.items() if value not in ([], {}, None)}


def _pooled_rows(workspace: Workspace, view: Any) -> list[int] | str:
    """Return the rows pooled; before any are, those that would be."""
    if view is None:
        return list(workspace.selection) or "errors"
    result = view.result
    if result.n_new:
        raise InputError("These are new rows, which the page has not. Write study.pooled_boundary(rows) with them.")
    if view.message["given"] in BY_NAME:
        return view.message["given"]
    return result.boundaries._numbers.row.tolist()


def _pooled(view: Any) -> dict[str, Any]:
    """Return how many rows were drawn and what else was chosen."""
    if view is None:
        return {"max_rows": MOST_ROWS, "random_state": 0}
    result = view.result
    spec = result.boundaries._spec
    drawn = result.n_drawn_from and view.message["given"] in BY_NAME
    chosen = {
        "max_rows": len(result.boundaries) if drawn else None,
        "confidence": result.confidence,
        "fixed": list(spec.fixed),
        "bounds": dict(spec.bounds or {}),
        "target": spec.target,
        "random_state": spec.random_state,
    }
    return {name: value for name, value in chosen.items() if value not in ([], {}, None)}


def _rules(view: Any) -> dict[str, Any]:
    """Return π and t where they were chosen."""
    if view is None:
        return {}
    usual = RulesSpec()
    return {
        name: getattr(view.wanted, name) for name in ("pi", "t") if getattr(view.wanted, name) != getattr(usual, name)
    }


def _towards(there: TargetPopulation, amount: float, usual: Sequence[str]) -> str:
    """Write the way to another population; new rows have no name here and are called X_new, their labels y_new."""
    target = there.target
    metrics = [metric.name for metric in there._metric_definitions]
    options: dict[str, Any] = {
        "amount": amount if amount != 1 else None,
        "price": there.price,
        "confidence": there.confidence if there.confidence != 0.95 else None,
        "metrics": metrics if metrics != list(usual) else None,
    }
    if not target.n_rows:
        names = (margin.features[0] for margin in target.margins.which)
        given = repr(dict(zip(names, target.margins.wanted.tolist(), strict=True)))
        return _call([given], options)
    moments = tuple(dict.fromkeys(MOMENTS[margin.kind] for margin in target.margins.which))
    names = ["X_new", *(["y_new"] if target.observed is not None else [])]
    options = {"features": _features(there), "moments": moments if moments != ("mean",) else None, **options}
    about = "X_new are the new rows"
    if target.observed is not None:
        about += ", y_new their labels"
    if target.weighted:
        about += ", weight_new their weights"
    return f"# {about}.\n{_call(names, options, 'sample_weight=weight_new' if target.weighted else '')}"


def _features(there: TargetPopulation) -> list[str] | None:
    """Return whose margins are carried over, whole columns by their name; None where these are all there can be."""
    chosen = {margin.features[0] for margin in there.target.margins.which}
    if chosen | {name for name, _ in there.target.left_out} >= {feature.name for feature in there.features}:
        return None
    columns: dict[str, set[str]] = {}
    for feature in there.features:
        columns.setdefault(feature.column, set()).add(feature.name)
    whole = {column for column, names in columns.items() if names <= chosen}
    inside = {name: column for column in whole for name in columns[column]}
    return list(dict.fromkeys(inside.get(name, name) for name in (m.features[0] for m in there.target.margins.which)))


def _call(given: Sequence[str], options: Mapping[str, Any], more: str = "") -> str:
    said = [f"{name}={value!r}" for name, value in options.items() if value is not None]
    return f"study.towards({', '.join([*given, *said, *([more] if more else [])])})"


FRAME = "rows = study.table().frame"
IMPORT = "import tauscope as ts\n\n"


def rows_code(view: RowTableView, weights: str) -> str:
    """Write the rows that a table lists, in its order.

    Parameters
    ----------
    view : RowTableView
    weights : str
        Code of the weights under the stress; "" without one.
    """
    listed = view.found()
    frame, lines = view.result.frame, [FRAME]
    after_name = view.weight_names[1]
    after = view.after
    if weights and after is not None:
        _, head, call = weights.rpartition(IMPORT)
        lines = [f"{head}{FRAME}", f"rows[{after_name!r}] = {call}"]
        frame[after_name] = after
    answer = ""
    if view.filter == "errors" and not view.search:
        names = [next(one.name for one in view.result.columns if one.role == role) for role in ("predicted", "truth")]
        lines.append(f"rows = rows[rows[{names[0]!r}].astype(object) != rows[{names[1]!r}].astype(object)]")
        frame = frame[frame[names[0]].astype(object) != frame[names[1]].astype(object)]
    if view.sort and view.sort in frame:
        answer = f"rows.sort_values({view.sort!r}, ascending={not view.descending}, kind='stable')"
        frame = frame.sort_values(view.sort, ascending=not view.descending, kind="stable")
    elif view.descending:
        answer, frame = "rows[::-1]", frame[::-1]
    if not np.array_equal(frame["row"].to_numpy(), listed):
        lines = [line for line in lines if not line.startswith("rows = rows[")]
        answer = f"rows.iloc[{listed.tolist()}]"
    return "\n".join([*lines, answer or "rows"])
