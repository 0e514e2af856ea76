"""The boundary view still says what the golden file says; TypeScript reads the same file."""

import json

import pytest

from wire.compare import assert_same, assert_same_buffers
from wire.write_boundary import BUFFERS, FILE, golden

KEPT = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def now():
    return golden()


@pytest.mark.slow
@pytest.mark.parametrize("part", ["traits", "json", "path"])
@pytest.mark.parametrize("case", KEPT)
def test_words_and_numbers(now, case, part):
    assert_same(now[case][part], KEPT[case][part], f"{case}.{part}")


@pytest.mark.slow
@pytest.mark.parametrize("name", BUFFERS)
@pytest.mark.parametrize("case", KEPT)
def test_buffers(now, case, name):
    kind, atol = ("u1", 1) if name == "pictures" else ("<f4", 1e-5)
    assert_same_buffers(now[case], KEPT[case], name, kind, atol=atol)


def test_golden_holds_every_case():
    answers = [answer for case in KEPT.values() for answer in case["json"]["answer"]["answers"]]
    assert {answer["found"] for answer in answers} == {True, False}
    assert {answer["threshold"] for answer in answers} == {0.5, None}
    assert {feature["kind"] for answer in answers for feature in answer["features"]} == {"number", "levels"}
    assert any(answer["bounds"] for answer in answers)
    assert any(answer["path"] is None for answer in answers)
    assert any(answer["words"] and answer["pictures"] and answer["mostly_zero"] for answer in answers)
    assert any(case["json"]["decision"].get("sentence") for case in KEPT.values())
