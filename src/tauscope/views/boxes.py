"""Views inside boxes of ipywidgets, displayed: what other readers see of them comes along."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Protocol, cast, runtime_checkable

import ipywidgets

Bundle = tuple[dict[str, Any], dict[str, Any]]
VIEW = "application/vnd.tauscope.view+json"
"""Tells our extension of JupyterLab whose output this is, so that it shows the rest of it where the kernel is gone."""


@runtime_checkable
class StoodInFor(Protocol):
    """A view of ours, which says what other readers than a browser can show."""

    def fallback(self) -> dict[str, str]:
        """Return that by media type."""
        ...

    def still(self) -> str:
        """Return that as HTML."""
        ...


def box_bundle(box: Any, **kwargs: Any) -> Bundle:
    """Return a box as a notebook shows it, with picture and table of each view of ours in it."""
    shown = box._repr_mimebundle_(**kwargs)
    data, metadata = cast(Bundle, shown if isinstance(shown, tuple) else (shown, {}))
    views = list(_views_in(box))
    if not views:
        return data, metadata
    words = "\n\n".join(view.fallback()["text/plain"] for view in views)
    still = "".join(view.still() for view in views)
    return {**data, VIEW: {}, "text/plain": words, "text/html": still}, metadata


def show_boxes_with_stills() -> None:
    """Have IPython display boxes by `box_bundle`; those without a view of ours look as ever."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is not None:
        shell.display_formatter.mimebundle_formatter.for_type(ipywidgets.Box, box_bundle)


def _views_in(box: Any) -> Iterator[StoodInFor]:
    for child in box.children:
        if isinstance(child, StoodInFor):
            yield child
        elif hasattr(child, "children"):
            yield from _views_in(child)
