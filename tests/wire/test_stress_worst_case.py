"""The view of a worst case still says what the golden file says; TypeScript reads the same file."""

import json

import pytest

from wire.compare import assert_same
from wire.write_worst_case import FILE, golden

KEPT = json.loads(FILE.read_text("utf-8"))


@pytest.mark.slow
def test_words_and_numbers():
    now = json.loads(json.dumps(golden()))
    for which in ("means", "rows", "reach"):
        assert_same(now[which], KEPT[which], which)


def test_golden_holds_every_case():
    steps = [KEPT[which]["path"]["steps"] for which in ("means", "rows", "reach")]
    assert [len(each) for each in steps] == [5, 5, 5]
    assert [bool(each[-1]["taus"]) for each in steps] == [True, False, True]
    assert [KEPT[which]["message"]["held_out"] is None for which in ("means", "rows", "reach")] == [False, True, True]
