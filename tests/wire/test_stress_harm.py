"""The view of shifts still says what the golden file says; TypeScript reads the same file."""

import json

import pytest

from wire.compare import assert_same
from wire.write_harm import FILE, golden

KEPT = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def now():
    return golden()


@pytest.mark.parametrize("part", ["message", "traits", "expected"])
def test_words_and_numbers(now, part):
    assert_same(now[part], KEPT[part], part)


def test_golden_holds_every_case():
    shifts = KEPT["message"]["shifts"]
    assert {one["reliability"] for one in shifts} == {"reliable", "wide", "out of reach"}
    assert {one["kind"] for one in shifts} == {"numeric", "share"}
    assert {one["unit"] for one in shifts} == {"", "year"}
    assert {one["direction"] for one in shifts} == {"up", "down"}
