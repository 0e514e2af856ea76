import numpy as np
import pytest

from results.samples import binary_study
from tauscope.study.stress.columns import stress_columns
from tauscope.views.columns_message import columns_size, columns_wire


@pytest.mark.parametrize("weighted", [False, True])
def test_columns_are_standardised(weighted):
    study = binary_study(weighted=weighted)
    columns = stress_columns(study)
    wire = columns_wire(columns)
    n, p = columns.n_rows, len(columns.features)
    values = np.frombuffer(wire.columns, "<f4").reshape(p, n)
    weight = np.frombuffer(wire.row_weights, "<f4") if weighted else np.ones(n)
    assert len(wire.columns) + len(wire.row_weights) == columns_size(columns)
    for z, message in zip(values, wire.columns_message["features"], strict=True):
        seen = ~np.isnan(z)
        assert n - seen.sum() == message["n_missing"]
        assert np.average(z[seen], weights=weight[seen]) == pytest.approx(0, abs=1e-6)
        assert np.average(z[seen] ** 2, weights=weight[seen]) == pytest.approx(1, abs=1e-6)
        # an end that rows have is exactly the value they have in the page
        for end in ("low", "high"):
            assert np.float32((message[end] - message["mean"]) / message["sd"]) in z


def test_past_the_budget_nothing_is_shipped():
    columns = stress_columns(binary_study())
    exact = columns_size(columns)
    assert columns_wire(columns, budget=exact).columns_message["shipped"]
    for options in ({"budget": exact - 1}, {"budget": exact, "extra_bytes": 1}):
        wire = columns_wire(columns, **options)
        assert not wire.columns_message["shipped"]
        assert (wire.columns, wire.row_weights) == (b"", b"")
