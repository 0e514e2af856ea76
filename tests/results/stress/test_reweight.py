"""What a reweighting holds, shows and writes."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import wasserstein_distance

import tauscope as ts
from results.samples import HOSTILE, UNICODE, binary_study, regression_study, rows
from tauscope.errors import InputError, InputTypeError

STRESS = ts.Mean("age", target=55) & ts.Share(UNICODE, "True", 0.5)


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "weighted"])
def result(request):
    return binary_study(request.param).reweight(STRESS)


def test_the_weights_do_what_was_asked(result):
    X = rows()
    known = X["age"].notna()
    assert result.weights.mean() == pytest.approx(1)
    assert np.average(X["age"][known], weights=result.weights[known]) == pytest.approx(55)
    assert np.average(X[UNICODE], weights=result.weights) == pytest.approx(0.5)
    with pytest.raises(ValueError, match="read-only"):
        result.weights[0] = 3


def test_required_and_achieved_stand_side_by_side(result):
    assert list(result.achieved.columns) == ["constraint", "required", "achieved"]
    assert list(result.achieved["constraint"]) == [
        "mean of age",
        f"share of {UNICODE} = True",
        "share of rows with age (held)",
    ]
    np.testing.assert_allclose(result.achieved["achieved"], result.achieved["required"], rtol=1e-9)
    assert list(result.multipliers.index) == list(result.achieved["constraint"])


def test_the_numbers_agree_with_their_definitions(result):
    w = result.weights
    base = np.ones(len(w)) if result.before is None else result.before
    assert result.ess == pytest.approx(w.sum() ** 2 / (w**2).sum())
    assert result.kl == pytest.approx(np.mean(w * np.log(w / base)))
    assert result.tv == pytest.approx(np.mean(np.abs(w - base)) / 2)
    assert result.largest_weight == pytest.approx(w.max())
    heaviest = np.sort(w)[::-1].cumsum()
    assert result.half_share == pytest.approx((np.argmax(heaviest >= len(w) / 2) + 1) / len(w))
    assert result.status == "solved"
    assert result.residual <= 1e-10
    assert result.n_rows == 300


def test_the_frame_has_a_row_per_row(result):
    frame = result.frame
    assert list(frame.columns) == ["row", "before", "weight"]
    np.testing.assert_array_equal(frame["weight"], result.weights)
    assert frame["before"].mean() == pytest.approx(1)
    frame.loc[0, "weight"] = 9
    assert result.frame.loc[0, "weight"] != 9


def test_the_balance_is_that_of_every_feature(result):
    balance = result.balance.set_index("feature")
    X, w = rows(), result.weights
    base = np.ones(300) if result.before is None else result.before
    assert "constant" not in balance.index
    assert {"age", "age = missing", HOSTILE, f"{UNICODE} = True"} <= set(balance.index)
    known = X["age"].notna().to_numpy()
    age, before, after = X["age"].to_numpy()[known], base[known], w[known]
    line = balance.loc["age"]
    assert line["mean_before"] == pytest.approx(np.average(age, weights=before))
    assert line["mean_after"] == pytest.approx(55)
    sd = np.sqrt(np.average((age - line["mean_before"]) ** 2, weights=before))
    assert line["smd"] == pytest.approx((55 - line["mean_before"]) / sd)
    assert line["wasserstein"] == pytest.approx(wasserstein_distance(age, age, before, after))
    share = balance.loc[f"{UNICODE} = True"]
    assert share["wasserstein"] == pytest.approx(abs(share["mean_after"] - share["mean_before"]))
    sizes = result.balance["smd"].abs()
    assert (sizes.diff().dropna() <= 0).all()
    copy = result.balance
    copy.loc[0, "smd"] = 99
    assert result.balance.loc[0, "smd"] != 99


def test_the_words_say_which_population(result):
    assert "age 55.0 on average (was 50.3)" in result.population
    assert f"effective sample {result.ess:,.0f} of 300" in result.population
    text = repr(result)
    assert text.startswith(result.population)
    assert "KL " in text
    assert "Every constraint is met" in text


def test_doubts_and_notes_are_shown():
    stress = ts.Mean("gain", tau=0.9) & ts.Mean("age", tau=0.7)
    doubtful, noted = (binary_study().reweight(stress, quantile=quantile) for quantile in (0.01, 0.05))
    assert doubtful._caveats
    assert all(word.startswith(("wide: ", "unreliable: ")) for word in doubtful._caveats)
    assert noted.notes[0].startswith("τ of gain leads to its")
    for result in (doubtful, noted):
        for words in (*result._caveats, *result.notes):
            assert words in repr(result)


def test_targets_in_units_say_of_which_population_the_intervals_are(result):
    exactly = f"mean of age is exactly 55, and whose share of {UNICODE} = True is exactly 0.5."
    assert result.notes[-1] == f"Intervals are those in a population whose {exactly}"
    assert result.notes[-1] in repr(result)
    along = binary_study().reweight(ts.Mean("age", tau=0.5) & ts.Variance(HOSTILE, scale=1.2))
    assert not any("exactly" in note for note in along.notes)


def test_a_limit_says_so():
    result = binary_study().reweight(ts.Share(UNICODE, "True", tau=1))
    assert result.status == "limit"
    assert result.multipliers.iloc[0] == np.inf
    assert "share all the weight" in repr(result)
    assert np.all(result.weights[~rows()[UNICODE]] == 0)


@pytest.mark.parametrize("n", [None, 50, 5000])
def test_a_sample_follows_the_weights(n):
    study = binary_study()
    result = study.reweight(STRESS)
    sample = result.sample(n, random_state=3)
    assert len(sample.rows) == (300 if n is None else n)
    assert isinstance(sample.X, pd.DataFrame)
    assert sample.X.equals(study.X.iloc[sample.rows])
    np.testing.assert_array_equal(sample.y, np.asarray(study.y)[sample.rows])
    assert sample.random_state == 3
    np.testing.assert_array_equal(result.sample(n, random_state=3).rows, sample.rows)
    if n == 5000:
        assert sample.X["age"].mean() == pytest.approx(55, abs=1)
        assert sample.X[UNICODE].mean() == pytest.approx(0.5, abs=0.03)


def test_a_sample_repeats_from_its_own_seed():
    result = regression_study().reweight(ts.Mean("prediction", tau=0.5))
    first = result.sample(20)
    again = result.sample(20, random_state=first.random_state)
    np.testing.assert_array_equal(first.rows, again.rows)
    assert len(set(map(tuple, [result.sample(20, np.random.default_rng(s)).rows for s in range(5)]))) == 5


@pytest.mark.parametrize(
    ("n", "state", "error"), [(0, 1, InputError), (2.5, 1, InputTypeError), (3, "x", InputTypeError)]
)
def test_bad_samples_are_refused(n, state, error):
    with pytest.raises(error):
        regression_study().reweight(ts.Mean("prediction", tau=0.5)).sample(n, state)


def test_files(result, tmp_path):
    result.save(tmp_path / "w.csv")
    table = pd.read_csv(tmp_path / "w.csv")
    np.testing.assert_allclose(table["weight"], result.weights)
    result.save(str(tmp_path / "w.json"))
    document = json.loads((tmp_path / "w.json").read_text("utf-8"))["summary"]
    assert document["schema"] == "tauscope.reweighting"
    assert document["stress"] == repr(STRESS)
    assert document["ess"] == result.ess
    assert document["status"] == "solved"
    assert [one["constraint"] for one in document["constraints"]] == list(result.achieved["constraint"])
    assert document["constraints"][0]["required"] == 55
    assert [one["metric"] for one in document["metrics"]] == list(result.metrics["metric"])
    assert len(document["balance"]) == len(result.balance)
    np.testing.assert_allclose(document["weights"], result.weights)
    with pytest.raises(InputError, match=r"one of|\.csv or \.json; got '\.xlsx'"):
        result.save(tmp_path / "w.xlsx")
    with pytest.raises(InputError, match="got 'none' in 'w'"):
        result.save(tmp_path / "w")


def test_json_has_no_infinities(tmp_path):
    binary_study().reweight(ts.Share(UNICODE, "True", tau=1)).save(tmp_path / "w.json")
    document = json.loads((tmp_path / "w.json").read_text("utf-8"))["summary"]
    assert document["constraints"][0]["multiplier"] is None


def test_it_is_frozen(result):
    with pytest.raises(AttributeError):
        result.ess = 0


def test_each_metric_says_why_it_is_not_reliable():
    metrics = binary_study().reweight(ts.Mean("gain", tau=0.9) & ts.Mean("age", tau=0.7), quantile=0.01).metrics
    doubtful = metrics[metrics["reliability"] != "reliable"]
    assert len(doubtful)
    for level, note in zip(doubtful["reliability"], doubtful["note"], strict=True):
        assert note.startswith(f"{level}: ")
