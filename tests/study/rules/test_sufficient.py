"""Sufficient values of a study's rows: what comes out where it is known, the person's words, and bad input."""

import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import tauscope as ts
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.rules.min_rows import paper_min_rows


@cache
def people():
    """A model that says yes to the young and, among the others, to two jobs; sex and noise do not matter."""
    random = np.random.default_rng(0)
    n = 1200
    X = pd.DataFrame(
        {
            "age": random.integers(18, 80, n),
            "job": random.choice(["baker", "clerk", "driver", "nurse"], n),
            "sex": random.choice(["f", "m"], n),
            "noise": random.normal(size=n),
        }
    )
    X.loc[random.random(n) < 0.05, "noise"] = np.nan
    y = np.where((X["age"] < 40) | X["job"].isin(["clerk", "nurse"]), "yes", "no")
    return X, y


def says(X):
    return np.where((X["age"] < 40) | X["job"].isin(["clerk", "nurse"]), "yes", "no")


@cache
def study():
    X, y = people()
    return ts.Study(says, X, y)


@cache
def explanation(row, **options):
    return study().sufficient(row, **options)


def row_of(age, job):
    X, _ = people()
    return int(np.flatnonzero((X["age"].between(*age)) & (X["job"] == job))[0])


def test_one_value_is_enough_where_one_is() -> None:
    young = explanation(row_of((20, 30), "driver"))
    assert young.status == "sufficient"
    assert young.minimal == [("age",)]
    assert young.sdp > 0.99
    clerk = explanation(row_of((60, 70), "clerk"))
    assert clerk.minimal[0] == ("job",)
    assert clerk.importance["job"] == 1
    assert clerk.importance["sex"] == 0


def test_two_values_are_needed_where_two_are() -> None:
    refused = explanation(row_of((60, 70), "driver"))
    assert refused.minimal == [("age", "job")]
    assert refused._answer == "predicted no"
    assert set(refused.frame[refused.frame["minimal"]]["features"]) == {("age", "job")}
    assert refused.frame["sufficient"].sum() >= 1
    singles = refused.frame[refused.frame["size"] == 1]
    assert (singles["sdp"] < 0.95).all()


@pytest.mark.slow
def test_nothing_reaches_pi_is_said() -> None:
    X, _ = people()
    random = np.random.default_rng(1)
    coin = random.random(len(X)) < 0.5
    lottery = ts.Study.from_predictions(X, y_pred=np.where(coin, "heads", "tails"))
    found = lottery.sufficient(3, pi=0.999)
    assert found.status == "none reaches π"
    assert found.minimal == found.all == []
    assert np.isnan(found.importance).all()
    assert 0 < found.sdp < 0.999
    assert "No set of the 4 features searched reaches π = 99.9 %" in repr(found)
    assert lottery.rules(3, pi=0.999).status == "none reaches π"
    assert len(lottery.rules(3, pi=0.999)) == 0


def test_the_words_name_the_values_and_the_forest() -> None:
    young = explanation(row_of((20, 30), "driver"))
    age = people()[0]["age"][young.row]
    assert young.message.startswith(f"age = {age}: enough for predicted yes with probability 1")
    assert "a forest fitted on the predictions of says, projected: 20 trees on 900 rows" in young.notes[-2]
    assert young._forest.fidelity > 0.97
    assert f"alike for {100 * young._forest.fidelity:.3g} % of held-out rows" in young.notes[-2]
    assert young.title == f"Sufficient values of row {young.row}"
    assert young.values["job"] == "driver"


def test_new_values_and_those_of_the_study_agree() -> None:
    X, _ = people()
    old, new = explanation(7), study().sufficient(X.iloc[[7]])
    assert new.row is None
    assert old.all == new.all
    assert old.sdp == new.sdp
    assert study().sufficient(X.iloc[7].to_dict()).all == old.all
    far = study().sufficient({"age": 150, "job": "baker", "sex": "f", "noise": 0.0})
    assert "beyond the range of the forest's rows in age" in far.notes[0]


@pytest.mark.slow
def test_a_forest_grown_on_these_rows_is_projected_itself() -> None:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(12, random_state=0).fit(X, y)
    own = ts.Study(forest, X, y).sufficient(0)
    assert own._forest.own
    assert (own._forest.n_rows, own._forest.n_trees, own._forest.n_held_out) == (569, 12, 0)
    assert "those of RandomForestClassifier itself, projected" in own.notes[-2]
    shuffled = ts.Study(forest, X.iloc[::-1], y.iloc[::-1]).sufficient(0)
    assert not shuffled._forest.own


@pytest.mark.slow
def test_values_of_a_regression_count_as_the_same_by_t() -> None:
    random = np.random.default_rng(0)
    X = random.uniform(size=(900, 4))
    model = GradientBoostingRegressor(random_state=0).fit(X, 10 * X[:, 0] + (X[:, 1] > 0.5))
    study = ts.Study(model, X)
    found = study.sufficient(4)
    value = float(study.predicted[4])
    assert found.minimal[0] in [("x0",), ("x0", "x1")]
    assert found._answer.startswith("predicted between ")
    wide = study.sufficient(4, t=25.0)
    assert wide.minimal == [("x0",)]
    assert wide.sdp >= found.frame.set_index("features").loc[[("x0",)], "sdp"].iloc[0]
    between = study.sufficient(4, t=(value - 5, value + 5))
    assert between.sdp == wide.sdp
    with pytest.raises(InputError, match="holds the row's own prediction"):
        study.sufficient(4, t=(value + 1, value + 2))
    for bad in (0, -1.0, "q0", "95"):
        with pytest.raises(InputError, match="above 0"):
            study.sufficient(4, t=bad)
    with pytest.raises(InputTypeError, match='quantile such as "q95"'):
        study.sufficient(4, t=None)


@pytest.mark.slow
def test_labels_can_be_explained_in_place_of_predictions() -> None:
    X, y = people()
    wrong = np.where(np.arange(len(X)) % 2, y, "no")
    model = make_pipeline(make_column_transformer((OneHotEncoder(), ["job", "sex"])), LogisticRegression()).fit(X, y)
    study = ts.Study(model, X, wrong)
    of_labels = study.sufficient(7, explained="labels")
    assert "fitted on the true labels" in of_labels.notes[-2]
    assert of_labels.sdp != study.sufficient(7).sdp
    with pytest.raises(InputError, match="needs true labels"):
        ts.Study(says, X).sufficient(7, explained="labels")


def test_rows_count_by_their_weights_under_a_stress() -> None:
    row = row_of((60, 70), "driver")
    before = explanation(row, n_features=4)
    moved = study().under(ts.Mean("age", target=60))
    after = moved.sufficient(row, n_features=4)
    assert replace(after._forest, weighted=False) == before._forest
    by_set = lambda found: found.frame.set_index("features")["sdp"]  # noqa: E731
    assert by_set(after)[("job",)] > by_set(before)[("job",)] + 0.05  # fewer of the young, who are told yes
    assert "Rows count by their weights" in " ".join(after.notes)
    unmoved = study().under(ts.Mean("age", tau=0)).sufficient(row, n_features=4)
    assert np.allclose(unmoved.frame["sdp"], before.frame["sdp"])


def test_which_features_are_searched() -> None:
    row = row_of((60, 70), "clerk")
    chosen = explanation(row, features=("sex", 3))
    assert set(chosen.importance.index) == {"sex", "noise"}
    assert chosen.status == "none reaches π"
    assert len(explanation(row, n_features=2).importance) == 2
    greedy = explanation(row, search="greedy")
    assert greedy.minimal[0] == ("job",)
    assert greedy.greedy
    assert "grown one feature at a time" in repr(greedy)
    large = explanation(row, min_rows=200)
    assert large._forest.min_rows == 200
    assert large.sdp <= 1
    papers = explanation(row, min_rows="paper")
    assert papers._forest.min_rows == paper_min_rows(papers._forest.n_rows)
    assert papers.sdp == explanation(row, min_rows=papers._forest.min_rows).sdp
    few = explanation(row, n_estimators=5, held_out=0.0)
    assert (few._forest.n_trees, few._forest.n_held_out) == (5, 0)
    assert "out-of-bag" in few.notes[-2]
    other = explanation(row, random_state=1)
    assert other._forest.nbytes != explanation(row)._forest.nbytes  # another split of the rows, other trees


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"pi": 0}, InputError, "pi"),
        ({"pi": 1.2}, InputError, "pi"),
        ({"features": ["aeg"]}, UnknownName, "'age'"),
        ({"features": [9]}, UnknownName, "from 0 to 3"),
        ({"min_rows": 5000}, InputError, "min_rows"),
        ({"min_rows": "few"}, InputError, "\"paper\", got 'few'"),
        ({"held_out": 1.0}, InputError, "held_out"),
        ({"explained": "both"}, InputError, "explained must be"),
        ({"search": "all"}, InputError, "search must be"),
        ({"t": 2.0}, InputError, "t says which values of a regression"),
    ],
)
def test_options_that_do_not_hold(options, error, words) -> None:
    with pytest.raises(error, match=words):
        study().sufficient(3, **options)


@pytest.mark.parametrize("row", [-1, 5000])
def test_a_row_that_is_not_there(row) -> None:
    with pytest.raises(InputError, match="numbered 0 to 1,199"):
        study().sufficient(row)


def test_a_decision_that_never_differs() -> None:
    X, _ = people()
    with pytest.raises(InputError, match="decisions that differ"):
        ts.Study(lambda rows: np.full(len(rows), "yes"), X, classes=["no", "yes"]).sufficient(3)


def test_more_than_twenty_features_are_not_gone_through() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 25))
    study = ts.Study(lambda rows: (rows[:, 0] > 0).astype(int), X)
    with pytest.raises(InputError, match="at most 20 features"):
        study.sufficient(0, n_features=25)
    assert study.sufficient(0, n_features=25, search="greedy").minimal == [("x0",)]


def test_a_result_pickles_and_reads_the_same() -> None:
    found = explanation(7)
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found)
    pd.testing.assert_frame_equal(again.frame, found.frame)
    assert again._document()["status"] == found.status


def test_sparse_rows_are_not_made_dense() -> None:
    X = sparse.csr_array(np.random.default_rng(0).random((50, 4)) * (np.arange(4) % 2))
    study = ts.Study(lambda rows: (rows.sum(axis=1) > 1).astype(int), X)
    with pytest.raises(InputError, match="Sufficient values and rules take rows in a frame or a dense array"):
        study.sufficient(3)
