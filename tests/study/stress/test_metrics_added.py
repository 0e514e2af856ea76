"""A definition is all that a new metric takes: toys of each form go through everything that follows metrics."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from stress.oracle import tilt
from stress.toys import TOYS, toys, toys_added
from tauscope.errors import InputError, UnknownName
from tauscope.stress.bootstrap import bootstrap_t
from tauscope.study.study import Study
from tauscope.views.stress.joint import JointStressView

N = 400
TAUS = [-0.5, 0.0, 0.75]
RNG = np.random.default_rng(0)
ROWS = pd.DataFrame({"a": RNG.normal(size=N), "b": RNG.normal(size=N), "c": RNG.integers(0, 9, N) * 1.0})
NOISE = RNG.normal(size=N)
SCORE = 1 / (1 + np.exp(-(ROWS["a"] + 0.5 * ROWS["b"]).to_numpy()))
NUMBERS = ("value", "lower", "upper")
WEIGHT = RNG.uniform(0.5, 2, N)


@pytest.fixture(autouse=True)
def with_toys():
    with toys_added():
        yield


def study(task, weight=None):
    if task == "regression":
        return Study.from_predictions(ROWS, 4 * SCORE + NOISE, 4 * SCORE, sample_weight=weight)
    if task == "multiclass":
        guess, truth = (np.digitize(p, [0.35, 0.6]) for p in (SCORE, SCORE + 0.2 * NOISE))
        return Study.from_predictions(ROWS, truth, guess, sample_weight=weight)
    truth = (SCORE + 0.3 * NOISE > 0.5).astype(int)
    return Study.from_predictions(ROWS, truth, (SCORE > 0.5).astype(int), SCORE, sample_weight=weight)


def expected(made, weights):
    """The toys' values by their definition."""
    return toys(made._outcomes, weights / weights.sum())


def assert_values(found, wanted, rtol=1e-7):
    for name, value in wanted.items():
        np.testing.assert_allclose(found[name], value, rtol=rtol, atol=1e-9, err_msg=name)


def assert_ends_around(table):
    """Every toy has an interval, and its value lies in it."""
    lower, value, upper = (np.asarray(table[name], float) for name in ("lower", "value", "upper"))
    assert np.isfinite([lower, value, upper]).all()
    assert ((lower < value) & (value < upper)).all()


TASKS = pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])


@pytest.mark.slow
@TASKS
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_curves(task, weight):
    made = study(task, weight)
    curves = made.stress_curves(taus=TAUS)
    base = np.ones(N) if weight is None else weight
    for row, name in enumerate(("a", "b", "c")):
        for t in range(len(curves.taus)):
            weights = tilt(ROWS[name].to_numpy(), curves._curves.target[row, t], base)
            found = {one: curves._curves.value[row, curves._metric_place(one), t] for one in curves.metric_names}
            assert_values(found, expected(made, weights))
    named = list(expected(made, base))
    frame = curves.frame
    assert_ends_around(frame[frame["metric"].isin(named)])
    for name in named:
        assert np.isfinite(curves.rank(name)).all()
        assert curves.influence(name).name == name
    only = made.stress_curves("a", taus=TAUS, metrics=named)._curves
    boot = bootstrap_t([ROWS["a"].to_numpy()], made._outcomes, only, n_replicates=25, sample_weight=weight)
    assert not np.array_equal(boot.lower, only.lower)
    assert_ends_around({end: getattr(boot, end) for end in NUMBERS})
    held = made.stress_curves("a", taus=TAUS, metrics=named, hold="means").frame
    assert_ends_around(held)


@pytest.mark.slow
@TASKS
def test_charts_pages_and_widgets_of_curves(task, tmp_path):
    made = study(task)
    curves = made.stress_curves(taus=TAUS)
    named = list(expected(made, np.ones(N)))
    labels = {toy.name: toy.label.lower() for toy in TOYS}
    drawn = json.dumps(curves.chart(named[-2:]).to_dict())
    for ending in ("html", "csv"):
        curves.save(tmp_path / f"curves.{ending}")
    view = curves.widget(metric=named[0], n_taus=5)
    assert all(labels[name] in drawn.lower() for name in named[-2:])
    for name in named:
        assert labels[name] in (tmp_path / "curves.html").read_text("utf-8").lower()
        assert name in (tmp_path / "curves.csv").read_text("utf-8")
        assert name in [one["name"] for one in view.message["metrics"]]
    view.close()


@TASKS
@pytest.mark.slow
def test_surface(task):
    made = study(task)
    surface = made.stress_surface("a", "b", taus=[-0.4, 0, 0.3], progress=False)
    named = list(expected(made, np.ones(N)))
    means = [ts.Mean(name, target=float(surface._surface.target[side, 2])) for side, name in enumerate(("a", "b"))]
    weights = made.reweight(means[0] & means[1]).weights
    found = {name: surface._surface.value[surface._metric_place(name), 2, 2] for name in named}
    assert_values(found, expected(made, weights))
    assert_ends_around(surface.frame[surface.frame["metric"].isin(named)])
    surface.chart(named[0]).to_dict()
    view = surface.widget(metric=named[0])
    assert set(named) <= {one["name"] for one in view.message["metrics"]}
    view.close()


@TASKS
@pytest.mark.slow
def test_joint_stress_in_the_page_and_in_the_kernel(task, tmp_path):
    made = study(task)
    joint = made.joint_stress()
    stress = {"taus": {"a": 0.4, "b": -0.3}, "hold": "none"}
    answer = joint.at(stress["taus"])
    wanted = expected(made, answer.weights)
    assert_values(answer.metrics.set_index("metric")["value"], wanted)
    assert_ends_around(answer.metrics[answer.metrics["metric"].isin(list(wanted))])

    view = joint.widget(metric=next(iter(wanted)))
    outcomes = view.message["outcomes"]
    shipped = np.frombuffer(view.answers, "<f4").reshape(-1, N).astype(float)
    assert len(shipped) == 1 + outcomes["n_powers"]
    share = answer.weights / answer.weights.sum()
    found = {one["name"]: in_the_page(one, shipped, share) for one in outcomes["metrics"]}
    assert_values(found, wanted, rtol=1e-5)

    in_kernel = JointStressView(joint, budget=1000, stress=stress)
    in_kernel.wait(60)
    told = dict(zip(joint.metric_names, in_kernel.answer["estimates"], strict=True))
    assert_values({name: told[name]["value"] for name in wanted}, wanted)
    assert_ends_around(pd.DataFrame([told[name] for name in wanted]))
    joint.save(tmp_path / "joint.html")
    for made_view in (view, in_kernel):
        made_view.close()


def in_the_page(one, shipped, share):
    """A metric from its message and the rows that go along, as the page computes it."""
    if one["form"] == "ratio":
        cell = shipped[0].astype(int)
        return (share @ np.array(one["top"])[cell]) / (share @ np.array(one["bottom"])[cell])
    power = shipped[1 + one["power"]]
    mean = share @ power
    value = {"mean": mean, "variance": share @ (power - mean) ** 2, "root_mean": np.sqrt(mean)}[one["form"]]
    return one["centre"] + one["unit"] * value


@pytest.mark.slow
def test_refitted_curves():
    truth = np.where(SCORE + 0.3 * NOISE > 0.5, "yes", "no")
    fitted = ts.Study(LogisticRegression().fit(ROWS, truth), ROWS, truth)
    found = fitted.refit_curves(LogisticRegression(), ROWS, truth, n_splits=3, taus=TAUS, progress=False)
    named = list(expected(fitted, np.ones(N)))
    assert set(named) <= set(found.metric_names)
    assert np.isfinite(found.frame[found.frame["metric"].isin(named)]["median"]).all()
    found.chart(named[0]).to_dict()


@pytest.mark.slow
@TASKS
@pytest.mark.parametrize("weight", [None, "w"], ids=["plain", "weighted"])
def test_rows_in_chunks(task, weight, tmp_path):
    made = study(task, None if weight is None else WEIGHT)
    columns = {"prediction": made.predicted, "y": made._true_values, "w": WEIGHT}
    if task == "binary":
        columns["score"] = SCORE
    data = ROWS.assign(**columns)
    if weight is None:
        data = data.drop(columns="w")
    chunks = [data.iloc[:150], data.iloc[150:160], data.iloc[160:]]
    options = {
        "target": "y", "prediction": "prediction", "score": "score" if task == "binary" else None,
        "sample_weight": weight, "task": task, "progress": False,
    }  # fmt: skip
    chunked = ts.ChunkedStudy(None, chunks, **options)
    sketch = chunked.sketch()
    sketch.save(tmp_path / "sketch.npz")
    want = made.stress_curves(taus=TAUS)._curves
    for one in (chunked, sketch, ts.StressSketch.load(tmp_path / "sketch.npz")):
        got = one.stress_curves(taus=TAUS)._curves
        assert [metric.name for metric in got.metrics] == [metric.name for metric in want.metrics]
        for name in NUMBERS:
            np.testing.assert_allclose(getattr(got, name), getattr(want, name), rtol=1e-7, atol=1e-9, err_msg=name)
    stress = ts.Mean("a", tau=0.4) & ts.Mean("b", tau=-0.3)
    pd.testing.assert_frame_equal(chunked.reweight(stress).metrics, made.reweight(stress).metrics, rtol=1e-6)


def test_a_sketch_of_other_metrics_is_refused(tmp_path, monkeypatch):
    data = ROWS.assign(prediction=4 * SCORE, y=4 * SCORE + NOISE)
    rows = ts.ChunkedStudy(None, [data], target="y", prediction="prediction", progress=False)
    rows.sketch().save(tmp_path / "sketch.npz")
    monkeypatch.setattr("tauscope.stress.metric_definitions.METRICS", TOYS)
    with pytest.raises(InputError, match=r"'sketch\.npz' holds sums for other metrics.*Make the sketch anew"):
        ts.StressSketch.load(tmp_path / "sketch.npz")


def test_images_show_the_shares():
    pixels = pd.DataFrame(RNG.integers(0, 4, (N, 6)).astype(np.uint8), columns=[f"p{j}" for j in range(6)])
    guess, truth = (SCORE > 0.5).astype(int), (SCORE + 0.3 * NOISE > 0.5).astype(int)
    made = Study.from_predictions(pixels, truth, guess)
    image = made.stress_image((2, 3), taus=TAUS, progress=False)
    curves = made.stress_curves(taus=TAUS)
    shares = {"true_negative_rate", "weighted_error", "first_class_error"}
    assert shares == {toy.name for toy in TOYS} & set(image.metric_names)
    for name in shares:
        got, want = (one._curves.value[:, one._metric_place(name)] for one in (image, curves))
        np.testing.assert_allclose(got, want, rtol=1e-9)
    image.chart("weighted_error", low=-0.5, high=0.75).to_dict()
    view = image.widget()
    assert shares <= {one["name"] for one in view.message["metrics"]}
    view.close()


def test_what_a_toy_needs_is_told():
    with pytest.raises(UnknownName, match=r"'score_rmse' needs two classes, y and scores; this study is of a regr"):
        study("regression").stress_curves(metrics="score_rmse")
    with pytest.raises(UnknownName, match=r"'mean_error' needs a regression and y; this study is of several classes"):
        study("multiclass").stress_curves(metrics=["mean_error"])
