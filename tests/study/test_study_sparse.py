"""A study of sparse rows: what answers, and what says that it takes dense ones."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from study.boundary.bags import WORDS, dense, study, weights
from tauscope.errors import InputError, InputTypeError


def test_it_answers_as_the_dense_study_does() -> None:
    s, d = study(), dense()
    np.testing.assert_array_equal(s.errors, d.errors)
    np.testing.assert_allclose(s.score, d.score)
    assert s.X is weights()[0]
    assert s.feature_names == WORDS
    np.testing.assert_allclose(s.predict(weights()[0][:5]).score, d.score[:5])
    assert "240 rows × 60 columns (sparse, 14 % not zero)" in repr(s)
    assert repr(pickle.loads(pickle.dumps(s))) == repr(s)
    assert set(s._repr_mimebundle_()) == {"text/plain"}


@pytest.mark.slow
def test_named_columns_are_stressed_as_dense_ones() -> None:
    s, d = study(), dense()
    ours, theirs = (each.stress_curves(features=["word 3"], progress=False) for each in (s, d))
    np.testing.assert_allclose(ours.frame["value"], theirs.frame["value"])
    stress = ts.Mean("word 3", tau=0.4)
    np.testing.assert_allclose(s.reweight(stress).weights, d.reweight(stress).weights)
    assert s.under(stress).sample_weight is not None
    surface = s.stress_surface("word 3", "word 4")
    assert surface.n_rows == 240
    joint = [each.joint_stress(["word 3", "word 4"]) for each in (s, d)]
    np.testing.assert_allclose(joint[0]._columns.sd, joint[1]._columns.sd)
    assert joint[0]._columns.held == joint[1]._columns.held


def test_a_subgroup_and_a_sample_stay_sparse() -> None:
    s = study()
    part = s.where(np.arange(240) < 50)
    assert sparse.issparse(part.X)
    np.testing.assert_array_equal(part.predicted, s.predicted[:50])
    assert sparse.issparse(s.reweight(ts.Mean("word 3", tau=0.4)).sample(10, random_state=0).X)


def test_predictions_and_another_model_do() -> None:
    X, y = weights()
    bare = ts.Study.from_predictions(X, y, y_pred=y)
    assert not len(bare.errors)
    other = study().with_model(LogisticRegression(C=0.1).fit(X, y))
    assert other.n_rows == 240


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda s: s.effect("word 3"), "take rows in a frame or a dense array; got a csr_array of shape"),
        (lambda s: s.effects(), "take rows in a frame"),
        (lambda s: s.attack("word 3"), "take rows in a frame"),
        (lambda s: s.randomize_model("word 3"), "take rows in a frame"),
        (lambda s: s.stress_image((6, 10)), "Images take rows"),
        (lambda s: s.refit_curves(LogisticRegression(), s.X, s.y), "Refitting takes rows"),
        (lambda s: s.stress_curves(), "features of a sparse matrix must be named; got none for 60 columns"),
        (lambda s: s.joint_stress(), "must be named"),
        (lambda s: s.stress_curves(features=["word 3"], hold="means"), "hold_features of a sparse matrix must be"),
    ],
)
def test_the_other_verbs_say_what_they_take(ask: Callable[[Any], object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ask(study())


def test_levels_are_refused() -> None:
    X, y = weights()
    with pytest.raises(InputError, match="A sparse matrix holds numbers; got categorical_features"):
        ts.Study(LogisticRegression().fit(X, y), X, y, categorical_features=[0])


def test_chunks_are_dense() -> None:
    X, y = weights()
    with pytest.raises((InputError, InputTypeError), match="Rows must be dense here"):
        ts.ChunkedStudy(LogisticRegression().fit(X, y), [(X, y)]).stress_curves()


def test_a_model_may_not_write_into_its_rows() -> None:
    X, y = weights()

    def spoil(rows: Any) -> np.ndarray:
        rows.data[:] = 0
        return np.zeros(rows.shape[0])

    with pytest.raises(InputError, match="changed rows"):
        ts.Study(spoil, X, y, progress=False)
