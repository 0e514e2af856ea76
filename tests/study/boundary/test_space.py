"""How a study's rows are measured: what is a number, a level, a group, and what a unit is."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import tauscope as ts
from study.boundary.cases import QUIET, above, plane

LEVELS = (["a", "b c", "d_e", "", "f"], [1, 2, 3, 4], [-1.5, 0.0, 2.5, 10.0])
METRICS = ("auto", "auto", "manhattan")


def study_of(X):
    return ts.Study(lambda rows: above(rows), X, above(X), progress=False)


def test_bits_have_the_distance_of_jaccard():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.integers(0, 2, (120, 6)), columns=list("abcdef"))
    X["f"] = X["f"].astype(bool)
    study = study_of(X)
    row = int(np.flatnonzero(study.predicted == 1)[0])
    b = study.boundary(row, **QUIET, metric="jaccard")
    start, point = b.value.astype(float).to_numpy(), b.point.astype(float).to_numpy()
    assert set(point) <= {0.0, 1.0}
    assert b.distance == pytest.approx(1 - np.minimum(start, point).sum() / np.maximum(start, point).sum())
    assert "at a Jaccard distance of" in b.sentence


def test_ordered_levels_are_gone_through_one_by_one():
    grades = pd.Categorical(np.tile(["low", "mid", "high", "top"], 50), ["low", "mid", "high", "top"], ordered=True)
    X = plane(grade=grades)
    study = ts.Study(lambda rows: rows["grade"].cat.codes.to_numpy() > 1, X, X["grade"].cat.codes > 1, progress=False)
    b = study.boundary(0, **QUIET, monotonic_cst={"grade": 1})
    assert b._spec.metric == "euclidean"
    assert (b.value["grade"], b.point["grade"]) == ("low", "high")
    assert study.boundary(0, **QUIET, bounds={"grade": ("low", "mid")}).status == "none_within_constraints"


def test_groups_of_bits_are_found_or_given_or_none():
    X = plane(u=np.tile([1, 0, 0, 1], 50), v=np.tile([0, 1, 1, 0], 50), w=np.tile([0, 0, 1, 1], 50))
    study = study_of(X)
    assert study.boundary(0, **QUIET)._spec.one_hot == (("u", "v"),)
    assert study.boundary(0, **QUIET, one_hot=[["u", "v"]])._spec.one_hot == (("u", "v"),)
    assert study.boundary(0, **QUIET, one_hot=None)._spec.one_hot == ()
    with pytest.raises(ts.InputError, match="one group of one_hot"):
        study.boundary(0, **QUIET, one_hot=[["u", "v"], ["v", "u"]])


def test_units_ignore_missing_values():
    X = plane(c=np.r_[np.full(20, np.nan), np.arange(180.0)])
    b = study_of(X).boundary(30, **QUIET)
    assert b._numbers.columns[2].scale == pytest.approx(np.std(np.arange(180)))
    assert study_of(X).boundary(30, **QUIET, metric="gower")._numbers.columns[2].scale == 179


def test_rows_are_measured_once_for_the_same_options():
    study = study_of(plane())
    spaces = [study.boundary(row, **QUIET, metric=metric)._numbers.space for row, metric in enumerate(METRICS)]
    assert spaces[0] is spaces[1]
    assert [space.metric for space in spaces] == ["euclidean", "euclidean", "manhattan"]
    assert (
        study._with_weights(np.ones(study.n_rows)).boundary(0, **QUIET, metric="manhattan")._numbers.space is spaces[2]
    )
    half = study.where(np.arange(study.n_rows) % 2 == 0).boundary(0, **QUIET, metric="manhattan")._numbers.space
    assert (half.scale != spaces[2].scale).all()


def coded(seed):
    """Rows with one to three columns one-hot coded in some way, their groups, and a model of them."""
    rng = np.random.default_rng(seed)
    n, sign, drop_first = int(rng.integers(40, 120)), ("_", "=", " ", ": ")[seed % 4], seed % 3 != 0
    groups, parts = [], [pd.DataFrame({"age": rng.integers(18, 80, n), "size": rng.normal(size=n)})]
    for name in rng.permutation(["city", "job type", "job status"])[: 1 + seed % 3]:
        levels = LEVELS[rng.integers(3)]
        which = rng.choice(len(levels), n, p=rng.dirichlet(np.ones(len(levels))))
        column = pd.Categorical([levels[code] for code in which], categories=levels)  # some levels may have no row
        part = pd.get_dummies(
            pd.DataFrame({name: column}),
            prefix_sep=sign,
            drop_first=drop_first,
            dtype=(bool, int, float)[seed % 3],
        )
        groups.append(list(part))
        parts.append(part)
    X = pd.concat(parts, axis=1)
    X = X[list(rng.permutation(X.columns))] if seed % 2 else X
    z = X.to_numpy(float)
    y = (z - z.mean(axis=0)) / (z.std(axis=0) + 1e-9) @ rng.normal(size=X.shape[1]) > 0
    models = DecisionTreeClassifier(random_state=0), LogisticRegression(max_iter=1000), KNeighborsClassifier(3)
    return X, y, models[rng.integers(3)].fit(X, y), groups


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_no_point_has_two_levels_of_one_group(seed):
    X, y, model, groups = coded(seed)
    study = ts.Study(model, X, y, progress=False)
    options = ({}, {"refine": "coordinate"}, {"metric": "gower"}, {"vertices": "sparse"}, {"one_hot": groups})[seed % 5]
    b = study.boundary(seed, progress=False, random_state=0, n_samples=100, n=3, **options)
    assert b.status == "found"
    assert {frozenset(group) for group in b._spec.one_hot} == {frozenset(group) for group in groups}
    for point in (b.point, *(pd.Series(one.point, X.columns) for one in b.diverse)):
        for group in groups:
            assert point[group].astype(float).sum() <= 1


def test_a_level_that_no_row_has_is_left_with_the_others_of_its_group():
    X = plane(**{f"city_{name}": np.tile(bits, 50) for name, bits in zip("abc", np.eye(3, 4, dtype=int), strict=True)})
    X["city_c"] = 0
    study = ts.Study(lambda rows: rows["city_a"].to_numpy() > 0, X, X["city_a"] > 0, progress=False)
    row = {**X.iloc[1].to_dict(), "city_b": 0, "city_c": 1}
    b = study.boundary(row, **QUIET)
    assert b.point[["city_a", "city_b", "city_c"]].tolist() == [1, 0, 0]


def test_rare_flags_that_never_meet_are_no_levels_and_can_be_declared():
    X = plane(vip=np.arange(200) == 3, fraud=np.arange(200) == 7)
    study = study_of(X)
    assert study.boundary(0, **QUIET)._spec.one_hot == ()
    assert study.boundary(0, **QUIET, one_hot=[["vip", "fraud"]])._spec.one_hot == (("vip", "fraud"),)


@pytest.mark.parametrize("model", [DecisionTreeClassifier(random_state=0), LogisticRegression()])
def test_a_proof_says_which_columns_it_keeps_whole(model):
    rng = np.random.default_rng(0)
    X = plane(k=rng.integers(0, 9, 200).astype(float), f=rng.integers(0, 2, 200))
    study = ts.Study(model.fit(X, 3 * X["a"] + 0.2 * X["k"] + 0.2 * X["f"] > 1), X, progress=False)
    words = "with whole numbers kept whole can flip it (proved)"
    assert words in study.boundary(0, **QUIET).sentence
    assert words in study.boundary(0, **QUIET, fixed=["k"]).sentence
    held = study.boundary(0, **QUIET, fixed=["k", "f"])
    assert "within the constraints can flip it (proved)" in held.sentence
    assert "stay whole" in study.boundary(0, **QUIET).widget().answer["answers"][0]["certificate"]
    assert "stay whole" not in held.widget().answer["answers"][0]["certificate"]
