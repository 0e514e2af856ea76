"""Columns that are the pixels of an image: the shape that accounts for them."""

from __future__ import annotations

import numpy as np

from tauscope.errors import InputError
from tauscope.words import count


def image_shape(shape: object, n_pixels: int | None = None) -> tuple[int, ...]:
    """Check the shape of an image.

    Parameters
    ----------
    shape : object
        Two or three whole numbers above 0.
    n_pixels : int or None
        Columns there are, which the shape must account for.

    Raises
    ------
    InputError
        For anything else; a number of columns that is a square is offered as one.
    """
    try:
        sizes = tuple(int(size) for size in shape)  # pyright: ignore[reportGeneralTypeIssues, reportUnknownArgumentType, reportUnknownVariableType]
        whole = all(size == value for size, value in zip(sizes, shape, strict=True))  # pyright: ignore[reportArgumentType, reportUnknownArgumentType, reportUnknownVariableType]
    except (TypeError, ValueError, OverflowError, np.ma.MaskError):
        sizes, whole = (), False
    if not whole or len(sizes) not in (2, 3) or min(sizes, default=0) < 1:
        raise InputError(
            f"shape must be (height, width) or (height, width, channels), whole numbers; got {shape!r}. "
            "Try shape=(28, 28)."
        )
    n_requested = int(np.prod(sizes))
    if n_pixels is not None and n_requested != n_pixels:
        side = int(np.sqrt(n_pixels))
        hint = f" Try shape=({side}, {side})." if side * side == n_pixels else ""
        raise InputError(
            f"shape must account for every column: {' × '.join(map(str, sizes))} is {count(n_requested, 'pixel')}, "
            "and there "
            f"are {count(n_pixels, 'column')}.{hint}"
        )
    return sizes
