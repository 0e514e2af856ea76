"""Which columns a person names as categorical, in any of scikit-learn's three ways."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from tauscope.data.columns import numbered_place
from tauscope.data.labels import plain
from tauscope.errors import InputError, InputTypeError, UnknownName, place_of


def select_categorical(categorical_features: Any, names: Sequence[str]) -> set[int]:
    """Return the positions of the columns that are named.

    Parameters
    ----------
    categorical_features : "infer", None, or mask, positions or names of columns
    names : sequence of str
        The columns' names in order.

    Returns
    -------
    set of int
        Empty for "infer" and None.

    Raises
    ------
    InputError
        For a lone name, or a mask of another length.
    UnknownName, InputTypeError
        For a name or position that is not there, or anything else.
    """
    if categorical_features is None or isinstance(categorical_features, str):
        if categorical_features in (None, "infer"):
            return set()
        raise InputError(
            f"categorical_features must be 'infer', None, or a list of names; got {categorical_features!r}. "
            f"Try categorical_features=[{categorical_features!r}]."
        )
    if not isinstance(categorical_features, Iterable):
        raise _strange(categorical_features)
    requested = [plain(entry) for entry in cast(Iterable[Any], categorical_features)]
    if requested and all(isinstance(entry, bool) for entry in requested):
        if len(requested) != len(names):
            raise InputError(
                f"A mask of categorical_features must have one entry per column; got {len(requested)} for {len(names)}."
            )
        return {j for j, entry in enumerate(requested) if entry}
    return {_position(entry, names) for entry in requested}


def _position(entry: object, names: Sequence[str]) -> int:
    if not isinstance(entry, str | int) or isinstance(entry, bool):
        raise _strange(entry)
    try:
        return place_of("column", entry, names) if isinstance(entry, str) else numbered_place(entry, names)
    except UnknownName as unknown:
        raise UnknownName(f"In categorical_features: {unknown}") from None


def _strange(entry: object) -> InputTypeError:
    return InputTypeError(f"categorical_features takes names, positions or a mask of bools; got {entry!r}.")
