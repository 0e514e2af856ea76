"""Sufficient values and rules of several rows: those of each row alone, and the importance of features over them."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import tauscope as ts
from study.rules.test_distribution import forest_study, rows
from study.rules.test_sufficient import people, study
from tauscope.errors import InputError, InputTypeError
from tauscope.rules.agreement import mean_share

OPTIONS = {"n_estimators": 5, "pi": 0.8}
N_PEOPLE = len(people()[0])
ROWS = [3, 20, 40, 41]
WAYS = {
    "positions": ROWS,
    "array": np.array(ROWS),
    "index": pd.Index(ROWS),
    "mask": np.isin(np.arange(N_PEOPLE), ROWS),
    "series of bools": pd.Series(np.isin(np.arange(N_PEOPLE), ROWS)),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_row_is_explained_as_alone(way):
    found = study().sufficient(WAYS[way], **OPTIONS)
    alone = [study().sufficient(row, **OPTIONS) for row in ROWS]
    assert [repr(one) for one in found] == [repr(one) for one in alone]
    assert found.frame["row"].tolist() == ROWS
    assert found.frame["features"].tolist() == [one.best for one in alone]
    assert found.frame["n_sets"].tolist() == [len(one.all) for one in alone]
    np.testing.assert_array_equal(found.frame[["lower", "upper"]], [one.interval for one in alone])
    assert len(found[1:3]) == 2
    assert pickle.loads(pickle.dumps(found)).frame.equals(found.frame)


def test_new_rows_are_explained_too():
    X, _ = people()
    found = study().sufficient(X.iloc[ROWS], **OPTIONS)
    assert found.frame["row"].tolist() == [-1] * 4
    assert found.frame["features"].tolist() == study().sufficient(ROWS, **OPTIONS).frame["features"].tolist()
    assert found.weight.tolist() == [1] * 4
    one = study().sufficient(X.iloc[[3]], **OPTIONS)
    assert isinstance(one, ts.SufficientExplanation)
    assert len(study().sufficient([3], **OPTIONS)) == 1
    assert len(study().sufficient(slice(3, 6), **OPTIONS)) == 3


@pytest.mark.parametrize("weighted", [False, True])
def test_importance_is_the_mean_of_the_rows_with_its_interval(weighted):
    asked = study().under(ts.Mean("age", tau=0.6)) if weighted else study()
    found = asked.sufficient(range(12), **OPTIONS)
    weight = asked.sample_weight[:12] if weighted else np.ones(12)
    for table, local in ((found.importance, "importance"), (found.minimal_importance, "minimal_importance")):
        for name in table.index:
            values = np.array([getattr(one, local)[name] for one in found])
            known = ~np.isnan(values)
            values, w = values[known], weight[known] / weight[known].sum()
            assert table.loc[name, "importance"] == pytest.approx(w @ values)
            assert table.loc[name, "lower"] <= w @ values <= table.loc[name, "upper"]
    assert found.n_explained == sum(one.status == "sufficient" for one in found)


def test_local_importance_counts_all_sets_or_the_smallest():
    one = replace(study().sufficient(3, **OPTIONS), all_sets=((0,), (1,), (0, 2), (1, 2, 3)))
    for table, sets in ((one.importance, one.all), (one.minimal_importance, one.minimal)):
        for name in table.index:
            assert table[name] == pytest.approx(np.mean([name in names for names in sets]))
    assert not one.importance.equals(one.minimal_importance.reindex(one.importance.index))


def test_the_interval_covers_the_mean_of_the_population():
    random, inside, width = np.random.default_rng(0), 0, []
    for _ in range(400):
        values, weight = random.choice([0.0, 0.5, 1.0], 40, p=[0.5, 0.3, 0.2]), random.uniform(0.5, 1.5, 40)
        _, lower, upper = mean_share(values, weight)
        inside += lower <= 0.35 <= upper
        width.append(upper - lower)
    assert 0.93 <= inside / 400 <= 0.98
    assert np.mean(width) < 1.2 * 2 * stats.norm.ppf(0.975) * np.sqrt(0.275 - 0.35**2) / np.sqrt(40) * 1.05
    assert mean_share(np.zeros(10), np.ones(10))[2] == pytest.approx(1 - 0.025**0.1)
    assert np.isnan(mean_share(np.ones(1), np.ones(1))[1:]).all()


def test_rules_of_each_row_are_those_of_it_alone():
    options = {"n_drawn": 0, "proof_budget": 0, "max_rules": 1, **OPTIONS}
    found, alone = study().rules(ROWS, **options), [study().rules(row, **options) for row in ROWS]
    assert [repr(one) for one in found] == [repr(one) for one in alone]
    frame = pd.concat([one.frame.assign(row=row) for row, one in zip(ROWS, alone, strict=True)], ignore_index=True)
    plain, wanted = (one.astype(object).where(one.notna(), None) for one in (found.frame[frame.columns], frame))
    assert plain.to_numpy().tolist() == wanted.to_numpy().tolist()
    assert repr(found.explanations[2]) == repr(alone[2].explanation)
    assert found.n_model_rows == sum(one.n_model_rows for one in alone)
    seen = []
    some = study().rules(ROWS, callback=lambda done, total: seen.append((done, total)) or done == 2, **options)
    assert len(some) == 2
    assert seen == [(1, 4), (2, 4)]


@pytest.mark.slow
def test_charts():
    found = study().sufficient(ROWS, **OPTIONS)
    for sets in ("all", "minimal"):
        assert [layer["mark"]["type"] for layer in found.chart(sets).to_dict()["layer"]] == ["bar", "rule"]
    with pytest.raises(InputError, match='sets must be "all" or "minimal"'):
        found.chart("most")
    assert found.plot().get_xlabel().startswith("mean share")
    rules = study().rules(ROWS, n_drawn=0, proof_budget=0, max_rules=1, **OPTIONS)
    assert rules.plot().get_ylabel() == "share of these decided so"


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ([], InputError, "one at least"),
        ([0, 300], InputError, "numbered 0 to 299"),
        (np.zeros((2, 3)), InputError, "for each of the 4 columns"),
        (np.zeros(3), InputError, "for each of the 4 columns; got 3"),
        (None, InputTypeError, "A row is a position"),
    ],
)
def test_what_cannot_be_read_as_rows(given, error, words):
    for verb in ("sufficient", "rules"):
        with pytest.raises(error, match=words):
            getattr(forest_study(), verb)(given)


def test_whole_numbers_that_may_be_a_row_s_values_or_positions_are_refused():
    whole = ts.Study(lambda table: table["a"] > table["b"], pd.DataFrame({"a": range(90), "b": [3, 50, 60] * 30}))
    assert len(whole.sufficient(range(2), **OPTIONS)) == 2
    for asked in ([5, 7], np.array([5, 7])):
        with pytest.raises(InputError, match=r"\[5, 7\] may be the positions of 2 rows or the values of one"):
            whole.sufficient(asked)
    assert whole.sufficient([80, 200]).title == "Sufficient values of the row given"


def test_an_array_of_one_row_s_values_stays_one_row():
    X, _ = rows()
    for row in (X[3], X[[3]], X[3].tolist(), pd.Series(X[3], index=forest_study().feature_names)):
        assert isinstance(forest_study().sufficient(row), ts.SufficientExplanation)
    assert isinstance(forest_study().sufficient([2, 2, 0, 1]), ts.SufficientExplanation)
