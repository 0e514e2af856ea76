"""Who is looking: a shell that prints text, or a front end that shows more."""

import sys
from collections.abc import Collection
from functools import cached_property
from typing import Any

TEXT = "text/plain"


class Displayed:
    """A result that a notebook shows as its widget, made once, and a shell as text."""

    def widget(self) -> Any:
        """Make the widget."""
        raise NotImplementedError

    @cached_property
    def _display(self) -> Any:
        return self.widget()

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None, **kwargs: Any
    ) -> dict[str, Any] | tuple[dict[str, Any], dict[str, Any]] | None:
        if only_text_is_shown(include):
            return {TEXT: repr(self)}
        return self._display._repr_mimebundle_(include=include, exclude=exclude, **kwargs)


def only_text_is_shown(include: Collection[str] | None = None) -> bool:
    """Tell whether a display would be text alone, so that nothing dearer need be made for it.

    Parameters
    ----------
    include : collection of str or None
        MIME types asked for; None for all.

    Returns
    -------
    bool
        Also True in a terminal's IPython, which asks for every type and prints the text.
    """
    if include is not None:
        return set(include) <= {TEXT}
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and list(shell.display_formatter.active_types) == [TEXT]
