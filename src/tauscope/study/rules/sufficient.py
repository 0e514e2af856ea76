"""The verb `sufficient`: the fewest values of a row that leave its decision probable enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np

from tauscope.data import labels
from tauscope.errors import InputError
from tauscope.model.progress_bar import progress
from tauscope.results.formatting import number
from tauscope.results.rules.spec import RulesSpec
from tauscope.results.rules.sufficient import SubsetNumbers, SufficientExplanation, SufficientExplanations
from tauscope.results.rules.sufficient_under import SufficientUnder
from tauscope.rules.min_rows import MinRows
from tauscope.rules.sufficient import SearchOptions, SufficientSets, find_sufficient, tree_interval
from tauscope.study.rows import ChosenRows, choose_any
from tauscope.study.rules.explained import ExplainedRow, answer_words, explained_row, explained_rows
from tauscope.study.rules.forest import StudyForest, study_forest, training_weight
from tauscope.study.rules.groups import spread_groups
from tauscope.study.rules.options import search_options, settle_spec
from tauscope.study.rules.substituted import ModelProbability, find_by_model
from tauscope.study.stress.reweight import stressed_weights
from tauscope.weights.arrays import Floats
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.rules.spec import Explained, Probability, SufficientOptions
    from tauscope.study.base import StudyBase
    from tauscope.weights.seeds import RandomState


@overload
def sufficient(
    self: StudyBase, row: int | Mapping[str, Any], **options: Unpack[SufficientOptions]
) -> SufficientExplanation: ...
@overload
def sufficient(self: StudyBase, row: Any, **options: Unpack[SufficientOptions]) -> Any: ...
def sufficient(
    self: StudyBase,
    row: Any,
    *,
    pi: float = 0.95,
    t: Any = "q95",
    n_features: int = 10,
    features: str | int | Sequence[str | int] | None = None,
    groups: Any = None,
    min_rows: MinRows = None,
    search: Literal["exhaustive", "greedy"] = "exhaustive",
    probability: Probability = "auto",
    explained: Explained = "predictions",
    n_estimators: int = 20,
    held_out: float = 0.25,
    random_state: RandomState = 0,
) -> Any:
    """Find the fewest values of a row that leave its decision probable enough, whatever the others are.

    A random forest is projected on subsets of its features: splits on other features are followed both ways. The
    same-decision probability of a subset is the share of the rows in the row's projected cells that are decided as it.

    Parameters
    ----------
    row : int, new values, or several rows
        A position among the study's rows; or a frame of one row, a series, a dict of all columns, or an array.
        Several: positions, a mask, a slice, or a frame or array of new rows.
    pi : float, default 0.95
        Same-decision probability that is enough, in (0, 1].
    t : "q95", float, or (low, high), default "q95"
        Of a regression, which values count as the same: those whose squared difference from the prediction is at most
        this quantile of the forest's squared errors on held-out rows; at most this number; or those in an interval.
    n_features : int, default 10
        How many features are searched, those the forest splits on most.
    features : sequence of names or positions, optional
        The features to search instead; positions are of columns, and of groups of one of theirs.
    groups : dict, or sequence of sequences, optional
        One-hot columns that count as one feature: a name to its columns, such as ``{"colour": ["colour_red",
        "colour_blue"]}``, or lists of columns. 0 or 1 each, at most one of them 1 in a row, or all missing.
    min_rows : int or "paper", optional
        Fewest rows of a projected cell; by default 5, or all where a tree has fewer. A cell stops before it has
        fewer. "paper" takes the number of the paper's experiments, ⌊√n · (ln n)^1.5 / 250⌋ for a forest of n rows, at
        least 1.
    search : {"exhaustive", "greedy"}, default "exhaustive"
        Every subset, for at most 20 features; or adding the best feature at a time, which may miss a smaller set.
    probability : {"auto", "projected", "substituted"}, default "auto"
        Whose probability it is: "projected", of the forest's rows in the row's projected cells, as in the paper; or
        "substituted", of the model itself, asked about up to 400 other rows with the row's values put in. The latter
        searches the `n_features` that keep the decision best, and asks for the whole interval above π. "auto" takes it
        where a forest that stands in for the model decides the row otherwise than the model.
    explained : {"predictions", "labels"}, default "predictions"
        What the forest is fitted on: the model's predictions, or the true labels.
    n_estimators : int, default 20
        Trees of the forest.
    held_out : float, default 0.25
        Share of the study's rows that are kept from the forest, to say how well it imitates the model.
    random_state : int, Generator or None, default 0
        Of the forest and of the rows held out. One fitted with the same is used again.

    Returns
    -------
    SufficientExplanation, or SufficientExplanations for several rows
        `.minimal`, `.all`, `.importance`, `.sdp`, `.status`, `.frame`; `.chart()`. Of several rows `.frame` has a line
        for each, and `.importance` is the mean over them with its interval, each row by its weight.

    Raises
    ------
    UnknownName
        For a feature that is not there, with the nearest names.
    InputError, InputTypeError
        For a row that is not there, π outside (0, 1], t that is not above 0, more than 20 features in an exhaustive
        search, `min_rows` above the rows there are, or decisions that never differ.

    Notes
    -----
    A random forest or extra-trees of scikit-learn that was fitted on the study's own rows, all of them numbers, is
    projected itself. For any other model, and with groups, a forest is fitted on the study's rows; levels, and the
    columns of a group, are one feature, as codes in the order of the mean decision. Under a stress,
    `study.under(...)`, rows count by their weights, and the forest stays.

    References
    ----------
    Amoukou, Brunel, "Consistent sufficient explanations and minimal local rules for explaining the decision of any
    classifier or regressor", 2022.

    Examples
    --------
    >>> forest_study.sufficient(0).frame.loc[0, "features"]
    ('mean radius',)
    """
    spec = RulesSpec(
        pi=pi,
        t=t,
        n_features=n_features,
        features=features,
        groups=groups,
        min_rows=min_rows,
        search=search,
        probability=probability,
        explained=explained,
        n_estimators=n_estimators,
        held_out=held_out,
        random_state=random_state,
    )
    spec = settle_spec(self, spec)
    chosen, one = choose_any(self, spread_groups(spec.groups, row))
    forest = study_forest(self, spec)
    several = explained_rows(self, forest, chosen, spec)
    doing = f"Searching the sufficient values of {count(chosen.n, 'row')}"
    shown = self._shows_progress and not one
    found = [explain(self, forest, each, spec)[0] for each in progress(several, doing, chosen.n, "row", shown=shown)]
    if one:
        return found[0]
    weight = row_weights(self, chosen)
    return SufficientExplanations(spec, self._model_name, tuple(found), weight, source=self._as_source())


def row_weights(study: StudyBase, chosen: ChosenRows) -> Floats:
    """Return what each of some rows counts: its weight in the study, 1 for new values."""
    weight = study.sample_weight
    return np.ones(chosen.n) if weight is None or chosen.points is not None else weight[chosen.position]


def sufficient_from(self: StudyBase, row: Any, spec: RulesSpec) -> SufficientExplanation:
    """Search sufficient values by a record of the options, such as another's changed with `dataclasses.replace`."""
    spec = settle_spec(self, spec)
    forest = study_forest(self, spec)
    explained = explained_row(self, forest, row, spec)
    return explain(self, forest, explained, spec)[0]


def explain(
    study: StudyBase, forest: StudyForest, explained: ExplainedRow, spec: RulesSpec
) -> tuple[SufficientExplanation, ModelProbability | None]:
    """Search the sufficient sets of a row that was read; return whom the model itself was asked for them by."""
    options = search_options(study, spec)
    stand_in, weight = _stand_in(study, forest, explained, spec), training_weight(study, forest)
    automatic, sets = spec.probability == "auto" and study._has_model, None
    if spec.probability != "substituted" and not (automatic and stand_in):
        sets = find_sufficient(forest.projected, explained.entries, explained.same(forest), options, weight=weight)
        stand_in = stand_in or _answer_of_cells(study, forest, explained, sets, spec)
    asked, before = None, study.n_model_rows
    if sets is None or (automatic and stand_in):
        asked = ModelProbability.of(study, forest, explained, spec)
        sets = find_by_model(asked, options)
        ends = np.array([asked.interval(value) for value in sets.tried_sdp.tolist()]).T
    else:
        ends = _intervals(forest, explained, sets, options, weight)
    shown = tuple(tuple(sorted(one)) for one in sets.tried)
    numbers = SubsetNumbers(shown, sets.tried_sdp, *ends)
    result = SufficientExplanation(
        spec,
        study._model_name,
        None if explained.position < 0 else explained.position,
        answer_words(study, explained),
        forest.table.columns,
        explained.entries,
        tuple(sets.features),
        tuple(tuple(sorted(one)) for one in sets.every),
        numbers,
        forest.info(study, spec),
        sets.search == "greedy",
        _notes(forest, explained),
        stand_in,
        0 if asked is None else len(asked.others),
        study.n_model_rows - before,
        source=study._as_source(),
    )
    return result, asked


def _stand_in(study: StudyBase, forest: StudyForest, explained: ExplainedRow, spec: RulesSpec) -> str:
    """Write what the forest that stands in for the model decides of a row; "" where it decides as the model."""
    answer = forest.answer(explained.position, explained.entries)
    return _other_answer(study, explained, spec, answer)


def _answer_of_cells(
    study: StudyBase, forest: StudyForest, explained: ExplainedRow, sets: SufficientSets, spec: RulesSpec
) -> str:
    """Write the class that most rows have in the cells of the nearest set, where none suffices and it is another."""
    if sets.every or forest.answers is None or forest.projected.classes is None:
        return ""
    weight, least = training_weight(study, forest), search_options(study, spec).min_rows
    shares = forest.projected.expectation(explained.entries[None], [sets.best], weight=weight, min_rows=least)[0, 0]
    return _other_answer(study, explained, spec, float(forest.projected.classes[shares.argmax()]))


def _other_answer(study: StudyBase, explained: ExplainedRow, spec: RulesSpec, answer: float) -> str:
    if spec.explained == "labels" or answer != answer or explained.agrees(np.array([answer])).all():
        return ""
    return number(answer) if study._task == "regression" else labels.names(study.classes)[int(answer)]


def _intervals(
    forest: StudyForest, explained: ExplainedRow, sets: SufficientSets, options: SearchOptions, weight: Floats | None
) -> tuple[Floats, Floats]:
    """Return intervals of the sets that are named: the minimal ones and the best; NaN for the others."""
    lower, upper = np.full(len(sets.tried), np.nan), np.full(len(sets.tried), np.nan)
    named = [place for place, one in enumerate(sets.tried) if one in sets.every or one == sets.best]
    by_tree = forest.projected.sdp_by_tree(
        explained.entries[None],
        [sets.tried[place] for place in named],
        explained.same(forest),
        weight=weight,
        min_rows=options.min_rows,
    )
    lower[named], upper[named] = tree_interval(by_tree[0], confidence=options.confidence or 0.95)
    return lower, upper


def _notes(forest: StudyForest, explained: ExplainedRow) -> tuple[str, ...]:
    beyond: list[int] = np.flatnonzero(forest.projected.outside(explained.entries[None])[0]).tolist()
    notes: list[str] = []
    if beyond:
        names = ", ".join(forest.table.columns[j].name for j in beyond[:5])
        notes.append(
            f"The row lies beyond the range of the forest's rows in {names}: it is taken for the nearest of them."
        )
    return tuple(notes)


def check_projected(explanation: SufficientExplanation) -> None:
    """Refuse a later stress where the model itself was asked: its answers were for the rows as they counted then."""
    if explanation.n_substituted:
        raise InputError(
            "What the model itself was asked for cannot be put under a stress later. Use "
            "study.under(stress).sufficient(row), or .rules(row)."
        )


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
    check_projected(explanation)
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
