"""The widget of two models side by side, under the stress that views share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, TypedDict, cast

import pandas as pd
import traitlets

from tauscope.errors import InputError, TauscopeError
from tauscope.results.base import records
from tauscope.results.stress.comparison import UNDER, ModelComparison
from tauscope.results.stress.scenarios import AS_TESTED, ScenarioPopulation
from tauscope.stress.reliability import Level
from tauscope.views.base import check_arguments
from tauscope.views.bundle import bundle
from tauscope.views.followed_message import offline_words
from tauscope.views.following import FollowingView
from tauscope.views.shared_stress import StressState, unstressed
from tauscope.views.solved import solve_stress
from tauscope.views.study_columns import columns_of
from tauscope.views.wire import (
    Absent,
    AnsweredMessage,
    Each,
    Exactly,
    Metrics,
    OrNaN,
    distance_message,
    finite,
    metric_messages,
)

STATE = ("stress",)


class ModelComparisonView(FollowingView):
    """Every metric of two models and their paired difference; a stress set in a linked view is followed.

    Parameters
    ----------
    result : ModelComparison
        What is shown.
    **traits
        First value of the trait below.

    Attributes
    ----------
    stress : dict
        {"taus": {feature: τ, …}, "hold": "none" | "means" | "uncorrelated"} on the first model's rows. While nothing is
        moved, the default, the population that the models were compared in: that of the stress given to `ts.compare`,
        in its own words, else the rows as tested. The kernel compares anew under each stress; the page says where one
        cannot be met.
    message, compared : dict
        What is shown, as `tauscope.views.stress.comparison` has it; not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For another argument (with the nearest), or a stress that is none.
    """

    _esm, _css = bundle("stress/comparison")
    result: ModelComparison

    message = traitlets.Dict(help="both models as tested, as ModelComparisonMessage").tag(sync=True)
    compared = traitlets.Dict(help="both models under the stress, as ComparedMessage").tag(sync=True)

    def __init__(self, result: ModelComparison, **traits: Any) -> None:
        check_arguments(traits, STATE)
        message = comparison_message(result, kernel=not self._offline)
        super().__init__(result, message=message, compared=own_message(result), **traits)

    def _answer(self, result: ModelComparison, stress: StressState) -> ComparedMessage:
        return compared_message(result, stress)

    def _rest(self) -> None:
        self.compared = cast(dict[str, Any], own_message(self.result))

    def _show(self, answer: Any) -> None:
        self.compared = answer

    def _problem(self) -> str:
        return self.compared.get("error", "")


NO_STUDY = "this comparison has left its study, and a stress weighs the study's rows"
NO_KERNEL = "this page has no kernel to compare the models under it"


class ComparedPairMessage(TypedDict):
    """One metric of both models, and second minus first; numbers are None where there are none.

    `better` is 0 or 1 for the first or second model, −1 for neither.
    """

    first: OrNaN
    first_lower: OrNaN
    first_upper: OrNaN
    second: OrNaN
    second_lower: OrNaN
    second_upper: OrNaN
    difference: OrNaN
    lower: OrNaN
    upper: OrNaN
    better: int
    reliability: Level
    note: str


class ModelComparisonMessage(TypedDict):
    """What `ModelComparisonView` shows of the rows as tested; `offline` says why there is no other population."""

    version: Literal[1]
    title: str
    names: Annotated[list[str], Exactly(2)]
    n_rows: int
    confidence: float
    metrics: Annotated[Metrics, Each("metric")]
    tested: Annotated[list[ComparedPairMessage], Each("metric")]
    note: str
    offline: str


class ComparedMessage(AnsweredMessage, total=False):
    """Both models under one stress; of the result's own population `stress` moves nothing."""

    level: Annotated[Level, Absent("reliable")]
    doubt: str
    pairs: list[ComparedPairMessage]


def comparison_message(result: ModelComparison, *, kernel: bool) -> ModelComparisonMessage:
    """Encode both models as tested; without a kernel no stress can be asked for."""
    offline = offline_words(result.source, kernel=kernel, no_kernel=NO_KERNEL, no_study=NO_STUDY)
    return {
        "version": 1,
        "title": result.title,
        "names": list(result.names),
        "n_rows": result.n_rows,
        "confidence": result.confidence,
        "metrics": metric_messages(result.metrics),
        "tested": _pairs(result, AS_TESTED),
        "note": " ".join(replace(result, population=None).notes),
        "offline": offline,
    }


def compared_message(result: ModelComparison, stress: StressState) -> ComparedMessage:
    """Compare under a stress that moves something."""
    try:
        if result.source is None:
            raise InputError(NO_STUDY)
        solved = solve_stress(result.source, columns_of(result.source), stress)
        under = result.under(solved)
    except TauscopeError as error:
        return {"stress": stress, "error": str(error)}
    return _moved(under, stress)


def own_message(result: ModelComparison) -> Mapping[str, object]:
    """Encode the population that a comparison was made under; nothing where that is the rows as tested."""
    return {} if result.population is None else _moved(result, unstressed())


def _moved(result: ModelComparison, stress: StressState) -> ComparedMessage:
    there = cast(ScenarioPopulation, result.population)
    return {
        "stress": stress,
        "error": "",
        "words": there.words.partition(";")[0],
        **distance_message(there),
        "level": there.level,
        "doubt": there.doubt,
        "pairs": _pairs(result, UNDER),
    }


def _pairs(result: ModelComparison, population: str) -> list[ComparedPairMessage]:
    frame: pd.DataFrame = result.frame
    return [_pair(row, result.names) for row in records(frame[frame["population"] == population])]


def _pair(row: dict[str, Any], names: tuple[str, str]) -> ComparedPairMessage:
    return {
        "first": finite(row["first"]),
        "first_lower": finite(row["first_lower"]),
        "first_upper": finite(row["first_upper"]),
        "second": finite(row["second"]),
        "second_lower": finite(row["second_lower"]),
        "second_upper": finite(row["second_upper"]),
        "difference": finite(row["difference"]),
        "lower": finite(row["lower"]),
        "upper": finite(row["upper"]),
        "better": names.index(row["better"]) if row["better"] else -1,
        "reliability": row["reliability"],
        "note": row["note"],
    }
