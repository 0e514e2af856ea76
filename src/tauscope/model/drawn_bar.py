"""A bar as tqdm writes it: in a terminal on its line, in a notebook in one display that ends empty."""

# tqdm and IPython's display ship no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportMissingTypeStubs=false

from __future__ import annotations

import io
import sys
from typing import Any

from tqdm.std import tqdm

N_CHARACTERS = 80
EMPTY = {"text/plain": "", "text/html": ""}


class NotebookBar(tqdm):  # pyright: ignore[reportMissingTypeArgument]
    """A bar without a widget, which would stay in the kernel and in the notebook's file.

    What is displayed cannot be taken back, but it can be emptied.
    """

    def __init__(self, **options: Any) -> None:
        self._handle: Any = None
        super().__init__(file=io.StringIO(), ncols=N_CHARACTERS, **options)

    def display(self, msg: str | None = None, pos: int | None = None) -> None:
        """Show the bar in place of what it was."""
        from IPython.display import display

        data = {"text/plain": str(self)} if msg is None else EMPTY
        if self._handle is None:
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


def draw_bar(doing: str, total: int | None, unit: str, seconds: float) -> Any:
    """Make a bar of work that began some seconds ago; it shows at its first `update`.

    Parameters
    ----------
    doing : str
    total : int or None
        None only counts.
    unit : str
    seconds : float

    Returns
    -------
    tqdm.tqdm
    """
    kind = NotebookBar if in_notebook() else tqdm
    # a delay keeps tqdm from writing "0 %" first; its clock goes back to when the work began
    bar = kind(desc=doing, total=total, unit=unit, unit_scale=unit == "row", delay=seconds + 1, leave=False)
    if bar.disable:  # TQDM_DISABLE is set
        return bar
    bar.delay, bar.start_t = 0, bar.start_t - seconds
    bar.last_print_t = bar.start_t - bar.mininterval
    return bar


def in_notebook() -> bool:
    """Tell whether a kernel runs this, whose displays can be changed."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None
