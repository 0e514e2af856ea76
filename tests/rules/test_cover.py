from itertools import combinations

import numpy as np
import pytest

from tauscope.errors import InputError
from tauscope.rules.cover import cover_rows, decide


def draw(seed, r=9, n=40):
    rng = np.random.default_rng(seed)
    return rng.random((r, n)) < rng.uniform(0.05, 0.5, (r, 1)), rng.integers(0, 4, n).astype(float)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_greedy_rules_cover_nearly_what_the_best_do(k):
    for seed in range(20):
        inside, weight = draw(seed)
        cover = cover_rows(inside, weight, share=1.0, max_rules=k)
        best = max(weight[inside[list(rules)].any(axis=0)].sum() for rules in combinations(range(len(inside)), k))
        reached = cover.covered[-1] * weight.sum()
        assert reached == pytest.approx(weight[inside[cover.chosen].any(axis=0)].sum())
        assert (1 - (1 - 1 / k) ** k) * best - 1e-9 <= reached <= best + 1e-9


def test_no_more_rules_than_the_share_asks_for():
    inside, weight = draw(1)
    every = cover_rows(inside, weight, share=1.0)
    half = cover_rows(inside, weight, share=0.5)
    assert (np.diff(every.covered) > 0).all()
    assert half.covered[-1] >= 0.5
    assert (half.covered[:-1] < 0.5).all()
    assert half.chosen.tolist() == every.chosen[: len(half.chosen)].tolist()
    assert every.covered[-1] == pytest.approx(weight[inside.any(axis=0)].sum() / weight.sum())


def test_whole_weights_are_repeated_rows():
    inside, weight = draw(2)
    times = weight.astype(int)
    repeated = cover_rows(np.repeat(inside, times, axis=1), np.ones(times.sum()), share=0.8)
    weighted = cover_rows(inside, weight, share=0.8)
    assert weighted.chosen.tolist() == repeated.chosen.tolist()
    assert weighted.covered == pytest.approx(repeated.covered)


def test_the_first_rule_that_holds_decides():
    inside = np.array([[True, False, False, True], [True, True, False, False]])
    assert decide(inside, np.array([1.0, 2.0]), 7.0).tolist() == [1, 2, 7, 1]
    assert decide(inside[:0], np.empty(0), 7.0).tolist() == [7, 7, 7, 7]


@pytest.mark.parametrize(("options", "words"), [({"share": 0.0}, "share"), ({"max_rules": 0}, "max_rules")])
def test_bad_limits_are_refused(options, words):
    with pytest.raises(InputError, match=words):
        cover_rows(np.ones((1, 2), bool), np.ones(2), **options)
