"""Swing rules as bars: how far each feature has to move."""

import pytest

from wire.write_rules import study

OPTIONS = {"pi": 0.9, "n_estimators": 8, "n_drawn": 0}


def records(chart):
    data = chart.to_dict().get("datasets", {}).values()
    return [record for one in data for record in one if "distance" in record]


def test_every_move_needed_is_a_bar() -> None:
    swings = study().swing_rules(3, **OPTIONS)
    moves = [move for swing in swings for move in swing.moves if move.needed]
    drawn = records(swings.chart())
    assert [record["distance"] for record in drawn] == pytest.approx([move.distance for move in moves])
    assert [record["words"] for record in drawn] == [move.words for move in moves]
    assert drawn[0]["label"] == "1. slope > 1.12, or missing instead of 0.282"
    said = " ".join(swings.chart().to_dict()["title"]["subtitle"])
    assert str(swings[0]) in said


def test_none_is_said() -> None:
    swings = study().swing_rules(23, **OPTIONS)
    assert len(swings) == 0
    assert "No row is decided otherwise as surely." in " ".join(swings.chart().to_dict()["title"]["subtitle"])
    assert records(swings.chart()) == []
