"""The verbs `reweight` and `under` of a study."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tauscope as ts
from stores import predictions_in
from tauscope.errors import DependentConstraints, InfeasibleTarget, InputError, InputTypeError, UnknownName

N = 2000


def frame():
    rng = np.random.default_rng(0)
    age = rng.normal(40, 10, N)
    return pd.DataFrame(
        {
            "age": age,
            "hours-per-week": 30 + 0.3 * age + rng.normal(0, 5, N),
            "sex": rng.choice(["Female", "Male"], N, p=[0.3, 0.7]),
            "gain": np.where(rng.random(N) < 0.97, 0.0, rng.exponential(5000, N)),
        }
    )


def study(weight=None, container=lambda X: X):
    rng = np.random.default_rng(1)
    X = frame()
    score = 1 / (1 + np.exp(-0.1 * (X["age"] - 40) + rng.normal(0, 0.5, N)))
    truth = np.where(rng.random(N) < score, ">50K", "<=50K")
    given = np.where(score > 0.5, ">50K", "<=50K")
    return ts.Study.from_predictions(container(X), truth, given, score.to_numpy(), sample_weight=weight)


def covariance(a, b, w):
    return np.average((a - np.average(a, weights=w)) * (b - np.average(b, weights=w)), weights=w)


@pytest.mark.parametrize("container", [lambda X: X, pl.from_pandas], ids=["pandas", "polars"])
def test_the_example_of_three_constraints(container):
    s = ts.Mean("age", tau=0.5) & ts.Covariance("age", "hours-per-week", 0.0) & ts.Mean("hours-per-week", tau=0)
    result = study(container=container).reweight(s)
    X, w = frame(), result.weights
    assert list(result.achieved["constraint"]) == [
        "mean of age",
        "covariance of age and hours-per-week",
        "mean of hours-per-week",
    ]
    mean, high = X["age"].mean(), np.quantile(X["age"], 0.95, method="inverted_cdf")
    assert np.average(X["age"], weights=w) == pytest.approx(mean + 0.5 * (high - mean))
    assert np.average(X["hours-per-week"], weights=w) == pytest.approx(X["hours-per-week"].mean())
    assert covariance(X["age"], X["hours-per-week"], w) == pytest.approx(0, abs=1e-9)
    assert result.stress is s
    assert result.sample(3, 0).X.shape == (3, 4)


def test_a_lower_error_rate_is_a_stress_like_any_other():
    one = study()
    result = one.reweight(ts.Mean("error", target=0.1))
    assert np.average(one._true_values != one.predicted, weights=result.weights) == pytest.approx(0.1)


def test_predictions_and_labels_have_shares():
    one = study()
    result = one.reweight(ts.Share("prediction", ">50K", 0.7) & ts.Share("label", ">50K", 0.6))
    assert np.average(one.predicted == 1, weights=result.weights) == pytest.approx(0.7)
    assert np.average(one._true_values == 1, weights=result.weights) == pytest.approx(0.6)


def test_a_moment_sees_the_rows_as_given():
    one = study(container=pl.from_pandas)
    result = one.reweight(ts.Moment(lambda X: X["age"] * X["hours-per-week"], 1800.0, name="load"))
    X = frame()
    assert np.average(X["age"] * X["hours-per-week"], weights=result.weights) == pytest.approx(1800)


def test_alpha_is_passed_on():
    one = study()
    low, high = (one.reweight(ts.Mean("age", tau=1), quantile=a) for a in (0.2, 0.05))
    assert low.achieved["required"][0] == np.quantile(frame()["age"], 0.8, method="inverted_cdf")
    assert low.ess > high.ess
    assert low.quantile == 0.2


def test_few_rows_that_carry_the_weight_are_named():
    """Thirteen rows in 6,000: effective size and k̂ alone found nothing to say."""
    n = 6000
    X = pd.DataFrame({"country": np.where(np.arange(n) < 13, "Ireland", "other"), "age": 7 * np.arange(n) % 50})
    X["debt"] = np.where(np.arange(n) < 13, 10.0, np.where(np.arange(n) == 20, -0.01, 0.0))
    one = ts.Study.from_predictions(X, np.arange(n) % 3 == 0, np.arange(n) % 2 == 0)
    result = one.reweight(ts.Share("country", "Ireland", target=0.25))
    assert result.ess > 200
    assert result.pareto_k < 0.7
    assert result.carriers == (13, pytest.approx(0.25))
    assert result._caveats == ("wide: 13 rows carry 25 % of the weight",)
    assert result._caveats[0] in repr(result)
    assert one.reweight(ts.Mean("age", tau=0.3)).carriers == (0, 0.0)
    curves = one.stress_curves(["debt"]).frame
    noted = curves[curves["note"].str.contains("13 rows carry 20 % of the weight", regex=False)]
    assert noted["tau"].unique().tolist() == [pytest.approx(0.2)]
    surface = one.stress_surface("debt", "age", taus=5).frame
    assert surface["note"].str.contains(r"\b\d rows carry \d\d % of the weight").any()


def test_one_feature_agrees_with_the_curves():
    one = study()
    curves = one.stress_curves(["age"], taus=[0.7]).frame
    line = curves[(curves["tau"] == 0.7) & (curves["metric"] == "portion_>50K")].iloc[0]
    result = one.reweight(ts.Mean("age", tau=0.7))
    assert result.ess == pytest.approx(line["ess"])
    assert result.kl == pytest.approx(line["kl"])
    assert result.tv == pytest.approx(line["tv"])
    assert result.pareto_k == pytest.approx(line["pareto_k"])
    assert np.average(one.predicted == 1, weights=result.weights) == pytest.approx(line["value"])


@pytest.mark.parametrize("weighted", [False, True])
def test_every_metric_comes_with_its_interval(weighted):
    one = study(np.random.default_rng(2).uniform(0.2, 2, N) if weighted else None)
    curves = one.stress_curves(["age"], taus=[0.7], confidence=0.9).frame
    metrics = one.reweight(ts.Mean("age", tau=0.7), confidence=0.9).metrics
    assert list(metrics.columns) == ["metric", "before", "value", "lower", "upper", "reliability", "note"]
    for tau, columns in ((0.0, {"before": "value"}), (0.7, {name: name for name in ("value", "lower", "upper")})):
        lines = curves[curves["tau"] == tau].set_index("metric")
        for own, theirs in columns.items():
            np.testing.assert_allclose(
                metrics.set_index("metric")[own], lines[theirs].loc[metrics["metric"]], rtol=1e-6
            )
        assert list(metrics["reliability"]) == ["reliable"] * len(metrics)
    joint = one.reweight(ts.Mean("age", tau=0.7) & ts.Mean("hours-per-week", tau=0))
    assert joint.confidence == 0.95
    assert (joint.metrics["lower"] < joint.metrics["value"]).all()


def test_the_study_under_a_stress_is_the_same_one_weighted():
    one = study()
    s = ts.Mean("age", tau=0.5)
    under = one.under(s)
    result = one.reweight(s)
    np.testing.assert_array_equal(under.sample_weight, result.weights)
    assert under.X is one.X
    np.testing.assert_array_equal(under.predicted, one.predicted)
    baseline = under.stress_curves(["hours-per-week"], taus=3).frame.query("tau == 0 and metric == 'error_rate'")
    expected = np.average(one._true_values != one.predicted, weights=result.weights)
    assert baseline["value"].item() == pytest.approx(expected)
    np.testing.assert_array_equal(one.under(result).sample_weight, result.weights)


def test_weights_multiply_from_stress_to_stress():
    weight = np.random.default_rng(2).uniform(0.2, 2, N)
    one = study(weight)
    first = one.reweight(ts.Mean("age", tau=0.5))
    second = one.under(first).reweight(ts.Mean("gain", target=300.0))
    tilt = second.weights / first.weights
    np.testing.assert_array_equal(second.before, first.weights)
    gain = frame()["gain"].to_numpy()
    slope = np.polyfit(gain, np.log(tilt), 1)
    np.testing.assert_allclose(np.log(tilt), np.polyval(slope, gain), atol=1e-8)
    assert np.average(gain, weights=second.weights) == pytest.approx(300)


def test_a_limit_can_be_stood_on():
    one = study()
    women = one.under(ts.Share("sex", "Female", tau=1))
    mask = (frame()["sex"] == "Female").to_numpy()
    np.testing.assert_array_equal(women.sample_weight > 0, mask)
    again = women.reweight(ts.Mean("age", tau=0.5))
    alone = one.where(mask).reweight(ts.Mean("age", tau=0.5))
    assert np.all(again.weights[~mask] == 0)
    np.testing.assert_allclose(again.weights[mask] * mask.mean(), alone.weights, rtol=1e-8)
    assert again.ess == pytest.approx(alone.ess)


@pytest.mark.parametrize(
    ("stress", "error", "words"),
    [
        (ts.Mean("agee", tau=0), UnknownName, "Nearest: 'age'"),
        (ts.Mean("sex", tau=0), InputError, "Use ts.Share"),
        (ts.Mean("age", target=500), InfeasibleTarget, "mean of age cannot become 500: the rows lie between"),
        (
            ts.Mean("age", target=62) & ts.Mean("hours-per-week", target=35),
            InfeasibleTarget,
            "with the others as asked, the mean of age can lie between",
        ),
        (
            ts.Share("sex", "Female", 0.5) & ts.Share("sex", "Male", 0.6),
            DependentConstraints,
            "share of sex = Male cannot become 0.6",
        ),
        (
            ts.Share("sex", "Female", 0.5) & ts.Share("sex", "Male", 0.5),
            DependentConstraints,
            "share of sex = Male already follows",
        ),
        ("age", InputTypeError, "made of constraints; got 'age'"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(stress, error, words):
    with pytest.raises(error, match=words):
        study().reweight(stress)


@pytest.mark.parametrize(("quantile", "error"), [(0, InputError), (0.5, InputError), ("a", InputTypeError)])
def test_alpha_is_checked(quantile, error):
    with pytest.raises(error, match="quantile must"):
        study().reweight(ts.Mean("age", tau=0), quantile=quantile)
    with pytest.raises(error, match="confidence must"):
        study().reweight(ts.Mean("age", tau=0), confidence=0 if quantile == 0 else quantile * 2)


def test_weights_of_another_study_are_refused():
    one = study()
    result = one.reweight(ts.Mean("age", tau=0.5))
    with pytest.raises(InputError, match="must be of this study's rows; got 2,000 for"):
        one.where(frame()["sex"] == "Female").under(result)


def test_weights_that_miss_their_target_are_not_stood_on():
    from dataclasses import replace

    one = study()
    missed = replace(one.reweight(ts.Mean("age", tau=0.5)), status="unconverged", message="Not met: far off.")
    assert "Not met: far off." in missed._caveats
    assert "Not met: far off." in repr(missed)
    with pytest.raises(InputError, match=r"do not meet their constraints\. Not met"):
        one.under(missed)


@pytest.mark.slow
@pytest.mark.parametrize("n_lowest", [52, 48])
@pytest.mark.parametrize("tau", [-0.5, -1.0])
def test_an_end_at_the_edge_of_a_heap_has_its_error_in_every_store(n_lowest, tau):
    rng = np.random.default_rng(4)
    visits = rng.permutation(np.repeat([0.0, 1.0, 2.0, 3.0], [n_lowest, 150, 300, 550 - n_lowest]))
    score = 1 / (1 + np.exp(1.5 - visits + rng.normal(size=1000)))
    y = (rng.random(1000) < score).astype(int)
    X = pd.DataFrame({"visits": visits, "age": rng.normal(size=1000)})
    studies = [predictions_in(store, X, y, (score > 0.5).astype(int), score) for store in ("memory", "chunks")]
    columns = ["value", "lower", "upper"]
    verbs = [lambda study: study.stress_curves("visits", taus=[tau], progress=False).frame]
    at_the_extreme = n_lowest == 52 and tau == -1
    if not at_the_extreme:  # which takes rows in memory
        verbs.append(lambda study: study.reweight(ts.Mean("visits", tau=tau)).metrics)
    for ask in verbs:
        memory, chunks = map(ask, studies)
        np.testing.assert_allclose(memory[columns], chunks[columns], rtol=1e-6)
        assert list(memory["reliability"]) == list(chunks["reliability"])
        moved = memory[memory["tau"] == tau] if "tau" in memory else memory
        if at_the_extreme:
            assert set(moved["reliability"]) == {"unreliable"}
        if tau == -0.5:  # the mean that τ asks for is half a visit elsewhere where one row more or less is lowest
            assert (moved["upper"] - moved["lower"])[moved["metric"] == "mean_score"].item() > 0.1
