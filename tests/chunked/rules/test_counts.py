"""Rules made on a sample and counted on all rows: those of the rows in memory, and counts by brute force."""

import pickle
from functools import cache

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.chunked.rules.counts import holds as holds_in
from tauscope.data.columns import Column

N = 2000


@cache
def rows():
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": random.integers(18, 80, N),
            "job": random.choice(["baker", "clerk", "driver", "nurse"], N),
            "sex": random.choice(["f", "m"], N),
            "pay": np.where(random.random(N) < 0.1, np.nan, random.normal(30, 8, N)),
        }
    )
    X["red"], X["blue"] = (random.random(N) < 0.3).astype(int), 0
    X["blue"] = 1 - X["red"]
    weight = random.uniform(0.5, 2, N)
    return X, says(X), weight


def says(X):
    return np.where((X["age"] < 40) | X["job"].isin(["clerk", "nurse"]), "yes", "no")


def value(X):
    return X["age"].to_numpy() * 2.0 + (X["job"] == "clerk")


def parts(weighted=False, labelled=True, n=700):
    X, y, weight = rows()
    whole = X.assign(y=y) if labelled else X
    whole = whole.assign(w=weight) if weighted else whole
    return [whole.iloc[i : i + n] for i in range(0, N, n)]


def chunked(model=says, weighted=False, **options):
    return ts.ChunkedStudy(model, parts(weighted), target="y", sample_weight="w" if weighted else None, **options)


def driver():
    X, _, _ = rows()
    return X[(X["age"] > 60) & (X["job"] == "driver")].iloc[[0]]


def holds(rule):
    X, _, _ = rows()
    inside = np.ones(N, dtype=bool)
    for condition in rule.conditions:
        own = X[condition.column.name]
        if condition.column.kind == "levels":
            inside &= own.isin(condition.levels).to_numpy()
        else:
            inside &= ((own > condition.lower) & (own <= condition.upper) | (own.isna() & condition.missing)).to_numpy()
    return inside


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_a_sample_of_all_rows_gives_what_memory_gives(weighted) -> None:
    X, y, weight = rows()
    memory = ts.Study(says, X, y, sample_weight=weight if weighted else None)
    study = chunked(weighted=weighted)
    pd.testing.assert_frame_equal(study.sufficient(driver()).frame, memory.sufficient(driver()).frame)
    found, want = study.rules(driver(), n_drawn=100), memory.rules(driver(), n_drawn=100)
    pd.testing.assert_frame_equal(found.frame, want.frame)
    assert [str(rule) for rule in found] == [str(rule) for rule in want]
    assert (found._caption, found.notes) == (want._caption, want.notes)
    pd.testing.assert_frame_equal(study.swing_rules(driver()).frame, memory.swing_rules(driver()).frame)
    first, [name, *_] = driver(), X.columns
    pd.testing.assert_frame_equal(study.distribution(first, name).frame, memory.distribution(first, name).frame)


@pytest.mark.slow
def test_lists_of_a_sample_of_all_rows_are_those_of_memory() -> None:
    X, y, _ = rows()
    found, want = chunked().rule_list(n_rows=30), ts.Study(says, X, y).rule_list(n_rows=30)
    pd.testing.assert_frame_equal(found.frame, want.frame)
    pd.testing.assert_frame_equal(found.agreement, want.agreement)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(found)).predict(X), want.predict(X))


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_rules_of_a_sample_are_counted_on_all_other_rows(weighted) -> None:
    _, y, _ = rows()
    study = chunked(weighted=weighted)
    found = study.rules(driver(), sample=800, n_drawn=0)
    forest = found.explanation._forest
    assert (forest.n_sampled, forest.sampled_from) == (800, N)
    assert f"20 trees on {forest.n_rows} rows of a sample of 800 of 2,000 rows" in " ".join(found.notes)
    sampled = study.sample(800).X
    assert len(found) > 0
    for rule in found:
        assert rule.held_out.n_rows == N - forest.n_rows
        inside, agrees = holds(rule), y == "no"
        on_sample = ts.Study(says, sampled).rules(driver(), n_drawn=0)
        assert rule.bounds == on_sample[found.rules.index(rule)].bounds
        trained = rule.training
        assert rule.held_out.n_inside + trained.n_inside == inside.sum()
        assert rule.held_out.lower <= rule.held_out.precision <= rule.held_out.upper
        if not weighted:  # else the weight of the forest's rows is not told
            right = rule.held_out.precision * rule.held_out.n_inside + trained.precision * trained.n_inside
            assert right == pytest.approx((inside & agrees).sum())
            covered = rule.held_out.coverage * rule.held_out.n_rows + trained.coverage * trained.n_rows
            assert covered == pytest.approx(inside.sum())


def test_weights_count() -> None:
    _, y, weight = rows()
    found = chunked(weighted=True).rules(driver(), sample=300, n_drawn=0)
    rule, n = found[0], found.explanation._forest.n_rows
    inside = holds(rule)
    assert rule.held_out.n_rows == N - n
    # 225 rows of the forest's are left out of 2,000
    assert rule.held_out.coverage == pytest.approx(weight[inside].sum() / weight.sum(), abs=0.015)
    assert rule.held_out.precision == pytest.approx(np.average(y[inside] == "no", weights=weight[inside]), abs=0.015)


@pytest.mark.slow
def test_partitions_agree_with_chunks_of_the_same_rows() -> None:
    X, y, _ = rows()
    study = ts.ChunkedStudy.from_dask(says, dd.from_pandas(X.assign(y=y), npartitions=4), target="y")
    want = ts.Study(says, X, y).rules(driver(), n_drawn=0)
    pd.testing.assert_frame_equal(study.rules(driver(), n_drawn=0).frame, want.frame)
    assert study.rules(driver(), sample=900, n_drawn=0)[0].held_out.n_rows == N - 675


@pytest.mark.slow
def test_regressions_groups_and_true_labels() -> None:
    X, _, _ = rows()
    values = ts.ChunkedStudy(value, parts(labelled=False), task="regression")
    row = X.iloc[[7]]
    found = values.rules(row, sample=900, n_drawn=0, t=25.0)
    for rule in found:
        inside, (low, high) = holds(rule), rule.decided
        agrees = inside & (value(X) >= low) & (value(X) <= high)
        counted = [rule.training.precision * rule.training.n_inside, rule.held_out.precision * rule.held_out.n_inside]
        assert sum(counted) == pytest.approx(agrees.sum())
    grouped = chunked(lambda X: np.where(X["red"] == 1, "yes", "no"), classes=("no", "yes"))
    rule = grouped.rules(row, sample=900, groups={"colour": ["red", "blue"]}, n_drawn=0)[0]
    own = "red" if X["red"][7] else "blue"
    assert rule.bounds == {"colour": (own,)}
    assert rule.held_out.n_inside + rule.training.n_inside == X[own].sum()
    truth = chunked().rules(driver(), sample=900, explained="labels", n_drawn=0)
    assert truth[0].held_out.precision > 0.9
    with pytest.raises(ts.InputError, match="and this study has none"):
        ts.ChunkedStudy(says, parts(labelled=False), classes=("no", "yes")).rules(row, explained="labels")


def test_levels_that_the_sample_lacks_are_outside() -> None:
    X, y, _ = rows()
    rare = X.assign(job=X["job"].where(np.arange(N) != 11, "smith"))
    study = ts.ChunkedStudy(says, [rare[:1000].assign(y=y[:1000]), rare[1000:].assign(y=y[1000:])], target="y")
    sample = study.sample(400)
    assert "smith" not in set(sample.X["job"])
    clerk = X[(X["age"] > 60) & (X["job"] == "clerk")].iloc[[0]]
    rule = study.rules(clerk, sample=400, n_drawn=0)[0]
    own = rare["job"].isin(rule.bounds["job"])
    assert rule.held_out.n_inside + rule.training.n_inside == own.sum()


def test_results_pickle_and_are_asked_for_more() -> None:
    found = chunked().rules(driver(), sample=800, n_drawn=0)
    again = pickle.loads(pickle.dumps(found))
    pd.testing.assert_frame_equal(again.frame, found.frame)
    assert [str(rule) for rule in again] == [str(rule) for rule in found]
    assert found.source is not None
    under = chunked().rules(5, sample=800, n_drawn=0).under(ts.Mean("age", tau=0.3))
    assert len(under.after) > 0


def test_what_cannot_be_asked() -> None:
    with pytest.raises(ts.UnknownName, match=r"Nearest: .*'n_features'"):
        chunked().rules(driver(), n_feature=3)
    with pytest.raises(ts.InputError, match="got an iterator"):
        ts.ChunkedStudy(says, iter(parts()), target="y").sufficient(driver())
    rule = ts.Study(says, rows()[0]).rules(driver(), n_drawn=0)[0]
    old = {name: Column(name, "categorical", codes=np.zeros(4, dtype=np.int32), levels=("old",)) for name in rows()[0]}
    with pytest.raises(ts.InputError, match="'age' is categorical in one"):
        holds_in(rule, old, 4)


@pytest.mark.slow
def test_several_rows_are_counted_in_one_pass_each_as_alone() -> None:
    X, _, _ = rows()
    study, options = chunked(), {"n_drawn": 0, "proof_budget": 0, "n_estimators": 5}
    found = study.rules(X.iloc[[0, 3, 9]], sample=900, **options)
    alone = [study.rules(X.iloc[[row]], sample=900, **options) for row in (0, 3, 9)]
    assert [repr(one) for one in found] == [repr(one) for one in alone]
    some = study.sufficient(X.iloc[[0, 3]], sample=900, n_estimators=5)
    assert [repr(one) for one in some] == [repr(one.explanation) for one in alone[:2]]
