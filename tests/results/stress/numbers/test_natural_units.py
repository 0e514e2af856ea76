"""Stresses in the unit a person thinks in: shifts, dates, odds; in memory, in chunks and in joint stresses."""

from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.data.features import features_by_name
from tauscope.errors import InfeasibleTarget, InputError, InputTypeError, UnknownName
from tauscope.results.stress.numbers.natural_units import mean_in_words

N = 1200
FIRST = np.datetime64("2023-01-01")


def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 70, N).astype(float),
            "hours": rng.normal(40, 8, N),
            "signed": FIRST + rng.integers(0, 700, N).astype("timedelta64[D]"),
            "waited": rng.integers(1, 90, N).astype("timedelta64[D]"),
            "sex": rng.choice(["Female", "Male"], N, p=[0.3, 0.7]),
        }
    )


def model(X: pd.DataFrame) -> np.ndarray:
    return (np.asarray(X["age"]) > 45).astype(int)


X = frame()
Y = (np.random.default_rng(1).random(N) < 0.4).astype(int)


@pytest.fixture(scope="module")
def study() -> ts.Study:
    return ts.Study(model, X, Y)


def reached(result: ts.Reweighting) -> float:
    return float(result.achieved["achieved"][0])


def test_a_shift_is_the_target_that_many_units_away(study):
    moved = study.reweight(ts.Mean("age", shift=5))
    given = study.reweight(ts.Mean("age", target=X["age"].mean() + 5))
    np.testing.assert_allclose(moved.weights, given.weights, rtol=1e-9)
    assert reached(moved) == pytest.approx(X["age"].mean() + 5)
    width = [(one.metrics["upper"] - one.metrics["lower"])[1] for one in (moved, given)]
    assert width[0] > width[1]  # the mean it starts from is estimated from the rows
    assert given.notes
    assert not moved.notes
    assert repr(moved.stress) == "ts.Mean('age', shift=5)"


def test_a_shift_of_nothing_is_no_stress(study):
    still = study.reweight(ts.Mean("age", shift=0))
    np.testing.assert_allclose(still.weights, 1)
    assert still._terms[0].aim == "kept"


@pytest.mark.parametrize(
    "when",
    [
        date(2024, 3, 1),
        datetime(2024, 3, 1),
        pd.Timestamp("2024-03-01"),
        pd.Timestamp("2024-03-01", tz="UTC"),
        datetime(2024, 3, 1, 2, tzinfo=timezone(timedelta(hours=2))),
        np.datetime64("2024-03-01"),
    ],
    ids=repr,
)
def test_a_date_is_the_mean_date(study, when):
    result = study.reweight(ts.Mean("signed", target=when))
    days = (X["signed"].to_numpy() - np.datetime64("2024-03-01")) / np.timedelta64(1, "D")
    assert np.average(days, weights=result.weights) == pytest.approx(0, abs=1e-6)
    assert result.stress.constraints[0].target == when


@pytest.mark.parametrize("feature", ["signed", "waited"])
@pytest.mark.parametrize("length", [timedelta(days=9), np.timedelta64(9, "D"), pd.Timedelta(days=9)], ids=repr)
def test_a_length_of_time_moves_dates_and_durations(study, feature, length):
    result = study.reweight(ts.Mean(feature, shift=length))
    values = X[feature].to_numpy()
    days = (values - values[0]) / np.timedelta64(1, "D")
    assert np.average(days, weights=result.weights) - days.mean() == pytest.approx(9)


def test_shares_move_by_points_and_odds(study):
    share = (X["sex"] == "Female").mean()
    assert reached(study.reweight(ts.Share("sex", "Female", shift=0.1))) == pytest.approx(share + 0.1)
    odds = share / (1 - share)
    doubled = study.reweight(ts.Share("sex", "Female", odds=2))
    assert reached(doubled) == pytest.approx(2 * odds / (1 + 2 * odds))
    assert repr(doubled.stress) == "ts.Share('sex', 'Female', odds=2)"
    fifth = ts.Share("sex", "Female", odds=2)._from_present(0.2)
    assert fifth == pytest.approx((1 / 3, 2 / 1.2**2))
    with pytest.raises(InfeasibleTarget, match="cannot"):
        study.reweight(ts.Share("sex", "Female", shift=0.9))


@pytest.mark.parametrize(
    "stress",
    [
        ts.Mean("age", shift=5),
        ts.Mean("age", shift=-3) & ts.Share("sex", "Female", odds=3),
        ts.Mean("signed", target=date(2024, 3, 1)) & ts.Mean("hours", shift=1),
        ts.Mean("waited", shift=timedelta(days=5)),
        ts.Share("sex", "Female", shift=0.05) & ts.Variance("age", scale=0.9),
    ],
    ids=repr,
)
@pytest.mark.slow
def test_chunks_give_what_the_rows_give(study, stress):
    chunks = [(X[k : k + 500], Y[k : k + 500]) for k in range(0, N, 500)]
    found = ts.ChunkedStudy(model, chunks).reweight(stress, progress=False)
    whole = study.reweight(stress)
    pd.testing.assert_frame_equal(found.metrics, whole.metrics, rtol=1e-7, atol=1e-9)
    pd.testing.assert_frame_equal(found.achieved, whole.achieved, rtol=1e-9)
    assert found.notes == whole.notes


def test_a_joint_stress_takes_constraints(study):
    joint = study.joint_stress()
    asked = (
        ts.Mean("age", target=46.0) & ts.Mean("signed", target=date(2024, 2, 1)) & ts.Share("sex", "Female", shift=0.1)
    )
    np.testing.assert_allclose(joint.at(asked).weights, study.reweight(asked).weights, rtol=1e-9)
    held = joint.at(ts.Mean("age", shift=3), "means")
    kept = held.balance.set_index("feature")["smd"]
    assert abs(kept["age"]) > 0.1
    assert kept.drop("age").abs().max() < 1e-8


def test_a_value_in_place_of_tau_is_told_how_to_say_it(study):
    with pytest.raises(InputError, match=r"must lie in \[-1, 1\]; got 43.8\. .*ts\.Mean\('age', target=43\.8\)"):
        study.joint_stress().at({"age": 43.8})


@pytest.mark.parametrize(
    ("stress", "error", "words"),
    [
        (lambda: ts.Mean("age"), InputError, "exactly one of tau, target and shift; got none"),
        (lambda: ts.Mean("age", tau=0.1, shift=5), InputError, "got tau and shift"),
        (lambda: ts.Mean("age", shift="5"), InputTypeError, "shift must be a number; got '5'"),
        (lambda: ts.Mean("age", shift=float("inf")), InputError, "must be finite"),
        (lambda: ts.Mean("age", shift=True), InputTypeError, "got True"),
        (lambda: ts.Mean("age", target="2024-03-01"), InputTypeError, "target must be a number"),
        (lambda: ts.Mean("signed", target=pd.NaT), InputError, "target must be a date; got a missing one"),
        (lambda: ts.Mean("signed", shift=np.timedelta64("NaT")), InputError, "must be a length of time"),
        (lambda: ts.Share("sex", "Female", odds=0), InputError, "odds must be above 0"),
        (lambda: ts.Share("sex", "Female", shift=2), InputError, r"shift must be in \[-1, 1\]"),
        (lambda: ts.Share("sex", "Female", 0.2, odds=2), InputError, "exactly one of tau, target, shift and odds"),
    ],
)
def test_what_is_no_stress(stress, error, words):
    with pytest.raises(error, match=words):
        stress()


@pytest.mark.parametrize(
    ("stress", "words"),
    [
        (ts.Mean("age", target=date(2024, 1, 1)), "'age' has no dates; got the target"),
        (ts.Mean("age", shift=timedelta(days=3)), "'age' has no dates; got the shift"),
        (ts.Mean("waited", target=datetime(2024, 1, 1, tzinfo=UTC)), "'waited' has no dates"),
    ],
)
def test_times_of_columns_without_any_are_refused(study, stress, words):
    with pytest.raises(InputTypeError, match=words):
        study.reweight(stress)


def test_a_joint_stress_refuses_what_is_no_mean_of_its_features(study):
    joint = study.joint_stress()
    with pytest.raises(InputTypeError, match=r"Features move by ts\.Mean and ts\.Share here"):
        joint.at(ts.Variance("age", scale=2))
    with pytest.raises(UnknownName, match="age"):
        joint.at(ts.Mean("aeg", shift=1))
    with pytest.raises(InputError, match="hold"):
        joint.at(ts.Mean("age", shift=1), "all")


def test_means_are_written_in_their_own_unit() -> None:
    columns = ts.Study(model, frame(), progress=False)._columns
    known = features_by_name(columns)
    given = {"age": 45.12, "sex = Female": 0.3, "waited": 12.0, "signed": 2023.5}
    written = [mean_in_words(known[name], mean) for name, mean in given.items()]
    assert written == ["45.1", "30 %", "12 days", "2023-07-02"]
