import json

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results.effects import samples
from tauscope.views.effects.message import N_SAMPLE, encode_effect, join_buffers


def part_of(*args, budget=4e6, **options):
    return encode_effect(samples.study().effect(*args, **({"grid": 6} | options)), budget)


@pytest.mark.parametrize(("kind", "rows"), [("pd", "curves"), ("cd", "windows"), ("ale", "bins"), ("dale", "bins")])
def test_rows_go_along_where_they_fit(kind, rows):
    options = {} if kind != "dale" else {"step": 0.5}
    part, poor = part_of("fare", kind=kind, **options), part_of("fare", kind=kind, budget=1000, **options)
    assert (part.message["rows"], poor.message["rows"]) == (rows, "none")
    assert part.n_bytes > poor.n_bytes
    assert len(poor.integers) == 0
    assert part.message["starts"] == ([] if kind == "pd" else part.message["starts"])


def test_individual_curves_are_spread_over_their_height():
    part = part_of("fare")
    n_points = len(part.message["axes"][0]["points"])
    start = 5 * n_points
    sample = part.floats[start : start + N_SAMPLE * n_points].reshape(N_SAMPLE, n_points)
    assert part.message["n_sample"] == N_SAMPLE
    assert (np.diff(sample.mean(axis=1)) >= -1e-6).all()


def test_parts_lie_behind_one_another():
    parts = [part_of("fare"), part_of("fare", kind="ale"), part_of("sex", kind="cd")]
    messages, floats, integers = join_buffers(parts)
    for part, message in zip(parts, messages, strict=True):
        start, size = message["floats"]
        np.testing.assert_array_equal(np.frombuffer(floats, "<f4")[start : start + size], part.floats)
        start, size = message["integers"]
        np.testing.assert_array_equal(np.frombuffer(integers, "<u4")[start : start + size], part.integers)
        json.dumps(message, allow_nan=False)


def test_axis_of_numbers_with_missing_ones():
    (axis,) = part_of("age").message["axes"]
    assert axis["points"][-1] is None
    assert axis["labels"][-1] == "missing"
    assert len(axis["shares"]) == len(axis["edges"]) - 1
    lacking = samples.fitted()[1]["age"].isna().mean()
    assert sum(axis["shares"]) == pytest.approx(1 - lacking)
    assert sum(axis["mass"]) == pytest.approx(1)
    assert axis["mass"][-1] == pytest.approx(lacking)


def test_axis_of_levels_and_of_dates():
    (levels,) = part_of("sex").message["axes"]
    assert (levels["kind"], levels["edges"]) == ("levels", [])
    assert sum(levels["shares"]) == pytest.approx(1)
    X = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=30), "b": np.arange(30.0)})
    dates = encode_effect(ts.Study(lambda rows: rows["b"], X, X["b"]).effect("day", grid=5), 4e6).message["axes"][0]
    assert dates["kind"] == "date"
    assert dates["labels"][0] == "2020-01-01"


def test_a_bootstrap_ships_no_quantiles():
    assert part_of("fare", interval="bootstrap", random_state=0).message["quantiles"] == []
    assert len(part_of("fare").message["quantiles"]) == 65


def test_where_the_direction_turns():
    (one,) = part_of("fare", kind="cd").message["breakdowns"]
    assert 0 < one["epsilon"] < 1
    assert one["sentence"].startswith("the direction between")
    assert part_of(["fare", "age"]).message["breakdowns"] == [None]
