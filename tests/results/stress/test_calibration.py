"""What a calibration says in words, and what of it is data."""

import json

import numpy as np
import pytest

from results import every
from tauscope.results.stress.calibration import write_measure


@pytest.fixture(scope="module")
def result():
    return every.result("calibration")


def test_text_has_every_measure_of_both_populations_and_the_changes(result):
    text = repr(result)
    for words in (
        "probability of 1",
        "under the stress: a",
        "mean score less share of positives  as tested",
        "slope                               under the stress",
        "slope changed by",
        "by chance alone",
    ):
        assert words in text
    assert "++" not in text
    by_group = repr(every.result("calibration by group"))
    assert "x      slope" in by_group
    assert "changed" not in by_group


def test_long_tables_are_cut_and_that_is_said():
    found = every.study().calibration(by="d", n_bins=15)
    assert f"and {len(found.frame) - 40} more in .frame" in repr(found)


def test_measures_are_written_in_their_unit():
    assert write_measure("calibration_in_the_large", 0.0213) == "+2.13 pt"
    assert write_measure("expected_calibration_error", 0.0213) == "2.13 %"
    assert write_measure("calibration_slope", 0.9) == "0.9"
    assert write_measure("calibration_slope", float("nan")) == "–"


def test_the_document_is_json_with_every_table(result):
    document = json.loads(json.dumps(result._document()))
    assert document["schema"] == "tauscope.calibration"
    assert len(document["records"]) == len(result.frame) == 8
    assert len(document["summary"]) == 8
    assert [row["measure"] for row in document["changes"]] == result.changes["measure"].tolist()
    assert len(document["edges"]) == 5
    assert document["populations"] == list(result.populations)
    assert len(document["decomposition"]) == 2


def test_histograms_are_of_all_weight(result):
    scores = result.scores
    assert scores.groupby("population")["share"].sum().tolist() == pytest.approx([1, 1])
    assert len(scores) == 40


def test_tables_are_the_callers_to_change(result):
    for name in ("frame", "summary", "changes", "gaps", "decomposition", "scores"):
        table = getattr(result, name)
        table["more"] = 1
        assert "more" not in getattr(result, name)


def test_the_parts_of_the_brier_score_add_up(result):
    parts = result.decomposition
    added = parts["miscalibration"] - parts["discrimination"] + parts["uncertainty"]
    np.testing.assert_allclose(added, parts["brier_score"], rtol=1e-9)
