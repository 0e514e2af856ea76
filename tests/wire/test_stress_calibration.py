"""The view of calibration still says what the golden file says; TypeScript reads the same file."""

import json

import pytest

from wire.compare import assert_same
from wire.write_calibration import FILE, golden

KEPT = json.loads(FILE.read_text("utf-8"))


@pytest.mark.slow
def test_words_and_numbers():
    now = json.loads(json.dumps(golden()))
    for which in ("tested", "groups", "stressed", "refused", "expected"):
        assert_same(now[which], KEPT[which], which)


def test_golden_holds_every_case():
    shown = [KEPT[which]["shown"] for which in ("tested", "groups", "stressed")]
    assert [each["moved"] for each in shown] == [False, True, True]
    assert [bool(each["stress"]["taus"]) for each in shown] == [False, False, True]
    assert [len(each["groups"]) for each in shown] == [1, 2, 1]
    assert KEPT["refused"]["error"]
