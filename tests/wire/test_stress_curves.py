"""The view still says what the golden file says; TypeScript reads the same file."""

import json
from base64 import b64decode

import numpy as np
import pytest

from tauscope.views.packing import DRAWN, unpack
from wire.compare import assert_same
from wire.write import BUFFERS, FILE, golden

KEPT = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def now():
    return golden()


@pytest.mark.parametrize("part", ["message", "traits", "expected"])
def test_words_and_numbers(now, part):
    assert_same(now[part], KEPT[part], part)


def numbers(state, name):
    return np.frombuffer(
        unpack(b64decode(state["buffers"][name])), {"reasons": "u1", "histograms": "<u2"}.get(name, "<f4")
    )


@pytest.mark.parametrize("name", BUFFERS)
def test_buffers(now, name):
    step = {"histograms": 1, "curves": DRAWN}.get(name, 1e-6)
    np.testing.assert_allclose(numbers(now, name).astype(float), numbers(KEPT, name), rtol=1e-6, atol=step)


@pytest.mark.parametrize("part", ["message", "cells", "gaps"])
def test_groups_in_words_and_numbers(now, part):
    assert_same(now["groups"][part], KEPT["groups"][part], part)


def test_buffer_of_groups(now):
    new, kept = (
        np.frombuffer(unpack(b64decode(state["groups"]["numbers"])), "<f4").astype(float) for state in (now, KEPT)
    )
    np.testing.assert_allclose(new, kept, rtol=1e-6, atol=1e-9)


def test_expected_numbers_are_where_the_layout_says():
    message = KEPT["message"]
    features, metrics, taus = (
        [f["name"] for f in message["features"]],
        [i["name"] for i in message["metrics"]],
        message["taus"],
    )
    curves = numbers(KEPT, "curves").reshape(len(features), len(metrics), len(taus), 3)
    population = numbers(KEPT, "population").reshape(len(features), len(taus), 7)
    reasons = numbers(KEPT, "reasons").reshape(len(features), len(metrics), len(taus), 2)
    for one in KEPT["expected"]:
        f, i, t = features.index(one["feature"]), metrics.index(one["metric"]), taus.index(one["tau"])
        assert message["reliability"][reasons[f, i, t, 0]]["level"] == one["reliability"]
        found = dict(zip(("value", "lower", "upper"), curves[f, i, t].tolist(), strict=True))
        found |= dict(
            zip(
                ("target", "ess", "pareto_k", "kl", "tv", "n_carriers", "carried"),
                population[f, t].tolist(),
                strict=True,
            )
        )
        for name, value in found.items():
            if one[name] is None:  # JSON has no infinity: the Pareto k̂ of a handful of rows
                assert value == np.inf, (one, name)
            else:
                assert value == pytest.approx(one[name], rel=1e-6, abs=DRAWN), (one, name)
    n_bins = sum(max(0, len(f["edges"]) - 1) for f in message["features"])
    assert len(numbers(KEPT, "histograms")) == len(taus) * n_bins


def test_golden_holds_every_case():
    kinds = {(f["kind"], f["integer"]) for f in KEPT["message"]["features"]}
    assert kinds == {("numeric", True), ("numeric", False), ("share", False)}
    assert any(f["note_high"] for f in KEPT["message"]["features"])
    assert any(f["n_missing"] for f in KEPT["message"]["features"])
    assert KEPT["message"]["skipped"]
