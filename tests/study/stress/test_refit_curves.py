"""Stress curves over refits: the split, the spread, and what an interrupt leaves."""

import json

import altair as alt
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tauscope as ts
from tauscope.errors import InputError, InputTypeError, UnknownName


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 3)), columns=["a", "b", "c"])
    y = np.where(X["a"] - X["b"] + 0.5 * rng.normal(size=300) > 0, "yes", "no")
    return X, y


@pytest.fixture(scope="module")
def study(data):
    X, y = data
    return ts.Study(LogisticRegression().fit(X, y), X, y)


@pytest.mark.slow
def test_the_band_is_that_of_curves_refitted_by_hand(study, data):
    X, y = data
    found = study.refit_curves(LogisticRegression(), X, y, n_splits=5, test_size=0.4, taus=5, random_state=3)
    by_hand = []
    for train, test in StratifiedShuffleSplit(5, test_size=0.4, random_state=3).split(X, y):
        model = LogisticRegression().fit(X.iloc[train], y[train])
        by_hand.append(ts.Study(model, X.iloc[test], y[test]).stress_curves(taus=5)._curves.value)
    np.testing.assert_allclose(found.values, by_hand, rtol=1e-12)
    row = found.frame.query("feature == 'b' and tau == -1 and metric == 'error_rate'").iloc[0]
    curve = np.array(by_hand)[:, 1, found._metric_place("error_rate"), 0]
    assert row[["median", "lower", "upper"]].tolist() == pytest.approx(np.quantile(curve, [0.5, 0.1, 0.9]).tolist())
    assert (found.n_train, found.n_test, row["n_splits"], found.random_state) == (180, 120, 5, 3)
    assert "learner's variance" in repr(found)


def test_what_is_asked_for_is_what_comes(study, data):
    found = study.refit_curves(
        LogisticRegression(),
        *data,
        n_splits=4,
        features=["c", "a"],
        taus=[-1, 1],
        quantile=0.2,
        metrics="error_rate",
        quantiles=(0.25, 0.75),
        random_state=0,
        progress=False,
    )
    assert found.features == ("c", "a")
    assert found.taus.tolist() == [-1, 0, 1]
    assert [metric.name for metric in found.metrics] == ["error_rate"]
    assert (found.quantile, found.quantiles) == (0.2, (0.25, 0.75))
    median, lower, upper = found.summary
    assert np.all((lower <= median) & (median <= upper))
    again = study.refit_curves(LogisticRegression(), *data, n_splits=4, features=["c", "a"], taus=[-1, 1], quantile=0.2,
                               metrics="error_rate", random_state=0)  # fmt: skip
    np.testing.assert_array_equal(found.values, again.values)


@pytest.mark.slow
def test_levels_that_a_split_lacks_are_counted(data):
    rng = np.random.default_rng(1)
    X = data[0].assign(town=np.where(np.arange(300) < 2, "rare", rng.choice(["x", "y"], 300)))
    value = X["a"] + 0.1 * rng.normal(size=300)
    model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), StandardScaler(with_mean=False), LinearRegression())
    study = ts.Study(model.fit(X, value), X, value)
    found = study.refit_curves(model, X, value, n_splits=6, taus=3, random_state=0)
    rare = found.frame.query("feature == 'town = rare' and metric == 'mean'")
    assert 0 < rare["n_splits"].max() < 6
    assert any("town = rare in" in note for note in found.notes)
    assert found.frame.query("feature == 'a'")["n_splits"].eq(6).all()


def test_an_interrupt_leaves_what_was_done_and_says_so(study, data):
    class Impatient(LogisticRegression):
        fits = 0

        def fit(self, X, y):
            type(self).fits += 1
            if self.fits == 3:
                raise KeyboardInterrupt
            return super().fit(X, y)

    found = study.refit_curves(Impatient(), *data, n_splits=9, taus=3, random_state=0)
    assert (found.n_splits, found.asked_splits) == (2, 9)
    assert "stopped after 2 of 9 refits" in found.notes
    Impatient.fits = 2
    with pytest.raises(KeyboardInterrupt):
        study.refit_curves(Impatient(), *data, n_splits=9, taus=3)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"n_splits": 1}, InputError, "at least 2; got 1"),
        ({"n_splits": True}, InputTypeError, "got True"),
        ({"test_size": 1.5}, InputError, "test_size must lie strictly between 0 and 1"),
        ({"quantiles": (0.9, 0.1)}, InputError, "0 < low < high < 1"),
        ({"features": "d"}, UnknownName, "'d'"),
        ({"estimator": lambda rows: rows}, InputTypeError, "cloned and fitted"),
        ({"y": ["yes", *["no"] * 299]}, InputError, "cannot be split"),
        ({"y": ["yes", "no"]}, InputError, "300"),
        ({"X": pd.DataFrame({"z": np.zeros(300)})}, InputError, "columns"),
    ],
)
def test_bad_input_is_named(study, data, options, error, message):
    given = {"estimator": LogisticRegression(), "X": data[0], "y": data[1], "n_splits": 2} | options
    with pytest.raises(error, match=message):
        study.refit_curves(given.pop("estimator"), given.pop("X"), given.pop("y"), **given)


@pytest.mark.slow
def test_it_is_drawn_and_written(study, data, tmp_path):
    found = study.refit_curves(LogisticRegression(), *data, n_splits=3, taus=3, random_state=0)
    chart = found.chart("error_rate", "b")
    assert isinstance(chart, alt.ConcatChart)
    assert [panel["title"] for panel in chart.to_dict()["concat"]] == ["b"]
    assert len(found.chart().to_dict()["concat"]) == 3
    with pytest.raises(UnknownName, match="error_rat"):
        found.chart("error_rat")
    found.save(tmp_path / "curves.csv")
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "curves.csv"), found.frame)
    found.save(tmp_path / "curves.json")
    assert json.loads((tmp_path / "curves.json").read_text())["summary"]["n_splits"] == 3
    found.save(tmp_path / "curves.html")
    page = (tmp_path / "curves.html").read_text()
    assert "variance" in page
    assert "https://cdn" not in page


def test_hinge_loss_of_labels_minus_one_and_one_is_an_metric(data):
    X, y = data
    signs = np.where(y == "yes", 1, -1)
    model = LogisticRegression().fit(X, signs)
    study = ts.Study(model, X, signs, response_method="decision_function")
    curves = study.stress_curves("a", metrics=["error_rate", "hinge_loss"], taus=3)
    margin = signs * model.decision_function(X)
    frame = curves.frame.query("metric == 'hinge_loss' and tau == 1")
    weights = study.reweight(ts.Mean("a", tau=1)).weights
    assert frame["value"].item() == pytest.approx(np.average(np.maximum(0, 1 - margin), weights=weights))
    assert frame["lower"].item() < frame["value"].item() < frame["upper"].item()
