import numpy as np
import pandas as pd
import pytest

from results.samples import binary_result, made_by_hand, metric, reasons
from tauscope import ChunkedStudy, Mean
from tauscope.stress.reliability import CODES
from tauscope.study.stress.curves import stress_curves
from tauscope.study.study import Study


def notes_of(values, **options):
    study = Study.from_predictions(pd.DataFrame({"x": values}), y_pred=np.arange(len(values)) % 2)
    return stress_curves(study, taus=5, **options)


def test_nothing_unusual():
    result = made_by_hand()
    assert result.feature_notes == {}
    assert set(result.frame["note"]) == {""}


def test_zero_inflated_side_says_how_far_it_reaches():
    values = np.r_[np.zeros(970), np.arange(1.0, 31)]
    result = notes_of(values)
    (note,) = result.tau_notes
    assert note.high == "τ > 0 reaches the 97.5th percentile: 97 % of rows are 0"
    assert note.low == "τ = −1 is the minimum"
    assert result.feature_notes["x"][:2] == (note.low, note.high)


def test_the_same_from_below():
    (note,) = notes_of(-np.r_[np.zeros(970), np.arange(1.0, 31)]).tau_notes
    assert note.low == "τ < 0 reaches the 2.5th percentile: 97 % of rows are 0"
    assert note.high == "τ = +1 is the maximum"


def test_widened_to_the_extreme():
    (note,) = notes_of(np.r_[np.zeros(1499), 7.0, 1e-3, np.zeros(500)]).tau_notes
    assert note.high == "τ = +1 is the maximum: 99.9 % of rows are 0"


@pytest.mark.parametrize(
    ("rare", "words"),
    [
        (7.0, ("τ = −1 is the minimum", "τ = +1 is a share of 7.55 % at 7: 2 % of rows now, odds × 4")),
        (-7.0, ("τ = −1 is a share of 92.5 % at 0: 98 % of rows now, odds ÷ 4", "τ = +1 is the maximum")),
    ],
)
def test_a_rare_one_of_two_values(rare, words):
    (note,) = notes_of(np.r_[np.zeros(980), np.full(20, rare)]).tau_notes
    assert (note.low, note.high) == words


def test_heavy_tail_whose_mean_passes_the_quantile():
    (note,) = notes_of(np.r_[np.arange(1000.0), np.full(20, 1e6)]).tau_notes
    assert note.high == (
        "τ = +1 is the maximum: the 95th percentile, 968, is not above the mean, 20,098"
    ) or note.high.startswith("τ > 0 reaches the 99th percentile: the 95th percentile, 968, is not above the mean")


def test_rare_share():
    study = Study.from_predictions(pd.DataFrame({"c": ["rare"] * 2 + ["usual"] * 98}), y_pred=np.arange(100) % 2)
    result = stress_curves(study, taus=5)
    rare, usual = result.tau_notes
    assert (rare.low, rare.high) == ("", "τ = +1 is a share of 7.55 %: 2 % of rows now, odds × 4")
    assert (usual.low, usual.high) == ("τ = −1 is a share of 92.5 %: 98 % of rows now, odds ÷ 4", "")
    assert "only rows without it" in rare.by_tau[0]
    assert "only rows with it" in usual.by_tau[-1]
    assert result._document()["features"][0]["reached"] == [0.05, None]


def test_limit_of_a_numeric_feature():
    result = made_by_hand(multiplier=[[-np.inf, -0.5, 0, 0.5, np.inf]] * 2, target=[[0.0, 1, 2, 3, 4]] * 2)
    first = result.tau_notes[0]
    assert first.by_tau[0] == "τ = −1 is the minimum; only rows at the minimum, 0"
    assert first.by_tau[-1] == "τ = +1 is the maximum; only rows at the maximum, 4"


def test_side_is_known_from_any_tau_of_it():
    result = made_by_hand(taus=[-0.5, 0, 0.5], target=[[1.0, 2, 2.7], [6.5, 7, 7.5]])
    assert [(note.low, note.high) for note in result.tau_notes] == [("τ = −1 is the minimum", ""), ("", "")]


def test_no_words_about_a_side_that_is_not_there():
    result = made_by_hand(taus=[0, 1.0], target=[[2.0, 4], [7, 8]])
    assert [(note.low, note.high) for note in result.tau_notes] == [("", "τ = +1 is the maximum"), ("", "")]


def test_caveats_are_gathered():
    low = ["few_rows_beyond", "some_rows_beyond", "", "few_events", "few_rows_carry_all"]
    result = made_by_hand(reason=reasons(low, [""] * 5), amount=np.full((2, 1, 5), 9.0))
    assert result.feature_notes == {
        "a": (
            "unreliable at τ = −1 and τ = 1, portion 1; portion 1 at τ = −1: only 9 rows lie at or beyond the target",
            "wide at τ ≤ −0.5 and τ ≥ 0.5, portion 1; "
            "portion 1 at τ = −0.5: only 9 rows lie at or beyond the target: read the interval, not the number",
        )
    }
    assert result.notes == tuple(f"a: {word}" for word in result.feature_notes["a"])
    frame = result.frame.query("feature == 'a'")
    assert frame["reliability"].tolist() == ["unreliable", "wide", "reliable", "wide", "unreliable"]
    assert frame["note"].tolist() == [
        "unreliable: only 9 rows lie at or beyond the target",
        "wide: only 9 rows lie at or beyond the target: read the interval, not the number",
        "",
        "wide: 9 effective events: read the interval, not the number",
        "unreliable: a handful of rows carries the weight",
    ]


def test_what_is_wide_without_any_stress_is_said_once():
    few = ["few_rows_beyond", *["few_events"] * 4]
    result = made_by_hand(reason=reasons(few, few))
    first, *rest = result.notes
    assert first == ("portion 1 is wide without any stress: 7 effective events: read the interval, not the number")
    assert [note.split(";")[0] for note in rest] == [
        "a: unreliable at τ = −1, portion 1",
        "b: unreliable at τ = −1, portion 1",
    ]


def test_many_metrics_are_counted():
    metrics = tuple(metric(f"rate_{i}") for i in range(5))
    bad = np.zeros((1, 5, 5), np.int8)
    bad[:, :4, -1] = CODES["few_rows_beyond"]
    result = made_by_hand({"a": [0.0, 1, 2, 3, 4]}, metrics, reason=bad)
    assert result.feature_notes["a"][0].startswith("unreliable at τ = 1, 4 of 5 metrics; rate 0 at τ = 1: only 7 rows")
    result = made_by_hand({"a": [0.0, 1, 2, 3, 4]}, metrics, reason=np.full((1, 5, 5), CODES["few_rows_carry_all"]))
    assert result.feature_notes["a"][0].startswith("unreliable at any τ, every metric; rate 0 at τ = −1: a handful")


def test_metrics_whose_stretches_differ_are_said_to():
    bad = np.zeros((1, 2, 5), np.int8)
    bad[:, 0, 3:] = bad[:, 1, 4:] = CODES["few_rows_beyond"]
    result = made_by_hand({"a": [0.0, 1, 2, 3, 4]}, (metric("rate_0"), metric("rate_1")), reason=bad)
    assert result.feature_notes["a"][0].startswith(
        "unreliable at τ ≥ 0.5, every metric, some at fewer of them; rate 0 at τ = 1: only 7 rows"
    )


def test_weights_count_in_the_reason():
    values = np.r_[np.zeros(60), np.ones(39), 2.0]
    weight = np.r_[np.full(60, 99.0), np.full(40, 1.0)]
    study = Study.from_predictions(pd.DataFrame({"x": values}), y_pred=np.arange(100) % 2, sample_weight=weight)
    (note,) = stress_curves(study, taus=3).tau_notes
    assert note.high.endswith("99.3 % of rows are 0")


@pytest.mark.parametrize("weighted", [False, True])
def test_notes_reach_the_frame(weighted):
    result = binary_result(weighted)
    frame = result.frame
    assert frame.loc[(frame["feature"] == "gain") & (frame["tau"] > 0), "note"].str.startswith("τ > 0").all()


@pytest.mark.parametrize("kind", ["int64", "uint64", "float64"])
@pytest.mark.parametrize(
    ("first", "last", "step"), [(2**60, 2**60 + 1000, 256), (-(2**58), 5000 - 2**58, 64), (2**55, 2**56, 0), (0, 99, 0)]
)
def test_values_too_large_to_be_told_apart_are_named(kind, first, last, step):
    if kind == "uint64":
        first, last = abs(first), abs(first) + last - first
    values = pd.DataFrame({"id": (first + (last - first) // 50 * np.arange(50)).astype(kind), "a": np.arange(50.0)})
    words = f"values beyond 2⁵³ are rounded to multiples of {step}, and weights with them: subtract a constant"
    study = Study.from_predictions(values, y_pred=np.arange(50) % 2)
    chunked = ChunkedStudy(lambda rows: rows["a"].to_numpy().astype(int) % 2, [values[:20], values[20:]])
    for each in (study, chunked):
        assert (f"id: {words}" in each.reweight(Mean("id", tau=0.5)).notes) == (step > 0)
        assert (words in each.stress_curves("id", taus=3).feature_notes["id"]) == (step > 0)
