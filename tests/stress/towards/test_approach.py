"""Weights towards another sample: what they reach, what they cannot, and what that makes of metrics."""

import numpy as np
import pytest

from stress.towards.oracle import balance
from stress.towards.toys import Columns, sample
from tauscope.stress.towards.approach import PRICE, Approach, approach
from tauscope.stress.towards.margins import Margin, Margins, measure_margins

MEANS = (*(Margin("mean", (name,)) for name in "abc"), *(Margin("share", (name,)) for name in "uvw"))
SECOND = (Margin("variance", ("a",)), Margin("covariance", ("a", "b")))
HERE, N = sample(400, 0.0, 0), 400


def wanted(which: tuple[Margin, ...], columns: Columns) -> Margins:
    return measure_margins(which, columns.__getitem__, len(columns["a"]), None)


def towards(margins: Margins, columns: Columns = HERE, **options: object) -> Approach:
    return approach(margins, columns.__getitem__, len(columns["a"]), **options)  # type: ignore[arg-type]


def test_it_is_the_closest_that_has_the_margins() -> None:
    margins = wanted(MEANS, sample(150, 0.4, 1))
    there = towards(margins)
    assert (there.status, there.price) == ("reached", None)
    np.testing.assert_allclose(there.achieved, margins.wanted, atol=1e-9)
    phi = np.stack([HERE[name] for name in "abcuv"], axis=1)
    np.testing.assert_allclose(there.weights / N, balance(phi, margins.wanted[:5]), atol=1e-10)
    assert there.follows.tolist() == [False] * 5 + [True]


def test_margins_measured_already_are_taken_as_they_are() -> None:
    margins = wanted((*MEANS, *SECOND), sample(150, 0.4, 1))
    plain = towards(margins, amount=0.4)
    given = towards(margins, amount=0.4, present=wanted(margins.which, HERE))
    np.testing.assert_array_equal(given.weights, plain.weights)
    np.testing.assert_array_equal(given.moments.target_covariance, plain.moments.target_covariance)
    elsewhere = towards(margins, amount=0.4, present=wanted(margins.which, sample(400, 0.2, 5)))
    assert np.abs(elsewhere.required - plain.required).max() > 0.01


def test_variances_and_covariances_are_about_the_means_there() -> None:
    margins = wanted((*MEANS, *SECOND), sample(150, 0.4, 1))
    there = towards(margins)
    a, b, w = HERE["a"], HERE["b"], there.weights
    mean_a, mean_b = np.average(a, weights=w), np.average(b, weights=w)
    assert np.average((a - mean_a) ** 2, weights=w) == pytest.approx(margins.wanted[6], abs=1e-9)
    assert np.average((a - mean_a) * (b - mean_b), weights=w) == pytest.approx(margins.wanted[7], abs=1e-9)


@pytest.mark.parametrize("amount", [0.0, 0.3, 1.0])
def test_an_amount_is_part_of_the_way(amount: float) -> None:
    margins = wanted(MEANS, sample(150, 0.4, 1))
    there = towards(margins, amount=amount)
    np.testing.assert_allclose(there.achieved, there.present + amount * (margins.wanted - there.present), atol=1e-9)
    assert (there.kl < 1e-12) == (amount == 0)


def test_rows_without_a_value_count_in_no_mean() -> None:
    here, there = sample(400, 0.0, 0, gaps=True), sample(300, 0.5, 1, gaps=True)
    which = (*MEANS, Margin("share", ("b missing",)))
    found = towards(wanted(which, there), here)
    seen = ~np.isnan(here["b"])
    assert np.average(here["b"][seen], weights=found.weights[seen]) == pytest.approx(np.nanmean(there["b"]), abs=1e-9)
    assert found.weights[~seen].sum() / N == pytest.approx(there["b missing"].mean(), abs=1e-9)


def test_a_miss_is_told_in_the_deviations_of_the_rows_with_a_value() -> None:
    here, target, price = sample(400, 0.0, 0, gaps=True), np.array([0.3, 3.0]), 2.0
    there = towards(Margins.given(MEANS[:2], target.tolist()), here, price=price)
    b, seen = here["b"], ~np.isnan(here["b"])
    phi = np.stack([here["a"], np.where(seen, b, target[1])], axis=1)
    unit = np.array([here["a"].std(), b[seen].std() * seen.mean()])
    np.testing.assert_allclose(there.weights / N, balance(phi, target, price, unit=unit), atol=1e-9)
    np.testing.assert_allclose(there.missed[1], (there.achieved[1] - target[1]) / b[seen].std(), atol=1e-9)


def test_a_mean_beyond_every_value_is_not_met_by_rows_without_one() -> None:
    here = sample(400, 0.0, 0, gaps=True)
    top = np.nanmax(here["b"])
    there = towards(Margins.given(MEANS[1:2], [top + 1]), here)
    assert (there.status, there.high[0]) == ("nearest", top)
    assert there.achieved[0] < top


def test_weights_that_leave_no_row_with_a_value_meet_nothing() -> None:
    b = np.array([0.0, 1.0, 2.0, np.nan])
    columns = {"a": np.arange(4.0), "b": b}
    there = towards(Margins.given(MEANS[:2], [3.0, 1.5]), columns)
    assert there.status == "nearest"
    assert there.weights[:3].all()


def test_sample_weights_are_where_it_starts() -> None:
    weight = np.random.default_rng(3).gamma(1, size=N)
    weight[:40] = 0
    margins = wanted(MEANS, sample(150, 0.4, 1))
    there = towards(margins, sample_weight=weight)
    phi = np.stack([HERE[name] for name in "abcuv"], axis=1)
    np.testing.assert_allclose(there.weights / N, balance(phi, margins.wanted[:5], base=weight), atol=1e-10)
    assert not there.weights[:40].any()


def test_what_no_weights_reach_is_come_near_at_a_price() -> None:
    margins = Margins.given(MEANS[:3], [0.2, 99.0, 2.5])
    there = towards(margins)
    assert (there.status, there.price) == ("nearest", PRICE)
    phi = np.stack([HERE[name] for name in "abc"], axis=1)
    np.testing.assert_allclose(there.weights / N, balance(phi, margins.wanted, PRICE), atol=1e-9)
    np.testing.assert_allclose(there.missed, (there.achieved - margins.wanted) / phi.std(axis=0), atol=1e-9)
    assert there.achieved[1] <= HERE["b"].max() < there.required[1]


def test_margins_that_exclude_each_other_are_come_near() -> None:
    margins = Margins.given((*MEANS[3:],), [0.4, 0.4, 0.4])
    there = towards(margins)
    assert there.status == "nearest"
    assert there.achieved.sum() == pytest.approx(1.0)
    assert (there.missed < 0).all()


def test_means_that_no_rows_have_together() -> None:
    x = np.linspace(-1, 1, N)
    columns = {"a": x, "b": x**2}
    there = towards(Margins.given(MEANS[:2], [0.9, 0.1]), columns)  # the mean of x² is at least that of x, squared
    assert there.status == "nearest"
    assert there.missed.any()


def test_a_price_is_kept_to_where_the_margins_could_be_met() -> None:
    margins = wanted(MEANS[:3], sample(150, 0.4, 1))
    there = towards(margins, price=2.0)
    assert (there.status, there.price) == ("nearest", 2.0)
    phi = np.stack([HERE[name] for name in "abc"], axis=1)
    np.testing.assert_allclose(there.weights / N, balance(phi, margins.wanted, 2.0), atol=1e-10)
    assert towards(margins).kl > there.kl


def test_a_level_that_is_not_there_loses_its_rows() -> None:
    there = towards(Margins.given(MEANS[3:], [0.6, 0.4, 0.0]))
    assert there.status == "limit"
    assert not there.weights[HERE["w"] == 1].any()
    assert there.achieved.tolist() == pytest.approx([0.6, 0.4, 0.0])


def test_a_column_of_one_value_stays_what_it_is() -> None:
    columns = {**HERE, "a": np.full(N, 2.0)}
    there = towards(Margins.given(MEANS[:2], [3.0, 0.4]), columns)
    assert there.status == "nearest"
    assert there.achieved.tolist() == pytest.approx([2.0, 0.4])
    assert there.follows.tolist() == [True, False]


def test_the_spread_of_the_targets_is_that_of_both_samples() -> None:
    margins = wanted(MEANS[:2], sample(150, 0.4, 1))
    own = wanted(MEANS[:2], HERE)
    for amount in (0.0, 0.25, 1.0):
        said = towards(margins, amount=amount).moments.target_covariance
        np.testing.assert_allclose(said, (1 - amount) ** 2 * own.covariance + amount**2 * margins.covariance)


@pytest.mark.parametrize(("share", "n_beyond"), [(0.08, 4.0), (0.03, np.inf), (0.011, np.inf)])
def test_few_rows_where_a_margin_leads_count_where_they_come_to_hold_much(share: float, n_beyond: float) -> None:
    rare = np.zeros(N)
    rare[:4] = 1
    there = towards(Margins.given([Margin("share", ("rare",))], [share]), {"a": HERE["a"], "rare": rare})
    assert there.moments.n_beyond == n_beyond
