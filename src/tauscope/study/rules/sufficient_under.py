"""What becomes of sufficient sets under a stress: their probabilities anew, with rows weighted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tauscope.errors import InputError
from tauscope.results.rules.sufficient_under import SufficientUnder
from tauscope.study.rules.explained import explained_row
from tauscope.study.rules.forest import study_forest, training_weight
from tauscope.study.rules.options import search_options
from tauscope.study.stress.reweight import stressed_weights

if TYPE_CHECKING:
    from tauscope.results.rules.sufficient import SufficientExplanation
    from tauscope.study.base import StudyBase


def sufficient_under(
    self: StudyBase, explanation: SufficientExplanation, stress: Any, *, quantile: float = 0.05
) -> SufficientUnder:
    """Return what becomes of a row's sufficient sets under a stress; see `SufficientExplanation.under`.

    Parameters
    ----------
    explanation : SufficientExplanation
        Of one of the study's rows.
    stress, quantile
        As in `under`.

    Raises
    ------
    InputError
        For an explanation of new values; else as `under`.
    """
    if explanation.row is None:
        raise InputError(
            "The sufficient values of new values cannot be put under a stress later. Use "
            "study.under(stress).sufficient(values), or explain one of the study's rows."
        )
    spec, weights = explanation._spec, stressed_weights(self, stress, quantile)
    moved = self._with_weights(weights)
    forest = study_forest(moved, spec)
    explained = explained_row(moved, forest, explanation.row, spec)
    sets = explanation.all_sets or (explanation.best_set,)
    sdp = forest.projected.sdp(
        explained.entries[None],
        list(sets),
        explained.same(forest),
        weight=training_weight(moved, forest),
        min_rows=search_options(moved, spec).min_rows,
    )
    weight = moved.sample_weight
    return SufficientUnder(explanation, sets, sdp[0], weights if weight is None else weight, source=self._as_source())
