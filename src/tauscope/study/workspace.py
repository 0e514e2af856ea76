"""The verbs `workspace` and `save`: every view of a study under one stress, in a notebook or a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tauscope.results import show

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def workspace(self: StudyBase, **traits: Any) -> show.Workspace:
    """Make the workspace: sliders, curves, and beside them the metrics, an effect, a row's boundary or its rules.

    All stand under the one population that the sliders make. A notebook shows it for the study itself.

    Parameters
    ----------
    **traits
        First values of `stress`, `view`, `feature`, `row`, `selection`; see `Workspace`.

    Returns
    -------
    Workspace

    Raises
    ------
    traitlets.TraitError
        For a value that a trait cannot have.
    InputError
        Where no feature can be moved, and for sparse rows; `boundary` and `stress_curves` of named columns take those.

    Examples
    --------
    >>> audit = study.workspace(stress={"taus": {"mean radius": 0.2}})
    """
    return show.workspace(self, **traits)


def save(self: StudyBase, path: str | Path, views: Sequence[str] | None = None, **traits: Any) -> None:
    """Write the workspace to one page that needs no kernel and no network.

    In the page any stress is solved on the rows, which come along, and curves and metrics follow it; the other views
    are those of the feature and the row chosen, computed now.

    Parameters
    ----------
    path : str or Path
        Ends in .html.
    views : sequence of {"effect", "boundary", "rules", "table"}, optional
        Which to compute; by default the first three, as far as there can be one of this study.
    **traits
        What it opens on, as in `workspace`.

    Raises
    ------
    InputError
        For another ending, a view that there cannot be, or rows that are more than a page can carry.
    traitlets.TraitError
        For a value that a trait cannot have.

    Examples
    --------
    >>> study.save("audit.html", views=["effect"], feature="mean radius")
    """
    show.save_workspace(self, path, views=views, **traits)
