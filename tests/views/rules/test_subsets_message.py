from dataclasses import replace

import pytest

from tauscope.views.rules import subsets_message
from tauscope.views.rules.subsets_message import subsets_wire
from wire.write_rules import found

LEVELS, NONE = 3, 23


def names(message, size, place):
    return {message["features"][k] for k in message["sizes"][size - 1]["sets"][place]}


def test_each_set_that_was_tried_is_sent():
    result = found(LEVELS)
    message = subsets_wire(result)
    numbers = result.explanation._numbers
    columns = [column.name for column in result.explanation._columns]
    wanted = {
        frozenset(columns[j] for j in subset): sdp for subset, sdp in zip(numbers.subsets, numbers.sdp, strict=True)
    }
    sent = {
        frozenset(message["features"][k] for k in subset): sdp
        for size in message["sizes"]
        for subset, sdp in zip(size["sets"], size["sdp"], strict=True)
    }
    assert sent == wanted
    assert all(size["sdp"] == sorted(size["sdp"], reverse=True) for size in message["sizes"])
    assert [(size["n_tried"], size["n_all"]) for size in message["sizes"]] == [(4, 4), (6, 6), (1, 4)]
    assert message["greedy"] is False


def test_minimal_sets_know_their_rule():
    result = found(LEVELS, max_rules=1)
    message = subsets_wire(result)
    pairs = message["sizes"][1]
    by_rule = dict(zip(pairs["rules"], (names(message, 2, place) for place in pairs["minimal"]), strict=True))
    assert by_rule == {0: set(result[0].features), -1: {"<b>level</b>", "slope"}}
    assert all(not size["minimal"] for size in subsets_wire(found(NONE))["sizes"])


def test_of_many_the_most_probable_are_sent_and_the_minimal(monkeypatch):
    result = found(LEVELS)
    monkeypatch.setattr(subsets_message, "MOST_OF_A_SIZE", 1)
    first, pairs, _ = subsets_wire(result)["sizes"]
    assert (len(first["sets"]), first["n_tried"]) == (1, 4)
    assert pairs["minimal"] == [0, 1]
    assert len(pairs["sets"]) == 2


def test_a_greedy_search_says_so():
    result = found(LEVELS)
    greedy = replace(result, explanation=replace(result.explanation, greedy=True))
    assert subsets_wire(greedy)["greedy"] is True


@pytest.mark.parametrize("search", ["exhaustive", "greedy"])
def test_a_search_of_either_kind(search):
    message = subsets_wire(found(LEVELS, search=search))
    assert message["greedy"] == (search == "greedy")
    assert sum(size["n_tried"] for size in message["sizes"]) > 4
