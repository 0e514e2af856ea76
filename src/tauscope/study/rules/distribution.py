"""The verb `distribution`: how what is explained is distributed, given a row's values of some features alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from tauscope.data import labels
from tauscope.prediction.stopping import steps
from tauscope.results.rules.distribution import ProjectedDistribution, SetDistribution
from tauscope.results.rules.spec import ForestOptions, RulesSpec
from tauscope.results.rules.text import given_words
from tauscope.rules.sufficient import choose_features
from tauscope.study.rows import choose_part
from tauscope.study.rules.explained import ExplainedRow, explained_rows
from tauscope.study.rules.forest import study_forest, training_weight
from tauscope.study.rules.groups import spread_groups
from tauscope.study.rules.options import check_names, search_options, settle_spec
from tauscope.weights.arrays import sums_by
from tauscope.weights.measures import effective_size

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase
    from tauscope.study.rules.forest import StudyForest
    from tauscope.weights.arrays import Floats

AT_ONCE = 2**22
"""Weights of the forest's rows in memory together."""


def distribution(
    self: StudyBase, row: Any, features: str | int | Sequence[str | int], **options: Unpack[ForestOptions]
) -> ProjectedDistribution:
    """Estimate the distribution of the prediction, given a row's values of some features alone.

    The projected CDF forest: a random forest's splits on other features are followed both ways, and the rows in the
    projected cells are weighed as the trees have them [CSE, equations 5 to 7].

    Parameters
    ----------
    row : int, new values, or several rows
        A position; a dict, series or frame; or positions, a mask or a slice. New values need the columns of `features`
        only: without the others nothing is predicted.
    features : name, position, or sequence of them
        The features whose values are given.
    **options
        As in `sufficient`: t, groups, min_rows, explained, n_estimators, held_out, random_state. With
        `explained="labels"` the true values are distributed instead of the predictions.

    Returns
    -------
    ProjectedDistribution
        `.summary` has a line for each row: mean, quantiles or probabilities of classes, and effective sample size.
        `.frame` has the distribution functions, `.cdf(values)` and `.quantile(levels)` read them anywhere.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `sufficient`, and for no rows or no features.

    Notes
    -----
    Under a stress, `study.under(...)`, the forest's rows count by their weights; the cells stay. The mean is consistent
    for E[Y | X_S = x_S] as the forest grows with its rows [CSE, Theorem 1]. Quantiles beyond what the effective sample
    size resolves are the extremes of a few rows.

    References
    ----------
    [CSE] Amoukou, Brunel, "Consistent sufficient explanations and minimal local rules for explaining the decision of
    any classifier or regressor", 2022.

    Examples
    --------
    >>> forest_study.distribution(0, ["mean radius"]).probabilities.round(2).loc[0].tolist()
    [0.95, 0.05]
    """
    check_names(options, "row", "features", known=ForestOptions.__optional_keys__)
    spec = settle_spec(self, RulesSpec(features=features, search="greedy", **options))  # no number is too many
    forest = study_forest(self, spec)
    chosen = choose_features(forest.projected, search_options(self, spec))
    places: list[int] = forest.table.sources_of(list(chosen)).tolist()
    needed = [self.feature_names[j] for j in places]
    read = choose_part(self, spread_groups(spec.groups, row), needed)
    several = explained_rows(self, forest, read, spec)
    found = set_distributions(self, forest, several, [chosen], spec)
    return ProjectedDistribution(
        spec,
        self._model_name,
        tuple(one.position for one in several),
        tuple(one for (one,) in found),
        tuple(_given_words(forest, one, chosen) for one in several),
        forest.info(self, spec),
        source=self._as_source(),
    )


def _given_words(forest: StudyForest, row: ExplainedRow, features: tuple[int, ...]) -> str:
    """Write a row's values: "age = 40, job = clerk"."""
    columns = forest.table.columns
    return ", ".join(given_words(columns[j], float(row.entries[j])) for j in features)


def set_distributions(
    study: StudyBase,
    forest: StudyForest,
    rows: Sequence[ExplainedRow],
    sets: Sequence[tuple[int, ...]],
    spec: RulesSpec,
) -> list[tuple[SetDistribution, ...]]:
    """Project the distribution on each of some sets of features at each row, by one walk down the trees."""
    projected, min_rows = forest.projected, search_options(study, spec).min_rows
    weight = training_weight(study, forest)
    y = projected.y if projected.classes is None else projected.classes[projected.y.astype(np.int64)]
    values, of_value = np.unique(y.astype(np.float64), return_inverse=True)
    classes: tuple[str, ...] = ()
    if projected.classes is not None:
        classes = tuple(labels.names(study.classes))
        values, of_value = np.arange(len(classes), dtype=np.float64), y.astype(np.int64)
    names = [column.name for column in forest.table.columns]
    lowest, highest = float(y.min()), float(y.max())

    def one(row: ExplainedRow, features: tuple[int, ...], weights: Floats) -> SetDistribution:
        share = sums_by(of_value, weights, len(values))
        met = np.full(len(values), True) if classes else share > 0
        return SetDistribution(
            tuple(names[j] for j in features),
            values[met],
            share[met],
            classes,
            row.decided,
            row.low,
            row.high,
            row.t,
            lowest,
            highest,
            effective_size(weights),
        )

    found = list[tuple[SetDistribution, ...]]()
    together = max(1, AT_ONCE // (len(sets) * projected.n_rows))
    for first in steps(range(0, len(rows), together)):
        some = rows[first : first + together]
        entries = np.stack([row.entries for row in some])
        of_rows = projected.weights(entries, sets, weight=weight, min_rows=min_rows)
        found += [
            tuple(one(row, features, weights) for features, weights in zip(sets, of_row, strict=True))
            for row, of_row in zip(some, of_rows, strict=True)
        ]
    return found
