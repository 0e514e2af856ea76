import json

import numpy as np
import pytest

from tauscope.views.rules import listed
from tauscope.views.rules.answer import answer_wire
from wire.write_rules import found

LEVELS, MISSING, NONE = 3, 9, 23


def test_the_message_has_the_numbers_of_the_result():
    result = found(LEVELS)
    message = answer_wire(result).message
    json.dumps(message, allow_nan=False)
    for rule, sent in zip(result, message["rules"], strict=True):
        assert (sent["sdp"], sent["sdp_min"]) == (rule.sdp, rule.sdp_min)
        assert sent["held_out"]["precision"] == rule.held_out.precision
        assert sent["training"]["lower"] is None
        assert [axis["words"] for axis in sent["axes"]] == [str(one) for one in rule.conditions]
    assert message["rules"][0]["condition"] == "age from 40 to 57 and slope ≤ 0.7"
    assert {one["name"]: one["share"] for one in message["importance"]} == result.explanation.importance[
        lambda shares: shares > 0
    ].to_dict()


def test_numbers_beside_the_rule_are_short():
    slope = answer_wire(found(LEVELS)).message["rules"][0]["axes"][1]
    assert (slope["value"], slope["value_words"]) == (pytest.approx(2 * np.sin(3)), "0.28224")
    assert (slope["lowest_words"], slope["highest_words"]) == ("−2", "2")
    age = answer_wire(found(LEVELS)).message["rules"][0]["axes"][0]
    assert (age["value_words"], age["lowest_words"], age["highest_words"]) == ("41", "20", "60")


def test_sets_without_a_rule_are_said():
    assert answer_wire(found(LEVELS)).message["more"] == ""
    said = answer_wire(found(LEVELS, max_rules=1)).message["more"]
    assert said == "1 more minimal set suffices; max_rules says how many are shown."


def test_a_row_without_a_set_has_no_rows():
    sent = answer_wire(found(NONE))
    assert (sent.message["rules"], sent.message["reached"], sent.message["n_rows"]) == ([], False, 0)
    assert (sent.cells, sent.sdp, sent.agrees, sent.weights) == (b"", b"", b"", b"")
    assert "nearest comes" in sent.message["status"]


@pytest.mark.parametrize("weighted", [False, True])
def test_past_the_budget_rows_are_drawn(monkeypatch, weighted):
    result = found(LEVELS, weighted=weighted)
    monkeypatch.setattr(listed, "BUDGET", 4000)
    sent = answer_wire(result)
    n, n_training = sent.message["n_rows"], sent.message["n_training"]
    assert 0 < n_training < n < 160
    assert sent.message["sampled"] == f"Moved edges are counted on {n} rows drawn from 160."
    taken = [*sent[1:], *listed.listed_wire(result)[1:]]
    assert sum(map(len, taken)) + 4 * n <= 4100
    assert len(sent.weights) == (4 * n if weighted else 0)
    assert len(np.frombuffer(sent.sdp, "<f4")) == n_training * len(sent.message["rules"])
