"""A joint stress as a file: a page that moves it without a kernel, or its table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tauscope.errors import InputError
from tauscope.figures.joint_stress import joint_stress_table
from tauscope.results.joint_stress import JointStress
from tauscope.sharing.page import page
from tauscope.views.columns_message import BUDGET
from tauscope.views.detached import Detached
from tauscope.views.joint_stress import JointStressView

ENDINGS = (".html", ".csv")


class DetachedJointStressView(Detached, JointStressView):
    """The joint stress widget without its line to a browser."""


def save_joint_stress(result: JointStress, path: Path, stress: Mapping[str, Any] | None = None) -> None:
    """Write a joint stress; see `JointStress.save`.

    Raises
    ------
    InputError
        For an ending that is not known, or rows past what a page can carry.
    """
    match path.suffix.lower():
        case ".html":
            path.write_text(joint_stress_page(result, stress), "utf-8")
        case ".csv":
            path.write_text(result.frame.to_csv(index=False, lineterminator="\n"), "utf-8")
        case suffix:
            raise InputError(
                f"The file's ending says the format, one of {', '.join(ENDINGS)}; got {suffix or 'none'!r} in "
                f"{path.name!r}."
            )


def joint_stress_page(result: JointStress, stress: Mapping[str, Any] | None = None) -> str:
    """Return the page that moves a joint stress without a kernel.

    Raises
    ------
    InputError
        Where the rows are more than the page can carry.
    """
    view = DetachedJointStressView(result)
    try:
        if stress is not None:
            view.stress = dict(stress)
        if not view.solved_in_page:
            raise InputError(
                f"A page without a kernel carries at most {BUDGET / 1e6:g} MB of rows; these are {result.n_rows:,} "
                f"rows of {len(result.features)} features. Name fewer features, or study a subgroup: study.where(…)."
            )
        name = f"Joint stress of {result.model_name}"
        extent = f"{len(result.features):,} features, {result.n_rows:,} rows"
        note = f"Static copy, computed {result.computed.isoformat()}: {name}, {extent}. No kernel, no network."
        return page(view, title=name, note=note, still=joint_stress_table(result))
    finally:
        view.layout.close()  # pyright: ignore[reportUnknownMemberType]
        view.close()
