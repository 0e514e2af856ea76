"""Curves with the other columns held, against one projection at a time and normal theory."""

import numpy as np
import pytest
from scipy.special import ndtr

from tauscope.errors import InputError
from tauscope.stress.curves import stress_curves
from tauscope.stress.joint.adjusted import adjusted_curves
from tauscope.stress.joint.constraints import Covariance, Mean
from tauscope.stress.joint.moments import resolve
from tauscope.stress.joint.projection import project
from tauscope.stress.outcomes import Outcomes

TAUS = np.linspace(-1, 1, 9)


def case(n=1500, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3))
    x[:, 1] = 0.5 * x[:, 0] + np.sqrt(0.75) * x[:, 1]
    ones = (rng.random(n) < ndtr(10 * (x[:, 0] - x[:, 2]))).astype(np.int64)
    return list(x.T.copy()), Outcomes("binary", ones, rng.integers(0, 2, n), None, ("0", "1"))


def one_by_one(columns, j, hold, tau, sample_weight):
    """Portion of ones by a projection of its own, from the public constraints."""
    stress = Mean(str(j), tau=tau)
    for i in range(len(columns)):
        if i != j:
            stress = stress & Mean(str(i), tau=0)
            stress = stress & Covariance(str(j), str(i), 0.0) if hold == "uncorrelated" else stress
    moments = resolve(stress, lambda name: columns[int(name)], len(columns[0]), sample_weight=sample_weight)
    return project(moments.phi, moments.target, sample_weight=sample_weight)


@pytest.mark.slow
@pytest.mark.parametrize("hold", ["means", "uncorrelated"])
@pytest.mark.parametrize("weighted", [False, True])
def test_each_point_is_a_projection_of_its_own(hold, weighted):
    columns, outcomes = case()
    v = np.random.default_rng(1).uniform(0.3, 2, 1500) if weighted else None
    adjusted = adjusted_curves(columns, outcomes, hold=hold, taus=TAUS, sample_weight=v)
    assert np.all(adjusted.status == "solved")
    portion = [metric.name for metric in adjusted.curves.metrics].index("portion_1")
    for j in range(3):
        for t in (0, 3, 8):
            alone = one_by_one(columns, j, hold, TAUS[t], v)
            value = np.average(outcomes.predicted, weights=alone.weights)
            assert adjusted.curves.value[j, portion, t] == pytest.approx(value, abs=1e-9)
            assert adjusted.curves.kl[j, t] == pytest.approx(alone.kl, abs=1e-9)
            assert adjusted.curves.tv[j, t] == pytest.approx(alone.tv, abs=1e-9)
            assert adjusted.curves.ess[j, t] == pytest.approx(alone.ess)
            assert adjusted.curves.target[j, t] == pytest.approx(np.average(columns[j], weights=alone.weights))


@pytest.mark.parametrize("gaps", [0, 50])
def test_with_nothing_beside_it_is_the_plain_curve(gaps):
    columns, outcomes = case()
    columns[0][:gaps] = np.nan
    adjusted = adjusted_curves(columns[:1], outcomes, hold="uncorrelated", taus=TAUS).curves
    plain = stress_curves(columns[:1], outcomes, taus=TAUS)
    for name in ("target", "multiplier", "value", "kl", "tv", "ess", "reached", "mean", "n_missing"):
        np.testing.assert_allclose(getattr(adjusted, name), getattr(plain, name), rtol=1e-7, atol=1e-9, err_msg=name)
    # with gaps, the leverage also counts their share, and the tail looks at all rows
    np.testing.assert_allclose(adjusted.error, plain.error, rtol=0.03 if gaps else 1e-6, atol=1e-12)
    np.testing.assert_allclose(adjusted.pareto_k, plain.pareto_k, atol=0.03 if gaps else 1e-6)


@pytest.mark.slow
def test_a_linear_companion_is_held_away_as_in_theory():
    """[EVP Fig 6]: x2 has no effect of its own and moves with x1 linearly; plain curves, on the left, show one."""
    plain, adjusted = [], []
    for seed in range(40):
        columns, outcomes = case(2000, seed)
        ends = np.array([-1.0, 0.0, 1.0])
        options = {"taus": ends, "metrics": ["portion_1"]}
        plain.append(stress_curves(columns, outcomes, **options).value[:, 0])
        adjusted.append(adjusted_curves(columns[:2], outcomes, hold="uncorrelated", **options).curves.value[:, 0])
    along_x1, along_x2 = [0.123, 0.5, 0.877], [0.281, 0.5, 0.719]
    np.testing.assert_allclose(np.mean(plain, 0), [along_x1, along_x2, along_x1[::-1]], atol=0.015)
    np.testing.assert_allclose(np.mean(adjusted, 0), [[0.108, 0.5, 0.892], [0.5, 0.5, 0.5]], atol=0.03)


def test_a_curved_companion_is_not_held_away():
    """Of x2 = x1² + noise the model knows nothing; the two are uncorrelated, so that holding x1 changes nothing."""
    rng = np.random.default_rng(0)
    x1 = rng.normal(size=20_000)
    x2 = x1**2 + 0.3 * rng.normal(size=20_000)
    outcomes = Outcomes("binary", (np.abs(x1) > 1).astype(np.int64), class_names=("0", "1"))
    options = {"taus": np.array([0.0, 1.0]), "metrics": ["portion_1"], "moved": [1]}
    value = adjusted_curves([x1, x2], outcomes, hold="uncorrelated", **options).curves.value[0, 0]
    np.testing.assert_allclose(value, [0.317, 0.64], atol=0.015)


def test_gaps_are_held_like_everywhere_else():
    columns, outcomes = case()
    rng = np.random.default_rng(3)
    columns[0][rng.random(1500) < 0.2] = np.nan
    adjusted = adjusted_curves(columns[:2], outcomes, hold="uncorrelated", taus=np.array([0.0, 0.6]), moved=[0])
    alone = one_by_one(columns[:2], 0, "uncorrelated", 0.6, None)
    assert adjusted.curves.kl[0, 1] == pytest.approx(alone.kl, abs=1e-9)
    value = adjusted.curves.only(["portion_1"]).value[0, 0, 1]
    assert value == pytest.approx(np.average(outcomes.predicted, weights=alone.weights))


@pytest.mark.parametrize("hold", ["means", "uncorrelated"])
@pytest.mark.slow
def test_levels_of_one_column_are_not_held_against_each_other(hold):
    columns, outcomes = case()
    level = np.random.default_rng(4).integers(0, 3, 1500)
    columns = columns[:1] + [(level == c).astype(float) for c in range(3)]
    groups = ["x", "level", "level", "level"]
    adjusted = adjusted_curves(columns, outcomes, hold=hold, taus=np.array([-1, -0.5, 0, 0.5, 1]), groups=groups)
    assert adjusted.tied == ((), (), (), ())
    np.testing.assert_array_equal(adjusted.status[0], ["solved"] * 5)  # the third level follows and is left out
    for j in (1, 2, 3):
        np.testing.assert_array_equal(adjusted.status[j], ["limit", "solved", "solved", "solved", "limit"])


def test_a_column_that_repeats_another_cannot_move_while_that_is_held():
    columns, outcomes = case()
    columns.append(2 * columns[0] + 1)
    adjusted = adjusted_curves(columns, outcomes, hold="means", taus=TAUS, moved=[0, 1])
    assert adjusted.tied == ((3,), ())
    assert adjusted.status[0].tolist() == ["outside"] * 4 + ["solved"] + ["outside"] * 4
    assert np.isnan(adjusted.curves.value[0, :, [0, 8]]).all()
    assert np.isfinite(adjusted.curves.value[0, :, 4]).all()
    assert np.all(adjusted.status[1] == "solved")


def test_beyond_what_the_rows_allow_there_is_no_number():
    rng = np.random.default_rng(5)
    x = rng.normal(size=400)
    columns = [x, x + 0.3 * rng.uniform(-1, 1, 400)]
    adjusted = adjusted_curves(columns, Outcomes("regression", x), hold="means", taus=TAUS)
    for j in range(2):
        inside = adjusted.status[j] == "solved"
        assert inside[4]
        assert not inside[0]
        assert not inside[8]
        assert np.array_equal(np.isfinite(adjusted.curves.value[j, 0]), inside)
        assert np.array_equal(np.isfinite(adjusted.curves.ess[j]), inside)
        assert np.isfinite(adjusted.curves.target[j]).all()


@pytest.mark.slow
def test_rows_without_weight_take_no_part():
    columns, outcomes = case()
    v = (np.arange(1500) >= 300).astype(float)
    columns[0][:300] = 1e9
    adjusted = adjusted_curves(columns, outcomes, hold="means", taus=TAUS, sample_weight=v, quantile=0.0501)
    some = np.arange(300, 1500)
    alone = adjusted_curves([c[some] for c in columns], outcomes.take(some), hold="means", taus=TAUS, quantile=0.0501)
    np.testing.assert_allclose(adjusted.curves.value, alone.curves.value)
    np.testing.assert_allclose(adjusted.curves.kl, alone.curves.kl)


def test_options():
    columns, outcomes = case()
    seen = []

    def watched(function, moved):
        for one in moved:
            seen.append(one[0])
            yield function(one)

    adjusted = adjusted_curves(
        columns,
        outcomes,
        hold="means",
        taus=np.array([0.5, 1.0]),
        moved=[2, 0],
        quantile=0.2,
        confidence=0.5,
        metrics=["error_rate"],
        over=watched,
    )
    assert seen == [2, 0]
    assert adjusted.curves.value.shape == (2, 1, 2)
    assert adjusted.curves.target[0, 1] == np.quantile(columns[2], 0.8, method="inverted_cdf")
    wide = adjusted_curves(
        columns, outcomes, hold="means", taus=np.array([0.5, 1.0]), quantile=0.2, metrics=["error_rate"]
    )
    assert np.all(wide.curves.lower[2] < adjusted.curves.lower[0])


def test_bad_columns_are_refused():
    columns, outcomes = case()
    with pytest.raises(InputError, match="at least two different values"):
        adjusted_curves([np.ones(1500), *columns], outcomes, hold="means", taus=TAUS)
    with pytest.raises(InputError, match="at least one column"):
        adjusted_curves(columns, outcomes, hold="means", taus=TAUS, moved=[])
