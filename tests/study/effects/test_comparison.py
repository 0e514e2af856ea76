"""The same effect of two models: changes by hand, bounds that hold, models that cannot be compared."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import tauscope as ts
from results.effects import samples
from tauscope.errors import InputError, InputTypeError

RANDOM = np.random.default_rng(0)
X = pd.DataFrame(RANDOM.normal(size=(200, 3)), columns=list("abc")).assign(level=RANDOM.choice(["u", "v", "w"], 200))


def one(rows):
    return np.sin(rows["a"]) + rows["b"] * rows["c"]


def two(rows):
    return one(rows) + 0.1 * rows["a"] * rows["b"] + 0.05 * (rows["level"] == "v")


@pytest.mark.parametrize("weight", [None, RANDOM.uniform(0.5, 2, 200)])
@pytest.mark.parametrize(
    ("feature", "options"),
    [("a", {}), ("a", {"kind": "cd", "window": 0.5}), ("a", {"kind": "ale"}), ("level", {}), (["a", "level"], {})],
)
@pytest.mark.slow
def test_another_model_is_asked_as_the_first_was(feature, options, weight):
    study = ts.Study(one, X, sample_weight=weight)
    effect = study.effect(feature, grid=6, **options)
    found = effect.compare(two)
    itself = ts.Study(two, X, sample_weight=weight).effect(feature, grid=6, **options)
    np.testing.assert_allclose(found.other._computed.effect, itself._computed.effect, atol=1e-12)
    by_effect = effect.compare(itself)
    np.testing.assert_allclose(by_effect._computed.change, found._computed.change, atol=1e-12)
    assert by_effect.n_model_rows == 0
    assert found.n_model_rows > 0
    frame = found.frame
    assert (frame["change"].abs() <= frame["mean_difference"] + 1e-12).all()
    assert (frame["mean_difference"] <= frame["pointwise"] + 1e-12).all()
    assert (frame["pointwise"] <= frame["bound"] + 1e-12).all()
    assert found.certified
    assert found.covers.startswith("certified for these rows")


PREDICTED = ts.Study.from_predictions(X, one(X), one(X))
IN_CHUNKS = ts.ChunkedStudy(two, [X])


def test_a_study_of_the_other_model_stands_for_it():
    effect = ts.Study(one, X).effect("a", grid=5)
    found = effect.compare(ts.Study(two, X[:50]))
    pd.testing.assert_frame_equal(found.frame, effect.compare(two).frame)
    assert found.other.model_name == "two"


def test_the_bound_is_the_largest_difference_on_the_rows():
    effect = ts.Study(one, X).effect("a", grid=5)
    found = effect.compare(two)
    largest = max(np.abs(two(X.assign(a=point)) - one(X.assign(a=point))).max() for point in effect.frame["value"])
    assert found.distance == pytest.approx([largest])
    np.testing.assert_allclose(found.frame["bound"], largest)


def test_a_box_and_a_given_distance():
    effect = ts.Study(one, X).effect("a", grid=5)
    rows = effect.compare(two)
    box = effect.compare(two, distance="box", n_samples=400, random_state=1)
    assert box.distance >= rows.distance
    assert box.random_state == 1
    assert "estimated for all rows in the box" in box.covers
    assert "400 random points" in box.covers
    again = effect.compare(ts.Study(two, X).effect("a", grid=5), distance="box", n_samples=400, random_state=1)
    assert again.distance == pytest.approx(box.distance)
    wide = effect.compare(two, distance=7.0)
    assert wide.certified
    assert wide.covers.startswith("as given")
    assert (wide.frame["bound"] == 7).all()
    narrow = effect.compare(two, distance=[0.001])
    assert not narrow.certified
    assert narrow.covers.startswith("contradicted")


def test_a_box_of_every_kind_of_column():
    other, _, _ = samples.boosted()
    found = samples.study().effect("sex").compare(other, distance="box", n_samples=50, random_state=0)
    assert 0 < found.distance[0] <= 1


def test_several_classes_and_labels():
    model, rows, y = samples.grades()
    study = ts.Study(model, rows, y)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(rows, y)
    found = study.effect("a", grid=5).compare(tree)
    assert found.frame["class"].unique().tolist() == ["x", "y", "z"]
    assert len(found.distance) == 3
    single = study.effect("a", grid=5, target_class="y").compare(tree)
    np.testing.assert_allclose(single._computed.change[0], found._computed.change[1])
    labels = study.effect("a", grid=5, response_method="predict").compare(tree)
    assert labels.effect.response == labels.other.response
    coded = LogisticRegression().fit(rows, np.unique(y, return_inverse=True)[1])
    with pytest.raises(InputError, match="classes"):
        study.effect("a").compare(coded)


def test_a_regression_by_trees_and_by_a_line():
    model, rows, y = samples.line()
    effect = ts.Study(model, rows, y).effect("a", grid=5)
    found = effect.compare(LinearRegression().fit(rows, 2 * y))
    np.testing.assert_allclose(np.diff(found._computed.change[0]), np.diff(effect.frame["effect"]), atol=1e-8)


@pytest.mark.slow
def test_words_charts_and_files(tmp_path):
    effect = ts.Study(one, X).effect("a", grid=5)
    found = effect.compare(two)
    assert "beside two" in repr(found)
    assert "apart at most" in found.sentence
    assert "before centring" in repr(ts.Study(one, X).effect("a", kind="ale", grid=5).compare(two))
    assert len(found.chart().to_dict()["layer"]) == 7
    ts.Study(one, X).effect("level").compare(two).chart().to_dict()
    ts.Study(one, X).effect("a", kind="ale", grid=5).compare(two).chart().to_dict()
    ts.Study(one, X).effect(["a", "b"], grid=4).compare(two).chart().to_dict()
    found.save(tmp_path / "compared.csv")
    found.save(tmp_path / "compared.json")
    document = json.loads((tmp_path / "compared.json").read_text())["summary"]
    assert document["other_model"] == "two"
    assert document["source"] == "rows"


@pytest.mark.parametrize(
    ("other", "options", "error", "words"),
    [
        ("forest", {}, InputTypeError, "compared with another model"),
        (PREDICTED, {}, InputError, "Only a study of a model has an effect to compare; this one is of predictions"),
        (IN_CHUNKS, {}, InputTypeError, "another model, a Study of one, .+ got ChunkedStudy"),
        (two, {"distance": "everywhere"}, InputError, "distance must be 'rows', 'box'"),
        (two, {"distance": -1.0}, InputError, "distance must be finite and not negative"),
        (two, {"distance": "box", "n_samples": 0}, InputError, "n_samples must be at least 1"),
    ],
)
def test_what_is_refused(other, options, error, words):
    with pytest.raises(error, match=words):
        ts.Study(one, X).effect("a", grid=4).compare(other, **options)


def test_effects_that_differ_in_more_than_the_model():
    study = ts.Study(one, X)
    effect = study.effect("a", grid=4)
    with pytest.raises(InputError, match="their kind differ: 'pd' and 'ale'"):
        effect.compare(study.effect("a", kind="ale", grid=4))
    with pytest.raises(InputError, match="their features differ"):
        effect.compare(study.effect("b", grid=4))
    with pytest.raises(InputError, match="same grid points"):
        effect.compare(study.effect("a", grid=5))
    with pytest.raises(InputError, match="interaction of two features"):
        study.effect(["a", "b"], kind="ale", grid=4).compare(two)
    with pytest.raises(InputError, match="largest difference of slopes"):
        study.effect("a", kind="ale", grid=4).compare(two, distance="box")
    moved = effect.under(ts.Mean("b", tau=0.3)).after
    with pytest.raises(InputError, match="under a stress of its own"):
        moved.compare(two)
    with pytest.raises(InputError, match="has left its model"):
        moved.compare(moved, distance="box")
    assert moved.compare(moved).distance == [0]
