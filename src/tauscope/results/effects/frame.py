"""Effects and what surrounds them as tidy tables: one row per point, and per class where there are several."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.effects.axis import Axis


def tidy(axes: tuple[Axis, ...], classes: tuple[str, ...], columns: Mapping[str, NDArray[np.generic]]) -> pd.DataFrame:
    """Lay arrays over a grid out as rows.

    Parameters
    ----------
    axes : tuple of Axis
        One or two.
    classes : tuple of str
        A column `class` comes first where there are several.
    columns : mapping of str to ndarray of shape (q, *G) or (*G,)
        q responses; without that dimension the same for each.

    Returns
    -------
    pandas.DataFrame
        `value` (of two features `value_1` and `value_2`, the last fastest) and the columns given.
    """
    shape = tuple(len(axis) for axis in axes)
    q = max((len(values) for values in columns.values() if values.ndim > len(shape)), default=1)
    places = np.indices(shape).reshape(len(shape), -1)
    names = ("value",) if len(axes) == 1 else ("value_1", "value_2")
    data: dict[str, NDArray[np.generic]] = {}
    if q > 1:
        data["class"] = np.repeat(np.array(classes, dtype=object), places.shape[1])
    for name, axis, place in zip(names, axes, places, strict=True):
        data[name] = np.tile(axis.values[place], q)
    for name, values in columns.items():
        data[name] = np.broadcast_to(values, (q, *shape)).reshape(-1).copy()
    return pd.DataFrame(data)
