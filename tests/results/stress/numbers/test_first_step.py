"""What to try first: the step by its definition, and the feature a widget opens with."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results.samples import made_by_hand, reasons
from tauscope.results.reliability import levels
from tauscope.results.stress.numbers.first_step import first_feature, first_steps

N = 3000


@pytest.fixture(scope="module")
def curves():
    rng = np.random.default_rng(0)
    age = rng.normal(40, 10, N)
    X = pd.DataFrame({"age": age, "noise": rng.normal(size=N), "sex": rng.choice(["f", "m"], N)})
    X["country"] = np.where(np.arange(N) < 13, "there", "here")
    wrong = (rng.random(N) < 1 / (1 + np.exp(3 - (age - 40) / 5))) | (np.arange(N) < 10)
    y = rng.integers(0, 2, N)
    return ts.Study.from_predictions(X, y, np.where(wrong, 1 - y, y)).stress_curves(metrics=["error_rate"])


def slow_step(result, f, i):
    """Walk away from τ = 0 on either side, while steps are near and reliable."""
    curves, zero = result._curves, int(np.flatnonzero(result.taus == 0)[0])
    best, size = -1, 1e-9
    for way in (-1, 1):
        t = zero + way
        while 0 <= t < len(result.taus):
            start, now = (curves.target[f, each] for each in (zero, t))
            grown = now / (1 - now) / (start / (1 - start)) if result.features[f].kind == "share" and now < 1 else 1.0
            far = curves.tv[f, t] > 0.1 or not 0.2499 < grown < 4.001 or curves.n_carriers[f, t] > 0
            if far or levels(curves.reason[f, i, t]):
                break
            moved = abs(curves.value[f, i, t] - curves.value[f, i, zero])
            if moved > size:
                best, size = t, moved
            t += way
    return best


def test_the_step_is_that_of_its_definition(curves):
    steps, sizes = first_steps(curves)
    expected = [[slow_step(curves, f, 0)] for f in range(len(curves.features))]
    np.testing.assert_array_equal(steps, expected)
    rare = list(curves.feature_names).index("country = there")
    assert curves._curves.target[rare, max(steps[rare, 0], 0)] < 13 / N  # more of them are carried by few rows
    np.testing.assert_array_equal(sizes > 0, steps >= 0)


def test_the_feature_to_begin_with_is_the_strongest_of_these(curves):
    assert first_feature(curves) == "age"
    assert curves.widget().feature == "age"


def test_where_no_step_is_reliable_the_order_of_features_decides():
    result = made_by_hand(reason=reasons(["few_rows_beyond"] * 5, ["few_rows_beyond"] * 5))
    assert (first_steps(result)[0] == -1).all()
    assert first_feature(result) == result.influence().index[0]
