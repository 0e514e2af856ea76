import re

import numpy as np
import pytest

from tauscope.data.reading import select_categorical
from tauscope.errors import InputError, InputTypeError, UnknownName

NAMES = ("age", "sex", "job")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("infer", set()),
        (None, set()),
        ([], set()),
        (["sex", "job"], {1, 2}),
        ([2, 0], {0, 2}),
        (np.array([2]), {2}),
        ([True, False, True], {0, 2}),
        (np.array([False, True, False]), {1}),
        (("job",), {2}),
    ],
)
def test_every_way_of_naming(given, expected):
    assert select_categorical(given, NAMES) == expected


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ("sex", InputError, "Try categorical_features=['sex']"),
        ([True, False], InputError, "one entry per column; got 2 for 3"),
        (["sexe"], UnknownName, "no column 'sexe'. Nearest: 'sex'"),
        ([3], UnknownName, "Columns are numbered 0 to 2; got 3"),
        ([-1], UnknownName, "Columns are numbered 0 to 2; got -1"),
        ([1.5], InputTypeError, "got 1.5"),
        (3, InputTypeError, "names, positions or a mask of bools; got 3"),
    ],
)
def test_other_ways_are_refused(given, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        select_categorical(given, NAMES)
