"""The engine still gives the answers of the golden file, on which the page's solver is tested."""

import json
from base64 import b64decode

import numpy as np
import pytest

from wire.test_stress_curves import assert_same
from wire.write_joint import FILE, golden

KEPT = json.loads(FILE.read_text("utf-8"))
NUMBERS = ("ess", "kl", "tv", "pareto_k", "achieved", "smd")


@pytest.fixture(scope="module")
def now():
    return golden()


def floats(text):
    return np.frombuffer(b64decode(text), "<f4")


@pytest.mark.parametrize("which", range(len(KEPT)))
def test_columns(now, which):
    new, kept = now[which], KEPT[which]
    for name in ("columns", "row_weights"):
        np.testing.assert_allclose(floats(new[name]), floats(kept[name]), rtol=1e-6, atol=1e-6)
    assert_same(new["columns_message"], kept["columns_message"], "columns_message")


@pytest.mark.parametrize("which", range(len(KEPT)))
def test_answers(now, which):
    assert len(now[which]["cases"]) == len(KEPT[which]["cases"])
    for new, kept in zip(now[which]["cases"], KEPT[which]["cases"], strict=True):
        assert {name: new[name] for name in ("stress", "status")} == {name: kept[name] for name in ("stress", "status")}
        if kept["status"] == "infeasible":
            assert new["error"] == kept["error"]
            continue
        for name in NUMBERS:
            assert new[name] == pytest.approx(kept[name], rel=1e-6, abs=1e-6), (kept["stress"], name)
        np.testing.assert_allclose(floats(new["weights"]), floats(kept["weights"]), rtol=1e-5, atol=1e-6)


def test_golden_holds_every_case():
    cases = [case for study in KEPT for case in study["cases"]]
    assert {case["status"] for case in cases} == {"solved", "limit", "infeasible"}
    assert {case.get("error") for case in cases} == {None, "InfeasibleTarget", "DependentConstraints"}
    for hold in ("none", "means", "uncorrelated"):
        assert {"solved", "infeasible"} <= {case["status"] for case in cases if case["stress"]["hold"] == hold}
    assert any(study["row_weights"] for study in KEPT)
