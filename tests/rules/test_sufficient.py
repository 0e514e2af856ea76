"""The search for sufficient sets against trying every subset."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from tauscope.errors import InputError, InputTypeError
from tauscope.rules import sufficient
from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import ProjectedForest
from tauscope.rules.min_rows import paper_min_rows
from tauscope.rules.sufficient import SearchOptions, find_sufficient, smallest_sufficient


def fitted(p=6, n=400, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, p))
    y = np.where(X[:, 0] > 0, X[:, 1] > 0, X[:, 2] > 0).astype(int)
    projected = ProjectedForest(RandomForestClassifier(6, random_state=seed).fit(X, y), X, y)
    return projected, X, SameDecision.of_class(projected.predict(X))


def one(same, i):
    return same.some(slice(i, i + 1))


def by_trying_all(projected, row, same, features, pi, min_rows=5):
    """All minimal sets and their probabilities, each subset asked about alone."""
    sets = [s for size in range(1, len(features) + 1) for s in combinations(features, size)]
    sdp = {s: projected.sdp(row[None], [s], same, min_rows=min_rows)[0, 0] for s in sets}
    enough = [s for s in sets if sdp[s] >= pi - 1e-12]
    minimal = [s for s in enough if not any(set(other) < set(s) for other in enough)]
    return sdp, minimal


@pytest.mark.slow
@pytest.mark.parametrize("pi", [0.8, 0.95, 1.0])
@pytest.mark.parametrize("i", range(4))
def test_all_minimal_sets_are_found(pi, i):
    projected, X, same = fitted()
    found = find_sufficient(projected, X[i], one(same, i), SearchOptions(pi=pi, confidence=None))
    sdp, minimal = by_trying_all(projected, X[i], one(same, i), found.features, pi)
    assert set(found.every) == set(minimal)
    assert found.every_sdp == pytest.approx([sdp[s] for s in found.every])
    assert found.sdp_of_none == pytest.approx(projected.sdp(X[i : i + 1], [()], one(same, i))[0, 0])
    if not minimal:
        assert found.status == "none reaches π"
        assert found.minimal == ()
        assert found.sdp == pytest.approx(max(sdp.values()))
        assert found.sdp < pi
        assert found.importance.tolist() == [0] * 6
        assert found.ruled_out == 6
        return
    assert found.status == "sufficient"
    smallest = [s for s in minimal if len(s) == len(minimal[0])]
    most = max(sdp[s] for s in smallest)
    assert found.minimal == found.best == next(s for s in smallest if sdp[s] >= most - 1e-12)
    assert found.ruled_out == len(found.minimal) - 1
    assert found.importance == pytest.approx([np.mean([f in s for s in minimal]) for f in range(6)])


@pytest.mark.slow
def test_the_smallest_alone_is_the_first_of_all():
    projected, X, same = fitted()
    for i in range(6):
        every = find_sufficient(projected, X[i], one(same, i))
        alone = find_sufficient(projected, X[i], one(same, i), SearchOptions(every=False))
        assert alone.minimal == every.minimal
        assert alone.sdp == every.sdp
        assert alone.n_evaluated <= every.n_evaluated
        assert len(alone.every) == min(1, len(every.every))


@pytest.mark.slow
def test_sets_are_dropped_only_when_they_cannot_reach_pi():
    projected, X, same = fitted(n=300)
    weight = np.where(np.random.default_rng(2).random(len(X)) < 0.5, 0.0, 1.0)
    dropped = 0
    for i, pi, stressed in ((0, 0.9, None), (1, 0.99, None), (2, 1.0, None), (3, 1.0, weight), (4, 0.9, weight)):
        every = find_sufficient(projected, X[i], one(same, i), SearchOptions(pi=pi), weight=stressed)
        options = SearchOptions(pi=pi, every=False)
        alone = find_sufficient(projected, X[i], one(same, i), options, weight=stressed)
        assert (alone.status, alone.minimal, alone.best) == (every.status, every.minimal, every.best)
        assert smallest_sufficient(projected, X[i], one(same, i), options, weight=stressed) == every.minimal
        assert (alone.sdp, alone.interval, alone.ruled_out) == (every.sdp, every.interval, every.ruled_out)
        sdp = dict(zip(every.tried, every.tried_sdp, strict=True))
        assert all(sdp[which] == value for which, value in zip(alone.tried, alone.tried_sdp, strict=True))
        assert every.n_dropped == 0
        dropped += alone.n_dropped
    assert dropped


def test_sets_that_contain_a_found_one_are_not_tried():
    projected, X, same = fitted()
    i = next(i for i in range(50) if len(find_sufficient(projected, X[i], one(same, i)).minimal) in (1, 2))
    assert find_sufficient(projected, X[i], one(same, i)).n_evaluated < 2**6


def test_of_sets_as_probable_the_first_in_order_is_taken():
    random = np.random.default_rng(0)
    X = np.repeat(random.normal(size=(300, 1)), 3, axis=1)  # three copies of one feature
    y = (X[:, 0] > 0).astype(int)
    forest = RandomForestClassifier(9, max_features=None, random_state=0).fit(X, y)
    projected = ProjectedForest(forest, X, y)
    same = SameDecision.of_class(projected.predict(X[:1]))
    for features in ((0, 1, 2), (2, 0, 1)):
        sdp = projected.sdp(X[:1], [(f,) for f in features], same)[0]
        found = find_sufficient(projected, X[0], same, SearchOptions(pi=min(sdp.max(), 0.6), features=features))
        assert found.minimal == (features[int(np.argmax(sdp >= sdp.max() - 1e-12))],)
        assert found.features == features


def test_features_are_the_most_used_or_those_given():
    projected, X, same = fitted()
    for order in ("splits", "importance"):
        found = find_sufficient(projected, X[0], one(same, 0), SearchOptions(n_features=3, order=order))
        assert found.features == tuple(projected.order(order)[:3].tolist())
    found = find_sufficient(projected, X[0], one(same, 0), SearchOptions(features=(5, 1)))
    assert set(found.best) <= {5, 1}


def test_more_than_twelve_features_are_searched_size_by_size(monkeypatch):
    projected, X, same = fitted()
    usual = [find_sufficient(projected, X[i], one(same, i)) for i in range(3)]
    monkeypatch.setattr(sufficient, "MOST_AT_ONCE", 3)
    for i in range(3):
        found = find_sufficient(projected, X[i], one(same, i))
        assert set(found.every) == set(usual[i].every)
        assert found.minimal == usual[i].minimal


def test_a_greedy_set_is_sufficient_and_has_nothing_to_spare(monkeypatch):
    projected, X, same = fitted(p=24, n=600)
    options = SearchOptions(pi=0.9, n_features=24, search="greedy")
    monkeypatch.setattr(sufficient, "RULED_OUT", 24)  # single features only are all tried
    reached = 0
    for i in range(4):
        found = find_sufficient(projected, X[i], one(same, i), options)
        assert found.search == "greedy"
        if found.status == "sufficient":
            reached += 1
            assert found.sdp >= 0.9
            parts = list(combinations(found.minimal, len(found.minimal) - 1))
            smaller = projected.sdp(X[i : i + 1], parts, one(same, i))[0] if len(found.minimal) > 1 else np.zeros(1)
            assert (smaller < 0.9).all()
            assert found.ruled_out < len(found.minimal)
            assert found.every == (found.minimal,)
    assert reached


def test_a_greedy_search_says_what_it_ruled_out():
    projected, X, same = fitted()
    found = find_sufficient(projected, X[0], one(same, 0), SearchOptions(search="greedy"))
    exact = find_sufficient(projected, X[0], one(same, 0))
    assert found.minimal == exact.minimal  # few features: every size was tried
    assert found.ruled_out == exact.ruled_out
    never = SearchOptions(pi=1.0, search="greedy", features=(4,))
    assert find_sufficient(projected, X[0], one(same, 0), never).status == "none reaches π"


def test_a_stress_changes_the_probability():
    projected, X, same = fitted()
    weight = np.random.default_rng(1).exponential(size=len(X))
    found = find_sufficient(projected, X[0], one(same, 0), weight=weight)
    assert found.sdp == pytest.approx(projected.sdp(X[:1], [found.best], one(same, 0), weight=weight)[0, 0])


@pytest.mark.slow
def test_larger_cells_are_asked_for():
    projected, X, same = fitted()
    options = SearchOptions(min_rows=60, pi=0.8)
    found = find_sufficient(projected, X[1], one(same, 1), options)
    _, minimal = by_trying_all(projected, X[1], one(same, 1), found.features, 0.8, 60)
    assert set(found.every) == set(minimal)


def test_the_least_rows_of_the_paper_are_a_number_of_rows():
    projected, X, same = fitted()
    assert paper_min_rows(len(X)) == 1
    found = find_sufficient(projected, X[1], one(same, 1), SearchOptions(min_rows="paper"))
    as_number = find_sufficient(projected, X[1], one(same, 1), SearchOptions(min_rows=1))
    usual = find_sufficient(projected, X[1], one(same, 1))
    assert np.array_equal(found.tried_sdp, as_number.tried_sdp)
    assert found.sdp_of_none == usual.sdp_of_none
    assert not np.array_equal(found.tried_sdp, usual.tried_sdp)


def test_the_interval_holds_the_probability():
    projected, X, same = fitted()
    found = find_sufficient(projected, X[0], one(same, 0), SearchOptions(confidence=0.9))
    lower, upper = found.interval
    assert 0 <= lower <= found.sdp <= upper <= 1


def test_values_as_decisions():
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 4))
    y = 3 * X[:, 1] + 0.1 * random.normal(size=400)
    projected = ProjectedForest(RandomForestRegressor(8, random_state=0).fit(X, y), X, y)
    inner = int(np.argmin(np.abs(X[:, 1])))
    same = SameDecision.within(projected.predict(X[[inner]]), 1.0)
    assert find_sufficient(projected, X[inner], same, SearchOptions(pi=0.8)).minimal == (1,)


def test_bad_options_are_refused():
    projected, X, same = fitted(p=24)
    cases = {
        "pi must lie in (0, 1]": SearchOptions(pi=0.0),
        "pi must lie in (0, 1], got 1.1": SearchOptions(pi=1.1),
        "n_features must be at least 1": SearchOptions(n_features=0),
        "each once; got (1, 1)": SearchOptions(features=(1, 1)),
        "at most 20 features, got 24": SearchOptions(n_features=24),
        "features from 0 to 23, got 99": SearchOptions(features=(99,)),
        "min_rows must be from": SearchOptions(min_rows=10**6),
        "rows or \"paper\", got 'sqrt'": SearchOptions(min_rows="sqrt"),
    }
    for text, options in cases.items():
        with pytest.raises((InputError, InputTypeError)) as caught:
            find_sufficient(projected, X[0], one(same, 0), options)
        assert text in str(caught.value)
