"""Looking through rows: against a slow definition, and how values are written."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.results.workspace.row_column import RowColumn
from tauscope.views.workspace.listing import Query, listing_of, written

N = 300


def listing():
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": random.integers(20, 40, N),
            "size": np.where(random.random(N) < 0.1, np.nan, random.normal(size=N)),
            "town": random.choice(["Bern", "Basel", "11th"], N),
            "seen": pd.Timestamp("2021-06-01") + pd.to_timedelta(random.integers(0, 90, N), unit="D"),
        }
    )
    y = random.integers(0, 2, N)
    return X, ts.Study.from_predictions(X, y, y_score=random.random(N)).table()


X, TABLE = listing()
LISTING = listing_of(TABLE)


def found(**query):
    return LISTING.find(Query(**query), [1, 5, 9], None).tolist()


def test_rows_that_hold_a_text():
    assert found(search=" ber ") == np.flatnonzero(X["town"] == "Bern").tolist()
    assert found(search="2021-07") == np.flatnonzero(X["seen"].dt.month == 7).tolist()
    assert found(search="33") == sorted({33, *np.flatnonzero(X["age"] == 33)})
    assert found(search="#33") == [33]
    assert found(search="#300") == found(search="nowhere") == []
    assert found(search="11") == [11]


def test_rows_by_a_filter():
    frame = TABLE.frame
    assert found(filter="errors") == np.flatnonzero(frame["truth"] != frame["predicted"]).tolist()
    assert found(filter="selected") == [1, 5, 9]
    near = found(filter="near")
    assert near == sorted(np.argsort(np.abs(frame["score"] - 0.5))[: len(near)])
    assert 0.04 * N <= len(near) <= 0.06 * N


@pytest.mark.parametrize("descending", [False, True])
def test_missing_values_come_last(descending):
    order = X["size"].sort_values(ascending=not descending, na_position="last", kind="stable").index.tolist()
    assert found(sort="size", descending=descending) == order


def test_equal_values_stay_in_order():
    order = X["age"].sort_values(ascending=False, kind="stable").index.tolist()
    assert found(sort="age", descending=True) == order


def test_weights_sort_and_weigh():
    after = np.linspace(0, 2, N)
    assert LISTING.find(Query(sort="weight under the stress", descending=True), [], after)[0] == N - 1
    group = LISTING.group([N - 2, N - 1], after)
    assert group["share"] == pytest.approx(2 / N)
    assert group["share_after"] == pytest.approx(after[-2:].sum() / after.sum())
    assert LISTING.group([], after)["errors"] is None


@pytest.mark.parametrize(
    ("values", "whole", "kind"),
    [
        (np.array([0.1, np.nan]), False, "<f4"),
        (np.array([2**24 + 1, 3]), True, "<f8"),
        (np.array([2**24, 3]), True, "<f4"),
        (np.array([1e39, 1.0]), False, "<f8"),
    ],
)
def test_numbers_are_as_narrow_as_they_can_be(values, whole, kind):
    column = RowColumn("a", "a", "feature", "number", values, whole=whole)
    assert written(column).dtype == np.dtype(kind)
    np.testing.assert_allclose(written(column), values, rtol=1e-6)


def test_codes_are_as_narrow_as_they_can_be():
    for n, kind in ((3, "u1"), (300, "<u2"), (70_000, "<u4")):
        column = RowColumn("a", "a", "feature", "levels", np.array([-1, n - 1]), tuple(map(str, range(n))))
        assert written(column).dtype == np.dtype(kind)
        assert written(column).tolist() == [np.iinfo(kind).max, n - 1]


def test_times_of_day_are_kept():
    dates = pd.Series(pd.Timestamp("2021-06-01 18:00") + pd.to_timedelta([0, 1], unit="D"))
    table = ts.Study.from_predictions(pd.DataFrame({"seen": dates}), y_pred=[0, 1]).table()
    days = written(table.columns[-1])
    np.testing.assert_allclose(days % 1, 0.75)
