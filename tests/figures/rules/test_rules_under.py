"""Rules under a stress as dumbbells: every number before and after, and what is said above."""

import numpy as np
import pytest

import tauscope as ts
from wire.write_rules import found

STRESS = ts.Mean("slope", tau=0.5)


def records(chart, field):
    return [record for data in chart.to_dict()["datasets"].values() for record in data if field in record]


def test_each_number_is_a_dumbbell() -> None:
    under = found(3).under(STRESS)
    drawn = {record["label"]: record for record in records(under.chart(), "before")}
    assert len(drawn) == 4 * len(under.after)
    for place, line in enumerate(under.frame.to_dict("records")):
        least = drawn[f"{place + 1}. least inside"]
        assert (least["before"], least["after"]) == pytest.approx((line["sdp_min_before"], line["sdp_min"]))
    assert records(under.chart(), "pi") == [{"pi": 0.9}]
    said = under.chart().to_dict()["title"]["subtitle"]
    assert said[0].endswith("no longer holds at π = 90 %.")
    assert said[1].endswith("still holds.")


def test_a_precision_of_no_row_is_left_out() -> None:
    under = found(3).under(STRESS)
    empty = under.after[0].held_out
    object.__setattr__(empty, "precision", np.nan)
    drawn = {record["label"]: record for record in records(under.chart(), "before")}
    assert (drawn["1. precision"]["after"], drawn["1. precision"]["now"]) == (None, "none inside")


def test_without_a_rule_that_is_said() -> None:
    chart = found(23).under(STRESS).chart().to_dict()
    assert "reaches π = 90 %" in chart["title"]["subtitle"][0]
