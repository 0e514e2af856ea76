import json

import numpy as np
import pytest

import tauscope as ts
from drawn import assert_drawn
from results.samples import HOSTILE, binary_result, binary_study, made_by_hand, regression_study
from tauscope.study.stress.curves import stress_curves
from tauscope.views.packing import unpack
from tauscope.views.stress.curves_message import n_taus_within, stress_curves_wire


@pytest.mark.parametrize("weighted", [False, True])
def test_buffers_hold_the_curves_of_the_fine_grid(weighted):
    result = binary_result(weighted)
    wire = stress_curves_wire(result, n_taus=5)
    fine = result.at(5)._curves
    p, n_metrics, n_taus = fine.value.shape
    curves = np.frombuffer(unpack(wire.curves), "<f4").reshape(p, n_metrics, n_taus, 3)
    population = np.frombuffer(unpack(wire.population), "<f4").reshape(p, n_taus, 7)
    assert_drawn(curves, np.stack([fine.value, fine.lower, fine.upper], axis=-1))
    for k, name in enumerate(("target", "ess", "pareto_k", "kl", "tv", "n_carriers", "carried")):
        np.testing.assert_allclose(population[..., k], getattr(fine, name), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_histograms_are_shares_before_and_after(weighted):
    result = binary_result(weighted)
    wire = stress_curves_wire(result, n_taus=5)
    bars = np.frombuffer(unpack(wire.histograms), "<u2") / 65_535
    start = 0
    for feature, message in zip(result.features, wire.message["features"], strict=True):
        edges = np.array(message["edges"])
        if feature.kind == "share":
            assert edges.size == 0
            continue
        n_bins = len(edges) - 1
        shares = bars[start : start + 5 * n_bins].reshape(5, n_bins)
        start += 5 * n_bins
        np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-3)
        values = feature.values()
        seen = ~np.isnan(values)
        weight = None if result._sample_weight is None else result._sample_weight[seen]
        counts, _ = np.histogram(np.clip(values[seen], edges[0], edges[-1]), edges, weights=weight)
        np.testing.assert_allclose(shares[2], counts / counts.sum(), atol=1e-5)
    assert start == len(bars)


def test_message_says_what_is_shown():
    result = binary_result()
    message = stress_curves_wire(result, n_taus=5).message
    assert message["title"] == "Stress curves of predictions"
    assert (message["version"], message["n_rows"], message["task"]) == (1, 300, "binary")
    assert message["taus"] == [-1, -0.5, 0, 0.5, 1]
    assert message["interval"].startswith("95 %, ")
    assert [i["name"] for i in message["metrics"]] == list(result.metric_names)
    assert message["skipped"] == [{"name": "constant", "reason": "every observed value is 1"}]
    by_name = {feature["name"]: feature for feature in message["features"]}
    assert by_name["age"]["n_missing"] == 18
    assert by_name["age"]["integer"] is True
    assert by_name["age = missing"] | {"mean": 0, "first": []} == {
        "name": "age = missing", "column": "age", "level": "missing", "kind": "share", "integer": False, "unit": "",
        "mean": 0,
        "n_missing": 0, "note_low": "", "note_high": "", "edges": [],
        "open_ends": [False, False], "first": [],
    }  # fmt: skip
    assert by_name["gain"]["note_high"].startswith("τ > 0 reaches the 97.5th percentile: ")
    assert HOSTILE in by_name


def test_message_is_strict_json():
    for result in (binary_result(), stress_curves(regression_study(), taus=3)):
        message = stress_curves_wire(result, n_taus=3).message
        assert json.loads(json.dumps(message, allow_nan=False)) == message


@pytest.mark.parametrize(("budget", "n_taus"), [(1_000_000, 101), (60_000, 41), (30_000, 21), (1, 21)])
def test_grid_is_as_fine_as_the_budget_allows(budget, n_taus):
    assert n_taus_within(binary_result(), budget) == n_taus


def test_grid_stays_within_a_megabyte():
    result = binary_result()
    wire = stress_curves_wire(result)
    assert len(wire.message["taus"]) == n_taus_within(result)
    assert sum(map(len, (wire.curves, wire.population, wire.histograms))) <= 1_000_000


def test_result_that_cannot_be_refined_keeps_its_grid():
    result = made_by_hand()
    assert stress_curves_wire(result, n_taus=101).message["taus"] == list(result.taus)


def test_no_numeric_feature_no_histogram():
    result = stress_curves(binary_study(), ["age = missing"], taus=3)
    assert stress_curves_wire(result, n_taus=3).histograms == b""


def test_undefined_values_travel_as_nan():
    value = np.full((2, 1, 5), np.nan)
    wire = stress_curves_wire(made_by_hand(value=value))
    assert np.isnan(np.frombuffer(unpack(wire.curves), "<f4").reshape(2, 1, 5, 3)[..., 0]).all()


def test_curves_of_another_model_come_along_in_the_same_order():
    study = binary_study()
    other = ts.Study.from_predictions(study.X, study.y, study.predicted[::-1])
    mine, theirs = (one.stress_curves(metrics=["error_rate"], taus=5) for one in (study, other))
    wire = stress_curves_wire(mine, n_taus=5, beside=theirs)
    assert wire.message["beside"] == "predictions"
    sent = np.frombuffer(unpack(wire.beside), "<f4").reshape(len(mine.features), 1, 5, 3)
    assert_drawn(sent[..., :1], theirs.at(5)._curves.value[..., None])
    assert (stress_curves_wire(mine, n_taus=5).beside, stress_curves_wire(mine).message["beside"]) == (b"", "")
    for wrong in (study.stress_curves(taus=5), other.stress_curves("age", metrics=["error_rate"], taus=5)):
        with pytest.raises(ts.InputError, match="share their axes; their"):
            stress_curves_wire(mine, n_taus=5, beside=wrong)
