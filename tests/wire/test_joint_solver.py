"""The engine still gives the answers of the golden file, on which the page's solver is tested."""

import json
from base64 import b64decode

import numpy as np
import pytest

from stress.toys import TOYS
from wire.columns import read_columns
from wire.compare import assert_same
from wire.write_joint import FILE, golden

KEPT = json.loads(FILE.read_text("utf-8"))
BUFFERS = ("row_weights", "answers")


@pytest.fixture(scope="module")
def now():
    return golden()


def floats(text):
    return np.frombuffer(b64decode(text), "<f4")


@pytest.mark.slow
@pytest.mark.parametrize("which", range(len(KEPT)))
def test_columns(now, which):
    new, kept = now[which], KEPT[which]
    columns = (read_columns(study["columns_message"], b64decode(study["columns"])) for study in (new, kept))
    np.testing.assert_allclose(*columns, rtol=1e-6, atol=1e-6)
    for name in BUFFERS:
        np.testing.assert_allclose(floats(new[name]), floats(kept[name]), rtol=1e-6, atol=1e-6)
    for name in ("columns_message", "message"):
        assert_same(new[name], kept[name], name)


@pytest.mark.slow
@pytest.mark.parametrize("which", range(len(KEPT)))
def test_answers(now, which):
    assert len(now[which]["cases"]) == len(KEPT[which]["cases"])
    for new, kept in zip(now[which]["cases"], KEPT[which]["cases"], strict=True):
        new, kept = dict(new), dict(kept)
        weights, wanted = new.pop("weights", ""), kept.pop("weights", "")
        assert_same(new, kept, str(kept["stress"]))
        np.testing.assert_allclose(floats(weights), floats(wanted), rtol=1e-5, atol=1e-6)


def test_golden_holds_every_case():
    cases = [case for study in KEPT for case in study["cases"]]
    assert {case["status"] for case in cases} == {"solved", "limit", "infeasible"}
    assert {case.get("error") for case in cases} == {None, "InfeasibleTarget", "DependentConstraints"}
    for hold in ("none", "means", "uncorrelated"):
        assert {"solved", "infeasible"} <= {case["status"] for case in cases if case["stress"]["hold"] == hold}
    assert any(study["row_weights"] for study in KEPT)
    assert {study["message"]["task"] for study in KEPT} == {"binary", "multiclass", "regression"}
    forms = {metric["form"] for study in KEPT for metric in study["message"]["outcomes"]["metrics"]}
    assert forms == {"ratio", "mean_ratio", "mean", "variance", "root_mean"}
    sent = {metric["name"] for study in KEPT for metric in study["message"]["outcomes"]["metrics"]}
    assert {toy.name for toy in TOYS} <= sent
    ranges = [ends for case in cases for ends in case["ranges"].values()]
    assert None in ranges
    assert any(ends and 0 < ends[1] - ends[0] < 1 for ends in ranges)
