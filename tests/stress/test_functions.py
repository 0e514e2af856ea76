"""Functions of a person's: what they may do to the rows they get, and what they may answer."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(60, 2)), columns=["a", "b"])
Y = np.arange(60) % 2

STUDIES = {
    "frame": (X, lambda rows: ts.Study.from_predictions(rows, Y, Y)),
    "array": (X.to_numpy(), lambda rows: ts.Study.from_predictions(rows, Y, Y)),
    "chunks": (X, lambda rows: ts.ChunkedStudy(None, [(rows, Y, Y)], progress=False)),
}


def spoils(rows):
    """Write into the rows, and return the second column."""
    values = rows.to_numpy()[:, 1].copy() if isinstance(rows, pd.DataFrame) else rows[:, 1].copy()
    rows[:] = 0.0
    return values


@pytest.mark.parametrize("name", STUDIES)
def test_rows_are_left_as_they_are(name):
    native, study_of = STUDIES[name]
    rows = native.copy()
    found = study_of(rows).reweight(ts.Moment(spoils, target=0.1))
    assert found.residual < 1e-8
    assert np.array_equal(rows, native)


@pytest.mark.parametrize("name", STUDIES)
def test_complex_answers_are_refused(name):
    native, study_of = STUDIES[name]
    with pytest.raises(ts.InputTypeError, match=r"must be numbers, one per row; got .*j"):
        study_of(native).reweight(ts.Moment(lambda rows: np.asarray(rows)[:, 1] * (1 + 2j), target=0.1))
