"""Expected less observed: its correlation by definition, and how often its interval holds."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.stress.joint.estimates import regress_metrics, regressed_estimates
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.towards.approach import approach
from tauscope.stress.towards.difference import Ends, correlate, observe, subtract
from tauscope.stress.towards.margins import Margin, measure_margins

NAMES = ["error_rate", "portion_1", "f1", "log_loss", "roc_auc"]


def draw(n: int, shift: float, random: np.random.Generator, odds: float = 0.0) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw rows of which the new ones are those here, tilted by a mean: then the weights are the right ones."""
    a, b = random.normal(shift, 1, n), random.normal(0, 1, n)
    chance = 1 / (1 + np.exp(-1.2 * (a + 0.5 * b) - odds))
    return pd.DataFrame({"a": a, "b": b}), (random.random(n) < chance).astype(int)


def model(rows: pd.DataFrame) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-(rows["a"] - 0.3 * rows["b"]))))


@pytest.mark.parametrize(("gaps", "rtol"), [(False, 2e-4), (True, 0.03)])
def test_the_correlation_is_that_of_what_each_new_row_moves(gaps: bool, rtol: float) -> None:
    """To first order: rows without a value, and variances about a mean that moves, count in the second alone."""
    random = np.random.default_rng(0)
    (X, y), (X_new, y_new) = draw(300, 0.0, random), draw(25, 0.3, random)
    if gaps:
        X_new.loc[:3, "b"] = np.nan
        X.loc[:40, "b"] = np.nan
    columns = [{name: rows[name].to_numpy() for name in rows} for rows in (X, X_new)]
    which = (Margin("mean", ("a",)), Margin("mean", ("b",)), *([Margin("variance", ("a",))] if gaps else []))
    scores = [np.nan_to_num(model(rows), nan=0.4) for rows in (X, X_new)]
    sums = [
        define_quantities(Outcomes("binary", (s > 0.5).astype(int), t, s, ("0", "1")), names=NAMES)
        for s, t in zip(scores, (y, y_new), strict=True)
    ]
    metrics = [choose(every, NAMES) for _, every in sums]

    def both(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        margins = measure_margins(which, columns[1].__getitem__, 25, weight)
        found = approach(margins, columns[0].__getitem__, 300, amount=0.8)
        m = found.moments
        regressed = regress_metrics(sums[0][0], metrics[0], m.phi, m.target, found.weights)
        seen = observe(sums[1][0], metrics[1], weight, which, columns[1].__getitem__)
        estimates = regressed_estimates(regressed, m.phi, m.target, m.target_covariance)
        rho = [
            correlate(
                regressed.regression, found.follow, j,
                *(Ends.of(metrics[0][j], one, [0.9], 300) for one in (estimates[j], seen[j].estimate)),
                seen[j].with_margins,
            )
            for j in range(len(NAMES))
        ]  # fmt: skip
        values = np.array([[float(one.value) for one in estimates], [float(one.estimate.value) for one in seen]])
        errors = np.array([[float(one.error) for one in estimates], [float(one.estimate.error) for one in seen]])
        return values, np.array(rho) * errors[0] * errors[1]

    step, moved = 1e-4, []
    for j in range(25):
        ends = [both(np.ones(25) + sign * step * (np.arange(25) == j))[0] for sign in (-1, 1)]
        moved.append((ends[1] - ends[0]) / (2 * step))
    slow = sum(one[0] * one[1] for one in moved) * 25 / 24
    assert np.abs(slow).min() > 1e-7
    np.testing.assert_allclose(both(np.ones(25))[1], slow, rtol=rtol)


def test_what_is_not_defined_has_no_difference() -> None:
    known, unknown = (Ends(v, 0.1, np.array([v - 0.2]), np.array([v + 0.2])) for v in (0.5, np.nan))
    difference, lower, upper = subtract(known, unknown, 0.0)
    assert np.isnan([difference, *lower, *upper]).all()
    difference, lower, upper = subtract(known, known, 1.0)
    assert (difference, lower[0], upper[0]) == pytest.approx((0, 0, 0))


@pytest.mark.slow
def test_intervals_hold_no_difference_where_there_is_none_and_a_word_is_rarely_said() -> None:
    """Both samples are drawn 160 times: one interval in twenty may miss 0, and one set of all of them."""
    held, said, narrow = [], [], []
    for seed in range(160):
        random = np.random.default_rng(seed)
        here = ts.Study(model, *draw(400, 0.0, random), progress=False)
        found = here.towards(*draw(300, 0.5, random), metrics=NAMES).metrics.set_index("metric")
        held.append((found["difference_lower"] <= 0) & (found["difference_upper"] >= 0))
        said.append(found["beyond_chance"].any())
        widths = found["upper"] - found["lower"], found["observed_upper"] - found["observed_lower"]
        narrow.append((found["difference_upper"] - found["difference_lower"]) / np.hypot(*widths))
    coverage = pd.concat(held, axis=1).mean(axis=1)
    assert coverage.between(0.91, 0.985).all(), coverage
    assert np.mean(said) <= 0.08
    # what both owe to the same new rows falls out: without that these would hold far more often than said
    assert pd.concat(narrow, axis=1).mean(axis=1)["portion_1"] < 0.7


@pytest.mark.slow
def test_a_label_that_depends_on_the_features_in_another_way_is_seen() -> None:
    said = []
    for seed in range(20):
        random = np.random.default_rng(seed)
        here = ts.Study(model, *draw(400, 0.0, random), progress=False)
        there = here.towards(*draw(300, 0.5, random, odds=-2.5), metrics=NAMES)
        found = there.metrics.set_index("metric")
        said.append(found.loc["error_rate", "beyond_chance"])
        assert not found.loc["portion_1", "beyond_chance"]
    assert np.mean(said) > 0.9
