"""Sufficient sets under a stress as dumbbells."""

import pytest

import tauscope as ts
from tauscope.figures.labels import legible
from tauscope.figures.rules import sufficient_under
from wire.write_rules import found


def records(chart):
    return [record for data in chart.to_dict()["datasets"].values() for record in data if "before" in record]


def test_each_set_is_a_dumbbell(monkeypatch) -> None:
    under = found(3).explanation.under(ts.Mean("slope", tau=0.5))
    drawn = records(under.chart())
    assert [record["label"] for record in drawn] == [legible(" + ".join(one)) for one in under.frame["features"]]
    assert [record["after"] for record in drawn] == pytest.approx(under.sdp.tolist())
    assert "No set stops reaching π." in under.chart().to_dict()["title"]["subtitle"]
    monkeypatch.setattr(sufficient_under, "MOST", 1)
    assert len(records(under.chart())) == 1
    assert "The first 1 of 2 sets." in under.chart().to_dict()["title"]["subtitle"]


def test_sets_that_are_lost_are_counted() -> None:
    under = found(3).explanation.under(ts.Mean("slope", tau=0.5))
    object.__setattr__(under, "sdp", under.sdp - 0.2)
    assert "2 of 2 sets no longer reach π." in under.chart().to_dict()["title"]["subtitle"]
