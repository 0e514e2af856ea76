"""The table of a pooled boundary, for readers without scripts."""

import numpy as np

import tauscope as ts
from study.boundary.cases import QUIET, above, plane
from tauscope.views.boundary.pooled_table import MOST_ROWS, pooled_table


def test_every_word_is_escaped_and_every_number_has_its_interval() -> None:
    X = plane(**{"<b>word</b>": np.tile([0, 1, 0, 2], 50)})
    pooled = ts.Study(lambda rows: above(rows), X, above(X), progress=False).pooled_boundary(range(12), **QUIET)
    table = pooled_table(pooled)
    assert "<b>" not in table
    assert "&lt;b&gt;word&lt;/b&gt;" in table
    assert table.count("<tr>") == 4
    assert "from rows that do not" in table
    first = pooled.frame.iloc[0]
    assert f'<th scope="row">{first["feature"]}</th>' in table
    assert " to " in table


def test_what_is_left_out_is_said() -> None:
    X = plane(**{f"x{k}": np.arange(200.0) % (k + 2) for k in range(20)})
    pooled = ts.Study(lambda rows: above(rows), X, above(X), progress=False).pooled_boundary([3], **QUIET)
    table = pooled_table(pooled)
    assert table.count("<tr>") == 1 + MOST_ROWS
    assert f"{len(X.columns) - MOST_ROWS} more features weigh less" in table
    assert "no interval" in table
