"""What a boundary says: words, tables and files, of real runs and of numbers made up to reach each branch."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from study.boundary.cases import QUIET, forest, logistic, mixed
from tauscope.boundary.reliability import REASONS as RULES
from tauscope.errors import InputError
from tauscope.results.boundary.boundary import Boundary
from tauscope.results.boundary.reliability import Reason
from tauscope.results.boundary.text import REASONS, number_below, reason_sentence

CHANGES = ["feature", "value", "point", "rival", "change", "change_scaled", "direction", "step"]


def changed(b: Boundary, **records) -> Boundary:
    """The same boundary with other numbers: of the diagnostics, the detection or the paths."""
    inspection = b._numbers.inspection
    parts = {}
    for path, value in records.items():
        record, name = path.split("__")
        kind = getattr(inspection, record) if record != "run" else inspection
        array = np.array([value])
        parts[record] = array if record == name else replace(parts.get(record, kind), **{name: array})
    return replace(b, _numbers=replace(b._numbers, inspection=replace(inspection, **parts)))


class TestWords:
    def test_the_sentence_names_both_decisions_and_the_distance(self):
        b = logistic().boundary(17, **QUIET)
        assert b.sentence.startswith("Row 17 is predicted malignant; it becomes benign ")
        assert " standard deviations away; nothing nearer than " in b.sentence
        lines = repr(b).splitlines()
        assert lines[0] == b.sentence
        assert "more features change" in repr(b)
        assert lines[-1].endswith(f"was called on {b.n_model_rows:,} rows")

    @pytest.mark.slow
    def test_other_metrics_have_their_own_words(self):
        assert "at a Gower distance of" in mixed().boundary(0, **QUIET).sentence
        manhattan = logistic().boundary(17, **QUIET, metric="manhattan")
        assert "standard deviations away, added up over the features" in manhattan.sentence

    def test_a_safe_distance_is_never_rounded_up(self):
        assert number_below(0.81999) == "0.819"
        assert number_below(3.1478) == "3.14"
        assert number_below(float("inf")) == "∞"

    def test_every_reason_has_its_sentence_and_level(self):
        assert list(REASONS) == [rule.name for rule in RULES]
        for kind in REASONS:
            words = reason_sentence(Reason(kind, 0.25))
            assert "{" not in words


class TestReliability:
    @pytest.mark.parametrize(
        ("records", "level", "words"),
        [
            ({"diagnostics__crossing_ratio": np.inf}, "unreliable", "does not flip the decision within 1.5"),
            ({"unsteady__unsteady": True}, "unreliable", "answered differently"),
            ({"diagnostics__balance": 0.9}, "wide", "90 % of the sampled points"),
            ({"diagnostics__balance": 0.1}, "wide", "10 % of the sampled points"),
            ({"diagnostics__balanced_accuracy": 0.6}, "wide", "on the sample is 60 % only"),
            ({"diagnostics__stability": 0.4}, "wide", "mean cosine 0.4"),
            ({"diagnostics__cosine": 0.2, "diagnostics__crossing_ratio": 1.2}, "wide", "cosine 0.2"),
            ({"paths__returns": True}, "wide", "the first decision comes back"),
            ({"diagnostics__crossing_ratio": 1.3}, "wide", "at 1.3 times the distance"),
            ({"diagnostics__crossing_ratio": np.nan}, "unreliable", "before the direction was tried"),
        ],
        ids=str,
    )
    @pytest.mark.slow
    def test_each_diagnostic_that_fails_is_a_reason(self, records, level, words):
        good = logistic().boundary(17, **QUIET)
        assert (good.reliability, good.reasons) == ("reliable", ())
        poor = changed(good, **records)
        assert poor.reliability == level
        assert words in " ".join(poor.reasons)
        assert "explanation unreliable; " in repr(poor) if level == "unreliable" else "explanation wide: " in repr(poor)

    def test_a_direction_that_crosses_sooner_than_the_point_may_lead_elsewhere(self):
        b = changed(logistic().boundary(17, **QUIET), diagnostics__cosine=0.2, diagnostics__crossing_ratio=0.8)
        assert b.reliability == "reliable"


class TestTables:
    @pytest.mark.slow
    def test_the_changes_that_matter_come_first(self):
        study = logistic()
        b = study.boundary(17, **QUIET)
        assert list(b.frame.columns) == CHANGES
        assert b.frame["change_scaled"].abs().is_monotonic_decreasing
        table = b.frame.set_index("feature")
        sd = study.X.std(ddof=0)
        np.testing.assert_allclose(table["change"], table["change_scaled"] * sd[table.index], rtol=1e-9)
        np.testing.assert_allclose(table["step"], table["direction"] * sd[table.index], rtol=1e-9)
        np.testing.assert_allclose(table["point"] - table["value"], table["change"], rtol=1e-9)
        pd.testing.assert_series_equal(b.direction, table["direction"][b.direction.index], check_names=False)

    @pytest.mark.slow
    def test_a_step_is_for_a_unit_of_the_distance_whatever_the_metric(self):
        study = logistic()
        for metric in ("euclidean", "manhattan", "gower"):
            b = study.boundary(17, **QUIET, metric=metric)
            step = b.frame.set_index("feature")["step"][list(b.feature_names)].to_numpy()
            start = b._numbers.start[0]
            assert b._numbers.space.distance(start, start + step) == pytest.approx(1, rel=1e-9)

    @pytest.mark.slow
    def test_levels_and_missing_values_read_as_a_person_wrote_them(self):
        study = mixed()
        row = int(np.flatnonzero(study.X["age"].isna())[1])
        b = study.boundary(row, **QUIET)
        table = b.frame.set_index("feature")
        assert table.loc["sex", "value"] == study.X["sex"][row]
        assert table.loc["age", "value"] is None
        assert np.isnan(table.loc["sex", "change"])
        assert isinstance(table.loc["hours-per-week", "value"], int)

    @pytest.mark.slow
    def test_the_path_starts_at_the_row_and_crosses_where_it_says(self):
        b = forest().boundary(17, **QUIET)
        assert list(b.path.columns) == ["length", "answer", "label"]
        assert b.path["length"][0] == 0
        first = b.path["length"][(b.path["label"] != b.predicted).to_numpy()].min()
        assert b.crossing <= first
        assert first - b.crossing <= b.path["length"][1]

    def test_diagnostics_have_their_names(self):
        names = [
            "balance",
            "faithfulness",
            "balanced_accuracy",
            "cosine",
            "crossing_ratio",
            "scaled_distance",
            "derivative",
        ]
        assert list(logistic().boundary(17, **QUIET).diagnostics.index) == [*names, "stability", "r2"]


class TestFiles:
    @pytest.mark.slow
    def test_csv_is_the_frame_and_json_says_how(self, tmp_path):
        b = mixed().boundary(0, **QUIET, n=2)
        b.save(tmp_path / "b.csv")
        assert pd.read_csv(tmp_path / "b.csv")["feature"].tolist() == b.frame["feature"].tolist()
        b.save(tmp_path / "b.json")
        document = json.loads((tmp_path / "b.json").read_text())["summary"]
        assert (document["schema"], document["status"], document["row"]) == ("tauscope.boundary", "found", 0)
        assert document["distance"] == b.distance
        assert len(document["records"]) == 7
        assert len(document["diverse"]) == len(b.diverse)
        with pytest.raises(InputError, match="ending says the format"):
            b.save(tmp_path / "b.xlsx")

    @pytest.mark.slow
    def test_many_and_pooled_are_written_too(self, tmp_path):
        study = logistic()
        bs, pooled = study.boundaries([0, 1], **QUIET), study.pooled_boundary([0, 1], **QUIET)
        for result, n in ((bs, 2), (pooled, 30)):
            result.save(tmp_path / "r.json")
            assert len(json.loads((tmp_path / "r.json").read_text())["summary"]["records"]) == n
            result.save(tmp_path / "r.html")
            assert result.title in (tmp_path / "r.html").read_text()

    @pytest.mark.slow
    def test_a_picture_is_the_chart(self, tmp_path):
        b = logistic().boundary(17, **QUIET)
        b.save(tmp_path / "b.png")
        b.save(tmp_path / "path.svg", kind="path")
        assert (tmp_path / "b.png").read_bytes()[:4] == b"\x89PNG"
        assert "probability of malignant" in (tmp_path / "path.svg").read_text()


@pytest.mark.slow
def test_many_say_how_many_came_out_how():
    bs = logistic().boundaries([0, 1, 2], **QUIET)
    assert repr(bs).splitlines()[0] == "Boundaries at 3 rows: Pipeline[LogisticRegression]"
    assert bs.statuses == {"found": 3}
    none = logistic().boundaries([0, 1], **QUIET, fixed=list(logistic().feature_names))
    assert "nothing to move for 2" in repr(none)
    assert isinstance(bs[0], ts.Boundary)
    assert [b.row for b in bs] == [0, 1, 2]
