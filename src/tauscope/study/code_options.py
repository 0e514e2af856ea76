"""Options of verbs as Python writes them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from tauscope.arguments import describe
from tauscope.errors import InputError, UnknownName
from tauscope.results.boundary.spec import BoundarySpec
from tauscope.results.effects.spec import EffectSpec
from tauscope.results.rules.spec import RulesSpec

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
