import numpy as np
import pytest
from scipy.stats import binomtest

import tauscope as ts
from results.samples import HOSTILE, QUOTED, UNICODE, binary_study, regression_study, rows
from tauscope.errors import DependentConstraints, InfeasibleTarget, InputError, InputTypeError, UnknownName
from tauscope.results.stress.numbers.joint_moments import joint_constraints
from tauscope.study.stress.columns import stress_columns


@pytest.fixture(scope="module")
def joint():
    return binary_study().joint_stress()


def test_tau_means_what_it_means_to_stress_curves(joint):
    curves = binary_study().stress_curves(taus=[-1, 0.3, 1])
    for k, name in enumerate(curves.feature_names):
        wanted = curves._curves.target[k]
        found = [joint._columns.target(name, float(tau)) for tau in curves.taus]
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_one_feature_is_the_curve(joint):
    curves = binary_study().stress_curves("age", taus=[0.4], metrics=["error_rate"])
    found = joint.at({"age": 0.4})
    row = curves.frame[curves.frame["tau"] == 0.4].iloc[0]
    metric = found.metrics.set_index("metric").loc["error_rate"]
    assert found.ess == pytest.approx(row["ess"], rel=1e-9)
    assert metric["value"] == pytest.approx(row["value"], rel=1e-9)
    # of the rows without a value the curve holds each weight, the joint stress their share
    assert (metric["lower"], metric["upper"]) == (
        pytest.approx(row["lower"], rel=0.02),
        pytest.approx(row["upper"], rel=0.02),
    )


def test_several_features_move_at_once(joint):
    found = joint.at({"age": 0.3, f"{UNICODE} = True": -0.5, HOSTILE: 0.2})
    balance = found.balance.set_index("feature")["mean_after"]
    for name, tau in (("age", 0.3), (f"{UNICODE} = True", -0.5), (HOSTILE, 0.2)):
        assert balance[name] == pytest.approx(joint._columns.target(name, tau), abs=1e-8)


def test_held_means_stay(joint):
    found = joint.at({HOSTILE: 0.3}, hold="means")
    balance = found.balance.set_index("feature")
    held = [name for name in joint.feature_names if name in joint._columns.held and name != HOSTILE]
    assert held
    np.testing.assert_allclose(balance.loc[held, "smd"], 0, atol=1e-8)


def test_uncorrelated_features_are(joint):
    found = joint.at({HOSTILE: 0.2}, hold="uncorrelated")
    X, w = rows(), found.weights
    moved = X[HOSTILE] - np.average(X[HOSTILE], weights=w)
    boolean = X[UNICODE].astype(float)
    assert np.average(moved * (boolean - np.average(boolean, weights=w)), weights=w) == pytest.approx(0, abs=1e-9)


def test_columns_of_a_moved_level_are_free():
    study = binary_study()
    columns = stress_columns(study)
    level = next(name for name in columns.names if name.startswith(f"{QUOTED} = "))
    stress = joint_constraints(columns, {level: 0.2}, "means")
    assert not any(other.quantity.startswith(f"share of {QUOTED}") for other in stress.constraints[1:])
    assert joint_constraints(columns, {}) is None


def test_what_follows_from_others_is_left_out():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 200))
    study = ts.Study.from_predictions(np.column_stack([a, b, a + b, rng.normal(size=200)]), None, (a > 0).astype(int))
    joint = study.joint_stress()
    assert joint.at({"x3": 0.3}, hold="means").status == "solved"
    with pytest.raises(DependentConstraints, match="mean of x2"):
        joint.at({"x0": 0.3}, hold="means")


def test_unstressed_intervals_are_those_of_no_constraint(joint):
    outcome = (binary_study().predicted == 1).astype(float)
    value = joint.unstressed[joint.metric_names.index("portion_yes")]
    assert value.value == pytest.approx(outcome.mean())
    exact = binomtest(int(outcome.sum()), len(outcome)).proportion_ci(0.95, "exact")
    assert (value.lower, value.upper) == pytest.approx((exact.low, exact.high), rel=1e-9)


def test_reach_is_where_the_others_let_go(joint):
    name = f"{UNICODE} = True"
    low, high = joint.reach("age", {name: 0.9, HOSTILE: 0.5})
    assert -1 <= low < high <= 1
    assert joint.reach("age") == (-1, 1)
    found = joint.reach(HOSTILE, {"age": 0.2}, hold="means")
    assert joint.at({"age": 0.2, HOSTILE: 0.99 * found[1]}, hold="means").status == "solved"


def test_reach_ends_where_no_weights_are():
    rng = np.random.default_rng(1)
    a = rng.normal(size=300)
    study = ts.Study.from_predictions(np.column_stack([a, a + 0.1 * rng.normal(size=300)]), None, (a > 0).astype(int))
    joint = study.joint_stress()
    low, high = joint.reach("x1", {"x0": 0.5})
    assert 0 < low < 0.5 < high < 1
    for tau in (low + 0.001, high - 0.001):
        assert joint.at({"x0": 0.5, "x1": tau}).status == "solved"
    for tau in (low - 0.001, high + 0.001):
        with pytest.raises(InfeasibleTarget):
            joint.at({"x0": 0.5, "x1": tau})


def test_reach_of_a_contradiction_and_of_what_cannot_be_told():
    study = binary_study()
    joint = study.joint_stress()
    levels = [name for name in joint.feature_names if name.startswith(f"{QUOTED} = ")]
    assert np.isnan(joint.reach("age", dict.fromkeys(levels, 0.9))).all()
    assert np.isnan(joint.reach("age", {HOSTILE: 0.1}, hold="uncorrelated")).all()


def test_weights_are_the_start():
    weighted = binary_study(weighted=True).joint_stress(["age", HOSTILE])
    found = weighted.at({HOSTILE: 0.3})
    assert found.before is not None
    assert weighted._columns.mean[0] == pytest.approx(
        np.average(rows()["age"].dropna(), weights=binary_study(weighted=True).sample_weight[rows()["age"].notna()])
    )
    low, high = weighted.reach("age", {HOSTILE: 0.9})
    assert low <= 0 <= high


def test_options_choose():
    chosen = regression_study().joint_stress(["age", HOSTILE], quantile=0.1, confidence=0.9, metrics=["rmse"])
    assert (chosen.feature_names, chosen.metric_names) == (("age", HOSTILE), ("rmse",))
    assert (chosen.quantile, chosen.confidence, chosen.task) == (0.1, 0.9, "regression")
    assert chosen._columns.low[0] == np.nanquantile(rows(seed=2)["age"], 0.1, method="inverted_cdf")


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda s: s.joint_stress("agee"), UnknownName, "Nearest: 'age'"),
        (lambda s: s.joint_stress("constant"), InputError, "every observed value is 1"),
        (lambda s: s.joint_stress(quantile=0.7), InputError, "quantile must lie"),
        (lambda s: s.joint_stress(confidence=95), InputError, "Try 0.95"),
        (lambda s: s.joint_stress(metrics="matthews_corrcoef"), InputError, "is none of them"),
        (lambda s: s.joint_stress(metrics=["error"]), UnknownName, "error_rate"),
        (lambda s: s.joint_stress().at({"agee": 0.1}), UnknownName, "Nearest: 'age'"),
        (lambda s: s.joint_stress().at({}), InputError, "at least one feature"),
        (lambda s: s.joint_stress().at("age"), InputTypeError, "τ by feature name"),
        (lambda s: s.joint_stress().at({"age": 1.5}), InputError, r"must lie in \[-1, 1\]; got 1.5"),
        (lambda s: s.joint_stress().at({"age": np.nan}), InputError, "got nan"),
        (lambda s: s.joint_stress().at({"age": "far"}), InputTypeError, "must be a number"),
        (lambda s: s.joint_stress().at({"age": 0.1}, hold="mean"), InputError, "none, means, uncorrelated"),
        (lambda s: s.joint_stress().reach("agee"), UnknownName, "Nearest: 'age'"),
    ],
)
@pytest.mark.slow
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        call(binary_study())
