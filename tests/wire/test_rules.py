"""The view of rules still says what the golden file says; TypeScript reads the same file."""

import json

import pytest

from wire.compare import assert_same, assert_same_buffers
from wire.write_rules import BUFFERS, FILE, golden

KINDS = {"cells": "u1", "agrees": "u1", "places": "<u4"}
KEPT = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def now():
    return golden()


@pytest.mark.slow
@pytest.mark.parametrize("part", ["traits", "json", "moved"])
@pytest.mark.parametrize("case", KEPT)
def test_words_and_numbers(now, case, part):
    assert_same(now[case][part], KEPT[case][part], f"{case}.{part}")


@pytest.mark.slow
@pytest.mark.parametrize("name", BUFFERS)
@pytest.mark.parametrize("case", KEPT)
def test_buffers(now, case, name):
    assert_same_buffers(now[case], KEPT[case], name, KINDS.get(name, "<f4"))


def test_golden_holds_every_case():
    answers = [case["json"]["answer"] for case in KEPT.values()]
    axes = [axis for answer in answers for rule in answer["rules"] for axis in rule["axes"]]
    assert {answer["reached"] for answer in answers} == {True, False}
    assert {answer["weighted"] for answer in answers} == {True, False}
    assert {axis["kind"] for axis in axes} == {"number", "levels"}
    assert {axis["whole"] for axis in axes} == {True, False}
    assert [case["json"]["stressed"].get("error") for case in KEPT.values()].count("") == 1
    assert any(axis["can_miss"] and axis["value"] is None for axis in axes)
    spans = [answer["same"] for answer in answers]
    assert [None in spans, {span["t"] is None for span in spans if span}] == [True, {True, False}]
    assert all(answer["distributions"] and answer["subsets"]["sizes"] for answer in answers)
    grown = [rule for answer in answers for rule in answer["rules"]]
    moved = [one for case in KEPT.values() for one in case["moved"]]
    counts = [[one["training"]["n_inside"] for one in each] for each in (moved, grown)]
    assert all(wider >= own for wider, own in zip(*counts, strict=True))
    assert counts[0] != counts[1]
