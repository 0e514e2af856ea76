"""What a person holds: frames, words, bounds attained, breakdown, the effect under a stress."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

import tauscope as ts
from results.effects import samples
from tauscope.data.dates import to_dates
from tauscope.errors import InputError, UnknownName
from tauscope.results.effects.axis import Axis
from tauscope.results.effects.bounds import compute_largest_tv
from tauscope.weights.measures import total_variation


def effect(name="fare", **options):
    return samples.study().effect(name, **options)


def test_words():
    shown = repr(effect())
    assert shown.startswith("Partial dependence of probability of yes on fare: Pipeline[LogisticRegression], 240 rows,")
    assert "95 % interval of the mean over rows" in shown
    assert "predict_proba called on" in shown
    assert "Conditional dependence" in repr(effect(kind="cd"))
    assert " pt at " in repr(effect(kind="ale"))
    model, X, y = samples.grades()
    assert "\n  y: lowest" in repr(ts.Study(model, X, y).effect("a"))
    assert "lowest −" in repr(ts.Study(*samples.line()).effect("a"))


def test_frames_are_fresh():
    found = effect()
    spoiled = found.frame
    spoiled["effect"] = 0
    assert (found.frame["effect"] != 0).all()


def test_weighted_rows_are_said():
    found = samples.study().under(ts.Mean("fare", tau=0.9)).effect("fare")
    assert "weighted rows: effective sample" in repr(found)
    assert all(word in repr(found) for word in found.caveats)
    assert effect().caveats == ()
    assert effect().ess == pytest.approx(240)


def test_curves_are_of_partial_dependence_alone():
    for other in (effect(kind="ale"), effect(("fare", "sex"))):
        with pytest.raises(InputError, match="Individual curves are of kind='pd'"):
            other.ice  # noqa: B018


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.4, 1.0])
def test_bounds_of_a_stress_are_those_of_a_linear_program(epsilon):
    found = samples.study(sample_weight=np.random.default_rng(0).uniform(0, 2, 240)).effect("rooms")
    base = found._computed.sample_weight / 240
    frame = found.bounds(epsilon).frame
    assert list(frame) == ["value", "effect", "certified_lower", "certified_upper", "paper_lower", "paper_upper"]
    n = len(base)
    # w = base + up − down, Σ up = Σ down ≤ ε, down ≤ base
    limits = [(0, None)] * n + [(0, b) for b in base]
    equal, at_most = np.r_[np.ones(n), -np.ones(n)][None], np.r_[np.ones(n), np.zeros(n)][None]
    for place, column in enumerate(found.ice):
        values = found.ice[column].to_numpy()
        for side, sign in (("lower", 1), ("upper", -1)):
            cost = sign * np.r_[values, -values]
            best = linprog(cost, A_eq=equal, b_eq=[0], A_ub=at_most, b_ub=[epsilon], bounds=limits).fun
            assert frame[f"certified_{side}"][place] == pytest.approx(base @ values + sign * best, abs=1e-9)
    assert (frame["paper_lower"] <= frame["certified_lower"] + 1e-12).all()
    assert (frame["paper_upper"] >= frame["certified_upper"] - 1e-12).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
@pytest.mark.parametrize("name", ["fare", "port"])
def test_no_reweighting_leaves_its_bounds(kind, name):
    found = effect(name, kind=kind)
    random = np.random.default_rng(1)
    for power in (0.2, 1, 3):
        weights = random.exponential(size=240) ** power
        tv = total_variation(weights, np.ones(240))
        after = found._computed.reweighted(weights)
        if kind == "ale":
            continue
        frame = found.bounds(tv).frame
        assert (after.effect[0] >= frame["certified_lower"] - 1e-12).all()
        assert (after.effect[0] <= frame["certified_upper"] + 1e-12).all()
        assert (after.effect[0] >= frame["paper_lower"] - 1e-12).all()
        assert (after.effect[0] <= frame["paper_upper"] + 1e-12).all()
    for stress in (ts.Mean("age", tau=0.5), ts.Share("sex", "female", 0.7)):
        assert found.under(stress).inside


@pytest.mark.slow
def test_bounds_at_other_distances():
    found = effect()
    by_kl, by_ratio = found.bounds(kl=0.02), found.bounds(ratio=1.25)
    assert by_kl.epsilon == pytest.approx(0.1)
    assert by_ratio.epsilon == pytest.approx(0.2)
    for tight, loose in ((by_kl, found.bounds(by_kl.epsilon)), (by_ratio, found.bounds(by_ratio.epsilon))):
        assert (tight.frame["certified_upper"] <= loose.frame["certified_upper"] + 1e-12).all()
        pd.testing.assert_series_equal(tight.frame["paper_upper"], loose.frame["paper_upper"])
    assert "0.02 nats" in by_kl.distance
    assert "at most 1.25 times" in by_ratio.distance
    assert found.bounds().epsilon == 0.1
    for kind in ("cd", "ale"):
        assert effect(kind=kind).bounds(kl=0.02).frame["certified_upper"].notna().all()


def test_largest_tv_is_attained_nowhere_and_passed_nowhere():
    random = np.random.default_rng(0)
    for _ in range(50):
        p, q = random.dirichlet(np.full(5, 0.4), 2) + 1e-12
        kl = float(np.sum(p * np.log(p / q)))
        assert 0.5 * np.abs(p - q).sum() <= compute_largest_tv(kl) + 1e-9
    assert compute_largest_tv(0.0) == 0
    assert compute_largest_tv(50.0) == pytest.approx(1)


def test_known_range_covers_replaced_rows():
    found = effect()
    wide, narrow = found.bounds(0.1, output_range=(0, 1)), found.bounds(0.1)
    assert (wide.frame["certified_upper"] >= narrow.frame["certified_upper"] - 1e-12).all()
    assert "replacing that share of them by any others" in wide.covers
    assert any("largest answer seen" in note for note in narrow.notes)
    with pytest.raises(InputError, match="must hold every answer"):
        found.bounds(0.1, output_range=(0.4, 0.5))


def test_conditional_bounds_of_all_rows_and_within_a_window():
    found = effect(kind="cd")
    every, within = found.bounds(0.02), found.bounds(0.02, within_window=True)
    assert "all rows" in every.covers
    assert "each window" in within.covers
    assert (every.frame["certified_upper"] >= within.frame["certified_upper"] - 1e-12).all()
    assert (every.frame["paper_upper"] >= every.frame["certified_upper"] - 1e-12).all()
    assert (within.frame["paper_upper"] >= within.frame["certified_upper"] - 1e-12).all()


@pytest.mark.slow
def test_accumulated_bounds_use_the_constant_given():
    found = effect(kind="ale")
    loose, seen = found.bounds(0.1, lipschitz=5.0), found.bounds(0.1)
    assert (loose.frame["paper_upper"] >= seen.frame["paper_upper"]).all()
    assert loose.notes == ("L of Theorem 4.4: given",)
    assert effect("port", kind="ale").bounds(0.1).frame["paper_upper"].isna().all()
    assert effect(("fare", "sex")).bounds(0.1).frame["certified_upper"].notna().all()


@pytest.mark.parametrize("kind", ["pd", "ale"])
@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.slow
def test_breakdown_is_attained(kind, direction):
    model, X, y = samples.boosted()
    found = ts.Study(model, X, y).effect("fare", kind=kind, grid=15)
    ends = (5, 60)[::direction]
    broken = found.breakdown(*ends)
    assert 0 < broken.epsilon < 1
    after = found._computed.reweighted(broken.weights)
    curve = after.accumulated[0] if kind == "ale" else after.effect[0]
    low, high = broken._computed.low, broken._computed.high
    assert curve[high] - curve[low] == pytest.approx(0, abs=1e-9)
    if kind == "pd":
        assert total_variation(broken.weights, np.ones(240)) == pytest.approx(broken.epsilon, abs=1e-9)
        assert "of these rows' weight" in broken.sentence
    else:
        assert "inside the bins between them" in broken.sentence
        assert "of these rows' weight in each" in broken.sentence
    for words in (broken.sentence, broken.message):
        safe = float(re.search(r"(?:up to|less than) ([\d.]+) %", words)[1]) / 100
        assert safe <= broken.epsilon < safe * 1.01
    frame = broken.frame
    assert list(frame) == ["row", "before", "weight", "change"]
    assert frame["change"].iloc[0] == frame["change"].min() < 0
    assert broken.exact
    assert broken.sentence in repr(broken)
    assert broken.low in broken.sentence
    assert "it leans most on" in repr(broken)


def test_breakdown_takes_quantiles_or_the_extreme_levels():
    found = effect("fare")
    fare = samples.fitted()[1]["fare"]
    broken = found.breakdown()
    nearest = [found._axes[0].label(found._axes[0].place(fare.quantile(q))) for q in (0.2, 0.8)]
    assert [broken.low, broken.high] == nearest
    levels = effect("sex").breakdown()
    assert (levels.low, levels.high) == ("male", "female")
    assert np.isinf(levels.epsilon)
    assert levels.sentence == "the direction between male and female survives any reweighting of these rows"
    assert levels.weights is None
    assert levels.frame.empty
    few = effect("member").breakdown("False", "True")
    assert few.difference > 0


def test_breakdown_of_windows_is_a_lower_bound():
    broken = effect(kind="cd").breakdown()
    assert not broken.exact
    assert "a lower bound" in repr(broken)
    assert broken.status == "bounded"
    assert "survives any reweighting of less than" in broken.message


def test_breakdown_without_a_direction():
    X = pd.DataFrame({"a": [0.0, 1.0] * 20, "b": np.arange(40.0)})
    broken = ts.Study(lambda rows: rows["b"] + 0.5, X, X["b"]).effect("a").breakdown(0, 1)
    assert broken.epsilon == 0
    assert "the two effects are equal" in broken.sentence


def test_one_class_is_named_for_a_breakdown():
    model, X, y = samples.grades()
    found = ts.Study(model, X, y).effect("a")
    assert found.breakdown(target_class="z").difference > 0 > found.breakdown(target_class="x").difference
    with pytest.raises(InputError, match="One class is needed"):
        found.breakdown()
    with pytest.raises(UnknownName, match="no class 'w'"):
        found.breakdown(target_class="w")
    frame = found.bounds(0.1).frame
    assert list(frame)[:2] == ["class", "value"]
    assert len(frame) == 3 * len(found._axes[0])


def test_under_a_stress_beside_its_bounds():
    study, stress = samples.study(), ts.Mean("age", tau=0.5)
    moved = study.effect("fare").under(stress)
    solved = study.reweight(stress)
    assert moved.tv == pytest.approx(solved.tv, abs=1e-12)
    assert moved.kl == pytest.approx(solved.kl, abs=1e-9)
    assert moved.ess == pytest.approx(solved.ess)
    frame = moved.frame
    np.testing.assert_allclose(frame["change"], frame["moved"] - frame["effect"], atol=1e-12)
    assert (frame["certified_lower"] <= frame["moved"] + 1e-12).all()
    assert (frame["moved"] <= frame["certified_upper"] + 1e-12).all()
    assert moved.population in repr(moved)
    assert "could have moved it by" in moved.sentence
    by_weights = study.effect("fare").under(solved)
    pd.testing.assert_frame_equal(by_weights.frame, frame)
    with pytest.raises(InputError, match="under a stress already"):
        moved.after.under(stress)


@pytest.mark.slow
def test_bounds_refuse_what_they_cannot_bound():
    found = effect()
    for wrong in (-0.1, 1.1):
        with pytest.raises(InputError, match=r"epsilon must lie in \[0, 1\]"):
            found.bounds(wrong)
        with pytest.raises(InputError, match=r"epsilon must lie in \[0, 1\]"):
            effect(kind="cd").bounds(wrong)
    with pytest.raises(InputError, match="one distance; got epsilon and kl"):
        found.bounds(0.1, kl=0.1)
    with pytest.raises(InputError, match="nats, not negative"):
        found.bounds(kl=-1.0)
    with pytest.raises(InputError, match="cap must be at least 1"):
        found.bounds(ratio=0.5)
    with pytest.raises(InputError, match="constant must be positive"):
        effect(kind="ale").bounds(0.1, lipschitz=-1.0)
    interaction = effect(("fare", "age"), kind="ale")
    for refused in (lambda: interaction.bounds(0.1), lambda: interaction.under(ts.Mean("age", tau=0.3))):
        with pytest.raises(InputError, match="interaction of two"):
            refused()


@pytest.mark.slow
def test_breakdown_refuses_what_it_cannot_compare():
    with pytest.raises(InputError, match="two points of one feature"):
        effect(("fare", "sex")).breakdown()
    with pytest.raises(InputError, match="both nearest to 1"):
        effect("rooms").breakdown(0.8, 1.1)
    with pytest.raises(InputError, match="is a number; got 'dear'"):
        effect().breakdown("dear", 3)
    with pytest.raises(InputError, match="must be a number"):
        effect().breakdown(float("nan"), 3)
    with pytest.raises(UnknownName, match="no level of sex 'femal'"):
        effect("sex").breakdown("femal", "male")


def axis(points, **options):
    points = np.asarray(points, dtype=float)
    return Axis("a", options.pop("kind", "numeric"), points, options.pop("values", points), points, **options)


def test_labels_of_points():
    assert axis([1234.0, 0.5, np.nan]).labels == ("1,234", "0.5", "missing")
    assert axis([1999.0, 2000.0], integer=True).labels == ("1999", "2000")
    assert axis([3.0], unit="days").labels == ("3 days",)
    days = axis([1970.0, np.nan], kind="date", values=to_dates(np.array([1970.0, np.nan])))
    assert days.labels == ("1970-01-01", "missing")
    assert days.place("1969-12-30") == 0
    assert days.place("missing") == 1
    with pytest.raises(InputError, match="is a date"):
        days.place("soon")
