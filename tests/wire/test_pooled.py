"""The pooled view still says what the golden file says; TypeScript reads the same file, and pools alike."""

import json
from base64 import b64decode

import numpy as np
import pytest

from wire.compare import assert_same, assert_same_buffers
from wire.write_pooled import BUFFERS, FILE, STRESSES, golden

KEPT = json.loads(FILE.read_text("utf-8"))
KINDS = {"places": "<u4", "presence": "u1", "decisions": "<u4", "given_rows": "<u4"}


@pytest.fixture(scope="module")
def now():
    return golden()


@pytest.mark.slow
@pytest.mark.parametrize("case", KEPT)
def test_words_and_numbers(now, case):
    assert_same(now[case]["json"], KEPT[case]["json"], case)
    for new, kept in zip(now[case]["answers"], KEPT[case]["answers"], strict=True):
        assert_same(new["message"], kept["message"], f"{case}.answers")


@pytest.mark.slow
@pytest.mark.parametrize("name", BUFFERS)
@pytest.mark.parametrize("case", KEPT)
def test_buffers(now, case, name):
    assert_same_buffers(now[case], KEPT[case], name, KINDS.get(name, "<f4"))


@pytest.mark.slow
@pytest.mark.parametrize("case", KEPT)
def test_answers(now, case):
    for one, other in zip(now[case]["answers"], KEPT[case]["answers"], strict=True):
        new, kept = (np.frombuffer(b64decode(answer["pooled"]), "<f4") for answer in (one, other))
        np.testing.assert_allclose(new, kept, rtol=1e-4, atol=1e-5)


def test_golden_holds_every_case():
    for state in KEPT.values():
        assert state["json"]["message"]["shipped"]
        assert [answer["message"]["stress"] for answer in state["answers"]] == list(STRESSES)
        assert 0 < len(state["json"]["message"]["parted"]) < len(state["json"]["message"]["features"])
        assert all(answer["message"]["facts"]["size"] > 2 for answer in state["answers"])
    assert KEPT["weighted"]["json"]["message"]["weighted"]
