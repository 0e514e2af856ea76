"""What is observed beside what is expected: the columns, which of them are doubtful, and what is said."""

import re

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.results.stress.numbers.observed import DIFFERENCE, _beyond_chance, difference_levels, difference_notes
from tauscope.stress.reliability import LEVELS


def rows(n: int, seed: int, turned: float = 0.0) -> tuple[pd.DataFrame, np.ndarray]:
    random = np.random.default_rng(seed)
    a = random.normal(0.3 * (seed % 2), 1, n)
    return pd.DataFrame({"a": a}), ((a + random.normal(0, 0.8, n) > 0) ^ (random.random(n) < turned)).astype(int)


def model(X: pd.DataFrame) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-2 * X["a"])))


def found(n_new: int = 300, turned: float = 0.0, **options: object) -> ts.TargetPopulation:
    here = ts.Study(model, *rows(400, 0), progress=False)
    return here.towards(*rows(n_new, 1, turned), metrics=["error_rate", "recall", "log_loss"], **options)


def test_a_difference_is_expected_less_observed_with_an_interval_of_its_own() -> None:
    frame = found().metrics
    np.testing.assert_allclose(frame["difference"], frame["value"] - frame["observed"])
    assert ((frame["difference_lower"] < frame["difference"]) & (frame["difference"] < frame["difference_upper"])).all()
    wider = found(confidence=0.99).metrics
    assert (wider["difference_lower"] < frame["difference_lower"]).all()
    assert not set(DIFFERENCE) & set(ts.Study(model, *rows(400, 0)).towards(rows(300, 1)[0]).metrics)


def test_what_chance_does_not_explain_is_said_in_words() -> None:
    there = found(turned=0.4)
    assert there.metrics["beyond_chance"].tolist() == [True, True, True]
    (said,) = there._compared
    assert said in there.notes
    assert said in repr(there)
    assert said.startswith("Chance does not explain: error rate, expected ")
    assert "pt to −" in said
    assert said.endswith("The new rows differ in what the margins do not tell.")
    assert found()._compared == (
        "No metric is observed to differ from what is expected by more than chance would make it.",
    )


def test_margins_that_are_not_met_may_be_why() -> None:
    assert found(turned=0.4, price=0.5)._compared[0].endswith("do not tell, and not all of these are met.")


def test_part_of_the_way_is_not_held_against_the_new_rows() -> None:
    there = found(turned=0.4, amount=0.5)
    assert there._compared == ()
    assert np.isfinite(there.metrics["difference"]).all()


def test_few_new_rows_are_doubtful_and_say_nothing() -> None:
    there = found(n_new=12, turned=0.5)
    frame = there.metrics
    assert frame["reliability"].tolist() != frame["difference_reliability"].tolist()
    assert not frame["beyond_chance"][frame["difference_reliability"] == "unreliable"].any()
    assert "wide" in repr(there)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("interval", [True, False])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_metric_that_is_not_judged_is_never_said_not_to_differ(level, interval, share) -> None:
    """Any share of metrics whose difference has this level, with or without its ends, beside others that are judged."""
    one = found()
    metrics, frame = one._metric_definitions * 4, pd.concat([one.metrics] * 4, ignore_index=True)
    n = round(share * len(frame))
    frame.loc[: n - 1, "difference_reliability"] = level
    ends = ["difference_lower", "difference_upper"]
    if not interval:
        frame.loc[: n - 1, ends] = np.nan
    verdicts = [
        _beyond_chance(*row) for row in frame[[*ends, "difference_reliability"]].itertuples(index=False, name=None)
    ]
    missing = [verdict is None for verdict in verdicts]
    assert missing == [place < n and (level == "unreliable" or not interval) for place in range(len(frame))]
    said = " ".join(difference_notes(metrics, frame.assign(beyond_chance=verdicts), all_met=True))
    if any(missing):
        assert "No metric" not in said
        if interval or share < 1:
            assert f"Not judged: error rate ({level if level == 'unreliable' else 'no interval'}), expected " in said
    else:
        assert said.startswith("No metric is observed to differ ")
    assert ("None of the metrics judged" in said) == (any(missing) and not all(missing))


def test_a_large_difference_that_is_unreliable_is_told_with_its_numbers() -> None:
    """Errors of the new rows are far larger, and have no variance."""
    random = np.random.default_rng(5)
    x, new = random.normal(size=400), random.normal(size=400)
    here = ts.Study(lambda X: np.asarray(X["x"]), pd.DataFrame({"x": x}), x + random.normal(size=400), progress=False)
    y = new + 100 * random.standard_t(1.2, 400)
    there = here.towards(pd.DataFrame({"x": new}), y, metrics=["rmse"])
    assert there.metrics["beyond_chance"].tolist() == [None]
    (said,) = there._compared
    assert re.fullmatch(r"Not judged: RMSE \(observed: unreliable: .*\), expected 0\.97, observed [\d,]+\.", said)


def test_of_many_metrics_the_first_are_written_out() -> None:
    one = found(turned=0.4)
    metrics = one._metric_definitions * 2
    (said,) = difference_notes(metrics, pd.concat([one.metrics] * 2, ignore_index=True), all_met=True)
    assert "; and 2 more." in said


def test_without_any_interval_there_is_nothing_to_say() -> None:
    one = found()
    frame = one.metrics.assign(difference_lower=np.nan, difference_upper=np.nan)
    assert difference_notes(one._metric_definitions, frame, all_met=True) == ()


@pytest.mark.parametrize("n", [1, 8])
def test_all_differences_hold_together_at_the_level_of_one(n: int) -> None:
    one, together = difference_levels(0.9, n)
    assert (one, together**n) == pytest.approx((0.9, 0.9))
