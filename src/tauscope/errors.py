"""The errors a caller may want to catch; every message says the rule, the value received and the next step."""

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from types import TracebackType
from typing import Any, Self

from tauscope.words import isolated

PACKAGE = __name__.partition(".")[0]


class TauscopeError(Exception):
    """Base of every error raised on purpose by Tauscope.

    Notebooks and IPython show the caller's lines and the message, without the package's own lines in between;
    after ``%xmode Verbose`` they show these too, as Python itself does.

    Examples
    --------
    >>> try:
    ...     study.effect("radius")
    ... except ts.TauscopeError as error:
    ...     print(type(error).__name__)
    UnknownName
    """

    def __str__(self) -> str:
        """Write the message, names that run from right to left isolated."""
        return isolated(super().__str__())

    def _render_traceback_(self) -> list[str]:
        """Write the traceback for IPython, which asks an exception for its own."""
        shell: Any = sys.modules["IPython"].get_ipython()
        frames = self.__traceback__
        if shell.InteractiveTB.mode != "Verbose":
            frames = _without_own(frames)
        return shell.InteractiveTB.structured_traceback(type(self), self, frames)


def _without_own(frames: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of the package."""
    if frames is None:
        return None
    rest = _without_own(frames.tb_next)
    if str(frames.tb_frame.f_globals.get("__name__")).partition(".")[0] == PACKAGE:
        return rest
    return TracebackType(rest, frames.tb_frame, frames.tb_lasti, frames.tb_lineno)


class InputError(TauscopeError, ValueError):
    """A value that a study, a stress or a view cannot take.

    Examples
    --------
    >>> try:
    ...     study.stress_curves(taus=[2])
    ... except ts.InputError as error:
    ...     print(error)
    Every τ must lie in [-1, 1]; got 2. Use -1 … 1, or an odd int for a grid.
    """


class InputTypeError(TauscopeError, TypeError):
    """An object of a kind that a study, a stress or a view cannot take.

    Examples
    --------
    >>> try:
    ...     study.effect("mean radius", grid="many")
    ... except ts.InputTypeError as error:
    ...     print(error)
    grid takes a number of points or the points themselves; got 'many'. Try grid=50.
    """


class UnknownName(InputError, KeyError):
    """A feature, metric or level that is not there; the message names the nearest ones.

    Examples
    --------
    >>> try:
    ...     study.effect("mean radus")
    ... except ts.UnknownName as error:
    ...     print(error)
    There is no column 'mean radus'. Nearest: 'mean radius', 'mean texture', 'mean concavity'.
    """

    def __str__(self) -> str:
        """Write the message, and not its repr, as `KeyError` does."""
        return isolated(ValueError.__str__(self))

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
        names = list(dict.fromkeys(names))
        nearest = get_close_matches(str(name), names, n=3, cutoff=0.5)
        if nearest:
            return cls(f"There is no {what} {name!r}. Nearest: {', '.join(map(repr, nearest))}.")
        shown = ", ".join(map(repr, names[:12]))
        more = f" and {len(names) - 12} more" if len(names) > 12 else ""
        return cls(f"There is no {what} {name!r}. There are: {shown}{more}.")


class InfeasibleTarget(InputError):
    """A target outside what any reweighting of the rows can reach; the message gives the range that can be.

    Examples
    --------
    >>> try:
    ...     study.reweight(ts.Mean("mean radius", target=99))
    ... except ts.InfeasibleTarget as error:
    ...     print(error)
    The mean of mean radius cannot become 99: the rows lie between 6.981 and 27.42. Choose a target between.
    """


class DependentConstraints(InputError):
    """Constraints of which one already follows from, or contradicts, the others; the message names them.

    Examples
    --------
    >>> try:
    ...     ts.Mean("mean radius", tau=0.2) & ts.Mean("mean radius", tau=0.3)
    ... except ts.DependentConstraints as error:
    ...     print(error)
    The mean of mean radius is constrained twice. Keep one of the two.
    """


class FailedPartition(TauscopeError, RuntimeError):
    """A partition of a collection that could not be computed, or on which the model failed; the message names it.

    Examples
    --------
    >>> issubclass(ts.FailedPartition, RuntimeError)
    True
    """


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
