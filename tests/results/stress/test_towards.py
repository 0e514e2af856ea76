"""Another population as a result: its words, tables and files."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results import every


def found() -> ts.TargetPopulation:
    return every.result("towards")


def test_words() -> None:
    text = repr(found())
    assert found().title == "a function in the population of 60 new rows"
    assert text.startswith("4 margins of 60 new rows; effective sample ")
    assert "observed" in text.splitlines()[1]
    assert "Every margin is met." in text
    assert "Only these margins are carried over." in text
    half = found().at(0.5)
    assert half.population.startswith("50 % of the way to 4 margins of 60 new rows")
    assert every.study().towards({"a": 0.1}).population.startswith("1 margin of a table of margins")


def test_what_is_missed_is_the_farthest_first() -> None:
    there = every.study().towards({"a": 0.2, "b": 30.0})
    assert there.message.startswith("2 of 2 margins are not met at a price of 10 nats: the farthest is the mean of b, ")
    assert "where 30 is asked" in there.message


def test_a_level_lost_is_said() -> None:
    there = every.study().towards({"c": {"x": 0.5, "y": 0.5, "z": 0.0}})
    assert there.message == "Every margin is met. Some rows lose all weight: the other population has none like them."


def test_the_balance_is_of_all_features_whose_mean_there_is_known() -> None:
    balance = found().balance.set_index("feature")
    assert set(balance.index) == {"a", "b", "d", "c = x", "c = y", "c = z"}
    X = every.rows()[0]
    row = balance.loc["b"]
    assert row["mean_there"] == pytest.approx(X["b"][:60].mean())
    assert row["smd_before"] == pytest.approx((X["b"].mean() - X["b"][:60].mean()) / X["b"].std(ddof=0))
    assert abs(balance.loc["a", "smd_after"]) < 1e-8 < abs(row["smd_after"])


def test_tables_are_fresh() -> None:
    for name in ("margins", "metrics", "balance", "unlike"):
        table = getattr(found(), name)
        table.iloc[:, 1] = 9.0
        assert not (getattr(found(), name).iloc[:, 1] == 9.0).all(), name


def test_files(tmp_path) -> None:
    found().save(tmp_path / "there.csv")
    np.testing.assert_allclose(pd.read_csv(tmp_path / "there.csv")["weight"], found().weights)
    found().save(tmp_path / "there.json")
    read = json.loads((tmp_path / "there.json").read_text("utf-8"))["summary"]
    assert read["schema"] == "tauscope.target_population"
    assert [row["status"] for row in read["margins"]] == ["reached"] * 3 + ["follows"]
    assert read["metrics"][0]["observed"] == found().metrics.loc[0, "observed"]
    found().save(tmp_path / "there.html", amount=0.5)
    assert "4 margins of 60 new rows" in (tmp_path / "there.html").read_text("utf-8")
    found().save(tmp_path / "there.svg", kind="metrics")
    assert "observed" in (tmp_path / "there.svg").read_text("utf-8")


def test_weights_stay_what_they_are() -> None:
    for one in (found(), pickle.loads(pickle.dumps(found()))):
        with pytest.raises(ValueError, match="read-only"):
            one.weights[0] = 2


def test_a_path_of_nothing_is_refused() -> None:
    with pytest.raises(ts.InputError, match="at least one amount"):
        found().path([])
    with pytest.raises(ts.InputError, match="amount must lie between"):
        found().path([2.0])


def test_weights_that_are_not_the_closest_are_not_used() -> None:
    from dataclasses import replace

    there = replace(found(), status="unconverged")
    with pytest.raises(ts.InputError, match="No weights were found that are closest"):
        every.study().under(there)
