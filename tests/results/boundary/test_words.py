"""Words of a text and their weights: matched as they are written, else without regard to case."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.results.boundary.words import weigh_words


def numbers(names, start):
    """A boundary's numbers whose columns have these names and whose row has these counts."""
    i = np.arange(40)[:, None]
    X = pd.DataFrame(((i + np.arange(len(names))) % 3).astype(float), columns=list(names))
    X.iloc[0] = start
    study = ts.Study(lambda rows: 1 / (1 + np.exp(-rows.to_numpy().sum(axis=1) + 3)), X, i[:, 0] % 2, task="binary")
    return study.boundary(0, progress=False, random_state=0, n_samples=40, metric="euclidean")._numbers


NAMES = ("free", "call", "don't", "top", "notch", "Apple", "apple")
ROW = (1, 0, 1, 0, 1, 1, 0)
DIRECTION = np.array([-0.4, 0.8, 0.2, -0.1, 0.3, -0.2, np.nan])


def weigh(text):
    return weigh_words(text, numbers(NAMES, ROW), DIRECTION)


def weighed(text):
    return {piece.text: piece.weight for piece in weigh(text).pieces if piece.weight is not None}


@pytest.mark.parametrize("text", ["", "free", "FREE call!  now", "a\nfree\n<b>", "top-notch, don't", "ſtraße £1 free"])
def test_the_pieces_are_the_text(text):
    assert "".join(piece.text for piece in weigh(text).pieces) == text


def test_words_have_the_share_of_the_largest_weight():
    assert weighed("FREE call, unknown") == pytest.approx({"FREE": -0.5, "call": 1.0})


def test_joined_words_are_found_whole_else_in_their_parts():
    assert weighed("Don't top-notch") == pytest.approx({"Don't": 0.25, "top": -0.125, "notch": 0.375})


def test_case_decides_where_both_are_there():
    assert weighed("Apple apple APPLE") == pytest.approx({"Apple": -0.25, "apple": 0.0, "APPLE": 0.0})


def test_absent_words_are_those_the_row_has_not_the_heaviest_first():
    assert [(piece.text, piece.weight) for piece in weigh("free").absent] == [("call", 1.0), ("top", -0.125)]
    assert [piece.text for piece in weigh("call me").absent] == ["top"]


def test_without_a_direction_nothing_has_a_weight():
    found = weigh_words("free call", numbers(NAMES, ROW), np.zeros(len(NAMES)))
    assert {piece.weight for piece in found.pieces} == {None, 0.0}
    assert found.absent == ()
