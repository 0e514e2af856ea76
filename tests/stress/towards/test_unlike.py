"""Rows that no row here is like."""

import numpy as np
import pytest

from tauscope.stress.towards.unlike import MOST, RARE, find_unlike


@pytest.mark.parametrize("n", [300, 3 * MOST])
def test_of_one_population_about_one_row_in_a_hundred_is(n: int) -> None:
    shares = []
    for seed in range(20):
        random = np.random.default_rng(seed)
        shares.append(find_unlike(random.normal(size=(n, 3)), random.normal(size=(500, 3))).share)
    assert np.mean(shares) == pytest.approx(RARE, abs=0.006)


def test_those_far_off_are_found_farthest_first() -> None:
    random = np.random.default_rng(0)
    here, new = random.normal(size=(500, 2)), random.normal(size=(50, 2)) * 0.5
    new[[7, 3]] = [[30, 0], [0, -60]]
    found = find_unlike(here, new)
    assert found.rows[:2].tolist() == [3, 7]
    assert found.share == len(found.rows) / 50


def test_of_many_new_rows_a_seeded_sample_is_compared() -> None:
    random = np.random.default_rng(0)
    new = random.normal(size=(MOST + 500, 1))
    first, again = (find_unlike(random.normal(size=(100, 1)) * 0 + 9, new, random_state=1) for _ in range(2))
    assert first.n_compared == MOST
    assert first.rows.tolist() == again.rows.tolist()


def test_of_two_rows_nothing_can_be_told() -> None:
    assert np.isnan(find_unlike(np.zeros((2, 1)), np.ones((5, 1))).share)
