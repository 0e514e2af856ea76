"""The effect view still says what the golden file says; TypeScript reads the same file."""

import json
from base64 import b64decode

import numpy as np
import pytest

from tauscope.views.packing import unpack
from wire.compare import assert_same
from wire.write_effect import ALONE_FILE, BUFFERS, FILE, golden, golden_alone

KEPT = json.loads(FILE.read_text("utf-8"))
KEPT_ALONE = json.loads(ALONE_FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def now():
    return golden()


@pytest.mark.slow
@pytest.mark.parametrize("part", ["traits", "json", "bounds", "moved", "groups"])
@pytest.mark.parametrize("case", KEPT)
def test_words_and_numbers(now, case, part):
    assert_same(now[case][part], KEPT[case][part], f"{case}.{part}")


@pytest.mark.parametrize("name", BUFFERS)
@pytest.mark.parametrize("case", KEPT)
def test_buffers(now, case, name):
    kind = "<u4" if name.endswith("integers") else "<f4"
    new, kept = (np.frombuffer(unpack(b64decode(state[case]["buffers"][name])), kind) for state in (now, KEPT))
    np.testing.assert_allclose(new, kept, rtol=1e-6, atol=1e-6)


def test_golden_holds_every_case():
    parts = [part for case in KEPT.values() for part in case["json"]["message"]["parts"]]
    assert {part["rows"] for part in parts} == {"curves", "windows", "bins"}
    assert {axis["kind"] for part in parts for axis in part["axes"]} == {"numeric", "levels"}
    assert any(None in axis["points"] for part in parts for axis in part["axes"])
    assert {case["json"]["message"]["weighted"] for case in KEPT.values()} == {True, False}


@pytest.mark.slow
def test_pages_without_rows():
    now = golden_alone()
    for case, kept in KEPT_ALONE.items():
        for part in ("traits", "json", "bounds"):
            assert_same(now[case][part], kept[part], f"{case}.{part}")
        for name in BUFFERS:
            kind = "<u4" if name.endswith("integers") else "<f4"
            new, old = (np.frombuffer(unpack(b64decode(state["buffers"][name])), kind) for state in (now[case], kept))
            np.testing.assert_allclose(new, old, rtol=1e-6, atol=1e-6, err_msg=f"{case}.{name}")
    parts = {case: kept["json"]["message"]["parts"][0] for case, kept in KEPT_ALONE.items()}
    assert {case: (part["rows"], part["bands"]) for case, part in parts.items()} == {
        "bands": ("none", True),
        "windows": ("none", False),
        "two": ("none", False),
    }
