from dataclasses import replace

import numpy as np
import pytest

from tauscope.views.rules import distribution_message
from tauscope.views.rules.distribution_message import distribution_wire, same_wire
from wire.write_rules import found, found_value

LEVELS = 3


@pytest.mark.slow
def test_which_values_count_as_the_same():
    one = found_value(LEVELS).distributions[0]
    same = same_wire(found_value(LEVELS))
    assert (same["decided"], same["low"], same["high"], same["t"]) == (one.decided, one.low, one.high, one.t)
    assert same["t"] == pytest.approx((one.high - one.decided) ** 2)
    assert same_wire(found_value(LEVELS, t=(30.0, 70.0)))["t"] is None
    assert same_wire(found(LEVELS)) is None


def test_every_step_is_sent():
    one = found_value(LEVELS).distributions[0]
    sent = distribution_wire(one)
    assert sent["values"] == one.values.tolist()
    np.testing.assert_allclose(sent["shares"], one.share, atol=1e-15)
    assert (sent["classes"], sent["own"], sent["n_others"]) == ([], -1, 0)


@pytest.mark.parametrize(("low", "high"), [(-0.5, 0.5), (-9.0, 0.1), (0.2, 9.0), (0.3, 0.3)])
@pytest.mark.slow
def test_of_many_steps_a_few_tell_the_same(monkeypatch, low, high):
    monkeypatch.setattr(distribution_message, "MOST_STEPS", 50)
    random = np.random.default_rng(0)
    values, share = np.sort(random.normal(size=2000)), random.random(2000)
    one = replace(found_value(LEVELS).distributions[0], values=values, share=share / share.sum(), low=low, high=high)
    sent = distribution_wire(one)
    assert len(sent["values"]) <= 52
    kept, shares = np.array(sent["values"]), np.array(sent["shares"])
    assert shares[(kept >= low) & (kept <= high)].sum() == pytest.approx(one.sdp, abs=1e-12)
    below = np.searchsorted(kept, values, side="right")
    drawn = np.concatenate([[0.0], shares.cumsum()])[below]
    assert np.abs(drawn - one.cumulative).max() < 1.1 / 45


def test_of_many_classes_the_row_s_own_is_among_them():
    classes = tuple(f"c{code}" for code in range(12))
    share = np.arange(12.0, 0, -1) / np.arange(13.0).sum()
    one = replace(found(LEVELS).distributions[0], classes=classes, share=share, values=np.arange(12.0), decided=11.0)
    sent = distribution_wire(one)
    assert sent["classes"] == [*classes[:7], "c11"]
    assert (sent["own"], sent["n_others"]) == (7, 4)
    assert sent["shares"] == [*share[:7], share[11]]
