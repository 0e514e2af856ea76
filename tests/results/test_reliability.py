import numpy as np
import pytest

from tauscope.results.reliability import caveats, reliable


@pytest.mark.parametrize(
    ("ess", "k", "expected"),
    [(30, 0.5, True), (29.9, 0, False), (1e4, 0.51, False), (np.nan, 0, False), (100, np.nan, False)],
)
def test_trusted(ess, k, expected):
    assert reliable(np.array([float(ess)]), np.array([float(k)]))[0] == expected


@pytest.mark.parametrize(
    ("ess", "k", "words"),
    [
        (100, 0.1, ()),
        (12.3, 0.1, ("the weights leave 12.3 effective rows, too few to trust",)),
        (1.0, 0.1, ("the weights leave 1 effective row, too few to trust",)),
        (100, 0.6, ("Pareto k 0.60: the interval is not trustworthy",)),
        (100, 0.8, ("Pareto k 0.80: neither the estimate nor its interval is trustworthy",)),
    ],
)
def test_doubts(ess, k, words):
    assert caveats(ess, k) == words


def test_two_doubts():
    assert len(caveats(2, 0.9)) == 2


def test_a_handful_of_rows_is_said_in_words():
    assert caveats(100.0, np.inf) == (
        "a handful of rows carries the weight: neither the estimate nor its interval is trustworthy",
    )
