"""What a page says of itself: of which rows its numbers are, what was computed beforehand, from what, and when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from tauscope.results.versions import package_versions
from tauscope.sharing.sections import terms

if TYPE_CHECKING:
    from tauscope.results.base import Study


def about(study: Study, facts: Mapping[str, str]) -> str:
    """Write what a page is of as a list, HTML.

    Parameters
    ----------
    study : Study
        All rows of it.
    facts : mapping
        What this page alone has to say, by term.
    """
    said = {
        "Model": study._model_name,
        **facts,
        "Data": f"SHA-256 {study.data_hash}",
        "Made": f"{date.today().isoformat()}, with {versions(study)}",
        "Alone": "No kernel, no network: this page asks nothing of any machine.",
    }
    return f'<section class="about"><h2>About this page</h2>{terms(tuple(said.items()))}</section>'


def versions(study: Study) -> str:
    """Return the packages that the numbers come from, with their versions."""
    return ", ".join(f"{name} {version}" for name, version in package_versions(study).items())
