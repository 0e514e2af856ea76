"""Charts of rules and sufficient sets: what stands where."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts


@pytest.fixture(scope="module")
def rules():
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {"age": random.integers(18, 80, 800), "pay": random.normal(30, 8, 800), "noise": random.random(800)}
    )
    study = ts.Study(lambda rows: ((rows["age"] > 50) & (rows["pay"] > 25)).astype(int), X)
    return study.rules(int(np.flatnonzero((X["age"] > 60) & (X["pay"] > 35))[0]), n_drawn=0)


def records(chart, field):
    return [record for data in chart.to_dict()["datasets"].values() for record in data if field in record]


def test_spans_lie_where_the_conditions_do(rules) -> None:
    drawn = {record["condition"]: record for record in records(rules.chart(), "first")}
    assert list(drawn) == [str(condition) for condition in rules[0].conditions]
    for condition, record in zip(rules[0].conditions, drawn.values(), strict=True):
        span = condition.highest - condition.lowest
        assert record["first"] == pytest.approx(max(0, (condition.lower - condition.lowest) / span))
        assert record["last"] == 1
        assert record["at"] == pytest.approx((condition.entry - condition.lowest) / span)


def test_every_set_is_a_tick_and_the_minimal_ones_have_intervals(rules) -> None:
    ticks = records(rules.explanation.chart(), "sdp")
    frame = rules.explanation.frame
    assert len({record["features"] for record in ticks}) == len(frame)
    minimal = {record["features"]: record for record in ticks if record["minimal"]}
    assert set(minimal) == {"age + pay"}
    assert minimal["age + pay"]["lower"] <= minimal["age + pay"]["sdp"] <= minimal["age + pay"]["upper"]
    assert records(rules.explanation.chart(), "at") == [{"at": 0.95}]


def test_long_sentences_are_parted(rules) -> None:
    title = rules.chart().to_dict()["title"]
    assert max(len(line) for line in title["subtitle"]) <= 110
    assert " ".join(title["subtitle"]) == str(rules[0])
