"""What a notebook shows, cell by cell: a display whose cell was run again lives no longer than its object.

ipywidgets' registry and the comm hold every widget until it is closed, and with it a study and its rows. A page says
nothing when a cell's output is replaced, and takes a view away when it is only scrolled out of sight, so that the
kernel itself tells by the cell that runs.
"""

from __future__ import annotations

import gc
import sys
from typing import Any, Protocol
from weakref import WeakSet


class Shown(Protocol):
    """A widget that a page shows."""

    def hold(self) -> None:
        """Live until closed."""
        ...

    def release(self) -> None:
        """Live no longer than someone else holds it."""
        ...


class Displays:
    """The widgets that each cell showed when it was last run."""

    def __init__(self) -> None:
        self._of_cell: dict[str, tuple[str, WeakSet[Any]]] = {}

    def add(self, view: Shown) -> None:
        """Hold a widget that is shown now, and let go of what the same cell showed before and no other shows."""
        cell, run = running_cell()
        before, views = self._of_cell.get(cell, ("", WeakSet[Any]()))
        again = cell != "" and before != run
        self._of_cell[cell] = run, WeakSet() if again else views
        self._of_cell[cell][1].add(view)
        view.hold()
        if again and self._release(views):
            del views
            gc.collect()  # views and their observers refer to one another

    def _release(self, views: WeakSet[Any]) -> int:
        """Let go of the views that no cell shows, and return how many they were."""
        gone = [view for view in views if all(view not in shown for _, shown in self._of_cell.values())]
        for view in gone:
            view.release()
        return len(gone)


def running_cell() -> tuple[str, str]:
    """Return the cell that runs, by its id or else its code, and this run of it; "" twice where none is known."""
    ipython = sys.modules.get("IPython")
    shell: Any = None if ipython is None else ipython.get_ipython()
    parent = getattr(shell, "get_parent", dict[str, Any])()
    header = parent.get("header", {})
    if header.get("msg_type") != "execute_request":
        return "", ""
    cell = parent.get("metadata", {}).get("cellId") or parent.get("content", {}).get("code", "")
    return str(cell), str(header.get("msg_id", ""))


DISPLAYS = Displays()
