import json
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tauscope as ts
from tauscope.lab.listing import JSON, MOST, list_names

X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [0.0, 1.0, 0.0, 1.0]})
y = pd.Series([0, 0, 1, 1])


class Untouchable:
    """An object that tells when anything but its class is looked at."""

    def predict(self, X):
        raise AssertionError("the model was asked")

    def __getattr__(self, name):
        if name == "n_features_in_":
            raise AttributeError(name)
        raise AssertionError(f"{name} was asked for")

    def __repr__(self):
        raise AssertionError("written as text")


class Odd(BaseEstimator):
    """What says it is an estimator and fails when it is asked whether it is fitted."""

    def predict(self, X):
        return X

    def __sklearn_is_fitted__(self):
        raise RuntimeError("no idea")


def names(rows):
    return [row["name"] for row in rows]


def test_each_kind_is_listed_by_name_with_its_size():
    model = LogisticRegression().fit(X, y)
    study = ts.Study(model, X, y)
    found = list_names({"ts": ts, "model": model, "X_test": X, "y_test": y, "study": study, "n": 3, "text": "X"})
    assert found.module == "ts"
    assert found.free == "study_2"
    assert found.studies == (
        {"name": "study", "key": str(id(study)), "model": "LogisticRegression", "n_rows": 4, "n_columns": 2},
    )
    assert found.models == ({"name": "model", "kind": "LogisticRegression", "n_columns": 2},)
    assert found.frames == ({"name": "X_test", "n_rows": 4, "n_columns": 2},)
    assert found.columns == ({"name": "y_test", "n_rows": 4},)


def test_frames_and_columns_of_each_library():
    found = list_names(
        {
            "pandas_X": X,
            "polars_X": pl.DataFrame({"a": [1, 2]}),
            "array_X": X.to_numpy(),
            "csr": sparse.csr_array(X.to_numpy()),
            "old_csr": sparse.csr_matrix(X.to_numpy()),
            "cube": np.zeros((2, 2, 2)),
            "pandas_y": y,
            "polars_y": pl.Series([1, 2]),
            "array_y": y.to_numpy(),
            "scalar": np.array(3.0),
        }
    )
    assert names(found.frames) == ["pandas_X", "polars_X", "array_X", "csr", "old_csr"]
    assert names(found.columns) == ["pandas_y", "polars_y", "array_y"]
    assert [row["n_rows"] for row in found.columns] == [4, 2, 4]


def test_models_must_be_fitted():
    fitted = LogisticRegression().fit(X, y)
    found = list_names(
        {
            "unfitted": LogisticRegression(),
            "fitted": fitted,
            "pipeline": make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y),
            "unfitted_pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
            "search": GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=2).fit(X, y),
            "unfitted_search": GridSearchCV(LogisticRegression(), {"C": [1.0]}),
            "scaler": StandardScaler().fit(X),
            "kind": LogisticRegression,
            "odd": Odd(),
        }
    )
    assert names(found.models) == ["fitted", "pipeline", "search"]
    assert [row["n_columns"] for row in found.models] == [2, 2, 2]


def test_nothing_is_asked_of_a_model_nor_written_as_text():
    found = list_names({"model": Untouchable()})
    assert found.models == ({"name": "model", "kind": "Untouchable", "n_columns": None},)


def test_private_names_and_second_names_are_left_out():
    study = ts.Study(lambda rows: rows["a"], X)
    space = {"study": study, "_": study, "_3": X, "again": study, "Out": {3: X}, "In": ["X"], "X": X}
    found = list_names(space)
    assert names(found.studies) == ["study"]
    assert names(found.frames) == ["X"]


def test_a_new_study_takes_no_name_that_is_there():
    assert list_names({}).free == "study"
    assert list_names({"study": 3, "study_2": 4}).free == "study_3"


def test_a_study_made_again_has_another_key():
    first, second = ts.Study(lambda rows: rows["a"], X), ts.Study(lambda rows: rows["a"], X)
    keys = {list_names({"study": study}).studies[0]["key"] for study in (first, second)}
    assert len(keys) == 2


def test_of_very_many_names_the_last_are_listed():
    found = list_names({f"y{j}": np.zeros(j + 1) for j in range(MOST + 5)})
    assert len(found.columns) == MOST
    assert found.columns[-1]["name"] == f"y{MOST + 4}"


@pytest.mark.parametrize("space", [{}, {"X": X, "y": y, "model": LogisticRegression().fit(X, y)}])
def test_a_kernel_sends_it_as_json(space):
    found = list_names(space)
    sent = json.loads(json.dumps(found._repr_mimebundle_()[JSON]))
    assert set(sent) == {"module", "free", "studies", "models", "frames", "columns"}
    assert names(sent["frames"]) == names(found.frames)


def test_asking_imports_nothing():
    code = (
        "import sys, tauscope\n"
        "from tauscope.lab.listing import list_names\n"
        "list_names(globals())\n"
        "sys.stdout.write(' '.join({name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "tauscope" in loaded
    assert not loaded & {"numpy", "pandas", "sklearn", "polars", "scipy", "ipywidgets"}
