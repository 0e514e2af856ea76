"""Groups picked by name: the columns that tell rows apart, and what was given."""

from dataclasses import replace

import numpy as np
import pytest
import traitlets

from results import every
from tauscope.views.grouped import GroupedView

HALF = np.arange(every.study().n_rows) % 2 == 0


class Plain(GroupedView):
    """Of a result, with what is given to tell its rows apart."""

    def __init__(self, result, given=None, **state):
        self.result = result
        if given is not None:
            self._given = given
        super().__init__(result, **state)


def test_columns_are_offered_and_what_was_given_comes_before_a_column_of_its_name():
    view = Plain.hosted(every.study().stress_curves(), given={"half": HALF, "d": ["c", "d"]})
    assert list(view.groupings) == ["c", "d", "half"]
    assert view.grouping == ""
    view.by = "c"
    assert view.grouping == "c"
    view.by = "half"
    assert view.grouping is HALF
    view.by = "d"
    assert view.grouping == ["c", "d"]
    with pytest.raises(traitlets.TraitError, match=r"no grouping 'half2'.*Nearest: 'half'"):
        view.by = "half2"
    view.close()


def test_without_a_kernel_without_the_study_or_its_rows_only_what_was_given_is_there():
    curves = every.study().stress_curves()
    offline = Plain.offline(curves, given={"half": HALF}, by="half")
    assert (list(offline.groupings), offline.grouping is HALF) == (["half"], True)
    assert list(Plain.hosted(every.chunked().stress_curves()).groupings) == []
    with pytest.raises(traitlets.TraitError, match="no grouping 'c'"):
        Plain.hosted(replace(curves, source=None)).by = "c"
