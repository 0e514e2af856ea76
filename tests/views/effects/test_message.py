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
@pytest.mark.slow
def test_rows_go_along_where_they_fit(kind, rows):
    options = {} if kind != "dale" else {"step": 0.5}
    part, poor = part_of("fare", kind=kind, **options), part_of("fare", kind=kind, budget=1000, **options)
    assert (part.message["rows"], poor.message["rows"]) == (rows, "none")
    assert part.n_bytes > poor.n_bytes
    assert len(poor.integers) == 0
    assert part.message["starts"] == ([] if kind == "pd" else part.message["starts"])


def test_curves_that_rows_share_are_sent_once():
    X = pd.DataFrame({"x": np.arange(60.0), "group": np.arange(60) % 3, "other": np.arange(60) // 3 % 2})
    study = ts.Study(
        lambda rows: (np.sin(rows["x"]) * rows["group"] + rows["other"]).to_numpy(), X, X["x"], task="regression"
    )
    effect = study.effect("x", grid=6)
    part = encode_effect(effect, 4e6)
    curves = effect._computed.curves().astype("<f4")
    n_points = curves.shape[-1]
    assert part.integers.shape == (60,)
    assert sorted(set(part.integers)) == list(range(6))
    sent = part.floats[-6 * n_points :].reshape(1, 6, n_points)
    np.testing.assert_array_equal(sent[:, part.integers], curves)


def test_curves_of_each_row_s_own_go_without_places():
    part = part_of("fare")
    rows = samples.study().n_rows
    n_points = len(part.message["axes"][0]["points"])
    assert len(part.floats) == (5 + N_SAMPLE + rows) * n_points
    assert len(part.integers) == 0


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
        start = message["layout"]["floats"][0]["start"]
        np.testing.assert_array_equal(np.frombuffer(floats, "<f4")[start : start + len(part.floats)], part.floats)
        start = message["layout"]["integers"][0]["start"]
        np.testing.assert_array_equal(np.frombuffer(integers, "<u4")[start : start + len(part.integers)], part.integers)
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


def test_bands_of_every_step_go_along_where_the_rows_do_not():
    effect = samples.study().effect("fare", grid=6)
    epsilons = (0.0, 0.1, 0.8)
    with_bands, without = encode_effect(effect, 1000, epsilons), encode_effect(effect, 1000)
    assert (with_bands.message["bands"], without.message["bands"]) == (True, False)
    bands = with_bands.floats[len(without.floats) :].reshape(1, 3, 4, -1)
    for step, epsilon in enumerate(epsilons):
        frame = effect.bounds(epsilon).frame
        for side, name in enumerate(("certified_lower", "certified_upper", "paper_lower", "paper_upper")):
            np.testing.assert_allclose(bands[0, step, side], frame[name], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("features", "options"), [("fare", {"kind": "cd"}), (["fare", "age"], {})])
def test_bands_that_are_dear_or_not_drawn_stay(features, options):
    effect = samples.study().effect(features, grid=6, **options)
    assert not encode_effect(effect, 1000, (0.1, 0.8)).message["bands"]


def test_a_page_with_its_rows_needs_no_bands():
    effect = samples.study().effect("fare", grid=6)
    assert not encode_effect(effect, 4e6, (0.1, 0.8)).message["bands"]
