"""The verbs `workspace` and `save`: every view of a study under one stress, in a notebook or a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from tauscope.arguments import describe
from tauscope.errors import InputError, InputTypeError
from tauscope.model.progress_bar import bars_shown
from tauscope.results import show
from tauscope.results.stress.towards import TargetPopulation
from tauscope.study.stress.compare import compare
from tauscope.study.stress.curves import stress_curves

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase
    from tauscope.weights.seeds import RandomState


def workspace(
    self: StudyBase, beside: StudyBase | None = None, towards: TargetPopulation | None = None, **traits: Any
) -> show.Workspace:
    """Make the workspace: sliders, curves, and beside them metrics, an effect, what flips one row or many, or rules.

    All stand under the one population that the sliders make. A notebook shows it for the study itself.

    Parameters
    ----------
    beside : Study, optional
        Another model on the same rows, compared with this one under the same stress in a view of its own; see
        `tauscope.compare`.
    towards : TargetPopulation, optional
        Another population, as `Study.towards` of this study gives it: the view "New data" goes the way there, and takes
        all others along where sliders can say it.
    **traits
        First values of `stress`, `view`, `feature`, `row`, `selection`; `by`, groups of rows to tell apart in the
        curves, as `StressCurves.by` takes them; results of one's own in `results`: {"pooled":
        study.pooled_boundary(rows)}; see `Workspace`.

    Returns
    -------
    Workspace

    Raises
    ------
    traitlets.TraitError
        For a value that a trait cannot have.
    InputError
        Where no feature can be moved, where `beside` or `towards` is of other rows, and for sparse rows; `boundary` and
        `stress_curves` of named columns take those.

    Examples
    --------
    >>> audit = study.workspace(stress={"taus": {"mean radius": 0.2}})
    """
    results = {**_results(self, beside, towards), **traits.pop("results", {})}
    return show.workspace(self, results=results, **traits)


def _results(study: StudyBase, beside: StudyBase | None, towards: TargetPopulation | None) -> dict[str, Any]:
    """Return what another model and another population bring along."""
    found: dict[str, Any] = {}
    if beside is not None:
        both = compare(study, beside)
        curves = stress_curves(study._with_answers_of(beside), metrics=[metric.name for metric in both.metrics])
        found |= {"models": both, "curves": curves}
    if towards is not None:
        found["towards"] = _of_this_study(study, towards)
    return found


def _of_this_study(study: StudyBase, there: TargetPopulation) -> TargetPopulation:
    """Have a population ask this study, whose rows and model it must be of."""
    if not isinstance(cast(object, there), TargetPopulation):
        raise InputTypeError(
            f"towards must be what study.towards(…) gave; got {describe(there)}. Try towards=study.towards(X_new)."
        )
    if there.source is study._as_source():
        return there
    if there.model_name != study._model_name:
        raise InputError(
            f"towards must be of this study's model, {study._model_name}; got one of {there.model_name}. Use this "
            "study's own .towards(X_new)."
        )
    return there.with_source(study._as_source())


def save(
    self: StudyBase,
    path: str | Path,
    views: Sequence[str] | None = None,
    *,
    rows: Literal["all", "none"] | int = "all",
    random_state: RandomState = 0,
    beside: StudyBase | None = None,
    towards: TargetPopulation | None = None,
    **traits: Any,
) -> None:
    """Write the workspace to one page that needs no kernel and no network.

    In the page any stress is solved on the rows, which come along, and curves and metrics follow it; the other views
    are those of the feature and the row chosen, computed now. The page says what was computed, of which rows, from
    what and when.

    Parameters
    ----------
    path : str or Path
        Ends in .html.
    views : sequence of {"effect", "boundary", "rules", "pooled", "table", "thresholds",
        "calibration", "worst_case"}, optional
        Which to compute, by name or as their tabs are called; by default the first three, as far as there can be one of
        this study. "thresholds" and "calibration" are as tested, or under the stress that the page opens on, of the
        groups of `by`; "worst_case" is of the features that harm most, moved together. "pooled" is of the rows
        selected, or of those misclassified, at most 200 of them.
    rows : {"all", "none"} or int, default "all"
        Which rows come along: "all", where they take more than 4 MB a random sample of as many as fit; a number, a
        sample of so many. Of a sample everything is computed anew, so that all numbers of the page are of one
        population and their intervals count its rows alone; `row` is always among them, of `selection` what was drawn.
        "none" leaves rows out: stress curves move one feature at a time, from sums over all rows, and the effect
        is a picture with its bands. Stresses of several features, boundaries, rules and the table need rows, and the
        page says that it has none.
    random_state : int, Generator or None, default 0
        Draws the sample; the page names the seed.
    beside, towards
        Another model and another population, as in `workspace`; they come along, computed anew where rows are drawn.
    **traits
        What it opens on, as in `workspace`; without rows as in `StressCurves.widget`, but for groups.

    Raises
    ------
    InputError
        For another ending, a view that there cannot be, one that is of rows where there are none, or fewer than 100
        rows.
    traitlets.TraitError
        For a value that a trait cannot have.

    Examples
    --------
    >>> study.save("audit.html", views=["effect"], feature="mean radius")
    >>> study.save("outside.html", rows="none")
    >>> study.save("next-year.html", towards=study.towards({"mean radius": 15}))
    """
    left = next((name for name, one in (("beside", beside), ("towards", towards)) if one is not None), None)
    if rows == "none" and left:
        raise InputError(f"{left}=… is a view of rows, and rows='none' leaves them out. Leave one of the two out.")
    with bars_shown(self._shows_progress):
        given = {**_results(self, beside, towards), **traits.pop("results", {})}
        results = {"results": given} if given else {}
        show.save_workspace(self, path, views=views, rows=rows, random_state=random_state, **traits, **results)
