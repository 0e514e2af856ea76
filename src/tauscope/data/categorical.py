"""Which columns a person names as categorical, in any of scikit-learn's three ways."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from tauscope.data.labels import plain
from tauscope.errors import InputError, InputTypeError, UnknownName


def named_categorical(categorical_features: Any, names: Sequence[str]) -> set[int]:
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
    asked = [plain(one) for one in cast(Iterable[Any], categorical_features)]
    if asked and all(isinstance(one, bool) for one in asked):
        if len(asked) != len(names):
            raise InputError(
                f"A mask of categorical_features must have one entry per column; got {len(asked)} for {len(names)}."
            )
        return {j for j, one in enumerate(asked) if one}
    return {_position(one, names) for one in asked}


def _position(asked: object, names: Sequence[str]) -> int:
    if isinstance(asked, str):
        if asked not in names:
            raise UnknownName(f"In categorical_features: {UnknownName.among('column', asked, names)}")
        return list(names).index(asked)
    if isinstance(asked, int) and not isinstance(asked, bool):
        if not 0 <= asked < len(names):
            raise UnknownName(f"In categorical_features: columns go from 0 to {len(names) - 1}; got {asked}.")
        return asked
    raise _strange(asked)


def _strange(asked: object) -> InputTypeError:
    return InputTypeError(f"categorical_features takes names, positions or a mask of bools; got {asked!r}.")
