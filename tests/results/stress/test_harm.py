"""Shifts of one size: against reweightings to the same means, ranked by harm, few rows last and marked."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score, matthews_corrcoef, roc_auc_score, zero_one_loss

import tauscope as ts
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.results.stress.harm import StressHarm, worse_side

N = 3000


@pytest.fixture(scope="module")
def study() -> ts.Study:
    rng = np.random.default_rng(0)
    age = rng.normal(40, 10, N)
    country = np.where(np.arange(N) < 13, "Ireland", np.where(np.arange(N) % 9 == 0, "France", "here"))
    X = pd.DataFrame({"age": age, "pay": rng.lognormal(8, 1, N), "sex": rng.choice(["f", "m"], N), "country": country})
    X["debt"] = np.where(np.arange(N) < 13, 20.0, np.where(np.arange(N) == 20, -1.0, 0.0))
    wrong = (rng.random(N) < 1 / (1 + np.exp(3 - (age - 40) / 10))) | (np.arange(N) < 10)
    y = rng.integers(0, 2, N)
    return ts.Study.from_predictions(X, y, np.where(wrong, 1 - y, y))


@pytest.fixture(scope="module")
def harm(study) -> StressHarm:
    return study.stress_curves().harm("error_rate")


def line(harm, feature, direction):
    frame = harm.frame
    return frame[(frame["feature"] == feature) & (frame["direction"] == direction)].iloc[0]


@pytest.mark.parametrize(("feature", "direction"), [("age", "up"), ("age", "down"), ("pay", "down"), ("sex = f", "up")])
def test_each_shift_is_the_reweighting_to_its_mean(study, harm, feature, direction):
    one = line(harm, feature, direction)
    term = ts.Share("sex", "f", target=one["target"]) if "sex" in feature else ts.Mean(feature, target=one["target"])
    result = study.reweight(term)
    assert result.tv == pytest.approx(0.1, abs=2e-5)
    assert one["ess"] == pytest.approx(result.ess, rel=1e-4)
    metric = result.metrics.set_index("metric").loc["error_rate"]
    assert one["value"] == pytest.approx(metric["value"], abs=2e-5)
    assert one["before"] == pytest.approx(metric["before"])
    assert one["change"] == pytest.approx(one["value"] - one["before"])
    assert one["lower"] < one["change"] < one["upper"]


def test_rare_rows_do_not_win_though_they_harm_most(harm):
    frame = harm.frame
    assert (frame["feature"][0], frame["direction"][0]) == ("age", "up")
    rare = line(harm, "debt", "up")
    assert rare["change"] > frame["change"][0]
    assert rare["reliability"] != "reliable"
    assert "13 rows carry 10 % of the weight" in rare["note"]
    order = [["reliable", "wide", "unreliable", "out of reach"].index(each) for each in frame["reliability"]]
    assert order == sorted(order)
    reliable = frame.loc[frame["reliability"] == "reliable", "change"].to_numpy()
    assert (np.diff(reliable) <= 0).all()


def test_what_cannot_be_moved_so_far_says_how_far_it_can(harm):
    away = line(harm, "country = Ireland", "down")
    assert away["reliability"] == "out of reach"
    assert np.isnan(away["change"])
    assert away["distance"] == pytest.approx(13 / N)
    assert "0.0043 at the end of its τ, −1" in away["note"]
    assert "0.013 at the end of its τ, 1" in line(harm, "country = Ireland", "up")["note"]
    assert any("country = Ireland up" in note and "country = Ireland down" in note for note in harm.notes)
    assert harm.frame["reliability"].iloc[-1] == "out of reach"


def test_two_levels_are_one_feature(harm):
    names = set(harm.frame["feature"])
    assert "sex = f" in names
    assert "sex = m" not in names
    assert {"country = France", "country = here"} <= names


def population(n, seed):
    """Rows whose errors follow a normal column, a level, a heap of whole numbers, and a column that is mostly 0."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"x": rng.normal(size=n), "sex": rng.choice(["f", "m"], n, p=[0.3, 0.7])})
    X["visits"] = rng.poisson(2, n)
    X["debt"] = np.where(rng.random(n) < 0.6, 0.0, rng.exponential(size=n))
    wrong = rng.random(n) < 1 / (1 + np.exp(1.5 - X["x"] - (X["sex"] == "f") - X["debt"]))
    y = rng.integers(0, 2, n)
    return X, y, np.where(wrong, 1 - y, y)


def paired_bootstrap(X, y, predicted, hold, n_replicates=60):
    """Standard deviation of every change over rows drawn again."""
    rng, changes = np.random.default_rng(0), []
    for _ in range(n_replicates):
        rows = rng.integers(0, len(X), len(X))
        drawn = ts.Study.from_predictions(X.iloc[rows].reset_index(drop=True), y[rows], predicted[rows])
        changes.append(by_shift(drawn, hold)["change"])
    return pd.concat(changes, axis=1).std(axis=1)


def by_shift(study, hold):
    harm = study.stress_curves(taus=3, metrics=["error_rate"], hold=hold).harm("error_rate")
    return harm.frame.set_index(["feature", "direction"]).sort_index()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "hold", "n_samples"), [(300, None, 250), (1000, None, 250), (300, "means", 150), (300, "uncorrelated", 150)]
)
def test_intervals_of_changes_cover_as_often_as_said_and_are_no_wider_than_a_paired_bootstrap(n, hold, n_samples):
    truth = by_shift(ts.Study.from_predictions(*population(200_000 if hold is None else 50_000, 0)), hold)["change"]
    covered, ratios = [], []
    for seed in range(1, n_samples + 1):
        X, y, predicted = population(n, seed)
        found = by_shift(ts.Study.from_predictions(X, y, predicted), hold)
        covered.append((found["lower"] <= truth) & (truth <= found["upper"]))
        if seed <= 2:
            half = (found["upper"] - found["lower"]) / 2
            ratios.append(half / (1.96 * paired_bootstrap(X, y, predicted, hold)))
    assert 0.93 <= np.mean(covered) <= 0.97
    assert 0.85 <= np.median(ratios) <= 1.15


SCORES = {
    "error_rate": zero_one_loss,
    "f1": f1_score,
    "roc_auc": roc_auc_score,
    "matthews_corrcoef": matthews_corrcoef,
}
SKEWED = {
    "lognormal": lambda rng, n: np.exp(2 * rng.normal(size=n)),
    "sentinel": lambda rng, n: np.where(np.arange(n) < n // 300, -999999.0, rng.normal(size=n)),
    "outlier": lambda rng, n: np.where(np.arange(n) == 5, 1e17, rng.normal(size=n)),
    "zero-inflated": lambda rng, n: np.where(rng.random(n) < 0.8, 0.0, rng.exponential(size=n)),
    "Pareto": lambda rng, n: rng.pareto(1.1, n),
    "whole": lambda rng, n: rng.poisson(3, n).astype(float),
    "two values": lambda rng, n: (rng.random(n) < 0.3).astype(float),
    "missing": lambda rng, n: np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
    "tied": lambda rng, n: np.round(rng.normal(size=n), 1),
}


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("metric", SCORES)
@pytest.mark.parametrize("kind", SKEWED)
def test_a_target_moves_the_distance_and_has_the_metric_that_stand_beside_it(kind, metric, weighted):
    rng = np.random.default_rng(len(kind))
    n = 900
    X = pd.DataFrame({"a": SKEWED[kind](rng, n)})
    score = rng.random(n)
    y = (rng.random(n) < score).astype(int)
    weight = rng.exponential(size=n) if weighted else None
    study = ts.Study.from_predictions(X, y, (score > 0.5).astype(int), score, classes=(0, 1), sample_weight=weight)
    curves = study.stress_curves("a", taus=3, metrics=[metric])
    for distance in (0.05, 0.4):
        for one in curves.harm(metric, distance).frame.to_dict("records"):
            if one["reliability"] == "out of reach":
                assert one["distance"] < distance
                continue
            moved = study.reweight(ts.Mean("a", target=one["target"]))
            assert moved.tv == pytest.approx(distance, abs=1e-8)
            value = SCORES[metric](y, score if metric == "roc_auc" else score > 0.5, sample_weight=moved.weights)
            assert one["value"] == pytest.approx(value, abs=1e-7)
            certain = one["lower"] <= one["change"] <= one["upper"]
            assert certain or (np.isnan(one["lower"]) and one["reliability"] == "unreliable")


@pytest.mark.parametrize("metric", SCORES)
def test_a_distance_that_the_end_of_a_column_has_is_reached(metric):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": np.arange(80) % 4 == 0})
    score = rng.random(80)
    y = (rng.random(80) < score).astype(int)
    study = ts.Study.from_predictions(X, y, (score > 0.5).astype(int), score, classes=(0, 1))
    frame = study.stress_curves("a", taus=3, metrics=[metric]).harm(metric, 0.25).frame
    none = frame[frame["direction"] == "down"].iloc[0]
    assert (none["target"], none["distance"]) == (0, 0.25)
    rows = ~X["a"].to_numpy()
    value = SCORES[metric](y[rows], score[rows] if metric == "roc_auc" else score[rows] > 0.5)
    assert none["value"] == pytest.approx(value)
    assert none["lower"] < none["change"] < none["upper"]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_handful_of_rows_is_answered(n):
    rng = np.random.default_rng(n)
    X = pd.DataFrame(
        {"a": 2.0**53 + 2 * np.arange(n), "b": np.arange(n) == 0, "c": np.nextafter(1.0, 1.0 + np.arange(n))}
    )
    weight = rng.uniform(0.2, 3, n)
    study = ts.Study.from_predictions(
        X, None, rng.integers(0, 2, n), rng.normal(size=n), sample_weight=weight, classes=(0, 1)
    )
    for distance in (0.01, 0.1, 0.5):
        frame = study.stress_curves(taus=3).harm(distance=distance).frame
        assert (frame["reliability"] != "reliable").all()
        assert (frame.loc[frame["reliability"] != "out of reach", "note"] != "").all()


@pytest.mark.parametrize("distance", [0.02, 0.3])
def test_every_shift_has_the_distance_asked_for(study, distance):
    frame = study.stress_curves(["age", "pay"]).harm("error_rate", distance=distance).frame
    reached = frame[frame["reliability"] != "out of reach"]
    assert (reached["distance"] == distance).all()
    for name, one in reached.groupby("feature"):
        assert study.reweight(ts.Mean(name, target=one["target"].iloc[0])).tv == pytest.approx(distance, rel=1e-3)


@pytest.mark.slow
def test_harm_goes_the_way_a_metric_gets_worse(study):
    curves = study.stress_curves(["age", "pay"])
    up, down, either = (curves.harm("error_rate", worse=side).frame for side in ("higher", "lower", "either"))
    assert up["change"].iloc[0] == down["change"].iloc[-1] > 0
    assert np.abs(either["change"].iloc[0]) == np.abs(either["change"]).max()
    assert [worse_side(name) for name in ("error_rate", "rmse", "true_positive_rate", "roc_auc", "portion_1")] == [
        "higher", "higher", "lower", "lower", "either",
    ]  # fmt: skip
    assert curves.harm().metric.name == "error_rate"
    assert study.stress_curves(["age"], metrics="portion_1").harm().worse == "either"


def test_levels_that_rows_in_chunks_have_are_answered_too(study):
    def model(X):
        return (np.asarray(X["age"]) > 40).astype(int)

    chunks = [(study.X[k : k + 1000], study.y[k : k + 1000]) for k in range(0, N, 1000)]
    chunked = ts.ChunkedStudy(model, chunks).stress_curves(["age", "country"], progress=False).harm("error_rate")
    whole = ts.Study(model, study.X, study.y).stress_curves(["age", "country"]).harm("error_rate")
    numbers = ["change", "lower", "upper", "target", "ess", "distance"]
    pd.testing.assert_frame_equal(chunked.frame[numbers], whole.frame[numbers], rtol=1e-6, atol=1e-6)
    assert chunked.frame["note"].tolist() == whole.frame["note"].tolist()


def test_it_is_text_table_picture_and_files(harm, tmp_path):
    assert repr(harm).splitlines()[0] == (
        "Shifts that harm the error rate of predictions most: 10 % of the weight moved by each, 3,000 rows"
    )
    assert "age" in repr(harm).splitlines()[2]
    shown, _ = harm._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg ")
    assert "<table>" in shown["text/html"]
    assert "data:image/svg+xml" in shown["text/html"]
    assert harm._repr_mimebundle_(include=["text/plain"]) == {"text/plain": repr(harm)}
    harm.save(tmp_path / "harm.json")
    kept = json.loads((tmp_path / "harm.json").read_text("utf-8"))["summary"]
    assert kept["schema"] == "tauscope.stress_harm"
    assert kept["records"][0]["feature"] == "age"
    assert kept["records"][-1]["change"] is None


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"distance": 0}, InputError, r"in \(0, 1\), the share of the weight moved; got 0"),
        ({"distance": 10}, InputError, "got 10"),
        ({"distance": "far"}, InputTypeError, "got 'far'"),
        ({"distance": True}, InputTypeError, "got True"),
        ({"distance": float("nan")}, InputError, "got nan"),
        ({"worse": "up"}, InputError, "higher, lower, either; got 'up'"),
        ({"metric": "eror_rate"}, UnknownName, "error_rate"),
    ],
)
def test_what_cannot_be_asked(study, options, error, words):
    curves = study.stress_curves(["age"])
    with pytest.raises(error, match=words):
        curves.harm(**options)


@pytest.mark.slow
@pytest.mark.parametrize("power", [-1030, -600, 465])
@pytest.mark.parametrize("metric", ["r2", "rmse", "mean_absolute_error", "mean", "bias"])
def test_the_unit_of_the_target_changes_nothing_else(metric, power):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    answers, y = X["a"].to_numpy(), (X["a"] + 0.1 * X["b"]).to_numpy()

    def shifts(unit):
        study = ts.Study.from_predictions(X, y * unit, answers * unit, task="regression")
        return study.stress_curves(metrics=[metric], taus=9, progress=False).harm(metric)

    want, found = shifts(1.0).frame, shifts(2.0**power).frame
    factor = 1.0 if metric == "r2" else 2.0**power
    for name in ("value", "change", "lower", "upper"):
        np.testing.assert_allclose(found[name] / factor, want[name], rtol=1e-5, atol=1e-9, err_msg=name)
    assert found["reliability"].tolist() == want["reliability"].tolist()
