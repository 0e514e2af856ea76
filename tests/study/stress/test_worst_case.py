"""The verb `worst_case`: what reweighting says of its stress, what it asks for, and how its intervals cover."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import beta
from sklearn.metrics import log_loss

import tauscope as ts
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.stress.joint.constraints import Stress
from tauscope.stress.worst import search
from tauscope.stress.worst.rows import Distance
from tauscope.stress.worst.tilts import TiltFamily
from tauscope.study.stress.worst_limits import short_shift

N = 500


def population(n, seed, gaps=False):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {"a": rng.normal(size=n), "b": rng.normal(2, 3, n), "c": rng.choice(["x", "y", "z"], n, p=[0.5, 0.3, 0.2])}
    )
    y = (rng.random(n) < expit(1.5 * X["a"] + 0.3 * (X["b"] - 2) * (X["c"] == "x"))).to_numpy().astype(int)
    score = expit(1.2 * X["a"] + 0.1 * (X["b"] - 2)).to_numpy()
    if gaps:
        X.loc[rng.random(n) < 0.2, "b"] = np.nan
    return X, y, score


def study_of(n=N, seed=0, gaps=False, weighted=False):
    X, y, score = population(n, seed, gaps)
    weight = np.random.default_rng(seed).uniform(0, 2, n) if weighted else None
    return ts.Study.from_predictions(X, y, (score >= 0.5).astype(int), score, sample_weight=weight)


@pytest.fixture(scope="module")
def study():
    return study_of()


ASKED = {
    "moves": {"within": {"a": (-0.2, 0.4), "b": 1}},
    "moves of levels": {"within": {"c": 0.1, "a": 0.2}},
    "kl": {"within": {"kl": 0.05}, "features": ["a", "c"]},
    "tv": {"within": {"tv": 0.1}, "features": "a"},
    "moves and kl": {"within": {"a": 1, "b": 3, "kl": 0.05}},
    "reach": {"reach": 0.3, "features": ["a", "b", "c"]},
}


def test_a_rate_that_can_only_be_one_has_the_interval_of_all_rows():
    wrong = np.arange(200) % 20 > 0
    study = ts.Study.from_predictions(
        pd.DataFrame({"a": np.arange(200.0)}), (np.arange(200) % 2), (np.arange(200) + wrong) % 2
    )
    worst = study.worst_case("error_rate", within={"tv": 0.1})
    assert (worst.before, worst.value, worst.upper) == (pytest.approx(0.95), pytest.approx(1), pytest.approx(1))
    # Clopper and Pearson's lower end of 200 of 200
    assert worst.lower == pytest.approx(0.025 ** (1 / 200), abs=1e-3)


@pytest.mark.parametrize(
    ("shift", "ends", "short"),
    [
        (0.9999999999, (-1, 1), 1.0),
        (-0.19999995, (-0.2, 0.4), -0.2),
        (0.39, (-0.2, 0.4), 0.39),
        (0.056672031074804737, (), 0.056672031),
        (0.0, (0.0, 2.0), 0.0),
        (12345.678912345, (), 12345.679),
    ],
)
def test_shifts_are_written_short(shift, ends, short):
    assert short_shift(shift, ends) == short


@pytest.mark.parametrize(
    ("shift", "ends", "room", "short"),
    [
        (-0.000666666666665, (), (-0.000666666666666, 1), -0.00066666666),
        (0.98999999999, (-2, 2), (-0.01, 0.989999999995), 0.98999999),
        (-0.3, (-0.3, 0.3), (-0.3, 0.7), -0.29999999),
        (0.0, (), (-0.2, 0.8), 0.0),
    ],
)
def test_shifts_are_rounded_to_means_that_rows_have(shift, ends, room, short):
    assert short_shift(shift, ends, room) == short


def test_a_level_may_go_all_the_way():
    rng = np.random.default_rng(1)
    level = np.array(["rare"] * 2 + ["a"] * 1500 + ["b"] * 1498)
    y = rng.integers(0, 2, 3000)
    wrong = (rng.random(3000) < 0.3) & (level != "rare")
    study = ts.Study.from_predictions(pd.DataFrame({"level": level}), y, np.where(wrong, 1 - y, y), pos_label=1)
    worst = study.worst_case("error_rate", within={"level = rare": 0.01}, held_out=0)
    assert worst.value > worst.before
    assert worst.frame.set_index("feature").loc["level = rare", "mean_after"] == pytest.approx(0, abs=1e-10)


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_a_stress_prints_short_and_is_the_answer_all_the_same(study, asked):
    worst = study.worst_case("error_rate", held_out=0, **asked)
    again = eval(repr(worst.stress), {"ts": ts})
    assert repr(again) == repr(worst.stress)
    assert study.reweight(again, metrics="error_rate").metrics["value"].item() == pytest.approx(worst.value, abs=1e-12)
    assert [float(f"{shift:.8g}") for _, _, shift in worst.moved] == [shift for _, _, shift in worst.moved]
    for name, _, shift in worst.moved:
        low, high = {each: ends for each, *ends in worst.within.moves}.get(name, (-np.inf, np.inf))
        assert low <= shift <= high


@pytest.mark.slow
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize("made", [{}, {"gaps": True}, {"weighted": True}], ids=["plain", "gaps", "weighted"])
def test_reweighting_to_the_stress_has_the_same_numbers(asked, made):
    study = study_of(**made)
    worst = study.worst_case("error_rate", **asked)
    there = study.reweight(worst.stress, metrics="error_rate")
    row = there.metrics.iloc[0]
    assert worst.value == pytest.approx(row["value"], abs=1e-8)
    assert (worst.before, worst.lower, worst.upper) == pytest.approx(
        (row["before"], row["lower"], row["upper"]), abs=1e-8
    )
    assert worst.weights == pytest.approx(there.weights, abs=1e-8)
    assert (worst.ess, worst.kl, worst.tv) == pytest.approx((there.ess, there.kl, there.tv), rel=1e-8)
    assert worst.value > worst.before


def test_moves_keep_their_bounds_and_use_them(study):
    worst = study.worst_case("error_rate", within={"a": (-0.2, 0.4), "b": 1})
    means = {row["feature"]: row["mean_after"] - row["mean_before"] for _, row in worst.frame.iterrows()}
    assert {name: (before + shift) for name, before, shift in worst.moved} == pytest.approx(
        {row["feature"]: row["mean_after"] for _, row in worst.frame.iterrows() if row["feature"] in "ab"}, abs=1e-8
    )
    assert -0.2 - 1e-9 <= means["a"] <= 0.4 + 1e-9
    assert abs(means["b"]) == pytest.approx(1, abs=1e-6)


def test_levels_of_a_column_move_each_by_no_more(study):
    worst = study.worst_case("error_rate", within={"c": 0.1})
    shares = worst.frame[worst.frame["feature"].str.startswith("c = ")]
    moved = (shares["mean_after"] - shares["mean_before"]).to_numpy()
    assert len(moved) == 3
    assert np.abs(moved).max() == pytest.approx(0.1, abs=1e-6)
    assert len(worst.stress) == 2  # the third level's share follows
    one = study.worst_case("error_rate", within={"c = x": 0.1})
    assert [name for name, _, _ in one.moved] == ["c = x"]


def test_a_distance_is_used_up(study):
    assert study.worst_case("error_rate", within={"kl": 0.05}, features=["a", "b"]).kl == pytest.approx(0.05, rel=1e-6)
    assert study.worst_case("error_rate", within={"tv": 0.1}, features=["a", "b"]).tv == pytest.approx(0.1, rel=1e-6)
    assert study.worst_case("error_rate", within={"kl": 0.05}).kl == pytest.approx(0.05, rel=1e-6)
    assert study.worst_case("error_rate", within={"tv": 0.1}).tv == pytest.approx(0.1, rel=1e-9)


def test_over_rows_the_error_rate_grows_by_the_distance_and_weight_goes_to_the_errors(study):
    worst = study.worst_case("error_rate", within={"tv": 0.1})
    assert worst.value == pytest.approx(worst.before + 0.1, abs=1e-12)
    assert worst.stress is None
    assert worst.moved == ()
    assert worst.held_out is None
    wrong = np.zeros(N, bool)
    wrong[study.errors] = True
    assert np.unique(worst.weights[wrong].round(9)).size == np.unique(worst.weights[~wrong].round(9)).size == 1
    by_hand = np.average(wrong, weights=worst.weights)
    assert by_hand == pytest.approx(worst.value, rel=1e-12)


def test_more_freedom_is_never_less_harm(study):
    few = study.worst_case("error_rate", within={"kl": 0.05}, features="a").value
    more = study.worst_case("error_rate", within={"kl": 0.05}, features=["a", "b", "c"]).value
    rows = study.worst_case("error_rate", within={"kl": 0.05}).value
    assert few <= more + 1e-9 <= rows


def test_a_mean_of_many_values_over_rows(study):
    worst = study.worst_case("log_loss", within={"kl": 0.05})
    by_hand = log_loss(study._true_values, study.score, sample_weight=worst.weights)
    assert worst.value == pytest.approx(by_hand, rel=1e-9)
    assert worst.lower < worst.value < worst.upper


@pytest.mark.parametrize(("metric", "sign"), [("roc_auc", -1), ("balanced_accuracy", -1), ("log_loss", 1)])
def test_over_means_any_metric_of_the_task(study, metric, sign):
    worst = study.worst_case(metric, within={"a": 0.5, "b": 1})
    assert sign * (worst.value - worst.before) > 0
    assert worst.worse == ("higher" if sign > 0 else "lower")


def test_a_value_is_reached_both_ways(study):
    before = study.worst_case("error_rate", within={"a": 0.1}).before
    for reach in (before + 0.03, before - 0.03):
        worst = study.worst_case("error_rate", reach=reach, features=["a", "b", "c"])
        assert worst.value == pytest.approx(reach, abs=1e-8)
        assert worst.worse == ("higher" if reach > before else "lower")
    # the least KL: the worst within that distance is no worse
    within = study.worst_case("error_rate", within={"kl": worst.kl}, features=["a", "b", "c"], worse="lower")
    assert within.value == pytest.approx(worst.value, abs=1e-5)


def test_a_value_that_no_move_reaches_is_told(study):
    worst = study.worst_case("error_rate", reach=0.9, within={"a": 0.2})
    assert worst.status == "out of reach"
    assert worst.value < 0.9
    assert worst.message.startswith("Not reachable: the error rate comes to")
    assert "not to 90 %, within these moves of means. Allow more" in worst.message


def test_by_default_a_value_is_reached_by_all_but_rare_levels():
    X, y, score = population(N, 0)
    X.loc[:2, "c"] = "rare"
    study = ts.Study.from_predictions(X, y, (score >= 0.5).astype(int), score)
    worst = study.worst_case("error_rate", reach=0.3)
    assert worst.left_out == ("c = rare",)
    # the commonest follows, and the rare one with it: as many of it, among both, as before
    assert [name for name, _, _ in worst.moved] == ["a", "b", "c = z", "c = y"]
    means = worst.frame.set_index("feature")
    rest = means.loc[["c = rare", "c = x"], ["mean_before", "mean_after"]]
    assert (rest.loc["c = rare"] / rest.sum()).tolist() == pytest.approx(
        [3 / N / rest["mean_before"].sum()] * 2, abs=2e-3
    )
    assert "c = rare" in " ".join(worst.notes)


def test_it_is_the_same_at_each_call_and_the_seed_says_who_is_held_out(study):
    one, again, other = (
        study.worst_case("error_rate", within={"a": 0.3}, random_state=seed).estimates for seed in (0, 0, 1)
    )
    pd.testing.assert_frame_equal(one, again)
    assert one["value"][0] == other["value"][0]
    assert one["value"][2] != other["value"][2]


def test_the_share_held_out(study):
    worst = study.worst_case("error_rate", within={"a": 0.3}, held_out=0.3)
    assert (worst.held_out.n_chosen_on, worst.held_out.n_rows) == (350, 150)
    assert study.worst_case("error_rate", within={"a": 0.3}, held_out=0).held_out is None
    few = study.worst_case("error_rate", within={"a": 0.3}, held_out=0.01)
    assert "too few" in few.held_out.failed
    assert np.isnan(few.estimates["value"][2])


@pytest.mark.parametrize("asked", [{"reach": 0.3}, {"within": {"c": 0.05, "a": 0.2}}], ids=str)
@pytest.mark.parametrize("seed", [0, 2, 3])
def test_rows_held_out_need_not_have_every_level(asked, seed):
    X, y, score = population(N, 0)
    X.loc[0, "c"] = "rare"
    study = ts.Study.from_predictions(X, y, (score >= 0.5).astype(int), score)
    held = study.worst_case("error_rate", **asked, random_state=seed).held_out
    assert held.failed == ""
    assert held.estimate.lower < held.estimate.value < held.estimate.upper


def test_the_level_of_intervals(study):
    narrow, wide = (study.worst_case("error_rate", within={"a": 0.3}, confidence=c) for c in (0.5, 0.99))
    assert wide.lower < narrow.lower < narrow.upper < wide.upper


def test_a_study_under_it_has_its_error_rate(study):
    for worst in (
        study.worst_case("error_rate", within={"tv": 0.1}),
        study.worst_case("error_rate", within={"a": 0.3}),
    ):
        there = study.under(worst)
        assert there.metrics_by(np.zeros(N, bool), metrics="error_rate").frame["value"][0] == pytest.approx(worst.value)
    with pytest.raises(InputError, match=r"Weights must be of this study's rows; got 500 for 250"):
        study.where(np.arange(N) < 250).under(worst)


def test_sliders_show_the_stress(study):
    worst = study.worst_case("error_rate", within={"kl": 0.05}, features=["a", "b", "c = x"])
    scenario = worst.scenario("worst")
    there = study.reweight(scenario, metrics="error_rate")
    assert there.metrics["value"][0] == pytest.approx(worst.value, abs=1e-8)


def test_which_way_is_worse_has_to_be_said_of_a_share(study):
    with pytest.raises(InputError, match=r"is no worse when higher or lower\. Say which: worse='higher'"):
        study.worst_case("portion_1", within={"a": 0.3})
    ends = [study.worst_case("portion_1", within={"a": 0.3}, worse=worse) for worse in ("lower", "higher")]
    assert ends[0].value < ends[0].before < ends[1].value
    assert [end.title.split()[0] for end in ends] == ["Lowest", "Highest"]


ERRORS = [
    ({}, InputError, "A worst case is one within limits; got none"),
    ({"within": {}}, InputError, "within says how far"),
    ({"within": {"tv": 0.1, "kl": 0.1}}, InputError, "one distance, tv or kl; got both"),
    ({"within": {"tv": 10}}, InputError, r"tv is a share of the weight, above 0 and at most 1; got 10\. Try 0\.1"),
    ({"within": {"kl": -1}}, InputError, "kl is a positive number of nats"),
    ({"within": {"kl": "far"}}, InputTypeError, r"within\['kl'\] must be a number; got 'far'"),
    ({"within": {"a": (1, 2)}}, InputError, "must hold 0, the mean as it is"),
    ({"within": {"a": 0}}, InputError, "got 0 to 0"),
    ({"within": {"a": "2"}}, InputTypeError, "how far a mean may move"),
    ({"within": {"age": 1}}, UnknownName, "age"),
    ({"within": {"a": 1}, "features": "b"}, InputError, "leave features out"),
    ({"within": 0.1}, InputTypeError, "within must be a mapping"),
    (
        {"reach": 20, "features": "a"},
        InputError,
        r"reach must be a value that the error rate can have; got 20\. Try 0\.2",
    ),
    ({"reach": 0.3, "worse": "lower"}, InputError, "says which way"),
    ({"within": {"a": 1}, "worse": "up"}, InputError, "worse must be 'higher' or 'lower'"),
    ({"within": {"a": 1}, "held_out": 1}, InputError, "held_out must be a share"),
    ({"within": {"a": 1}, "confidence": 95}, InputError, r"Try 0\.95"),
]


@pytest.mark.parametrize(("asked", "kind", "words"), ERRORS, ids=[words[:24] for _, _, words in ERRORS])
def test_what_cannot_be_asked(study, asked, kind, words):
    with pytest.raises(kind, match=words):
        study.worst_case("error_rate", **asked)


def test_metrics_that_cannot_be_asked_for(study):
    for metric in ("roc_auc", "balanced_accuracy"):
        with pytest.raises(InputError, match=r"is no mean or ratio of such\. Name features="):
            study.worst_case(metric, within={"tv": 0.1})
    with pytest.raises(InputError, match="A worst case follows the task's own metrics"):
        study.worst_case("cohen_kappa_score", within={"tv": 0.1})
    with pytest.raises(InputError, match="one metric of the task"):
        study.worst_case(log_loss, within={"tv": 0.1})
    with pytest.raises(UnknownName):
        study.worst_case("eror_rate", within={"tv": 0.1})


def test_a_column_that_is_called_as_a_distance_and_one_that_stands_still():
    X, y, score = population(100, 0)
    study = ts.Study.from_predictions(X.rename(columns={"a": "kl"}), y, (score >= 0.5).astype(int), score)
    with pytest.raises(InputError, match="has a column of that name"):
        study.worst_case("error_rate", within={"kl": 0.1})
    study = ts.Study.from_predictions(X.assign(b=1.0), y, (score >= 0.5).astype(int), score)
    with pytest.raises(InputError, match="No weights can move 'b': every observed value is 1"):
        study.worst_case("error_rate", within={"b": 0.1})


def test_a_regression():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=300)})
    study = ts.Study.from_predictions(X, X["a"] + rng.normal(size=300) * (1 + (X["a"] > 0)), X["a"].to_numpy())
    assert study.worst_case("rmse", within={"tv": 0.05}).value > study.worst_case("rmse", within={"a": 0.5}).before
    assert study.worst_case("rmse", within={"a": 0.5}).value > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "within"),
    [
        ("error_rate", {"tv": 0.1}),
        ("error_rate", {"kl": 0.05}),
        ("false_positive_rate", {"tv": 0.1}),
        ("log_loss", {"kl": 0.05}),
    ],
    ids=str,
)
def test_over_rows_intervals_cover_the_worst_of_the_population(metric, within):
    truth = study_of(60_000, 1).worst_case(metric, within=within).value
    covered = []
    for seed in range(200):
        worst = study_of(400, 1000 + seed).worst_case(metric, within=within)
        covered.append(worst.lower <= truth <= worst.upper)
    # of 200 samples at a level of 95 %, fewer than 179 would be seen once in a thousand
    assert np.sum(covered) >= 179


def test_a_rate_that_any_rows_bring_to_all_has_the_interval_of_as_many_rows(study):
    for within in ({"tv": 0.95}, {"kl": 5}):
        worst = study.worst_case("error_rate", within=within)
        assert (worst.value, worst.upper) == pytest.approx((1, 1))
        assert worst.lower == pytest.approx(0.025 ** (1 / N), abs=1e-9)


def study_of_wrong(wrong, y=None):
    y = np.arange(len(wrong)) % 2 if y is None else y
    return ts.Study.from_predictions(pd.DataFrame({"a": np.arange(len(wrong))}), y, np.where(wrong, 1 - y, y))


def test_where_no_row_is_wrong_a_few_of_the_population_may_be():
    study = study_of_wrong(np.zeros(300, bool))
    few = 1 - 0.025 ** (1 / 300)  # Clopper and Pearson's upper end of 0 of 300
    moved = study.worst_case("error_rate", within={"tv": 0.05})
    assert (moved.value, moved.lower, moved.upper) == pytest.approx((0, 0, few + 0.05))
    tilted = study.worst_case("accuracy", within={"kl": 0.05})
    right = tilted.lower
    assert right * np.log(right / (1 - few)) + (1 - right) * np.log((1 - right) / few) == pytest.approx(0.05)
    assert (tilted.value, tilted.upper) == pytest.approx((1, 1))


def test_a_distance_that_just_removes_all_rows_of_the_better_kind():
    # 30 true positives of 300 rows, a tenth of them
    y = (np.arange(300) < 100).astype(int)
    worst = study_of_wrong((np.arange(300) >= 30) & (y == 1), y).worst_case("recall", within={"tv": 0.1})
    more = beta.ppf(0.975, 31, 270)
    left = worst_of_recall(0.1, 1 / 3, 0.1 - (more - 0.1))
    assert (worst.value, worst.lower, worst.upper) == pytest.approx((0, 0, left))


def worst_of_recall(hits, positives, distance):
    return (hits - distance) / positives  # what true positives lose goes to the positives that are missed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "of", "within", "truth"),
    [
        ("error_rate", 0.003, {"tv": 0.05}, 0.053),
        ("error_rate", 0.95, {"tv": 0.05}, 1.0),
        ("accuracy", 0.95, {"tv": 0.05}, 0.0),
        ("error_rate", 0.001, {"kl": 0.05}, 0.0232887),
    ],
    ids=str,
)
def test_intervals_cover_at_the_edges(metric, of, within, truth):
    rng = np.random.default_rng(8)
    covered = 0
    for _ in range(200):
        worst = study_of_wrong(rng.random(300) < of).worst_case(metric, within=within)
        covered += worst.lower - 1e-9 <= truth <= worst.upper + 1e-9
    assert covered >= 179


@pytest.mark.parametrize("seed", range(6))
def test_no_vertex_of_the_moves_is_worse(seed):
    """Errors of interactions, so that the metric is highest at several places."""
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c"][: 2 + seed % 2]
    X = pd.DataFrame(rng.normal(size=(300, len(names))), columns=names)
    slopes = rng.normal(size=(len(names), len(names)))
    wrong = rng.random(300) < expit(2 * np.einsum("ij,jk,ik->i", X, slopes, X) - 1)
    y = rng.integers(0, 2, 300)
    study = ts.Study.from_predictions(X, y, np.where(wrong, 1 - y, y))
    worst = study.worst_case("error_rate", within=dict.fromkeys(names, 0.4), held_out=0)
    assert worst.title == "Highest error rate found for predictions"
    for corner in product((-0.4, 0.4), repeat=len(names)):
        moved = Stress(tuple(ts.Mean(name, shift=shift) for name, shift in zip(names, corner, strict=True)))
        at_vertex = study.reweight(moved, metrics=["error_rate"]).metrics["value"].iloc[0]
        assert worst.value >= at_vertex - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"reach": 0.4}, {"within": {"kl": 0.1}}], ids=["reach", "kl"])
def test_many_means_are_searched_as_few_are(monkeypatch, options):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 34)), columns=[f"c{j}" for j in range(34)])
    wrong = rng.random(300) < expit(X["c0"] + X["c1"] - 1.5)
    y = rng.integers(0, 2, 300)
    study = ts.Study.from_predictions(X, y, np.where(wrong, 1 - y, y))
    names = [*X.columns]
    found = study.worst_case("error_rate", features=names, held_out=0, **options)
    monkeypatch.setattr(search, "MANY", 100)
    by_slsqp = study.worst_case("error_rate", features=names, held_out=0, **options)
    assert found.kl == pytest.approx(by_slsqp.kl, rel=1e-5)
    assert found.value == pytest.approx(by_slsqp.value, abs=1e-6)


def test_two_hundred_means_are_searched_in_few_evaluations():
    rng = np.random.default_rng(1)
    phi, base = rng.normal(size=(300, 200)), np.full(300, 1 / 300)
    high = (rng.random(300) < expit(phi[:, 0] - 1)).astype(float)

    def measure(share):
        value = float(share @ high)
        return value, high - value

    family = TiltFamily(phi, base, measure)
    free = np.full(200, np.inf)
    found = search.find_nearest(family, search.Allowed(-free, free, Distance("kl", search.FARTHEST)), 0.6)
    assert (found.status, found.value) == ("found", pytest.approx(0.6))
    assert found.n_evaluations < 2000


def test_means_between_which_there_is_no_float_are_refused():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": 2.0**53 + 2 * rng.integers(0, 9, 80), "b": rng.normal(size=80)})
    study = ts.Study.from_predictions(X, rng.integers(0, 2, 80), rng.integers(0, 2, 80))
    with pytest.raises(InputError, match="floats there are 2 apart"):
        study.worst_case("error_rate", within={"a": (-0.2, 0.05)}, held_out=0)


@pytest.mark.parametrize(
    ("far", "lost"), [(1e3, False), (1e6, False), (1e9, True), (1e12, False), (1e15, False), (1e17, False)]
)
def test_a_shift_that_rounding_loses_is_refused_and_not_called_the_worst(far, lost):
    rng = np.random.default_rng(0)
    a = np.append(rng.normal(size=149), far)
    score = np.clip(0.5 + 0.15 * a, 0.05, 0.95)
    y = (rng.random(150) < 0.5).astype(int)
    y[a < -1] = y[-1] = 1  # without the far row, which is right, the others can be moved to those that err
    study = ts.Study.from_predictions(pd.DataFrame({"a": a}), y, (score > 0.5) * 1, score, classes=(0, 1))
    limit = {"a": (-np.std(a), 0)}
    if lost:
        with pytest.raises(InputError, match="lost in their rounding"):
            study.worst_case("log_loss", within=limit, held_out=0)
    else:
        worst = study.worst_case("log_loss", within=limit, held_out=0)
        assert worst.value > worst.before


def test_a_far_row_without_weight_changes_nothing():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.normal(size=200)})
    weight = rng.exponential(size=200)
    weight[[3, 7]] = 0
    y, predicted = rng.integers(0, 2, 200), rng.integers(0, 2, 200)
    near = X.copy()
    X.loc[3, "a"] = 1e17
    values = [
        ts.Study.from_predictions(each, y, predicted, sample_weight=weight)
        .worst_case("error_rate", within={"kl": 0.1}, features=["a", "b"], held_out=0)
        .value
        for each in (X, near)
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-9)
