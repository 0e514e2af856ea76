"""The columns that a page makes of their message and buffer."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_columns(message: Mapping[str, Any], data: bytes) -> NDArray[np.float32]:
    """Return [feature][row] from the values of each row, or from different values and places among them."""
    n, start, columns = message["n_rows"], 0, []
    for feature in message["features"]:
        size = feature["n_values"]
        values = np.frombuffer(data, "<f4", size or n, start)
        start += values.nbytes
        if size:
            length = n if size > 2 else -(-n // 8)
            codes = np.frombuffer(data, np.uint8, length, start)
            places = codes if size > 2 else np.unpackbits(codes, count=n, bitorder="little")
            values, start = values[places], start + length
        columns.append(values)
    assert start == len(data)
    return np.array(columns)
