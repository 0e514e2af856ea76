"""The rows weighted to another sample: by definition, with gaps and strange levels, and how often intervals hold."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.stress.towards.margins import measure_margins
from tauscope.study.stress.towards import towards as module

FEATURES = ["age", "hours", "area"]


def people(n: int, shift: float, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    random = np.random.default_rng(seed)
    age = random.normal(40 + 10 * shift, 10, n)
    hours = np.where(random.random(n) < 0.1, np.nan, random.normal(38 + 0.2 * (age - 40), 8, n))
    area = random.choice(["east", "north", "west"], n, p=[0.5 - 0.2 * shift, 0.3, 0.2 + 0.2 * shift])
    chance = 1 / (1 + np.exp(-0.08 * (age - 40) + 0.7 * (area == "west")))
    return pd.DataFrame({"age": age, "hours": hours, "area": area}), (random.random(n) < chance).astype(int)


def model(rows: pd.DataFrame) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-0.1 * (rows["age"] - 42))))


def study(n: int = 500, seed: int = 0, **options: object) -> ts.Study:
    return ts.Study(model, *people(n, 0.0, seed), progress=False, **options)


def test_the_way_measures_the_rows_once(monkeypatch: pytest.MonkeyPatch) -> None:
    here = study()
    there = here.towards(people(300, 0.6, 1)[0])
    measured = []
    monkeypatch.setattr(module, "measure_margins", lambda *given: measured.append(given[2]) or measure_margins(*given))
    path = there.path([0.0, 0.3, 0.7, 1.0])
    assert measured == [500]
    alone = study().towards(people(300, 0.6, 1)[0], amount=0.3)
    found = path[path["amount"] == 0.3].reset_index(drop=True)
    np.testing.assert_array_equal(found[["value", "lower", "upper"]], alone.metrics[["value", "lower", "upper"]])


def test_every_mean_and_share_is_that_of_the_new_rows() -> None:
    here, (X, _) = study(), people(300, 0.6, 1)
    there = here.towards(X)
    assert there.status == "reached"
    w = there.weights
    assert np.average(here.X["age"], weights=w) == pytest.approx(X["age"].mean(), abs=1e-8)
    seen = here.X["hours"].notna()
    assert np.average(here.X["hours"][seen], weights=w[seen]) == pytest.approx(X["hours"].mean(), abs=1e-8)
    assert np.average(here.X["hours"].isna(), weights=w) == pytest.approx(X["hours"].isna().mean(), abs=1e-10)
    for level in ("east", "north", "west"):
        assert np.average(here.X["area"] == level, weights=w) == pytest.approx((X["area"] == level).mean(), abs=1e-10)
    assert there.margins["status"].tolist() == ["reached"] * 5 + ["follows"]
    assert there.margins["there"].tolist() == pytest.approx(there.margins["achieved"].tolist())
    assert (there.balance["smd_after"].abs() < 1e-8).all()
    assert there.balance["smd_before"].abs().is_monotonic_decreasing


def test_it_is_the_reweighting_that_those_targets_ask_for() -> None:
    here, (X, _) = study(), people(300, 0.6, 1)
    there = here.towards(X, features=["age", "area"])
    shares = X["area"].value_counts(normalize=True)
    stress = ts.Mean("age", target=X["age"].mean())
    same = here.reweight(stress & ts.Share("area", "east", shares["east"]) & ts.Share("area", "north", shares["north"]))
    np.testing.assert_allclose(there.weights, same.weights, atol=1e-8)
    columns = ["before", "value"]
    pd.testing.assert_frame_equal(there.metrics[columns], same.metrics[columns], rtol=1e-9)
    # the new sample's own error is counted: its targets are not exact
    wider = (there.metrics["upper"] - there.metrics["lower"]) - (same.metrics["upper"] - same.metrics["lower"])
    assert (wider > -1e-12).all()
    assert (wider[there.metrics["metric"].isin(["error_rate", "false_positive_rate", "mean_score"])] > 1e-4).all()


def test_a_table_of_margins_is_known_without_error() -> None:
    here = study()
    there = here.towards({"age": 45.0, "area": {"west": 0.3}, "hours = missing": 0.2})
    same = here.reweight(ts.Mean("age", target=45) & ts.Share("area", "west", 0.3) & ts.Share("hours", "missing", 0.2))
    np.testing.assert_allclose(there.weights, same.weights, atol=1e-8)
    pd.testing.assert_frame_equal(there.metrics, same.metrics, rtol=1e-7)
    assert there.unlike.empty
    by_name = here.towards(pd.Series({"age": 45.0, "area = west": 0.3, "hours = missing": 0.2}))
    np.testing.assert_array_equal(by_name.weights, there.weights)


@pytest.mark.parametrize("moments", [("mean", "variance"), ("mean", "covariance"), ("mean", "variance", "covariance")])
def test_moments_of_numbers(moments: tuple[str, ...]) -> None:
    here, (X, _) = study(), people(300, 0.4, 1)
    there = here.towards(X, moments=moments)
    names = there.margins["margin"].tolist()
    assert ("variance of age" in names) == ("variance" in moments)
    assert ("covariance of age and hours" in names) == ("covariance" in moments)
    assert there.margins["missed"].abs().max() < 1e-6
    if "variance" in moments:
        age, w = here.X["age"], there.weights
        mean = np.average(age, weights=w)
        assert np.average((age - mean) ** 2, weights=w) == pytest.approx(X["age"].var(ddof=0), rel=1e-8)


def test_the_amount_is_how_much_of_the_way_is_gone() -> None:
    here, (X, _) = study(), people(300, 0.6, 1)
    all_of_it = here.towards(X)
    half = here.towards(X, amount=0.5)
    again = all_of_it.at(0.5)
    np.testing.assert_array_equal(half.weights, again.weights)
    assert 0 < half.kl < all_of_it.kl
    nothing = all_of_it.at(0)
    assert nothing.kl < 1e-12
    assert nothing.metrics["value"].tolist() == pytest.approx(nothing.metrics["before"].tolist())
    path = all_of_it.path([0, 0.5, 1])
    assert path["amount"].unique().tolist() == [0.0, 0.5, 1.0]
    assert path[path["amount"] == 0.5]["value"].tolist() == pytest.approx(half.metrics["value"].tolist())
    assert path["ess"].is_monotonic_decreasing
    assert all_of_it.path()["amount"].unique().tolist() == pytest.approx(np.linspace(0, 1, 11).tolist())


def test_a_price_is_paid_for_what_is_missed() -> None:
    here, (X, _) = study(), people(300, 0.6, 1)
    exact, cheap = here.towards(X), here.towards(X, price=0.5)
    assert cheap.status == "nearest"
    assert cheap.ess > exact.ess
    assert cheap.margins["missed"].abs().max() > 0.05
    assert "margins are not met at a price of 0.5 nats" in cheap.message


def test_a_mean_beyond_every_value_is_out_of_range_though_some_rows_have_none() -> None:
    here = study()
    top = here.X["hours"].max()
    there = here.towards({"hours": top + 5})
    margin = there.margins.iloc[0]
    assert (there.status, margin["status"], margin["highest"]) == ("nearest", "out of range", top)
    assert margin["missed"] == pytest.approx((margin["achieved"] - top - 5) / here.X["hours"].std(ddof=0))


def test_a_table_that_leaves_the_share_of_missing_values_open_is_told() -> None:
    here, said = study(), "Not among the margins: hours = missing (the table does not say it"
    assert any(note.startswith(said) for note in here.towards({"hours": 40.0}).notes)
    for table in ({"hours": 40.0, "hours = missing": 0.1}, {"age": 45.0}, {"hours = missing": 0.1}):
        assert not any(note.startswith(said) for note in here.towards(table).notes)


def test_what_cannot_be_reached_is_said() -> None:
    there = study().towards({"age": 200.0, "area": {"west": 0.3}})
    assert there.status == "nearest"
    assert there.margins["status"].tolist() == ["out of range", "missed"]
    assert "mean of age" in there.message
    assert there.price == 10


def test_labels_of_the_new_rows_are_what_is_observed() -> None:
    here, (X, y) = study(), people(300, 0.6, 1)
    there = here.towards(X, y, metrics=["error_rate", "recall"], confidence=0.9)
    by_itself = ts.Study(model, X, y, progress=False).reweight(
        ts.Mean("age", shift=0.0), metrics=["error_rate", "recall"], confidence=0.9
    )
    assert there.metrics["observed"].tolist() == pytest.approx(by_itself.metrics["value"].tolist())
    assert there.metrics["observed_lower"].tolist() == pytest.approx(by_itself.metrics["lower"].tolist(), rel=0.02)
    assert "observed" not in here.towards(X).metrics


def test_the_model_is_asked_about_new_rows_only_for_their_labels() -> None:
    here, (X, y) = study(), people(300, 0.6, 1)
    before = here.n_model_rows
    here.towards(X).path()
    assert here.n_model_rows == before
    here.towards(X, y)
    assert here.n_model_rows == before + 300


def test_new_rows_can_be_weighted() -> None:
    here, (X, _) = study(), people(300, 0.6, 1)
    weight = np.random.default_rng(5).gamma(1, size=300)
    there = here.towards(X, sample_weight=weight)
    assert there.margins.loc[0, "there"] == pytest.approx(np.average(X["age"], weights=weight))


def test_the_study_s_own_weights_are_where_it_starts() -> None:
    weight = np.random.default_rng(5).gamma(1, size=500)
    here, (X, _) = study(sample_weight=weight), people(300, 0.6, 1)
    there = here.towards(X)
    assert there.margins.loc[0, "before"] == pytest.approx(np.average(here.X["age"], weights=weight))
    assert there.frame["before"].tolist() == pytest.approx((weight / weight.mean()).tolist())


def test_levels_that_no_row_here_has_are_told_and_left_out_of_the_shares() -> None:
    here, (X, _) = study(), people(300, 0.6, 1)
    X.loc[:29, "area"] = "overseas"
    there = here.towards(X)
    assert there.status == "reached"
    known = X["area"][X["area"] != "overseas"].value_counts(normalize=True)
    reached = there.margins.set_index("margin")["achieved"]
    assert reached["share of area = west"] == pytest.approx(known["west"])
    assert there.unlike.set_index("feature").loc["area", "unseen"] == pytest.approx(0.1)
    assert "area: 10 % with a level not seen here" in " ".join(there.notes)
    assert there.target.novelty is not None
    assert set(range(30)) <= set(there.target.novelty.rows.tolist())


def test_values_beyond_the_rows_here_are_told() -> None:
    here, (X, _) = study(), people(300, 0.0, 1)
    X.loc[:14, "age"] = 150.0
    there = here.towards(X)
    assert there.unlike.iloc[0].tolist() == ["age", 0.0, pytest.approx(0.05, abs=0.01), 0.0]
    assert "above the highest" in " ".join(there.notes)


def test_a_frame_may_lack_columns_and_have_others() -> None:
    here, (X, y) = study(), people(300, 0.6, 1)
    there = here.towards(X[["area", "age"]].assign(new=1))
    assert there.margins["margin"].tolist()[0] == "mean of age"
    assert not there.margins["margin"].str.contains("hours").any()
    assert "The new rows lack hours." in there.notes
    with pytest.raises(ts.InputError, match=r"they lack \['hours'\]"):
        here.towards(X[["area", "age"]], y)


def test_arrays_have_the_columns_of_the_study() -> None:
    X = np.random.default_rng(0).normal(size=(200, 2))
    here = ts.Study(lambda rows: rows[:, 0] > 0, X, X[:, 1] > 0, progress=False)
    there = here.towards(X[:80] + 0.3, X[:80, 1] > 0)
    assert there.margins["there"].tolist() == pytest.approx((X[:80] + 0.3).mean(axis=0).tolist())
    with pytest.raises(ts.InputError, match="must have the study's 2 columns; got 1"):
        here.towards(X[:80, :1])


def test_what_cannot_be_moved_is_left_out() -> None:
    X, y = people(300, 0.0, 0)
    here = ts.Study(model, X.assign(one=1.0), y, progress=False)
    there = here.towards(people(200, 0.3, 1)[0].assign(one=2.0))
    assert ("one", "every observed value is 1") in there.target.left_out
    assert "Not among the margins: one (every observed value is 1)." in there.notes


def test_a_study_under_it_has_its_weights() -> None:
    here, (X, _) = study(), people(300, 0.6, 1)
    there = here.towards(X)
    np.testing.assert_allclose(here.under(there).sample_weight, there.weights)
    with pytest.raises(ts.InputError, match="got 500 for 200"):
        study(200).under(there)


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ({}, {}, "has at least one; got none"),
        ({"agee": 4.0}, {}, "age"),
        ({"area": 4.0}, {}, "has levels, not a mean"),
        ({"areas": {"west": 0.1}}, {}, "area"),
        ({"area": {"west": 1.4}}, {}, "between 0 and 1; got 1.4"),
        ({"area": {"south": 0.4}}, {}, "area = south"),
        ({"area": {"west": 0.4}, "area = west": 0.3}, {}, "has one margin; got 0.4 and 0.3"),
        (pd.Series([0.4, 45.0]), {}, "two dimensions; got a Series"),
        ({"age": "old"}, {}, "A margin is a number"),
        ({"age": 45.0}, {"features": ["age"]}, "has no features"),
        ({"age": 45.0}, {"moments": ("mean", "variance")}, "has no moments"),
        ({"age": 45.0}, {"amount": 1.5}, "amount must lie between 0 and 1"),
        ({"age": 45.0}, {"price": 0}, "price must be positive"),
        ({"age": 45.0}, {"confidence": 2}, "confidence"),
        ("rows", {"moments": ("mean", "skew")}, "skew"),
        ("rows", {"moments": ("variance",)}, "must contain 'mean'"),
        ("rows", {"features": ["agee"]}, "age"),
        ("numbers", {}, "'age' has numbers in the study and levels in the new rows"),
        ("strange", {}, "must have some of the study's columns"),
    ],
)
def test_slips_are_told(given: object, options: dict[str, object], message: str) -> None:
    X = people(50, 0.3, 1)[0]
    rows = {"rows": X, "numbers": X.assign(age="old"), "strange": X.rename(columns=str.upper)}
    with pytest.raises((ts.InputError, ts.InputTypeError, ts.UnknownName), match=message):
        study(100).towards(rows[given] if isinstance(given, str) else given, **options)


def test_predictions_alone_have_no_answers_for_new_rows() -> None:
    X, y = people(200, 0.0, 0)
    here = ts.Study.from_predictions(X, y, (model(X) > 0.5) * 1)
    assert here.towards(people(100, 0.3, 1)[0]).status == "reached"
    with pytest.raises(ts.InputError, match="this study has no model"):
        here.towards(*people(100, 0.3, 1))


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"amount": 0.5}, {"price": 3.0}, {"moments": ("mean", "variance")}], ids=str)
def test_intervals_hold_what_all_rows_would_give(options: dict[str, object]) -> None:
    """Both samples are drawn anew 150 times; the truth is the same reweighting of 300,000 rows to as many."""
    truth = study(300_000).towards(people(300_000, 0.6, 1)[0], **options).metrics.set_index("metric")["value"]
    hits = []
    for seed in range(150):
        found = study(500, 2 * seed + 2).towards(people(200, 0.6, 2 * seed + 3)[0], **options).metrics
        found = found.set_index("metric")
        hits.append((found["lower"] <= truth) & (truth <= found["upper"]))
    coverage = pd.concat(hits, axis=1).mean(axis=1)
    assert coverage.min() > 0.90, coverage


@pytest.mark.slow
def test_covariances_of_many_columns_are_refused_before_they_are_taken() -> None:
    wide = np.random.default_rng(0).normal(size=(20, 3000))
    here = ts.Study.from_predictions(wide, y_pred=np.arange(20) % 2)
    tracemalloc.start()
    with pytest.raises(ts.InputError, match=r"4,501,500 moments, most of them covariances, takes .* GB of memory"):
        here.towards(wide, moments=("mean", "covariance"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6


@pytest.mark.parametrize(
    "shares",
    [
        {True: 0.6, False: 0.4},
        {"True": 0.6, "False": 0.4},
        {np.True_: 0.6, np.False_: 0.4},
        {1: 0.6, 0: 0.4},
        {1.0: 0.6, 0.0: 0.4},
        {True: 0.6},
        {False: 0.4},
        {"False": 0.4},
        pd.Series({False: 0.4, True: 0.6}),
    ],
    ids=str,
)
def test_levels_of_a_bool_column_are_named_in_any_spelling(shares):
    random = np.random.default_rng(0)
    X = pd.DataFrame({"age": random.normal(size=200), "vip": random.random(200) < 0.3})
    study = ts.Study.from_predictions(X, X["vip"], X["vip"])
    weights = study.towards({"vip": shares}).at(1.0)._row_weights("a test")
    assert np.average(X["vip"], weights=weights) == pytest.approx(0.6)
    flat = study.towards({"vip = False": 0.4}).at(1.0)._row_weights("a test")
    assert np.average(X["vip"], weights=flat) == pytest.approx(0.6)
    with pytest.raises(ts.InputError, match=r"sum to 1; got 0\.9"):
        study.towards({"vip": {True: 0.6, False: 0.3}})


def test_levels_of_a_bool_column_with_gaps():
    random = np.random.default_rng(0)
    vip = pd.array(np.where(random.random(300) < 0.2, None, random.random(300) < 0.4), dtype="boolean")
    X = pd.DataFrame({"age": random.normal(size=300), "vip": vip})
    study = ts.Study.from_predictions(X, X["age"] > 0, X["age"] > 0.1)
    weights = study.towards({"vip": {True: 0.6, False: 0.3}}).at(1.0)._row_weights("a test")
    assert np.average((X["vip"] == True).fillna(False), weights=weights) == pytest.approx(0.6)  # noqa: E712
    assert np.average(X["vip"].isna(), weights=weights) == pytest.approx(0.1)
    with pytest.raises(ts.InputError, match="Give both"):
        study.towards({"vip": {False: 0.3}})


def test_a_level_of_numbers_is_named_as_it_is_shown():
    X = pd.DataFrame({"age": np.arange(90.0), "k": np.resize([0, 1, 2], 90)})
    study = ts.Study.from_predictions(X, X["age"] > 40, X["age"] > 50, categorical_features=["k"])
    found = study.towards({"k": {np.int64(0): 0.2, 1.0: 0.3, "2": 0.5}}).at(1.0)._row_weights("a test")
    assert np.bincount(X["k"], found) / found.sum() == pytest.approx([0.2, 0.3, 0.5])


@pytest.mark.parametrize("apart", ["new rows", "rows here", "both"])
def test_a_covariance_of_columns_never_seen_together_is_left_out(apart: str) -> None:
    rng = np.random.default_rng(0)
    together = pd.DataFrame({"a": rng.normal(size=40), "b": rng.normal(size=40)})
    never = together.copy()
    never.loc[:19, "a"], never.loc[20:, "b"] = np.nan, np.nan
    here, new = together if apart == "new rows" else never, together if apart == "rows here" else never
    study = ts.Study.from_predictions(here, np.arange(40) % 2, rng.integers(0, 2, 40))
    target = study.towards(new, moments=("mean", "variance", "covariance"))
    assert dict(target.target.left_out)["covariance of a and b"].endswith("has both")
    assert target.ess > 1
