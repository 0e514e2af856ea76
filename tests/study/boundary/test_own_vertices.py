"""Vertices of a person's own, and the sample, vertices and coefficients that a boundary keeps on request."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, balanced_accuracy_score

import tauscope as ts
from study.boundary.cases import QUIET, flowers, forest, logistic, mixed
from tauscope.errors import InputError, InputTypeError, UnknownName

NAMES = ["a", "b", "c", "d", "e"]


def linear(seed: int = 0) -> ts.Study:
    """A logistic regression on five numbers of different spread."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(300, 5)) * [1, 10, 0.1, 3, 1], columns=NAMES)
    y = X.to_numpy() / [1, 10, 0.1, 3, 1] @ rng.normal(size=5) > 0
    return ts.Study(LogisticRegression(C=0.01).fit(X, y), X, y, progress=False)


def gradient(study: ts.Study, row: int) -> np.ndarray:
    """Where the answer for the row's own decision falls, in units of the spread."""
    sign = -1 if study.predicted[row] == study.classes[1] else 1
    return sign * study._require_model("").model.coef_[0] * study.X.std(ddof=0).to_numpy()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("radius", ["tuned", 0.5, 3.0])
@pytest.mark.parametrize("explainer", ["ridge", "pls", "logistic_pls", "lasso"])
def test_of_a_linear_model_the_direction_is_the_coefficients_as_far_as_the_changes_go(seed, radius, explainer):
    study, rng = linear(seed), np.random.default_rng(seed)
    scale = study.X.std(ddof=0).to_numpy()
    changes = rng.normal(size=(3, 5)) * (rng.random((3, 5)) < 0.6) * scale
    changes[:, 0] = scale[0] * rng.normal(size=3)  # changes overlap, and none is empty
    options = {"vertices": changes, "radius": radius, "explainer": explainer, "fixed": ["e"], "keep_sample": True}
    b = study.boundary(seed, **QUIET | {"n_samples": 600}, **options)
    axes = (changes / scale) * [1, 1, 1, 1, 0]
    wanted = gradient(study, seed) @ np.linalg.pinv(axes) @ axes
    off = b.direction.to_numpy() - b.direction.to_numpy() @ np.linalg.pinv(axes) @ axes
    assert np.abs(off).max() < 1e-9
    assert b.direction.to_numpy() @ wanted / np.linalg.norm(wanted) > (0.999 if explainer == "ridge" else 0.9)
    if b.vertex_coefficients is not None:
        units = axes / np.linalg.norm(axes, axis=1, keepdims=True)
        np.testing.assert_allclose(units @ b.coefficients, b.vertex_coefficients, rtol=1e-6, atol=1e-9)


def test_a_change_of_which_nothing_can_move_has_no_coefficient():
    options = {"vertices": [[0, 0, 0, 0, 1], [1, 0, 0, 0, 1], [0, 1, 0, 0, 0]], "fixed": ["e"], "radius": 1.0}
    b = linear().boundary(0, **QUIET, **options, keep_sample=True)
    assert b.vertex_coefficients.isna().tolist() == [True, False, False]
    assert len(b.vertices) == 4
    np.testing.assert_allclose(b.vertex_coefficients[1:], b.coefficients[["a", "b"]])


def test_one_change_a_feature_is_the_default():
    study = linear()
    every = study.boundary(3, **QUIET)
    own = study.boundary(3, **QUIET, vertices=pd.DataFrame(np.diag([1, -5, 2, 7, 0.1]), columns=NAMES[::-1]))
    assert own.direction.to_numpy() @ every.direction.to_numpy() == pytest.approx(1, abs=1e-4)
    assert own.distance == pytest.approx(every.distance, rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("make", [linear, logistic, forest, flowers, mixed])
@pytest.mark.parametrize("radius", ["tuned", 1.0])
@pytest.mark.parametrize("fitted_on", ["auto", "labels"])
def test_the_diagnostics_are_those_of_the_sample(make, radius, fitted_on):
    study = make()
    for row in (0, 1, 20):
        b = study.boundary(row, **QUIET, radius=radius, fitted_on=fitted_on, keep_sample=True)
        kept, points = b._numbers.inspection.explanation.sample, b.sample[list(study.X.columns)]
        kinds = {name: dtype for name, dtype in study.X.dtypes.items() if dtype.kind != "i"}  # the sample lies between
        codes = study.predict(points.astype(kinds)).predicted
        np.testing.assert_array_equal(b.sample["label"], np.array(b._numbers.classes)[codes])
        flipped = b.sample["label"] != b.predicted
        assert b.sample["margin"].isna().all() == (fitted_on == "labels")
        assert b.diagnostics["balance"] == pytest.approx(1 - flipped.mean())
        if b.coefficients is None or make is mixed:
            continue
        np.testing.assert_allclose(b.coefficients / np.linalg.norm(b.coefficients), b.direction, rtol=1e-9, atol=1e-12)
        moved = (points.to_numpy() - b._numbers.inspection.detection.point[0]) / study.X.std(ddof=0).to_numpy()
        plane = moved @ b.coefficients.to_numpy() + kept.intercept > 0
        assert b.diagnostics["faithfulness"] == pytest.approx(accuracy_score(flipped, plane), abs=1e-9)
        assert b.diagnostics["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(flipped, plane), abs=1e-9)


@pytest.mark.parametrize(
    ("options", "n"),
    [
        ({"vertices": "axis"}, 10),
        ({"vertices": "distant"}, 10),
        ({"vertices": "groups", "groups": [["a", "b"], ["c", "d", "e"]]}, 4),
        ({"vertices": [[1, 2, 0, 0, 0], [0, 3, 0, 1, 0]]}, 4),
        ({"vertices": "axis", "fixed": ["a"]}, 8),
    ],
    ids=str,
)
def test_every_point_of_the_sample_lies_between_the_vertices(options, n):
    b = linear().boundary(2, **QUIET, **options, radius=2.0, keep_sample=True)
    assert len(b.vertices) == n
    centre = b.vertices.to_numpy().mean(axis=0)
    steps = b.vertices.to_numpy()[: n // 2] - centre
    np.testing.assert_allclose(b.vertices.to_numpy()[n // 2 :], centre - steps)
    shares = (b.sample[NAMES].to_numpy() - centre) @ np.linalg.pinv(steps)
    assert np.abs(shares).sum(axis=1).max() <= 1 + 1e-9
    np.testing.assert_allclose(centre + shares @ steps, b.sample[NAMES], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("explainer", ["pls", "logistic_pls"])
@pytest.mark.parametrize(("make", "row"), [(logistic, 0), (logistic, 20), (flowers, 60)])
def test_a_projection_has_the_labels_of_its_sample(make, row, explainer):
    b = make().boundary(row, **QUIET, explainer=explainer, radius=1.0, keep_sample=True)
    assert b.projection["label"].tolist() == b.sample["label"].tolist()
    assert (b.projection["label"] == b.predicted).mean() == pytest.approx(b.diagnostics["balance"])


def test_nothing_is_kept_unless_it_is_asked_for():
    b = linear().boundary(0, **QUIET)
    assert b.sample is b.vertices is b.coefficients is b.vertex_coefficients is None


def test_a_record_has_the_sample_and_the_vertices(tmp_path):
    study = linear()
    b = study.boundary(0, **QUIET, vertices=np.eye(5)[:2], keep_sample=True, radius=1.0)
    b.save(tmp_path / "b.json")
    again = ts.load(tmp_path / "b.json", study)
    pd.testing.assert_frame_equal(again.sample, b.sample)
    pd.testing.assert_frame_equal(again.vertices, b.vertices)
    pd.testing.assert_series_equal(again.vertex_coefficients, b.vertex_coefficients)
    assert again._spec.vertices == b._spec.vertices


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"vertices": [[1, 2]]}, InputTypeError, "each of the 5 features"),
        ({"vertices": [[1, 2, 3, 4, np.inf]]}, InputTypeError, "finite number"),
        ({"vertices": np.zeros((0, 5))}, InputTypeError, "finite number"),
        ({"vertices": [["a", "b"]]}, InputTypeError, "finite number"),
        ({"vertices": sparse.eye(5, format="csr")}, InputTypeError, "finite number"),
        ({"vertices": np.eye(5) * [[1], [0], [1], [1], [1]]}, InputError, "row 1 is all 0"),
        ({"vertices": pd.DataFrame({"z": [1.0]})}, UnknownName, "'z'"),
        ({"vertices": np.eye(5), "groups": [NAMES]}, InputError, "groups are for vertices"),
        ({"vertices": np.eye(5), "explainer": "lasso", "n_features": 1}, InputError, "n_features counts features"),
        ({"vertices": 3}, InputTypeError, "a word, or a table"),
        ({"keep_sample": "yes"}, InputTypeError, "True or False"),
    ],
    ids=str,
)
def test_what_is_no_vertices_is_refused(options, error, words):
    with pytest.raises(error, match=words):
        linear().boundary(0, **QUIET, **options)


def test_vertices_move_numbers_of_dense_rows_and_a_sample_is_of_one_row():
    X = pd.DataFrame({"n": np.linspace(-1, 1, 40), "flag": np.arange(40) % 2})
    study = ts.Study(RandomForestClassifier(3, random_state=0).fit(X, X["n"] > 0), X, X["n"] > 0, progress=False)
    with pytest.raises(InputError, match="row 1 changes levels alone"):
        study.boundary(0, **QUIET, vertices=[[1, 1], [0, 1]])
    assert study.boundary(0, **QUIET, vertices=[[1, 1]]).direction["flag"] == 0
    with pytest.raises(InputError, match="keep_sample is for one row"):
        study.boundaries([0, 1], **QUIET, keep_sample=True)
    rows = sparse.csr_matrix(np.eye(6))
    words = ts.Study(LogisticRegression().fit(rows, [0, 1] * 3), rows, [0, 1] * 3, progress=False)
    for options in ({"vertices": np.eye(6)}, {"keep_sample": True}):
        with pytest.raises(InputError, match="for dense rows"):
            words.boundary(0, **QUIET, **options)
