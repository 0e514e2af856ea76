import numpy as np
import pytest

from tauscope.stress.metrics import define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.views.stress.confusion_message import MOST_CLASSES, confusion_message

RNG = np.random.default_rng(0)


def outcomes(n_classes, labelled=True):
    names = tuple(f"class {k}" for k in range(n_classes))
    predicted, truth = RNG.integers(0, n_classes, (2, 500))
    task = "binary" if n_classes == 2 else "multiclass"
    return Outcomes(task, predicted, truth if labelled else None, class_names=names)


@pytest.mark.parametrize(("n_classes", "metrics"), [(2, None), (3, None), (3, ["error_rate"])])
def test_each_row_falls_where_it_belongs(n_classes, metrics):
    rows = outcomes(n_classes)
    made_of, _ = define_quantities(rows, names=metrics)
    message = confusion_message(rows, made_of.cells)
    place = np.array(message["place"])[made_of.cell]
    row, column = np.divmod(place, n_classes)
    np.testing.assert_array_equal(column, rows.predicted)
    told = n_classes == 2 or metrics is None
    assert message["rows_are"] == ("truth" if told else "right")
    np.testing.assert_array_equal(row, rows.truth if told else rows.truth != rows.predicted)
    assert len(message["rows"]) == (n_classes if told else 2)


def test_there_is_none_where_it_could_not_be_read():
    for rows in (outcomes(3, labelled=False), outcomes(MOST_CLASSES + 1)):
        assert confusion_message(rows, define_quantities(rows)[0].cells) is None
    value = Outcomes("regression", np.arange(3.0), np.arange(3.0))
    assert confusion_message(value, define_quantities(value)[0].cells) is None
