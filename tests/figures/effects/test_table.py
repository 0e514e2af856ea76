from html.parser import HTMLParser

import numpy as np
import pandas as pd

import tauscope as ts
from results.effects import samples
from tauscope.figures.effects.table import MOST_ROWS, effect_table


class Cells(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.words.append(data)


def test_points_spread_over_the_grid():
    read = Cells(effect_table(samples.study().effect("fare")))
    assert read.tags.count("tr") == MOST_ROWS + 1
    assert "fare" in read.words
    assert f", {MOST_ROWS} of 50 points." in read.words[0]


def test_two_features_and_several_classes():
    model, X, y = samples.grades()
    read = Cells(effect_table(ts.Study(model, X, y).effect(["a", "b"], grid=3)))
    assert read.words[1:5] == ["class", "a", "b", "effect"]
    assert read.tags.count("tr") == 1 + 3 * 9


def test_words_from_the_data_are_no_markup():
    X = pd.DataFrame({samples.HOSTILE: np.arange(9.0), "b": 1.0})
    X["b"] = X[samples.HOSTILE] % 2
    html = effect_table(ts.Study(lambda rows: rows["b"], X, X["b"] / 3).effect(samples.HOSTILE))
    assert "<script" not in html
    assert samples.HOSTILE in Cells(html).words
