import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results.samples import binary_study
from tauscope.study.stress.columns import stress_columns
from tauscope.study.study import Study
from tauscope.views.columns_message import columns_size, columns_wire
from wire.columns import read_columns


@pytest.mark.parametrize("weighted", [False, True])
def test_columns_are_standardised(weighted):
    study = binary_study(weighted=weighted)
    columns = stress_columns(study)
    wire = columns_wire(columns)
    n, p = columns.n_rows, len(columns.features)
    values = read_columns(wire.columns_message, wire.columns)
    assert values.shape == (p, n)
    weight = np.frombuffer(wire.row_weights, "<f4") if weighted else np.ones(n)
    assert len(wire.columns) + len(wire.row_weights) < columns_size(columns)
    for z, message in zip(values, wire.columns_message["features"], strict=True):
        seen = ~np.isnan(z)
        assert n - seen.sum() == message["n_missing"]
        assert np.average(z[seen], weights=weight[seen]) == pytest.approx(0, abs=1e-6)
        assert np.average(z[seen] ** 2, weights=weight[seen]) == pytest.approx(1, abs=1e-6)
        # an end that rows have is exactly the value they have in the page
        for end in ("low", "high"):
            assert np.float32((message[end] - message["mean"]) / message["sd"]) in z


def test_columns_of_few_values_are_sent_by_these():
    random = np.random.default_rng(0)
    n = 1001
    X = pd.DataFrame(
        {
            "flag": random.integers(0, 2, n),
            "place": random.choice(["north", "south", "west"], n),
            "age": np.where(np.arange(n) % 9 == 0, np.nan, random.integers(18, 90, n)),
            "score": random.normal(size=n),
        }
    )
    columns = stress_columns(ts.Study.from_predictions(X, X["flag"], X["flag"]))
    wire = columns_wire(columns)
    expected = [columns.standardised(k).astype("<f4") for k in range(len(columns.features))]
    np.testing.assert_array_equal(read_columns(wire.columns_message, wire.columns), expected)
    sizes = {feature["name"]: feature["n_values"] for feature in wire.columns_message["features"]}
    assert sizes["age"] == X["age"].nunique() + 1
    assert sizes["score"] == 0
    assert {sizes[name] for name in sizes if name not in ("age", "score")} == {2}
    in_bits = 126 + 8
    assert len(wire.columns) == 4 * n + (n + 4 * sizes["age"]) + (len(sizes) - 2) * in_bits


def test_past_the_budget_nothing_is_shipped():
    columns = stress_columns(binary_study())
    exact = columns_size(columns)
    assert columns_wire(columns, budget=exact).columns_message["shipped"]
    for options in ({"budget": exact - 1}, {"budget": exact, "extra_bytes": 1}):
        wire = columns_wire(columns, **options)
        assert not wire.columns_message["shipped"]
        assert (wire.columns, wire.row_weights) == (b"", b"")


def test_dates_and_durations_say_their_unit():
    days = pd.date_range("2010-01-01", periods=40, freq="97D")
    X = pd.DataFrame({"since": days, "lasting": days - days[0], "age": np.arange(40.0)})
    answer = np.arange(40) % 2
    columns = Study.from_predictions(X, answer, answer).joint_stress()._columns
    features = columns_wire(columns).columns_message["features"]
    assert {feature["name"]: feature["unit"] for feature in features} == {"since": "year", "lasting": "days", "age": ""}


def test_whole_numbers_that_a_code_dwarfs_are_left_to_the_kernel():
    x = np.random.default_rng(0).integers(0, 11, (200, 2)).astype(float)
    y = np.arange(200) % 2
    assert columns_wire(stress_columns(ts.Study.from_predictions(x, y, y))).columns_message["shipped"]
    x[:3, 0] = 1e9
    assert not columns_wire(stress_columns(ts.Study.from_predictions(x, y, y))).columns_message["shipped"]


def test_columns_that_a_few_values_dwarf_are_left_to_the_kernel():
    x = np.random.default_rng(0).normal(size=(60, 2))
    x[0, 0] = 2.0**63 - 1
    y = np.arange(60) % 2
    columns = stress_columns(ts.Study.from_predictions(x, y, y))
    assert not columns_wire(columns).columns_message["shipped"]
