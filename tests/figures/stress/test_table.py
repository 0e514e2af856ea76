from html.parser import HTMLParser

from results.samples import HOSTILE, binary_result, made_by_hand
from tauscope.figures.stress.table import stress_curves_table
from tauscope.results.stress.text import heads, influences


class Reader(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.words.append(data)


def test_table_holds_the_features_that_move_most():
    result = binary_result()
    read = Reader(stress_curves_table(result))
    assert read.tags.count("tr") == 1 + len(result.features)
    assert read.words[0].endswith("6 metrics. share predicted yes, largest reliable change first.")
    assert tuple(read.words[1:7]) == heads(result)
    assert heads(result) == ("feature", "τ = −1", "as tested", "τ = 1", "reliable change", "over τ")
    assert read.words[7] == HOSTILE
    assert tuple(read.words[7:13]) == influences(result)[0].cells
    assert read.words[-1] == "left out: constant (every observed value is 1)"


def test_text_from_the_data_is_escaped():
    html = stress_curves_table(binary_result())
    assert "<script" not in html
    assert "<img" not in html
    assert set(Reader(html).tags) == {"table", "caption", "thead", "tbody", "tr", "th", "td", "p"}


def test_rest_is_counted():
    html = stress_curves_table(made_by_hand({f"x{i}": [0.0, 1, 2] for i in range(12)}))
    assert "and 4 more features" in html


def test_nothing_left_out():
    from dataclasses import replace

    assert "<p>" not in stress_curves_table(replace(made_by_hand(), skipped=()))
