"""From constraints to columns and targets, and what is held besides."""

import numpy as np
import pytest

from tauscope.errors import DependentConstraints, InfeasibleTarget, InputError, InputTypeError
from tauscope.stress.column.target import tau_range
from tauscope.stress.joint.constraints import Constraint, Covariance, Mean, Moment, Share, Variance, as_stress
from tauscope.stress.joint.moments import resolve
from tauscope.stress.joint.projection import project

N = 3000


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    age = rng.normal(40, 10, N)
    return {
        "age": age,
        "hours": 30 + 0.3 * age + rng.normal(0, 5, N),
        "gain": rng.exponential(1000, N) * (rng.random(N) < 0.03),
        "sex = Female": (rng.random(N) < 0.3).astype(float),
        "flat": np.full(N, 7.0),
    }


def solve(stress, data, **options):
    moments = resolve(as_stress(stress), data.__getitem__, N, **options)
    projection = project(moments.phi, moments.target, names=moments.names, sample_weight=options.get("sample_weight"))
    assert projection.status in ("solved", "limit")
    required = [term.required for term in moments.terms]
    np.testing.assert_allclose(moments.to_quantities(projection.achieved), required, rtol=1e-8, atol=1e-8)
    return moments, projection


def covariance(a, b, w):
    return np.average((a - np.average(a, weights=w)) * (b - np.average(b, weights=w)), weights=w)


def test_the_three_constraints_of_the_source_are_one_projection(data):
    stress = Mean("age", tau=0.5) & Covariance("age", "hours", 0.0) & Mean("hours", tau=0)
    moments, projection = solve(stress, data)
    assert moments.names == ("mean of age", "covariance of age and hours", "mean of hours")
    w, age, hours = projection.weights, data["age"], data["hours"]
    assert np.average(age, weights=w) == pytest.approx(tau_range(age, 0.05).target(np.array([0.5]))[0])
    assert np.average(hours, weights=w) == pytest.approx(hours.mean())
    assert covariance(age, hours, w) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_variance_is_that_of_the_plain_moments_x_and_x_squared(data, weighted):
    v = np.random.default_rng(1).uniform(0.2, 2, N) if weighted else None
    moments, projection = solve(Variance("age", scale=1.5), data, sample_weight=v)
    assert moments.names == ("variance of age", "mean of age (held)")
    x, before = data["age"], np.ones(N) if v is None else v
    mean, present = np.average(x, weights=before), covariance(x, x, before)
    plain = project(np.column_stack([x, x**2]), np.array([mean, 1.5 * present + mean**2]), sample_weight=v)
    np.testing.assert_allclose(projection.weights, plain.weights, rtol=1e-6)
    assert covariance(x, x, projection.weights) == pytest.approx(1.5 * present)


def test_a_variance_is_taken_about_the_mean_required_elsewhere(data):
    _, projection = solve(Variance("age", target=50.0) & Mean("age", target=45), data)
    assert np.average(data["age"], weights=projection.weights) == pytest.approx(45)
    assert covariance(data["age"], data["age"], projection.weights) == pytest.approx(50)


def test_a_covariance_holds_both_means(data):
    moments, projection = solve(Covariance("age", "hours", 10.0), data)
    assert moments.names[1:] == ("mean of age (held)", "mean of hours (held)")
    assert moments.terms[0].present == pytest.approx(np.cov(data["age"], data["hours"], ddof=0)[0, 1])
    assert covariance(data["age"], data["hours"], projection.weights) == pytest.approx(10)


def test_a_share_and_its_covariance(data):
    _, projection = solve(Share("sex", "Female", 0.5) & Covariance("sex = Female", "age", 0.0), data)
    w, sex = projection.weights, data["sex = Female"]
    assert np.average(sex, weights=w) == pytest.approx(0.5)
    assert np.average(data["age"], weights=w * sex) == pytest.approx(np.average(data["age"], weights=w * (1 - sex)))


@pytest.mark.parametrize(("tau", "share"), [(-1, 0.0), (0, None), (1, 1.0)])
def test_tau_of_a_share_runs_from_no_row_to_every_row(data, tau, share):
    moments, projection = solve(Share("sex", "Female", tau=tau), data)
    expected = data["sex = Female"].mean() if share is None else share
    assert np.average(data["sex = Female"], weights=projection.weights) == pytest.approx(expected)
    assert moments.notes == ()


def test_a_widened_tau_is_noted(data):
    moments, _ = solve(Mean("gain", tau=0.5), data)
    assert moments.notes == ("τ of gain leads to its 0.975 quantile: the 0.95 quantile does not lie above the mean.",)
    assert resolve(as_stress(Mean("gain", tau=0)), data.__getitem__, N).notes == ()
    below = {"gain": -data["gain"]}
    assert "0.05 quantile does not lie below" in resolve(as_stress(Mean("gain", tau=-1)), below.__getitem__, N).notes[0]


def test_alpha_sets_what_tau_stands_for(data):
    low = resolve(as_stress(Mean("age", tau=1)), data.__getitem__, N, quantile=0.2).terms[0].required
    assert low == tau_range(data["age"], 0.2).high


@pytest.mark.parametrize("as_function", [False, True])
def test_a_moment_of_several_columns(data, as_function):
    rows = np.column_stack([data["age"], data["hours"]])
    target = [np.quantile(rows[:, 0] * rows[:, 1], 0.6), 41.0]

    def pair(x):
        return np.column_stack([x[:, 0] * x[:, 1], x[:, 0]])

    moment = Moment(pair if as_function else pair(rows), target, name=None if as_function else "pair")
    moments, projection = solve(moment, data, rows=rows)
    assert moments.names == ("pair[0]", "pair[1]")
    np.testing.assert_allclose(np.average(pair(rows), axis=0, weights=projection.weights), target)


@pytest.mark.parametrize("weighted", [False, True])
def test_rows_without_a_value_keep_their_share(data, weighted):
    rng = np.random.default_rng(2)
    v = rng.uniform(0.2, 2, N) if weighted else np.ones(N)
    data["age"][:400] = np.nan
    data["hours"][300:700] = np.nan
    stress = Mean("age", target=45) & Covariance("age", "hours", 0.0) & Mean("hours", tau=0)
    moments, projection = solve(stress, data, sample_weight=v if weighted else None)
    assert moments.names[3:] == ("share of rows with age (held)", "share of rows with hours (held)")
    w, age, hours = projection.weights, data["age"], data["hours"]
    observed, both = ~np.isnan(age), ~np.isnan(age) & ~np.isnan(hours)
    assert np.average(age[observed], weights=w[observed]) == pytest.approx(45)
    assert w[observed].sum() / w.sum() == pytest.approx(v[observed].sum() / v.sum())
    mean_hours = np.average(hours[~np.isnan(hours)], weights=v[~np.isnan(hours)])
    assert np.average((age[both] - 45) * (hours[both] - mean_hours), weights=w[both]) == pytest.approx(0, abs=1e-7)


def test_one_mean_with_gaps_leaves_the_rows_without_a_value_alone(data):
    data["age"][:400] = np.nan
    _, projection = solve(Mean("age", target=45), data)
    np.testing.assert_allclose(projection.weights[:400], 1, rtol=1e-9)
    alone = project(data["age"][400:, None], np.array([45.0]))
    np.testing.assert_allclose(projection.weights[400:], alone.weights, rtol=1e-8)


def test_an_extreme_with_gaps_is_still_a_limit(data):
    data["gain"][:400] = np.nan
    _, projection = solve(Mean("gain", target=0.0), data)
    assert projection.status == "limit"
    np.testing.assert_allclose(projection.weights[:400], 1, rtol=1e-9)


def test_a_share_of_missing_values_overrides_their_being_held(data):
    data["age"][:400] = np.nan
    data["age = missing"] = np.isnan(data["age"]).astype(float)
    moments, projection = solve(Mean("age", target=45) & Share("age", "missing", 0.3), data)
    assert moments.names == ("mean of age", "share of age = missing")
    assert projection.weights[:400].sum() / N == pytest.approx(0.3)


def test_gaps_in_the_same_rows_are_held_once(data):
    data["age"][:400] = np.nan
    data["hours"][:400] = np.nan
    data["gain"][400:] = np.nan
    moments, _ = solve(Mean("age", target=45) & Mean("hours", tau=0.2) & Mean("gain", tau=0.1), data)
    assert moments.names[3:] == ("share of rows with age (held)",)


def test_a_moment_may_have_gaps(data):
    square = data["age"] ** 2
    square[:100] = np.nan
    moments, projection = solve(Moment(square, 1900.0, name="square"), data)
    assert moments.names == ("square", "share of rows with square (held)")
    assert np.average(square[100:], weights=projection.weights[100:]) == pytest.approx(1900)


def test_a_held_mean_that_follows_is_left_out(data):
    data["months"] = 12 * data["age"]
    moments, _ = solve(Mean("months", tau=0) & Variance("age", scale=1.2), data)
    assert moments.names == ("mean of months", "variance of age")


def test_a_held_mean_that_is_contradicted_is_named(data):
    data["months"] = 12 * data["age"]
    with pytest.raises(DependentConstraints, match=r"mean of age \(held\) cannot become"):
        solve(Mean("months", tau=0.5) & Variance("age", scale=1.2), data)


def test_columns_far_from_zero_keep_their_digits():
    rng = np.random.default_rng(0)
    small = np.round(rng.normal(size=(N, 2)) * 2**20) / 2**20
    far = {"a": 1e6 + small[:, 0] * 2.0**-10, "b": 1e6 + small[:, 1] * 2.0**-10}
    near = {"a": small[:, 0], "b": small[:, 1]}
    stress = Mean("a", tau=0.5) & Covariance("a", "b", 0.0) & Variance("b", scale=1.3)
    a, b = (resolve(stress, one.__getitem__, N) for one in (far, near))
    weights = [project(m.phi, m.target).weights for m in (a, b)]
    np.testing.assert_allclose(weights[0], weights[1], rtol=1e-4)  # the mean itself is rounded at 1e-10


def test_rows_of_weight_zero_do_not_count(data):
    v = np.ones(N)
    v[:1000] = 0
    data["age"][:1000] = 1e9
    moments, _ = solve(Variance("age", scale=1.2), data, sample_weight=v)
    assert moments.terms[1].required == pytest.approx(data["age"][1000:].mean())


class Median(Constraint):
    key, quantity = ("median",), "median"


@pytest.mark.parametrize(
    ("stress", "error", "words"),
    [
        (Mean("flat", tau=0.5), InputError, "at least two different values; 'flat' has only 7"),
        (Variance("none", scale=2), InputError, "'none' has none"),
        (Mean("gaps", target=99), InfeasibleTarget, "mean of gaps cannot become 99: the rows lie between"),
        (Covariance("gaps", "rest", 0), InputError, "covariance of gaps and rest needs rows that have a value"),
        (Moment(np.zeros(5), 0, name="m"), InputError, r"The m needs .* shape \(3000, 1\); got shape \(5,\)"),
        (Moment(np.zeros((N, 2)), 0), InputError, r"shape \(3000, 1\); got shape \(3000, 2\)"),
        (Moment(lambda rows: "a lot", 0), InputTypeError, "The moment must be numbers"),
        (Median(), InputTypeError, "made of Mean, Variance, Covariance, Share and Moment"),
    ],
)
def test_bad_columns_are_refused_in_words(data, stress, error, words):
    data["none"] = np.full(N, np.nan)
    data["gaps"] = np.where(np.arange(N) < 10, np.nan, data["age"])
    data["rest"] = np.where(np.arange(N) < 10, data["age"], np.nan)
    with pytest.raises(error, match=words):
        resolve(as_stress(stress), data.__getitem__, N)


@pytest.mark.parametrize("seed", [7, 43, 49, 72, 75])
def test_tau_leads_where_the_curves_go_though_a_quantile_falls_between_two_rows(seed):
    rng = np.random.default_rng(seed)
    x, weight = rng.normal(size=10), rng.integers(1, 4, 10).astype(float)
    weight /= weight.mean()
    around = tau_range(x, 0.2, weight)
    assert around != tau_range(x, 0.2, weight / weight.sum())
    for tau, end in ((-1, around.low), (1, around.high)):
        resolved = resolve(as_stress(Mean("x", tau=tau)), lambda _: x, 10, quantile=0.2, sample_weight=weight)
        assert resolved.terms[0].required == end
