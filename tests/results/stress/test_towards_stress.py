"""The way to another population as a stress that views share: the same weights, or a reason."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts

N = 900


def frame(n: int, shift: float, seed: int) -> pd.DataFrame:
    """Numbers with gaps, two columns of levels, True and False."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.normal(40 + 5 * shift, 10, n),
            "hours": rng.gamma(2, 2 + shift, n),
            "sex": rng.choice(["F", "M"], n, p=[0.3 + 0.2 * shift, 0.7 - 0.2 * shift]),
            "region": rng.choice(list("nsew"), n, p=np.array([0.4 - 0.2 * shift, 0.3, 0.2, 0.1 + 0.2 * shift])),
            "flag": rng.random(n) < 0.4 + 0.1 * shift,
        }
    )
    X.loc[rng.random(n) < 0.1 - 0.05 * shift, "age"] = np.nan
    return X


def study(sample_weight=None) -> ts.Study:
    rng = np.random.default_rng(3)
    truth, score = rng.integers(0, 2, N), rng.uniform(0.01, 0.99, N)
    return ts.Study.from_predictions(
        frame(N, 0, 1), truth, (score > 0.5).astype(int), score, sample_weight=sample_weight
    )


@pytest.mark.parametrize("amount", [1.0, 0.4])
@pytest.mark.parametrize("weighted", [False, True])
def test_weights_under_the_scenario_are_those_of_the_population(amount, weighted):
    sample_weight = np.random.default_rng(0).integers(0, 3, N) if weighted else None
    asked = study(sample_weight)
    there = asked.towards(frame(500, 0.6, 2), amount=amount)
    scenario = there.scenario("next year")
    assert "sex = M" not in scenario.taus  # it follows
    assert "region = w" not in scenario.taus
    assert {"age", "age = missing", "sex = F", "flag = True"} <= set(scenario.taus)
    np.testing.assert_allclose(asked.reweight(scenario).weights, there.weights, atol=1e-6)


def test_a_part_of_the_way_is_that_part_of_every_tau():
    there = study().towards(frame(500, 0.6, 2))
    whole, half = there.stress_at(), there.stress_at(0.5)
    assert half == {"taus": {name: 0.5 * tau for name, tau in whole["taus"].items()}, "hold": "none"}
    assert there.at(0.5).stress_at() == half
    assert there.stress_at(0) == {"taus": {}, "hold": "none"}
    assert there.scenario("half", 0.5) == ts.Scenario("half", half["taus"])


def test_a_level_lost_is_the_end_of_its_slider():
    there = study().towards({"region": {"w": 0.0, "n": 0.4}})
    assert there.stress_at()["taus"]["region = w"] == -1
    np.testing.assert_allclose(study().reweight(there.scenario("none")).weights, there.weights, atol=1e-6)


@pytest.mark.parametrize(
    ("margins", "options", "reason"),
    [
        (frame(500, 0.6, 2), {"moments": ("mean", "variance")}, "the variance of age is a margin"),
        (frame(500, 0.6, 2), {"price": 5.0}, "not every margin is met"),
        ({"hours": 1e4}, {}, "not every margin is met"),
        ({"hours": 15.0}, {}, "the mean of hours is 15 there, and its slider ends at "),
        ({"age": 45.0}, {}, "a slider of age keeps the share of rows without a value"),
        ({"hours": 5.0, "sex = F": float((frame(N, 0, 1)["sex"] == "F").mean())}, {}, "the share of sex = F is asked"),
    ],
)
def test_what_sliders_cannot_say_is_refused_with_its_reason(margins, options, reason):
    with pytest.raises(ts.InputError, match=reason) as refused:
        study().towards(margins, **options).stress_at()
    assert str(refused.value).startswith("Sliders cannot say this population: ")


def test_a_column_of_many_levels_has_no_slider():
    codes = np.arange(N) % 60
    X = pd.DataFrame({"code": np.array([f"level {k}" for k in codes]), "x": np.sin(np.arange(N))})
    many = ts.Study.from_predictions(X, codes % 2, codes % 3 == 0)
    with pytest.raises(ts.InputError, match="no slider moves code = level 3"):
        many.towards({"x": 0.1, "code = level 3": 0.05}).stress_at()


def test_amounts_and_names_are_checked():
    there = study().towards({"hours": 5.0})
    with pytest.raises(ts.InputError, match=r"amount must lie between 0 and 1; got 1\.5"):
        there.stress_at(1.5)
    with pytest.raises(ts.InputError, match="A scenario moves at least one feature"):
        there.scenario("none", 0)
