"""A worst case as a result: its tables, its words, its path, and what it takes to other machines."""

import json
import pickle

import numpy as np
import pytest

import tauscope as ts
from results import every
from tauscope.errors import InputError
from tauscope.results.stress.worst_within import Within
from tauscope.stress.worst.rows import Distance


@pytest.fixture(scope="module")
def moved():
    return every.result("worst case")


@pytest.fixture(scope="module")
def rows():
    return every.result("worst case over rows")


def test_the_frame_has_every_feature_before_and_after(moved):
    frame = moved.frame
    assert frame.columns.tolist() == ["feature", "mean_before", "mean_after", "smd"]
    assert np.abs(frame["smd"]).is_monotonic_decreasing
    source = moved._require_source()
    row = frame[frame["feature"] == "b"].iloc[0]
    values = source.X["b"].to_numpy()
    assert row["mean_after"] == pytest.approx(np.average(values, weights=moved.weights))
    assert row["smd"] == pytest.approx((row["mean_after"] - values.mean()) / values.std())


def test_the_text_says_what_where_and_how_it_was_read(moved):
    text = repr(moved)
    assert text.startswith(
        "Highest error rate found for a function, means moved: a by −0.3 to +0.3, c = x by −0.1 to +0.1"
    )
    assert "all rows" in text
    assert "rows held out" in text
    assert "leans on" in text
    assert f"effective sample {moved.ess:,.0f} of 160" in text
    assert moved.leans_on.split(" ")[0] in ("more", "fewer", "higher", "lower")
    assert moved._caption in text


def test_over_rows_it_says_that_it_is_a_bound(rows):
    assert "any row reweighted, up to 10 % of the weight moved" in repr(rows)
    assert "so this is a bound" in rows.notes[0]
    with pytest.raises(InputError, match=r"Name features=\[…\] for the worst stress"):
        rows.scenario("x")


def test_without_rows_held_out_it_says_that_it_looks_worse_than_it_is():
    assert "looks worse than it is" in every.result("worst case reached").notes[0]
    assert every.result("worst case reached").title == "Smallest shift to error rate 30 % of a function"


def test_estimates_are_those_of_all_rows_and_of_the_parts(moved):
    table = moved.estimates
    assert table["rows"].tolist() == ["all", "chosen", "held out"]
    assert table["n_rows"].tolist() == [160, 80, 80]
    assert table["value"][0] == moved.value
    assert table["value"][2] == moved.held_out.estimate.value
    assert np.isnan(table["lower"][1])
    assert moved.estimates["lower"][2] < moved.estimates["value"][2] < moved.estimates["upper"][2]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["worst case", "worst case over rows", "worst case reached"])
def test_the_path_leads_from_the_rows_as_they_are_to_all_that_was_allowed(name):
    result = every.result(name)
    path = result.path(3)
    assert path["amount"].tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert path["value"].iloc[0] == result.before
    assert path["value"].iloc[-1] == result.value
    assert path["value"].is_monotonic_increasing
    assert path["kl"].is_monotonic_increasing
    half = result.path(2).iloc[1]
    within = result.within.part(0.5).as_argument()
    options = {"features": result._options["features"]}
    if result.reach is not None:
        asked = {"reach": result.before + 0.5 * (result.reach - result.before), **options}
    else:
        asked = {"within": within, **options}
    alone = result._require_source().worst_case(result.metric.name, **asked)
    assert (half["value"], half["lower"]) == pytest.approx((alone.value, alone.lower), rel=1e-9)
    with pytest.raises(InputError, match="at least one step; got 0"):
        result.path(0)


def test_limits_in_part_and_in_words():
    within = Within(Distance("kl", 0.2), (("age", -2.0, 4.0), *((f"x{j}", 0.0, 1.0) for j in range(5))))
    assert within.part(0.5).as_argument()["age"] == (-1.0, 2.0)
    assert within.part(0.5).as_argument()["kl"] == 0.1
    assert within.words("means", []) == (
        "means moved: age by −2 to +4, x0 by 0 to +1, x1 by 0 to +1, x2 by 0 to +1, 2 more, KL up to 0.2"
    )
    assert Within(Distance("tv", 0.1)).words("means", ["a", "b", "c", "d", "e"]) == (
        "means of a, b, c, d and 1 more, up to 10 % of the weight moved"
    )


def test_it_pickles_and_reads_the_same(moved):
    again = pickle.loads(pickle.dumps(moved))
    assert repr(again) == repr(moved)
    assert not again.weights.flags.writeable
    # predictions are all that it takes
    assert again.path(1)["value"].iloc[-1] == pytest.approx(moved.value)
    assert again.stress == moved.stress


def test_the_document_is_json_with_the_stress(moved, rows):
    document = json.loads(json.dumps(moved._document()))
    assert document["schema"] == "tauscope.worst_case"
    assert document["stress"] == repr(moved.stress)
    assert document["within"]["a"] == [-0.3, 0.3]
    assert len(document["weights"]) == 160
    assert rows._document()["stress"] is None


def test_it_is_public():
    assert isinstance(every.result("worst case"), ts.WorstCase)


def test_a_doubt_is_said_once():
    X = np.random.default_rng(1).normal(size=(400, 2))
    study = ts.Study.from_predictions(X, X[:, 0] > 1, X[:, 1] > 1)
    notes = study.worst_case("error_rate", within={0: 0.8, 1: 0.8}).notes
    assert any("effective rows decide the width" in note for note in notes)
    assert len(notes) == len(set(notes))
