"""Labels and levels: telling them apart, ordering, naming and coding them."""

# Labels are of any type.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray


def plain(label: Any) -> Any:
    """Return a NumPy scalar as the Python one, so that labels compare and print the same wherever they came from."""
    return label.item() if isinstance(label, np.generic) else label


def distinct(*arrays: Iterable[Any]) -> tuple[Hashable, ...]:
    """Return the distinct labels of all arrays, sorted; by type and then by text where they do not compare."""
    seen: dict[Hashable, None] = {}
    for array in arrays:
        for label in factorize(array)[1]:
            seen[label] = None
    try:
        return tuple(sorted(seen))  # pyright: ignore[reportArgumentType]
    except TypeError:
        return tuple(sorted(seen, key=lambda label: (type(label).__name__, str(label))))


def factorize(array: Iterable[Any]) -> tuple[NDArray[np.intp], list[Any]]:
    """Return one code per entry, in order of first appearance (-1: no value), and the labels as Python objects.

    Raises
    ------
    TypeError
        When an entry is a list, a dict or another object without a hash.
    """
    values = np.asarray(array)
    if values.dtype.kind not in "biuf":
        values = values.astype(object)
    codes, uniques = pd.factorize(values)
    return codes, [plain(label) for label in uniques.tolist()]


def encode(array: Iterable[Any], labels: Sequence[Hashable]) -> tuple[NDArray[np.signedinteger], list[Any]]:
    """Return the position of each entry among the labels (-1: not there), and the labels that are not there.

    Equality is Python's, so that 1, 1.0 and True are one label and "1" is another. Positions are of the smallest
    type that holds them: a million labels of two classes take a megabyte.
    """
    position = {label: code for code, label in enumerate(labels)}
    codes, uniques = factorize(array)
    table = np.array([*(position.get(label, -1) for label in uniques), -1], dtype=code_type(len(labels)))
    return table[codes], [label for label in uniques if label not in position]


def code_type(n_labels: int) -> np.dtype[np.signedinteger]:
    """Return the smallest type of signed integers that holds a position among the labels."""
    return np.min_scalar_type(-n_labels - 1)


def decode(codes: NDArray[Any], labels: Sequence[Hashable], dtype: Any) -> NDArray[Any]:
    """Return the label of each code, as an array of the given type."""
    table = np.empty(len(labels), dtype=object)
    table[:] = labels
    return table.astype(dtype)[codes]


def names(labels: Sequence[Any]) -> tuple[str, ...]:
    r"""Name labels for people: 1 and 1.0 read "1"; quotes only where two would read alike or nothing would be seen.

    Half of a surrogate pair, which no file can hold, is written as its escape, "\ud800".

    Returns
    -------
    tuple of str
        Distinct, in the order of `labels`.
    """
    shown = [_name(label) for label in labels]
    repeated = {name for name, times in Counter(shown).items() if times > 1}
    return tuple(
        repr(label) if name in repeated or not name.strip() else name for name, label in zip(shown, labels, strict=True)
    )


def _name(label: Any) -> str:
    if isinstance(label, float) and label.is_integer() and abs(label) < 1e15:
        return str(int(label))
    return str(label).encode("utf-8", "backslashreplace").decode("utf-8")
