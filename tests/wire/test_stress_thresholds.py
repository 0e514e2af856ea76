"""The view of thresholds still says what the golden file says; TypeScript reads the same file."""

import json

import pytest

from wire.compare import assert_same, assert_same_buffers
from wire.write_decisions import FILE, golden

KEPT = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def now():
    return golden()


@pytest.mark.slow
@pytest.mark.parametrize("which", ["tested", "groups", "stressed"])
def test_words_and_numbers(now, which):
    assert_same(now[which]["traits"], KEPT[which]["traits"], which)
    assert_same_buffers(now[which], KEPT[which], "numbers", atol=1e-4)


@pytest.mark.slow
def test_what_a_reader_should_find(now):
    assert_same(now["expected"], KEPT["expected"], "expected")
    assert_same(now["refused"], KEPT["refused"], "refused")


def test_golden_holds_every_case():
    of = {which: KEPT[which]["traits"]["decisions"] for which in ("tested", "groups", "stressed")}
    assert [each["moved"] for each in of.values()] == [False, True, True]
    assert [bool(each["stress"]["taus"]) for each in of.values()] == [False, False, True]
    assert {note["level"] for note in of["groups"]["notes"]} == {"reliable", "wide", "unreliable"}
    assert [len(each["groups"]) for each in of.values()] == [1, 2, 1]
    assert KEPT["refused"]["error"]
