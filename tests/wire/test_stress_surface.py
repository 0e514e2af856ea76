"""The surface view still says what the golden file says; TypeScript reads the same file."""

import json

import numpy as np
import pytest

from tauscope.views.packing import DRAWN
from wire.compare import assert_same
from wire.test_stress_curves import numbers
from wire.write_surface import BUFFERS, FILE, golden

KEPT = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def now():
    return golden()


@pytest.mark.parametrize("part", ["message", "traits", "expected"])
def test_words_and_numbers(now, part):
    assert_same(now[part], KEPT[part], part)


@pytest.mark.parametrize("name", BUFFERS)
def test_buffers(now, name):
    new, kept = (numbers(state, name) for state in (now, KEPT))
    np.testing.assert_allclose(new, kept, rtol=1e-6, atol=DRAWN if name == "answers" else 1e-6)


def test_golden_holds_every_case():
    status = KEPT["message"]["status"]
    assert status["limit"]
    assert status["infeasible"]
