"""Finding what was meant when a name is not there."""

from collections.abc import Sequence
from difflib import get_close_matches

from tauscope.errors import UnknownName


def unknown(what: str, name: object, known: Sequence[str]) -> str:
    """Say that a name is not there, and which of the known ones come nearest.

    Parameters
    ----------
    what : str
        What the name should name, in the singular: "feature", "metric".
    name : object
        What was received.
    known : sequence of str
        The names there are.

    Returns
    -------
    str
        Rule, value received and the nearest names (all of them where there are few).
    """
    near = get_close_matches(str(name), known, n=3, cutoff=0.5)
    if near:
        return f"There is no {what} {name!r}. Nearest: {', '.join(map(repr, near))}."
    shown = ", ".join(map(repr, known[:12]))
    more = f" and {len(known) - 12} more" if len(known) > 12 else ""
    return f"There is no {what} {name!r}. There are: {shown}{more}."


def place_of(what: str, name: str, known: Sequence[str]) -> int:
    """Return the position of a name among the known ones.

    Raises
    ------
    UnknownName
        When it is not there; says the nearest.
    """
    if name not in known:
        raise UnknownName(unknown(what, name, known))
    return known.index(name)
