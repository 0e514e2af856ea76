"""Tables of several populations put together."""

import pandas as pd

from tauscope.results.stress.tables.calibration_tables import in_order


def test_populations_of_a_group_stand_one_after_the_other():
    first = pd.DataFrame({"group": ["b", "b", "a"], "population": "one"})
    second = pd.DataFrame({"group": ["b", "b", "a"], "population": "two"})
    found = in_order([first, second])
    assert found["group"].tolist() == ["b"] * 4 + ["a"] * 2
    assert found["population"].tolist() == ["one", "one", "two", "two", "one", "two"]
    assert found.index.tolist() == list(range(6))


def test_without_groups_they_are_as_they_come():
    tables = [pd.DataFrame({"population": [name, name]}) for name in ("two", "one")]
    assert in_order(tables)["population"].tolist() == ["two", "two", "one", "one"]
