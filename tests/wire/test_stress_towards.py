"""The view of a way to another population still says what the golden file says; TypeScript reads the same file."""

import json

import pytest

from wire.compare import assert_same, assert_same_buffers
from wire.write_towards import FILE, golden

KEPT = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def now():
    return golden()


@pytest.mark.parametrize("which", ["way", "missed", "labelled"])
def test_words_and_numbers(now, which):
    assert_same(now[which]["traits"], KEPT[which]["traits"], which)
    assert_same_buffers(now[which], KEPT[which], "numbers", atol=1e-4)


def test_half_of_the_way(now):
    assert_same(now["half"], KEPT["half"], "half")


def test_labels(now):
    assert_same(now["labels"], KEPT["labels"], "labels")


def test_golden_holds_every_case():
    steps = [step for which in ("way", "missed") for step in KEPT[which]["traits"]["path"]["steps"]]
    assert {step["level"] for step in steps} == {"reliable", "wide", "unreliable"}
    assert {word for step in steps for word in step["reliability"]} == {"reliable", "wide", "unreliable"}
    assert {step["n_missed"] for step in steps} == {0, 3}
    assert [bool(KEPT[which]["traits"]["message"]["unsaid"]) for which in ("way", "missed")] == [False, True]
    labelled = KEPT["labelled"]["traits"]
    assert {beyond for step in labelled["path"]["steps"] for beyond in step["beyond"]} == {True, False}
    assert {step["compared"][:6] for step in labelled["path"]["steps"]} == {"", "Chance"}
    assert {one["level"] for one in labelled["message"]["observed"]} > {"reliable"}
    assert {feature["unit"] for feature in KEPT["way"]["traits"]["message"]["features"]} == {"", "year"}
