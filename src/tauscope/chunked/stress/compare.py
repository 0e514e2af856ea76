"""`tauscope.compare` of two studies of the same rows in chunks: paired differences from sums over both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pandas as pd

from tauscope.chunked.paired import ADVICE, SecondModel, paired_passes
from tauscope.chunked.stress.requests import check_requests, list_requests
from tauscope.errors import InputError
from tauscope.results.stress.comparison import UNDER, ModelComparison, PairedMetrics, comparison_rows, metrics_of_one
from tauscope.results.stress.joint_answer import metric_estimates
from tauscope.results.stress.scenarios import AS_TESTED, scenario_population
from tauscope.rows.in_chunks import InChunks
from tauscope.rows.outputs import no_outcomes
from tauscope.rows.schema import Schema
from tauscope.stress.chunked.groups import AllGroups
from tauscope.stress.chunked.paired import PairedPopulationSums, compare_pairs, measure_pairs
from tauscope.stress.metric_definitions import ranks
from tauscope.stress.metrics import SummedMetric
from tauscope.study.stress.asked_rows import AskedRows
from tauscope.study.stress.compare import check_alike, name_models
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import define_metrics
from tauscope.study.stress.reweight import reweighted
from tauscope.study.stress.scenario import refuse_scenario

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.stress.joint.constraints import Constraint, Stress
    from tauscope.study.verbs import Asked

SAMPLES = "ts.compare(first.sample(), second.sample(), …)"


def compare_chunks(
    self: ChunkedBase,
    second: ChunkedBase,
    stress: Constraint | Stress | Reweighting | None = None,
    *,
    quantile: float = 0.05,
    confidence: float = 0.95,
    metrics: str | Sequence[str] | None = None,
    names: tuple[str, str] | None = None,
) -> ModelComparison:
    """Compare two models on the same rows in chunks; `tauscope.compare` is the way to ask for it.

    Parameters
    ----------
    second : ChunkedStudy
        Of the same chunks.
    stress, quantile, confidence, metrics, names
        As in `tauscope.compare`.

    Returns
    -------
    ModelComparison

    Raises
    ------
    UnknownName, InfeasibleTarget, DependentConstraints, InputError, InputTypeError
        As `tauscope.compare`.
    """
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    refuse_scenario(stress, SAMPLES)
    with self._bars(True):
        passes = paired_passes(self, second)
        alone = self.schema(self.passes()), second.schema(second.passes())
        one, other = ((each.n_rows, each.outputs.task, each.outputs.classes) for each in alone)
        check_alike(one, other, ADVICE)
        alone = alone[0], replace(alone[1], outputs=replace(alone[1].outputs, classes=alone[0].outputs.classes))
        called = name_models((self.model_name, second.model_name), names)
        asked = list_requests(metrics)
        schemas = _asking(alone[0], asked), _asking(alone[1], asked)
        rows = InChunks(passes, schemas[0], self._solved)
        study, everyone = cast("Asked", self), rows.groups(None)
        moved = None if stress is None else reweighted(study, rows, stress, float(quantile), "compare")
        populations = AskedRows(study, rows, everyone, moved).populations()
        reader, counts = SecondModel(schemas[1]), (schemas[0].n_counted, schemas[0].n_rows)
        tilts = [each.weighted.tilt for each in populations]
        measured = measure_pairs(tilts, reader, everyone, counts, rows.sum)
        paired = [
            PairedPopulationSums(each.weighted, both, _common(schemas, both, asked))
            for each, both in zip(populations, measured, strict=True)
        ]
        answers = compare_pairs(paired, reader, rows.sum, float(confidence))
    frames: list[pd.DataFrame] = []
    for name, population, both, answer in zip((AS_TESTED, UNDER), populations, paired, answers, strict=False):
        support = population.support(both.measured[0].groups[0])
        assert support is not None
        of_models = [
            metric_estimates(own, estimates, support, float(confidence), schemas[0].n_counted)
            for own, estimates in zip(both.metrics, answer[:2], strict=True)
        ]
        shown = tuple(metric.in_words() for metric in both.metrics[0])
        found = PairedMetrics(of_models[0], of_models[1], answer.differences)
        frames.append(comparison_rows(name, called, shown, found, 1 / float(both.measured[0].groups[0].squared[0])))
    no_rows = [no_outcomes(each.outputs, labelled=each.labelled, scored=True) for each in alone]
    return ModelComparison(
        names=called,
        population=None if moved is None else scenario_population(moved),
        metrics=tuple(metric.in_words() for metric in paired[0].metrics[0]),
        quantile=float(quantile),
        confidence=float(confidence),
        n_rows=alone[0].n_rows,
        outcomes=(no_rows[0], no_rows[1]),
        _frame=pd.concat(frames, ignore_index=True),
        left_out=metrics_of_one(called, _defined(schemas, measured[0], asked)),
        source=self.as_source(),
    )


def _asking(schema: Schema, names: list[str] | None) -> Schema:
    no_rows = no_outcomes(schema.outputs, labelled=schema.labelled, scored=True)
    if names is not None and not names:
        raise InputError("At least one metric is needed; got none. Leave metrics=None for those of the task.")
    check_requests(no_rows, names or ())
    if ranks(no_rows, names or ()):
        raise InputError(
            "A difference of metrics of ranks needs the scores of all rows in order, and these came in chunks. Leave "
            f"them out, or compare samples: {SAMPLES}."
        )
    return replace(schema, asked=tuple(names or ()))


def _defined(
    schemas: tuple[Schema, Schema], measured: tuple[AllGroups, AllGroups], names: list[str] | None
) -> list[dict[str, SummedMetric]]:
    return [
        {metric.name: metric for metric in define_metrics(schema, names, each.scores, each.groups[0])}
        for schema, each in zip(schemas, measured, strict=True)
    ]


def _common(
    schemas: tuple[Schema, Schema], measured: tuple[AllGroups, AllGroups], names: list[str] | None
) -> tuple[tuple[SummedMetric, ...], tuple[SummedMetric, ...]]:
    """Return the metrics that both models have, as each one's sums have them."""
    every = _defined(schemas, measured, names)
    shared = [name for name in every[0] if name in every[1]]
    one, other = (tuple(known[name] for name in shared) for known in every)
    return one, other
