"""The verb `report`: an audit as a document for paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tauscope.data.columns import list_names
from tauscope.model.progress_bar import bars_shown
from tauscope.results import show
from tauscope.results.stress.scenario import Scenario, with_features_named
from tauscope.results.stress.scenario_file import check_scenarios
from tauscope.study.stress.compare import compare

if TYPE_CHECKING:
    from tauscope.results.stress.towards import TargetPopulation
    from tauscope.study.base import StudyBase
    from tauscope.weights.seeds import RandomState


def report(
    self: StudyBase,
    path: str | Path,
    *,
    scenarios: Sequence[Scenario] = (),
    by: Any = None,
    features: str | int | Sequence[str | int] | None = None,
    row: int | None = None,
    towards: TargetPopulation | None = None,
    beside: StudyBase | None = None,
    author: str = "",
    purpose: str = "",
    notes: str = "",
    random_state: RandomState = 0,
) -> None:
    """Write an audit as a document to read and print, question by question, each answer before what it rests on.

    It begins as a model card: what is predicted, the model and its parameters, rows, classes, data hash, versions, seed
    and date, and the call that makes it again. Each section then has a question, its answer with interval and
    reliability, charts and tables, and what was moved as Python that `reweight` takes: how well the model decides,
    also in each scenario and in a population that is known; which shift harms most and how bad several at once can make
    it, how far its curves can be trusted, who is treated differently, whether another threshold or model decides
    better, whether probabilities say how often it is so, what the model does with features, what would flip one
    decision. The last ones say what was not looked at, derived from the study and from what was asked, and what no such
    report can say. The page has no script and asks no network; a browser prints it on A4 or Letter.

    Parameters
    ----------
    path : str or Path
        Ends in .html.
    scenarios : sequence of Scenario, optional
        Populations to put side by side.
    by : str, sequence of str, or column of shape (n_rows,), optional
        Groups, as in `Reweighting.by`: their metrics as tested, and under each scenario.
    features : str or int, or several, optional
        Columns whose effects are drawn; by default the three that move the answer most, where there is a model to ask.
    row : int, optional
        Position of a row to explain: its boundary and its rules, with its values.
    towards : TargetPopulation, optional
        What `towards` gives: whether the model decides well in a population that is known already.
    beside : Study, optional
        Another model on the same rows, as in `tauscope.compare`.
    author, purpose, notes : str, optional
        Stand in the head, as text.
    random_state : int, Generator or None, default 0
        Of the search behind `row`; the document names the seed.

    Raises
    ------
    InputError
        For another ending, a row that is not there, features or a row without a model, a population or a study of
        other rows, and sparse rows.
    InputTypeError
        For an author, a purpose or notes that are not text, and what is no population.
    InfeasibleTarget, DependentConstraints
        For a scenario that no weights on these rows meet.
    UnknownName
        For a feature or a group that is not there, with the nearest names.

    Examples
    --------
    >>> larger = ts.Scenario("larger", {"mean radius": 0.2})
    >>> study.report("audit_report.html", scenarios=[larger], features=["mean radius"], author="A. Person")
    """
    if len(scenarios):
        check_scenarios(scenarios)
    with bars_shown(self._shows_progress):
        show.save_report(
            self,
            path,
            scenarios=[with_features_named(scenario, self.feature_names) for scenario in scenarios],
            by=by,
            features=None if features is None else list_names(features, self.feature_names),
            row=row,
            towards=towards,
            beside=None if beside is None else compare(self, beside, names=("this model", "the other model")),
            author=author,
            purpose=purpose,
            notes=notes,
            random_state=random_state,
        )
