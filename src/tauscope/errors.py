"""The errors a caller may want to catch; every message says the rule, the value received and the next step."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Self


class TauscopeError(Exception):
    """Base of every error raised on purpose by Tauscope."""


class InputError(TauscopeError, ValueError):
    """A value that a study, a stress or a view cannot take."""


class InputTypeError(TauscopeError, TypeError):
    """An object of a kind that a study, a stress or a view cannot take."""


class UnknownName(InputError, KeyError):
    """A feature, metric or level that is not there; the message names the nearest ones."""

    __str__ = ValueError.__str__

    @classmethod
    def among(cls, what: str, name: object, names: Sequence[str]) -> Self:
        """Say that a name is not there, and which of the known ones come nearest.

        Parameters
        ----------
        what : str
            What the name should name, in the singular: "feature", "metric".
        name : object
            What was received.
        names : sequence of str
            The names there are.

        Returns
        -------
        UnknownName
            Says the rule, the value received and the nearest names (all of them where there are few).
        """
        nearest = get_close_matches(str(name), names, n=3, cutoff=0.5)
        if nearest:
            return cls(f"There is no {what} {name!r}. Nearest: {', '.join(map(repr, nearest))}.")
        shown = ", ".join(map(repr, names[:12]))
        more = f" and {len(names) - 12} more" if len(names) > 12 else ""
        return cls(f"There is no {what} {name!r}. There are: {shown}{more}.")


class InfeasibleTarget(InputError):
    """A target outside what any reweighting of the rows can reach; the message gives the range that can be."""


class DependentConstraints(InputError):
    """Constraints of which one already follows from, or contradicts, the others; the message names them."""


class FailedPartition(TauscopeError, RuntimeError):
    """A partition of a collection that could not be computed, or on which the model failed; the message names it."""


def place_of(what: str, name: str, names: Sequence[str]) -> int:
    """Return the position of a name among the known ones.

    Raises
    ------
    UnknownName
        When it is not there; says the nearest.
    """
    if name not in names:
        raise UnknownName.among(what, name, names)
    return names.index(name)
