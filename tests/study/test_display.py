import pickle
from types import SimpleNamespace

import IPython
import numpy as np
import pandas as pd
import pytest
from IPython.core.formatters import MimeBundleFormatter

import tauscope as ts
from tauscope.study import display, study as study_module

WIDGET = "application/vnd.jupyter.widget-view+json"
X = pd.DataFrame(
    {"a": [1.0, 2.0, 3.0, 4.0], "flag": [True, False, True, True], "sex": ["F", "M", "F", None]},
)


def above(rows):
    return rows["a"] > 1.5


def test_two_lines_for_two_classes():
    study = ts.Study(above, X, [False, False, True, True])
    assert repr(study) == (
        "Study of above on 4 rows × 3 columns (1 numeric, 1 boolean, 1 categorical)\n"
        "binary: 75 % predicted True (the positive class), error rate 25 %"
    )


def test_weights_and_no_labels_are_said():
    study = ts.Study(above, X, sample_weight=[3, 1, 0, 0])
    assert repr(study).splitlines() == [
        "Study of above on 4 rows × 3 columns (1 numeric, 1 boolean, 1 categorical), weighted",
        "binary: 25 % predicted True (the positive class), no y",
    ]


def test_values_and_many_classes():
    study = ts.Study(lambda rows: rows["a"] + 0.5, X, [1.5, 2.5, 3.5, 6.5])
    assert repr(study).endswith("regression: mean prediction 3, RMSE 1")
    study = ts.Study(lambda rows: rows["a"] + 0.5, X)
    assert repr(study).endswith("regression: mean prediction 3, no y")
    study = ts.Study.from_predictions(X, list("abcd"), list("abca"))
    assert repr(study).splitlines()[1] == "multiclass: 4 classes (a, b, c, d), error rate 25 %"
    study = ts.Study.from_predictions(np.zeros((6, 1)), y_pred=list("abcdef"))
    assert repr(study).splitlines()[1] == "multiclass: 6 classes (a, b, c, d, e, …), no y"


def test_a_drawn_study_says_so():
    study = ts.Study.from_ranges(lambda rows: rows["a"] > 1, {"a": (0.0, 3.0)}, n=1000, random_state=5)
    assert "1,000 rows × 1 column (1 numeric), drawn from ranges with random_state=5" in repr(study)


@pytest.fixture
def no_curves(monkeypatch):
    def refuse(self, *args, **options):
        raise AssertionError("curves were computed for text")

    monkeypatch.setattr(study_module.Study, "stress_curves", refuse)


@pytest.mark.usefixtures("no_curves")
def test_text_costs_nothing():
    study = ts.Study(above, X)
    assert study._repr_mimebundle_(include={"text/plain"}) == {"text/plain": repr(study)}


@pytest.mark.usefixtures("no_curves")
def test_a_terminal_gets_text(monkeypatch):
    shell = SimpleNamespace(display_formatter=SimpleNamespace(active_types=["text/plain"]))
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    study = ts.Study(above, X)
    assert display.mimebundle(study, study.stress_curves, None, None) == {"text/plain": repr(study)}


@pytest.mark.parametrize("shell", [None, ["text/plain", "text/html"]])
def test_a_notebook_gets_the_stress_widget(monkeypatch, shell):
    formatter = SimpleNamespace(active_types=shell, mimebundle_formatter=MimeBundleFormatter())
    running = None if shell is None else SimpleNamespace(display_formatter=formatter)
    monkeypatch.setattr(IPython, "get_ipython", lambda: running)
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.normal(size=(200, 2)), columns=["a", "b"])
    study = ts.Study(above, rows, rows["a"] + rows["b"] > 1.5)
    data, _ = study._repr_mimebundle_()
    assert data["text/plain"] == repr(study)
    assert "application/vnd.jupyter.widget-view+json" in data


def test_shown_twice_it_is_the_same_widget():
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.normal(size=(200, 2)), columns=["a", "b"])
    study = ts.Study(above, rows)
    models = [study._repr_mimebundle_()[0][WIDGET]["model_id"] for _ in range(2)]
    assert models[0] == models[1]
    part = study.where(rows["b"] > 0)
    assert part._repr_mimebundle_()[0][WIDGET]["model_id"] != models[0]
    again = pickle.loads(pickle.dumps(study._without_model()))
    assert again._repr_mimebundle_()[0][WIDGET]["model_id"] != models[0]


def test_the_verb_hands_every_option_on():
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.normal(size=(300, 2)), columns=["a", "b"])
    study = ts.Study(above, rows, rows["a"] + rows["b"] > 1.5)
    curves = study.stress_curves(
        ["a"], taus=[-0.5, 0.5], quantile=0.1, metrics=["error_rate"], confidence=0.9, interval="analytic"
    )
    assert curves.feature_names == ("a",)
    assert curves.taus.tolist() == [-0.5, 0, 0.5]
    assert (curves.quantile, curves.confidence, curves.metric_names) == (0.1, 0.9, ("error_rate",))
    assert len(study.stress_curves().taus) == 21


def test_rows_of_which_nothing_can_be_moved_are_shown_as_text_with_the_reason():
    study = ts.Study(lambda rows: 2.5 * rows["a"], pd.DataFrame({"a": [1.0], "b": ["x"]}), task="regression")
    shown = study._repr_mimebundle_()
    assert list(shown) == ["text/plain"]
    words = "Nothing is drawn: No feature can be stressed; 'a': every observed value is 1"
    assert shown["text/plain"].startswith(f"{study!r}\n  {words}")
