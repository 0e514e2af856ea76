"""One number has one interval: without a stress it is the plain one, in each view and for each feature."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, binomtest

import tauscope as ts

N = 1000
ENDS = ["value", "lower", "upper"]


def study(weight=None):
    """Three of three positives found, four alarms, none false; and a linear score."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=N), "b": rng.exponential(size=N), "c": rng.choice(["x", "y"], N)})
    truth = np.zeros(N, int)
    truth[:4] = 1
    given = truth.copy()
    given[3] = 0
    return ts.Study.from_predictions(X, truth, given, sample_weight=weight)


def views(one, name):
    """Give a metric's value and ends without stress, by each verb."""
    curves = one.stress_curves(taus=[0.0], metrics=name).frame
    for _, line in curves.iterrows():
        yield f"curve of {line['feature']}", line[ENDS].to_list()
    held = one.stress_curves(["a"], taus=[0.0], hold="means", metrics=name).frame
    yield "held", held.iloc[0][ENDS].to_list()
    joint = one.joint_stress(metrics=name)
    for where, answer in (("joint", joint.unstressed[0]), ("answer", joint._answer({"a": 0.0, "b": 0.0}).estimates[0])):
        yield where, [answer.value, answer.lower, answer.upper]
    still = ts.Mean("a", tau=0) & ts.Share("c", "x", tau=0) & ts.Variance("b", scale=1)
    yield "reweight", one.reweight(still).metrics.set_index("metric").loc[name, ENDS].to_list()
    surface = one.stress_surface("a", "b", taus=[-0.2, 0.0, 0.2], metrics=name, progress=False)._surface
    yield "surface", [float(getattr(surface, part)[0, 1, 1]) for part in ENDS]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["true_positive_rate", "false_discovery_rate", "error_rate"])
@pytest.mark.slow
def test_it_is_the_plain_interval_everywhere(name, weighted):
    one = study(np.random.default_rng(1).uniform(0.5, 2, N) if weighted else None)
    seen = dict(views(one, name))
    expected = seen["reweight"]
    if not weighted:
        events = {"true_positive_rate": (3, 4), "false_discovery_rate": (0, 3), "error_rate": (1, N)}[name]
        exact = binomtest(*events).proportion_ci(0.95, "exact")
        assert expected == pytest.approx([events[0] / events[1], exact.low, exact.high])
    for where, numbers in seen.items():
        assert numbers == pytest.approx(expected, rel=1e-9), where


def test_a_rate_of_one_takes_the_size_of_its_own_denominator_under_a_stress():
    """Three of three found: no stress leaves more than three effective rows below the line."""
    one = study()
    found = one.y == 1
    result = one.reweight(ts.Mean("a", target=0.3))
    line = result.metrics.set_index("metric").loc["false_discovery_rate"]
    alarms = result.weights[found & (one.predicted == 1)]
    size = alarms.sum() ** 2 / (alarms**2).sum()
    assert line["value"] == 0
    assert line["upper"] >= beta.ppf(0.975, 1, size) - 1e-3
    assert line["reliability"] == "wide"


def linear(n=600):
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n) + 1})
    answer = 2 * X["a"] - X["b"] + 3
    return ts.Study.from_predictions(X, answer + rng.normal(size=n), answer.to_numpy())


def test_means_that_determine_a_linear_model_say_so():
    line = linear().reweight(ts.Mean("a", target=0.2) & ts.Mean("b", target=1.0)).metrics.set_index("metric")
    assert line.loc["mean", ENDS].to_list() == pytest.approx([2.4] * 3)
    assert line.loc["mean", "note"] == "determined by the constraints"
    assert line.loc["rmse", "note"] == ""
    assert line.loc["rmse", "lower"] < line.loc["rmse", "upper"]


def test_means_that_are_held_are_estimated_and_determine_nothing():
    one = linear()
    plain, held = (
        one.reweight(stress).metrics.set_index("metric").loc["mean"]
        for stress in (ts.Mean("a", tau=0), ts.Mean("a", tau=0) & ts.Mean("b", tau=0))
    )
    assert plain[ENDS].to_list() == pytest.approx(held[ENDS].to_list())
    spread = one.predicted.std(ddof=1) / np.sqrt(one.n_rows)
    assert held["upper"] - held["lower"] == pytest.approx(2 * 1.964 * spread, rel=1e-3)
    moved = one.reweight(ts.Mean("a", tau=1e-6) & ts.Mean("b", tau=0)).metrics.set_index("metric").loc["mean"]
    assert moved["upper"] - moved["lower"] == pytest.approx(held["upper"] - held["lower"], rel=0.01)
    assert held["note"] == ""
