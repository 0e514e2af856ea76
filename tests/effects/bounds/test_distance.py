import numpy as np
import pytest

from tauscope.effects import exact_distance, histogram_distance
from tauscope.errors import InputError

random = np.random.default_rng(0)
BEFORE, AFTER = random.normal(size=(614, 2)), random.normal(0.3, 1, size=(500, 2))


def test_histogram_by_definition():
    pooled = np.concatenate([BEFORE, AFTER])
    edges = [np.linspace(pooled[:, j].min(), pooled[:, j].max(), 8) for j in range(2)]  # ⌊√61.4⌋ = 7 bins
    shares = [np.histogram2d(*rows.T, bins=edges)[0] / len(rows) for rows in (BEFORE, AFTER)]
    assert histogram_distance(BEFORE, AFTER) == pytest.approx(0.5 * np.abs(shares[0] - shares[1]).sum())


def test_bins_and_weights():
    assert histogram_distance(BEFORE[:20], BEFORE[:20]) == 0
    one = np.array([[0.0], [1.0]])
    assert histogram_distance(one, one, bins=2, weight_before=[1, 3], weight_after=[3, 1]) == pytest.approx(0.5)
    assert histogram_distance(one, one, bins=1, weight_before=[1, 3]) == 0
    assert histogram_distance(np.ones((3, 1)), np.ones((2, 1))) == 0


def test_two_halves_of_one_data_set_are_not_near():
    assert histogram_distance(BEFORE[:307], BEFORE[307:]) > 0.08


def test_exact():
    assert exact_distance(BEFORE, BEFORE[::-1]) == 0
    assert exact_distance(BEFORE, AFTER) == pytest.approx(1)
    assert exact_distance(np.array([[0.0], [1], [np.nan]]), np.array([[-0.0], [np.nan], [2]])) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: histogram_distance(BEFORE, AFTER[:, :1]), "same columns"),
        (lambda: histogram_distance(BEFORE, AFTER, bins=0), "bins must be"),
        (lambda: histogram_distance(np.array([[np.nan]]), np.array([[1.0]])), "finite values"),
        (lambda: exact_distance(BEFORE, AFTER[:, :1]), "same columns"),
    ],
)
def test_bad_requests_are_said(call, message):
    with pytest.raises(InputError, match=message):
        call()
