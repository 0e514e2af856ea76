"""The table of rows still says what the golden file says; TypeScript reads the same file, and finds alike."""

import json
from base64 import b64decode

import numpy as np
import pytest

from wire.compare import assert_same
from wire.write_table import FILE, N_ROWS, QUERIES, golden

KEPT = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def now():
    return golden()


@pytest.mark.parametrize("case", KEPT)
def test_words_and_numbers(now, case):
    assert_same(now[case]["json"], KEPT[case]["json"], case)
    for new, kept in zip(now[case]["answers"], KEPT[case]["answers"], strict=True):
        assert_same({**new, "window": ""}, {**kept, "window": ""}, f"{case}.answers")
    for new, kept in zip(now[case]["samples"], KEPT[case]["samples"], strict=True):
        assert_same(new["sampled"], kept["sampled"], f"{case}.samples")


@pytest.mark.parametrize("case", KEPT)
def test_buffers(now, case):
    for name, text in KEPT[case]["buffers"].items():
        new, kept = (b64decode(each) for each in (now[case]["buffers"][name], text))
        if name == "weighed_weights":
            np.testing.assert_allclose(np.frombuffer(new, "<f4"), np.frombuffer(kept, "<f4"), rtol=1e-4)
        else:
            assert len(new) == len(kept)
    for new, kept in zip(now[case]["samples"], KEPT[case]["samples"], strict=True):
        places = 4 * kept["sampled"]["n_sent"]
        assert b64decode(new["sample"])[:places] == b64decode(kept["sample"])[:places]
        assert len(b64decode(new["sample"])) == len(b64decode(kept["sample"]))
        weights = (np.frombuffer(b64decode(each["sample_weights"]), "<f4") for each in (new, kept))
        np.testing.assert_allclose(*weights, rtol=1e-4)


def test_golden_holds_every_case():
    for state in KEPT.values():
        answers = state["answers"]
        assert len(answers) == len(QUERIES)
        assert {len(answer["rows"]) for answer in answers} >= {0, 1, N_ROWS}
        assert {column["type"] for column in state["json"]["message"]["columns"]} == {"u1", "f4", "f8"}
        assert {column["kind"] for column in state["json"]["message"]["columns"]} == {"levels", "number", "date"}
    assert KEPT["weighted"]["json"]["message"]["weighted"]
