from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest

from results.samples import HOSTILE, binary_result, binary_study, made_by_hand, metric, reasons, regression_study
from tauscope.errors import InputError, UnknownName
from tauscope.results.formatting import fixed, signed
from tauscope.results.reliability import caveats
from tauscope.results.stress.text import influences
from tauscope.stress.reliability import CODES, REASONS
from tauscope.study.stress.curves import stress_curves

COLUMNS = (
    "feature", "tau", "target", "metric", "value", "lower", "upper", "reliability", "ess", "pareto_k", "kl", "tv",
    "note",
)  # fmt: skip


def test_frame_has_one_row_per_feature_tau_and_metric():
    result = binary_result()
    frame = result.frame
    p, n_metrics, n_taus = result._curves.value.shape
    assert tuple(frame.columns) == COLUMNS
    assert len(frame) == p * n_metrics * n_taus
    assert not frame.duplicated(["feature", "tau", "metric"]).any()
    for row in frame.sample(50, random_state=0).itertuples():
        f, i = result._feature_place(row.feature), result._metric_place(row.metric)
        t = int(np.flatnonzero(result.taus == row.tau)[0])
        np.testing.assert_equal(
            [row.value, row.lower, row.upper],
            [getattr(result._curves, name)[f, i, t] for name in ("value", "lower", "upper")],
        )
        np.testing.assert_equal(
            [row.target, row.ess, row.pareto_k, row.kl, row.tv],
            [getattr(result._curves, name)[f, t] for name in ("target", "ess", "pareto_k", "kl", "tv")],
        )
        code, amount = int(result._curves.reason[f, i, t]), float(result._curves.amount[f, i, t])
        assert row.reliability == REASONS[code].level
        said = [result.tau_notes[f].by_tau[t], *caveats(code, amount, result._curves.metrics[i].events)]
        assert row.note == "; ".join(filter(None, said))


def test_frame_is_the_callers_own():
    result = binary_result()
    frame = result.frame
    frame["value"] = -1.0
    assert (result.frame["value"] >= 0).any()


def test_result_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        binary_result().quantile = 0.1


def test_rank_is_the_difference_largest_first():
    result = binary_result()
    ranked = result.rank("error_rate", low=-0.4, high=1)
    place = result._metric_place("error_rate")
    taus = list(result.taus)
    moved = result._curves.value[:, place, taus.index(1)] - result._curves.value[:, place, taus.index(-0.4)]
    assert dict(ranked) == dict(zip(result.feature_names, moved, strict=True))
    assert ranked.abs().is_monotonic_decreasing
    assert (ranked.name, ranked.index.name) == ("error_rate", "feature")


def test_rank_by_default_is_of_the_leading_metric_over_the_whole_range():
    result = binary_result()
    pd.testing.assert_series_equal(result.rank(), result.rank("portion_yes", -1, 1))


def test_rank_between_grid_points_is_exact():
    result = binary_result()
    coarse = result.rank("portion_yes", low=0.13, high=0.77)
    fine = stress_curves(binary_study(), taus=[0.13, 0.77]).rank("portion_yes", low=0.13, high=0.77)
    pd.testing.assert_series_equal(coarse, fine)


def test_features_without_a_value_come_last():
    value = np.array([[[np.nan] * 5], [[0.1, 0.2, 0.3, 0.4, 0.5]]])
    assert list(made_by_hand(value=value).rank().index) == ["b", "a"]


def test_rank_refuses():
    with pytest.raises(UnknownName, match="Nearest: 'error_rate'"):
        binary_result().rank("eror_rate")
    with pytest.raises(InputError, match=r"Every τ must lie in \[-1, 1\]; got 2"):
        binary_result().rank(high=2)


def test_at_computes_the_same_curves_elsewhere():
    result = binary_result()
    fine = result.at([0.25, 0.2])
    assert fine.taus.tolist() == [0, 0.2, 0.25]
    t = list(result.taus).index(0.2)
    np.testing.assert_allclose(fine._curves.value[..., 1], result._curves.value[..., t], rtol=1e-12)
    assert fine.features is result.features
    assert fine.computed_on == result.computed_on
    assert result.at(11) is result


def test_rows_are_not_copied():
    study = binary_study()
    result = stress_curves(study, [HOSTILE], taus=3)
    (column,) = (c for c in study._columns if c.name == HOSTILE)
    assert np.shares_memory(result.features[0].values(), column.numbers)


def test_leading_metric():
    assert binary_result()._leading_metric.name == "portion_yes"
    assert stress_curves(regression_study(), taus=3)._leading_metric.name == "mean"
    assert made_by_hand(metrics=(metric("error_rate"), metric("portion_b")))._leading_metric.name == "portion_b"


def test_influence_counts_as_far_as_the_metric_is_reliable():
    value = np.array([[[0.5, 0.5, 0.5, 0.9, 1.0]], [[0.3, 0.4, 0.5, 0.6, 0.7]]])
    codes = reasons(["", "", "", "few_rows_carry_all", ""], ["", "", "", "", "few_events"])
    result = made_by_hand(value=value, reason=codes)
    assert list(result.influence().index) == ["b", "a"]
    np.testing.assert_allclose(result.influence("portion_1"), [0.3, 0.0], atol=1e-12)
    nowhere = made_by_hand(value=value, reason=np.full((2, 1, 5), CODES["few_rows_beyond"]))
    np.testing.assert_allclose(nowhere.influence(), [0.5, 0.4])
    with pytest.raises(UnknownName):
        result.influence("eror_rate")


def test_text_names_what_moves_most():
    text = repr(binary_result())
    lines = text.splitlines()
    assert lines[0] == "Stress curves of predictions: 300 rows, 8 features, 11 τ, 6 metrics"
    assert lines[1] == "share predicted yes, largest reliable change first:"
    assert " ".join(lines[2].split()) == "τ = −1 as tested τ = 1 reliable change over τ"
    assert lines[3].strip().startswith(HOSTILE)
    assert "left out: constant (every observed value is 1)" in text


def test_text_shows_the_change_it_is_ordered_by():
    result = binary_result()
    moved = result.influence()
    lines = [(line.feature, line.change, line.stretch) for line in influences(result)]
    assert [feature for feature, _, _ in lines] == list(moved.index[:8])
    for feature, change, stretch in lines:
        first, last = (float(end.replace("−", "-")) for end in stretch.split(" … "))
        curve = result.frame.query("feature == @feature and metric == 'portion_yes'").set_index("tau")["value"]
        assert change == signed(f"{fixed(100 * (curve[last] - curve[first]), 1)} pt")
        assert change == signed(f"{fixed(100 * moved[feature], 1)} pt")


def test_text_says_where_nothing_is_reliable():
    codes = np.full((2, 1, 5), CODES["few_rows_beyond"])
    text = repr(made_by_hand(reason=codes))
    assert "portion 1, unreliable everywhere, largest change first:" in text
    assert "reliable change" not in text
    codes[0, 0, 2:4] = CODES["few_events"]
    text = repr(made_by_hand(reason=codes))
    assert "portion 1, wide everywhere (read the intervals), largest change first:" in text
    assert " ".join(text.splitlines()[3].split()) == "a 40.0 % 50.0 % 60.0 % +5.0 pt 0 … 0.5"
    assert " ".join(text.splitlines()[4].split()) == "b 10.0 % 50.0 % 90.0 % – –"


def test_numbers_of_a_text_have_the_same_decimals():
    value = np.array([[[0.000246, 0.3, 0.5, 0.6, 0.79]], [[0.5, 0.5, 0.5, 0.5, np.nan]]])
    text = repr(made_by_hand(value=value)).splitlines()
    assert " ".join(text[3].split()) == "a 0.0 % 50.0 % 79.0 % +79.0 pt −1 … 1"
    assert " ".join(text[4].split()) == "b 50.0 % 50.0 % – – −1 … 1"
    tiny = repr(made_by_hand(value=0.1 + value[:1].repeat(2, 0) / 100)).splitlines()
    assert tiny[3].split()[1] == "10.000"
    plain = (metric("mean", "value"),)
    assert repr(made_by_hand(metrics=plain, value=1500 + 40 * value)).splitlines()[3].split()[1:4] == [
        "1,500.0",
        "1,520.0",
        "1,531.6",
    ]
    assert "1.79e+12" in repr(made_by_hand(metrics=plain, value=1e12 * (1 + value)))


def test_text_of_values():
    text = repr(stress_curves(regression_study(), ["age"], taus=3))
    assert "1 feature," in text
    assert "pt" not in text.split("first:")[1]


def test_text_counts_the_rest():
    names = {f"x{i}": [0.0, 1, 2] for i in range(12)}
    text = repr(made_by_hand(names))
    assert "and 4 more features in .rank() and .frame" in text


def test_many_left_out_are_counted():
    from dataclasses import replace

    result = replace(made_by_hand(), skipped=tuple((f"c{i}", "constant") for i in range(10)))
    assert "c7 (constant) and 2 more" in repr(result)


def test_display_is_the_widget_with_a_still_picture():
    result = binary_result()
    data, _ = result._repr_mimebundle_()
    assert set(data) == {
        "application/vnd.jupyter.widget-view+json", "application/vnd.tauscope.view+json", "image/svg+xml",
        "text/html", "text/plain",
    }  # fmt: skip
    assert data["text/plain"] == repr(result)
    again, _ = result._repr_mimebundle_()
    widget = "application/vnd.jupyter.widget-view+json"
    assert again[widget]["model_id"] == data[widget]["model_id"]


def test_text_alone_makes_no_widget():
    result = stress_curves(binary_study(), ["age"], taus=3)
    assert result._repr_mimebundle_(include=["text/plain"]) == {"text/plain": repr(result)}
    assert "_display" not in vars(result)
