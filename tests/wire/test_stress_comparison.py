"""The view of two models still says what the golden file says; TypeScript reads the same file."""

import json

import pytest

from wire.compare import assert_same
from wire.write_comparison import FILE, golden

KEPT = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def now():
    return golden()


@pytest.mark.parametrize("part", ["message", "offline", "traits", "compared", "refused"])
def test_words_and_numbers(now, part):
    assert_same(now[part], KEPT[part], part)


def test_golden_holds_every_case():
    pairs = [*KEPT["message"]["tested"], *KEPT["compared"]["pairs"]]
    assert {one["better"] for one in pairs} == {0, -1}
    assert {one["reliability"] for one in pairs} >= {"reliable"}
    assert KEPT["refused"]["error"].startswith("There is no feature 'missing'")
