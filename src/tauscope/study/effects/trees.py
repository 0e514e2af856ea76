"""Models whose partial dependence can be read from their trees, without calling the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tauscope import effects
from tauscope.effects import BatchOptions, Grid, PartialDependence
from tauscope.trees.adapters import grows_trees

if TYPE_CHECKING:
    from tauscope.model.response import Response
    from tauscope.study.base import StudyBase
    from tauscope.study.effects.plan import EffectPlan


def has_trees(study: StudyBase, response: Response) -> bool:
    """Tell whether a model is a sum of trees over rows of plain numbers, and the response one the trees give.

    The engine still checks what it reads against the model's own answers, and asks the model where they differ.
    """
    return reads_trees(_estimator(study), response, plain=study._table_rows.plain)


def reads_trees(estimator: object, response: Response, *, plain: bool) -> bool:
    """Tell so of an estimator, and of rows that are `plain` or not."""
    return grows_trees(estimator) and plain and response.columns is not None


def sums_leaves(study: StudyBase, response: Response) -> bool:
    """Tell whether the response is the sum of the trees' leaves, which are then added up for all features at once."""
    return effects.sums_leaves(_estimator(study), response.method, response.columns or None)


def dependence_of_trees(
    study: StudyBase, plan: EffectPlan, *, batches: BatchOptions, **options: Any
) -> PartialDependence:
    """Follow every row through the trees, along one feature or two."""
    response = plan.response
    return effects.exact_dependence(
        _estimator(study),
        response.predict,
        study._table_rows,
        plan.positions,
        plan.grids,
        response=response.method,
        outputs=response.columns or None,
        batches=batches,
        **options,
    )


def dependences_of_leaves(
    study: StudyBase, response: Response, positions: tuple[int, ...], grids: list[Grid]
) -> tuple[PartialDependence, ...]:
    """Add up the leaves for several features in one traversal."""
    return effects.exact_dependences(
        _estimator(study),
        response.predict,
        study._table_rows,
        positions,
        grids,
        response=response.method,
        outputs=response.columns or None,
        sample_weight=study.sample_weight,
        batches=BatchOptions(response.batch_rows, predicted=response.predictions),
    )


def _estimator(study: StudyBase) -> Any:
    return study._require_model("has effects").model
