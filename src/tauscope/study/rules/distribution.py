"""The projected distribution of what is explained, given a row's values of some sets of features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tauscope.data import labels
from tauscope.results.rules.distribution import SetDistribution
from tauscope.study.rules.forest import training_weight
from tauscope.study.rules.options import search_options
from tauscope.weights.arrays import sums_by

if TYPE_CHECKING:
    from tauscope.results.rules.spec import RulesSpec
    from tauscope.study.base import StudyBase
    from tauscope.study.rules.explained import ExplainedRow
    from tauscope.study.rules.forest import StudyForest
    from tauscope.weights.arrays import Floats


def set_distributions(
    study: StudyBase,
    forest: StudyForest,
    explained: ExplainedRow,
    spec: RulesSpec,
    sets: Sequence[tuple[int, ...]],
) -> tuple[SetDistribution, ...]:
    """Project the distribution on each of some sets of features, by one walk down the trees."""
    min_rows, weight = search_options(study, spec).min_rows, training_weight(study, forest)
    projected = forest.projected
    of_rows = projected.weights(explained.entries[None], sets, weight=weight, min_rows=min_rows)[0]
    y = projected.y if projected.classes is None else projected.classes[projected.y.astype(np.int64)]
    values, of_value = np.unique(y.astype(np.float64), return_inverse=True)
    classes: tuple[str, ...] = ()
    if projected.classes is not None:
        classes = tuple(labels.names(study.classes))
        values, of_value = np.arange(len(classes), dtype=np.float64), y.astype(np.int64)
    names = [column.name for column in forest.table.columns]

    def one(features: tuple[int, ...], weights: Floats) -> SetDistribution:
        share = sums_by(of_value, weights, len(values))
        met = np.full(len(values), True) if classes else share > 0
        return SetDistribution(
            tuple(names[j] for j in features),
            values[met],
            share[met],
            classes,
            explained.decided,
            explained.low,
            explained.high,
            explained.t,
            float(y.min()),
            float(y.max()),
        )

    return tuple(one(features, weights) for features, weights in zip(sets, of_rows, strict=True))
