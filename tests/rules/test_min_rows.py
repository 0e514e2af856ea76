"""The paper's fewest rows of a cell."""

import numpy as np
import pytest

from tauscope.errors import InputError
from tauscope.rules.min_rows import paper_min_rows, settle_min_rows


def test_the_paper_asks_for_eleven_of_ten_thousand_rows():
    # §5: n = 10⁴, t_n = ⌊√n · ln(n)^1.5 / 250⌋
    assert paper_min_rows(10_000) == 11
    assert settle_min_rows("paper", 10_000, 10_000) == 11
    assert settle_min_rows(7, 10_000, 10_000) == 7
    assert paper_min_rows(2) == paper_min_rows(1) == 1


def test_cells_of_the_paper_hold_ever_more_rows_and_an_ever_smaller_share():
    n = 10 ** np.arange(4, 12)
    least = np.array([paper_min_rows(int(one)) for one in n])
    assert (np.diff(least) > 0).all()
    assert (np.diff(least / n) < 0).all()
    assert (np.diff(least / (np.sqrt(n) * np.log(n))) > 0).all()


def test_other_texts_are_refused():
    with pytest.raises(InputError, match="got 'many'"):
        settle_min_rows("many", 100, 100)
