"""A joint stress as a file: a page that moves it without a kernel, or its table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tauscope.errors import InputError, place_of
from tauscope.figures.stress.joint import joint_stress_table
from tauscope.results.stress.joint import JointStress
from tauscope.sharing.html import copy_note
from tauscope.sharing.page import closing, page
from tauscope.sharing.save import write_result
from tauscope.views.columns_message import BUDGET
from tauscope.views.detached import Detached
from tauscope.views.stress.joint import JointStressView


class DetachedJointStressView(Detached, JointStressView):
    """The joint stress widget without its line to a browser."""


def save_joint_stress(result: JointStress, path: Path, stress: Mapping[str, Any] | None = None) -> None:
    """Write a joint stress; see `JointStress.save`."""
    write_result(path, frame=lambda: result.frame, page=lambda: joint_stress_page(result, stress))


def joint_stress_page(result: JointStress, stress: Mapping[str, Any] | None = None) -> str:
    """Return the page that moves a joint stress without a kernel.

    Raises
    ------
    UnknownName
        For a feature that is not there: a page that is opened later tells nobody who can mend it.
    InputError
        Where the rows are more than the page can carry.
    """
    with closing(DetachedJointStressView(result)) as view:
        if stress is not None:
            view.stress = dict(stress)
            for name in view.stress["taus"]:
                place_of("feature", name, result.feature_names)
        if not view.solved_in_page:
            raise InputError(
                f"A page without a kernel carries at most {BUDGET / 1e6:g} MB of rows; these are {result.n_rows:,} "
                f"rows of {len(result.features)} features. Name fewer features, or study a subgroup: study.where(…)."
            )
        name = f"Joint stress of {result.model_name}"
        extent = f"{len(result.features):,} features, {result.n_rows:,} rows"
        note = copy_note(f"{name}, {extent}", result.computed)
        return page(view, title=name, note=note, still=joint_stress_table(result))
