"""The scenarios that a workspace keeps: checked as `tauscope.Scenario` is, and of features that are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import traitlets

from tauscope.arguments import describe
from tauscope.data.columns import Column
from tauscope.errors import InputError, InputTypeError, TauscopeError
from tauscope.results.stress.scenario import Scenario, named_features, with_features_named
from tauscope.results.stress.scenario_file import SAVED, check_scenarios


def read_kept(given: Sequence[object], columns: Sequence[Column]) -> list[dict[str, Any]]:
    """Return scenarios as the page has them.

    Parameters
    ----------
    given : sequence of Scenario, or of mappings with name, taus and hold
    columns : sequence of Column
        Of the study, whose features they move.

    Raises
    ------
    traitlets.TraitError
        For what is no scenario, a feature that is not there, or two of one name.
    """
    try:
        names = [column.name for column in columns]
        scenarios = [with_features_named(_scenario(one), names) for one in given]
        if scenarios:
            check_scenarios(scenarios)
        for one in scenarios:
            named_features(one, columns)
    except TauscopeError as error:
        raise traitlets.TraitError(str(error)) from None
    return [{"name": one.name, **one.stress} for one in scenarios]


def _scenario(given: object) -> Scenario:
    if isinstance(given, Scenario):
        return given
    if not isinstance(given, Mapping):
        raise InputTypeError(f"scenarios are ts.Scenario, or name, taus and hold in a mapping; got {describe(given)}.")
    fields = cast(Mapping[Any, Any], given)
    strange = [key for key in fields if key not in SAVED]
    missing = [key for key in ("name", "taus") if key not in fields]
    if strange or missing:
        said = f"{strange[0]!r} is none of them" if strange else f"{missing[0]} is not there"
        raise InputError(f"A scenario has name, taus and hold; {said}. Try ts.Scenario('older', {{'age': 0.5}}).")
    return Scenario(**fields)
