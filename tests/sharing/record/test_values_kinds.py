from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal, Protocol

import numpy as np
import pytest
from numpy.typing import NDArray

from tauscope.sharing.record.values import fits
from tauscope.stress.metrics import Metric, SummedMetric


class Something(Protocol):
    n: int


METRIC = Metric("a", "a", "share")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, int), (np.int64(3), int), (3, float), (np.float32(1), float), (np.bool_(True), bool), ("a", str),
        (None, None), (None, int | None), (3, int | None), ((1, 2), tuple[int, ...]), ((), tuple[int, ...]),
        ((1, "a"), tuple[int, str]), (np.arange(3), NDArray[np.float64]), ({"a": 1}, Mapping[str, int]),
        ([1], Sequence[str]), ("b", Literal["a", "b"]), (object(), Any), (date(2026, 1, 1), date),
        (3, Something), (METRIC, Metric), (METRIC, SummedMetric), ({"a": 1}, dict[str, Any]),
    ],
)  # fmt: skip
def test_what_fits(value, kind):
    assert fits(value, kind)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("3", int), (True, str), (3.5, int), ("a", float), (1, bool), (3, str), (3, None), ("a", int | None),
        ([1], tuple[int, ...]), ((1, "a"), tuple[int, ...]), ((1,), tuple[int, str]), ([1.0], NDArray[np.float64]),
        ((), Mapping[str, int]), ({1: 1}, Mapping[str, int]), (3, Sequence[int]), (3, Literal["a", "b"]),
        (3, Metric), ({}, Metric), (date(2026, 1, 1), Metric), (METRIC, NDArray[Any]),
    ],
)  # fmt: skip
def test_what_does_not(value, kind):
    assert not fits(value, kind)
