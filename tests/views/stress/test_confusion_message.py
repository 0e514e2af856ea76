import numpy as np
import pytest

from results.samples import binary_study, regression_study
from tauscope.errors import InputError
from tauscope.stress.confusion import MOST_CLASSES, confusion_of, rows_by_place
from tauscope.stress.metrics import define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.views.stress.confusion_message import rows_in_place
from tauscope.views.stress.joint import JointStressView

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
    confusion = confusion_of(rows, made_of.cells)
    row, column = np.divmod(rows_by_place(made_of, confusion), n_classes)
    np.testing.assert_array_equal(column, rows.predicted)
    told = n_classes == 2 or metrics is None
    assert confusion.rows_are == ("truth" if told else "right")
    np.testing.assert_array_equal(row, rows.truth if told else rows.truth != rows.predicted)
    assert confusion.n_places == n_classes * (n_classes if told else 2)


def test_there_is_none_where_it_could_not_be_read():
    for rows in (outcomes(3, labelled=False), outcomes(MOST_CLASSES + 1)):
        assert confusion_of(rows, define_quantities(rows)[0].cells) is None
    value = Outcomes("regression", np.arange(3.0), np.arange(3.0))
    assert confusion_of(value, define_quantities(value)[0].cells) is None
    with pytest.raises(InputError, match="one of 0"):
        rows_in_place(regression_study().joint_stress(), 0)


@pytest.mark.parametrize("weighted", [False, True])
def test_past_the_budget_the_kernel_says_what_is_in_each_place(weighted):
    study = binary_study(weighted=weighted)
    joint = study.joint_stress()
    here, elsewhere = (JointStressView.offline(joint, budget=budget) for budget in (4_000_000, 1000))
    assert "in_kernel" not in here.message["outcomes"]["confusion"]
    places = elsewhere.message["outcomes"]["confusion"]["in_kernel"]
    weight = np.ones(study.n_rows) if study.sample_weight is None else study.sample_weight
    truth, predicted = study._outcomes.truth, study._outcomes.predicted
    elsewhere.stress = {"taus": {"age": 0.3}, "hold": "none"}
    elsewhere.wait(30)
    after = joint.at({"age": 0.3}).weights
    for place in range(4):
        inside = (truth == place // 2) & (predicted == place % 2)
        np.testing.assert_array_equal(rows_in_place(joint, place), np.flatnonzero(inside))
        assert places["n_rows"][place] == inside.sum()
        for told, under in ((places["unstressed"][place], weight), (elsewhere.answer["confusion"][place], after)):
            assert told["value"] == pytest.approx(under[inside].sum() / under.sum())
            assert told["lower"] < told["value"] < told["upper"]
    # who is wrong is in two of the places, and their shares add up to the error rate's
    wrong = [row["value"] for row in elsewhere.answer["confusion"]][1:3]
    assert sum(wrong) == pytest.approx(joint.at({"age": 0.3}).metrics.set_index("metric").loc["error_rate", "value"])
    with pytest.raises(InputError, match="one of 4, from 0; got 4"):
        rows_in_place(joint, 4)


def test_the_share_of_a_place_has_the_interval_of_a_metric_that_counts_its_rows():
    joint = binary_study().joint_stress(metrics=["portion_yes"])
    answer = joint._answer({"age": 0.3})
    predicted = [answer.confusion[place].value for place in (1, 3)]
    assert sum(predicted) == pytest.approx(answer.estimates[0].value)
    of_regression = regression_study().joint_stress()
    assert of_regression._answer({of_regression.feature_names[0]: 0.1}).confusion == ()
