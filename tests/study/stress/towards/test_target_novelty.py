"""What of a new sample no row of a study is like."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts


def novelty(here: pd.DataFrame, new: pd.DataFrame, **options: object):
    study = ts.Study.from_predictions(here, np.arange(len(here)) % 2, np.arange(len(here)) % 2)
    return study.towards(new, **options).target.novelty


def frame(n: int, seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    return pd.DataFrame({"a": random.normal(size=n), "b": random.normal(size=n), "c": random.choice(["x", "y"], n)})


def test_a_combination_is_unlike_though_each_value_is_not() -> None:
    here, new = frame(400, 0), frame(100, 1)
    here["b"] = here["a"] + 0.1 * here["b"]
    new["b"] = new["a"]
    new.loc[0, ["a", "b"]] = [1.8, -1.8]
    found = novelty(here, new)
    assert found.rows[0] == 0
    assert not found.beyond.set_index("feature").loc[["a", "b"], "unseen"].any()


def test_a_row_without_a_value_is_like_others_without() -> None:
    here, new = frame(400, 0), frame(100, 1)
    here.loc[:40, "a"] = np.nan
    new.loc[:20, "a"] = np.nan
    assert novelty(here, new).share < 0.05


def test_shares_are_weighted() -> None:
    new = frame(100, 1)
    new.loc[0, "c"] = "z"
    weight = np.ones(100)
    weight[0] = 100 / 3
    beyond = novelty(frame(400, 0), new, sample_weight=weight).beyond.set_index("feature")
    assert beyond.loc["c", "unseen"] == pytest.approx(weight[0] / weight.sum())
