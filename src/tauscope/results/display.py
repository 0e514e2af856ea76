"""Who is looking: a shell that prints text, or a front end that shows more."""

import sys
from collections.abc import Collection

TEXT = "text/plain"


def only_text_is_shown(include: Collection[str] | None = None) -> bool:
    """Tell whether a display would be text alone, so that nothing slower need be made for it.

    Parameters
    ----------
    include : collection of str or None
        Requested MIME types; None for all.

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
