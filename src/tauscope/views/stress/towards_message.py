"""The way to another population as the messages of its view, word for word as TypeScript reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import numpy as np

from tauscope.results.base import records
from tauscope.results.reliability import level_of
from tauscope.results.stress.numbers.observed import DIFFERENCE, Observed
from tauscope.results.stress.towards import LIMITS, TargetPopulation
from tauscope.results.stress.towards_stress import SliderStress
from tauscope.stress.reliability import Level
from tauscope.views.wire import (
    VALUES,
    Block,
    Each,
    Layout,
    Metrics,
    NotEmpty,
    OrNaN,
    finite,
    float32,
    interval_words,
    layout_of,
    metric_messages,
)

NO_STUDY = "This result has left its study, which has the rows to weight; give it back by .with_source(study)."
MOST_MISSED = 5
"""Margins not met that are written out."""

NOT_COMPUTED = "not computed on the new rows"


class TowardsObservedMessage(TypedDict):
    """A metric on the new rows; None where it is not defined, and in `reason` why it is not reliable."""

    value: OrNaN
    lower: OrNaN
    upper: OrNaN
    level: Level
    reason: str


class TowardsFeatureMessage(TypedDict):
    """A feature of the love plot; `smd` is the mean less that there, standard deviations, before anything is moved.

    `unit` is "year" for dates as decimal years, "days" for durations, "0/1" for zeros and ones, else "".
    """

    name: str
    kind: Literal["numeric", "share"]
    unit: str
    before: float
    there: float
    smd: float


class TargetPopulationMessage(TypedDict):
    """What `TargetPopulationView` shows whatever the amount.

    `n_new` is 0 for a table of margins; `amounts` are those of the slider, ascending; `before` is each metric as
    tested; `observed` is empty without labels of the new rows; `features` are those farthest before first; `taus` say
    all of the way by feature as views share it, and where sliders cannot, `unsaid` why.
    """

    version: Literal[1]
    title: str
    n_rows: int
    n_new: int
    there: str
    confidence: float
    interval: str
    amounts: Annotated[list[float], NotEmpty("have an amount")]
    metrics: Annotated[Metrics, Each("metric")]
    before: Annotated[list[OrNaN], Each("metric")]
    observed: list[TowardsObservedMessage]
    features: list[TowardsFeatureMessage]
    taus: dict[str, float]
    unsaid: str
    notes: list[str]


class TowardsStepMessage(TypedDict):
    """One amount: the population in words, what is met, and how far to rely on each metric.

    `missed` are the farthest of the `n_missed` margins that are not met; `doubt`, "" for nothing, is what of the
    weights speaks against any number. `compared`, "" for nothing, is what the labels of the new rows say of what was
    expected, and `beyond` tells of each metric whether it differs by more than chance, None where that cannot be
    judged; empty without labels.
    """

    amount: float
    population: str
    met: str
    missed: list[str]
    n_missed: int
    level: Level
    doubt: str
    reliability: Annotated[list[Level], Each("metric")]
    reasons: Annotated[list[str], Each("metric")]
    compared: str
    beyond: list[bool | None]


class TowardsPathMessage(TypedDict):
    """The amounts that are there, ascending, and how many of all; `problem` says why there are no more."""

    steps: Annotated[list[TowardsStepMessage], NotEmpty("have a step")]
    layout: Layout
    done: int
    total: int
    problem: str


class Step(NamedTuple):
    """One amount in words, and in numbers.

    Attributes
    ----------
    words : TowardsStepMessage
    numbers : bytes
        Float32, as `step_layout` says.
    """

    words: TowardsStepMessage
    numbers: bytes


def target_population_message(
    result: TargetPopulation, amounts: Sequence[float], sliders: SliderStress
) -> TargetPopulationMessage:
    """Encode what stays while the amount moves."""
    kinds = {feature.name: feature for feature in result.features}
    frame, seen = result.metrics, result.target.observed
    n = result.target.n_rows
    return {
        "version": 1,
        "title": result.title,
        "n_rows": result.n_rows,
        "n_new": n,
        "there": result.target.name,
        "confidence": result.confidence,
        "interval": interval_words(result.confidence, "the new ones" if n else ""),
        "amounts": list(amounts),
        "metrics": metric_messages(result._metric_definitions),
        # as the numbers of the steps are rounded, so that what is the same is written the same
        "before": [finite(float(np.float32(value))) for value in frame["before"]],
        "observed": [] if seen is None else [_observed(seen.get(name)) for name in frame["metric"]],
        "features": [_balance(row, kinds[row["feature"]]) for row in records(result.balance)],
        "taus": dict(sliders.taus),
        "unsaid": sliders.reason,
        "notes": [*result.target.notes, *LIMITS],
    }


def encode_step(result: TargetPopulation, features: Sequence[str]) -> Step:
    """Encode one amount; the love plot's features in the order of the message."""
    judged = result._judged
    frame, observed = result.metrics, result.target.observed is not None
    balance = result.balance.set_index("feature").loc[list(features)]
    words: TowardsStepMessage = {
        "amount": result.amount,
        "population": result.population,
        "met": result.met,
        "missed": list(result.missed[:MOST_MISSED]),
        "n_missed": len(result.missed),
        "level": level_of(judged.reason),
        "doubt": judged.words,
        "reliability": frame["reliability"].tolist(),
        "reasons": frame["note"].tolist(),
        "compared": " ".join(result._compared),
        "beyond": frame["beyond_chance"].tolist() if observed else [],
    }
    numbers = np.concatenate(
        [
            [result.ess, result.tv, result.kl, result.pareto_k],
            frame[["value", "lower", "upper"]].to_numpy(np.float64).ravel(),
            frame[list(DIFFERENCE)].to_numpy(np.float64).ravel() if observed else [],
            balance[["mean_after", "smd_after"]].to_numpy(np.float64).ravel(),
        ]
    )
    return Step(words, float32(numbers))


def step_layout(n_steps: int, message: TargetPopulationMessage) -> Layout:
    """Say where the numbers of each step stand: of the population, of metrics and of features.

    Differences, with labels of the new rows, are expected less observed; `smd` is how far a mean is from there,
    standard deviations.
    """
    observed, metrics, features = len(message["observed"]), len(message["metrics"]), len(message["features"])
    blocks = (
        Block(("ess", "tv", "kl", "pareto_k"), "field", (4,)),
        Block(VALUES, "metric field", (metrics, 3)),
        Block(("difference", "difference_lower", "difference_upper"), "observed field", (observed, 3)),
        Block(("mean", "smd"), "feature field", (features, 2)),
    )
    return layout_of(blocks, outer="step", shape=(n_steps,))


def _observed(one: Observed | None) -> TowardsObservedMessage:
    if one is None:
        return {"value": None, "lower": None, "upper": None, "level": "unreliable", "reason": NOT_COMPUTED}
    value, lower, upper = (finite(each) for each in (one.estimate.value, one.estimate.lower, one.estimate.upper))
    level = level_of(one.estimate.reason)
    return {"value": value, "lower": lower, "upper": upper, "level": level, "reason": one.note}


def _balance(row: dict[str, Any], feature: Any) -> TowardsFeatureMessage:
    return {
        "name": row["feature"],
        "kind": feature.kind,
        "unit": feature.source.reading if feature.kind == "numeric" else "",
        "before": row["mean_before"],
        "there": row["mean_there"],
        "smd": row["smd_before"],
    }
