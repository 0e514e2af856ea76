import re

import numpy as np
import pytest

from tauscope.data.frames import read_vector
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.model.output import ModelOutput
from tauscope.model.task import TaskHints, infer_output_spec

YES_NO = ["no", "yes", "yes", "no"]
PROBABILITY = [0.1, 0.9, 0.5, 0.500001]


def read(first, y=None, scores=None, **known):
    first = read_vector(first, "f")
    y = None if y is None else read_vector(y, "y")
    answers = ModelOutput(first, None if scores is None else np.array(scores))
    reading = infer_output_spec(answers, TaskHints(y=y, **known))
    return reading, reading(answers)


@pytest.mark.parametrize(
    ("first", "y", "task", "classes", "codes"),
    [
        (["no", "yes", "no", "no"], YES_NO, "binary", ("no", "yes"), [0, 1, 0, 0]),
        ([True, False, True, True], [True, True, False, False], "binary", (False, True), [1, 0, 1, 1]),
        ([True, False, True, True], [1, 1, 0, 0], "binary", (0, 1), [1, 0, 1, 1]),
        ([1, -1, 1, 1], [-1, 1, 1, -1], "binary", (-1, 1), [1, 0, 1, 1]),
        ([1.0, 0.0, 1.0, 1.0], [0, 1, 1, 0], "binary", (0, 1), [1, 0, 1, 1]),
        ([2, 2, 2, 2], [2, 3, 3, 2], "binary", (2, 3), [0, 0, 0, 0]),
        ([0, 2, 1, 1], [0, 1, 2, 2], "multiclass", (0, 1, 2), [0, 2, 1, 1]),
        ([0, 2, 1, 5], [0, 1, 2, 2], "multiclass", (0, 1, 2, 5), [0, 2, 1, 3]),
        (["a", "b", "c", "a"], None, "multiclass", ("a", "b", "c"), [0, 1, 2, 0]),
        (["a", "b", "b", "a"], None, "binary", ("a", "b"), [0, 1, 1, 0]),
        ([0, 1, 1, 3], None, "multiclass", (0, 1, 3), [0, 1, 1, 2]),
        ([-1.0, 1.0, 1.0, -1.0], None, "binary", (-1.0, 1.0), [0, 1, 1, 0]),
    ],
)
def test_returned_labels(first, y, task, classes, codes):
    reading, prediction = read(first, y)
    assert (reading.task, reading.classes, reading.source) == (task, classes, "labels")
    assert prediction.predicted.tolist() == codes
    assert prediction.predicted.dtype == np.int8
    assert prediction.score is None
    if y is not None:
        assert [reading.classes[code] for code in reading.truth(read_vector(y, "y"))] == y


@pytest.mark.parametrize("y", [YES_NO, [0, 1, 1, 0], [-1, 1, 1, -1], [False, True, True, False]])
def test_returned_probabilities_of_the_positive_class(y):
    reading, prediction = read(PROBABILITY, y)
    assert (reading.task, reading.source) == ("binary", "score")
    assert prediction.predicted.tolist() == [0, 1, 0, 1]
    assert prediction.score.tolist() == PROBABILITY


def test_probabilities_speak_for_the_label_called_positive():
    reading, prediction = read(PROBABILITY, YES_NO, pos_label="no")
    assert reading.classes == ("yes", "no")
    assert prediction.score.tolist() == PROBABILITY
    assert prediction.predicted.tolist() == [0, 1, 0, 1]


def test_probabilities_without_y_when_the_task_is_said():
    reading, prediction = read(PROBABILITY, task="binary")
    assert reading.classes == (0, 1)
    assert prediction.predicted.tolist() == [0, 1, 0, 1]
    reading, _ = read(PROBABILITY, response_method="predict_proba", classes=("bad", "good"))
    assert reading.classes == ("bad", "good")


def test_scores_with_the_threshold_zero_when_said():
    reading, prediction = read([-2.0, 0.0, 3.0, 0.1], YES_NO, response_method="decision_function")
    assert reading.threshold == 0.0
    assert prediction.predicted.tolist() == [0, 0, 1, 1]
    assert prediction.score.tolist() == [-2.0, 0.0, 3.0, 0.1]


@pytest.mark.parametrize(
    ("y", "classes", "expected"),
    [
        (["b", "a", "c"], None, ("a", "b", "c")),
        ([0, 2, 2], None, (0, 1, 2)),
        (None, None, (0, 1, 2)),
        (["b", "a", "a"], ("c", "a", "b"), ("c", "a", "b")),
    ],
)
def test_columns_are_classes_in_order(y, classes, expected):
    scores = np.array([[0.2, 0.5, 0.3], [0.4, 0.4, 0.2], [0.1, 0.1, 0.8]])
    reading, prediction = read(scores, y, classes=classes)
    assert (reading.task, reading.classes, reading.source) == ("multiclass", expected, "columns")
    assert prediction.predicted.tolist() == [1, 0, 2]
    assert prediction.scores.tolist() == scores.tolist()
    assert prediction.score is None


@pytest.mark.parametrize(("pos_label", "flipped"), [(None, False), ("yes", False), ("no", True)])
def test_two_columns_are_binary(pos_label, flipped):
    scores = np.array([[0.2, 0.8], [0.6, 0.4], [0.5, 0.5]])
    reading, prediction = read(scores, ["no", "yes", "no"], pos_label=pos_label)
    assert reading.classes == (("yes", "no") if flipped else ("no", "yes"))
    assert prediction.score.tolist() == scores[:, 0 if flipped else 1].tolist()
    assert [reading.classes[code] for code in prediction.predicted] == ["yes", "no", "no"]
    assert prediction.scores is None


@pytest.mark.parametrize(
    ("first", "y", "known"),
    [
        ([0.5, 1.5, 2.5], [0.1, 0.2, 0.3], {}),
        ([0.5, 0.1, 0.2], [0.1, 0.2, 0.3], {}),
        ([1, 2, 3], [0.1, 0.2, 0.3], {}),
        ([1.5, 2.5, 3.5], [1, 2, 3], {}),
        ([0.5, 1.5, 2.5], None, {}),
        (list(range(30)), list(range(30)), {}),
        (list(range(30)), None, {}),
        ([0.5, 0.1, 0.2], None, {"task": "regression"}),
        ([0, 1, 1], [0, 1, 1], {"task": "regression"}),
        ([0, 1, 1], [0, 1, 1], {"kind": "regressor"}),
        ([True, False], [1.0, 0.0], {"task": "regression"}),
    ],
)
def test_values_are_a_regression(first, y, known):
    reading, prediction = read(first, y, **known)
    assert (reading.task, reading.classes) == ("regression", ())
    assert prediction.predicted.dtype == np.float64
    assert prediction.predicted.tolist() == [float(one) for one in first]
    if y is not None:
        assert reading.truth(read_vector(y, "y")).tolist() == [float(one) for one in y]


def test_a_classifiers_predict_gives_labels_whatever_they_look_like():
    reading, prediction = read([0.5, 1.5, 0.5], kind="classifier", classes=(0.5, 1.5))
    assert reading.task == "binary"
    assert prediction.predicted.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("scores", "pos_label", "given", "expected"),
    [
        ([-1.0, 2.0], None, False, [-1.0, 2.0]),
        ([-1.0, 2.0], 0, False, [1.0, -2.0]),
        ([-1.0, 2.0], 0, True, [-1.0, 2.0]),
        ([[0.7, 0.3], [0.1, 0.9]], None, False, [0.3, 0.9]),
        ([[0.7, 0.3], [0.1, 0.9]], 0, False, [0.7, 0.1]),
    ],
)
def test_scores_beside_labels_are_those_of_the_positive_class(scores, pos_label, given, expected):
    _, prediction = read([0, 1], [0, 1], scores, pos_label=pos_label, lone_score_is_positive=given)
    assert prediction.score.tolist() == expected


def test_two_classes_may_be_read_as_many():
    reading, prediction = read([0, 1, 1], [0, 1, 0], [-1.0, 2.0, 3.0], task="multiclass")
    assert reading.task == "multiclass"
    assert prediction.scores.tolist() == [[1, -1], [-2, 2], [-3, 3]]
    assert prediction.score is None


@pytest.mark.parametrize(
    ("first", "y", "known", "kind", "message"),
    [
        (PROBABILITY, None, {}, InputError, "without y may be probabilities or values. Give y, task='binary'"),
        ([-2.0, 0.5, 3.0, 1.0], YES_NO, {}, InputError, "the return goes from -2 to 3. Use response_method='decision"),
        ([0.5, 1.5, 9.5], ["a", "b", "c"], {}, InputError, "must go with the labels in y, ['a', 'b', 'c']"),
        ([1, 2, 3], ["a", "b", "c"], {}, InputError, "must use the same words"),
        (["yes", "no", "no"], ["Yes", "No", "No"], {}, InputError, "must use the same words"),
        (["a", "a"], None, {}, InputError, "needs two classes at least; only ['a'] is there"),
        ([0.2, 0.8], ["a", "a"], {"response_method": "predict_proba"}, InputError, "y has 1: ['a']"),
        ([0.2, 1.8], ["a", "b"], {"response_method": "predict_proba"}, InputError, "Probabilities must lie in [0, 1]"),
        ([[0.1, 0.9]] * 3, ["a", "b", "c"], {}, InputError, "got 2 columns and 3 labels in y"),
        ([[0.1, 0.2, 0.7]] * 3, ["a", "b", "c"], {"task": "binary"}, InputError, "task='binary' needs two classes"),
        (
            [[0.1, 0.2, 0.7]] * 3,
            [1.5, 2, 3],
            {"task": "regression"},
            InputError,
            "must be one column; got shape (3, 3)",
        ),
        ([[1, 0], [0, 1]], None, {"kind": "classifier", "classes": (0, 1)}, InputError, "Labels must be one column"),
        (
            ["a", "b"],
            None,
            {"task": "regression"},
            InputTypeError,
            "as the task is a regression; got text such as 'a'. Give",
        ),
        (["a", "b"], [1, 2], {"kind": "regressor"}, InputTypeError, "numbers, or task='binary' or 'multiclass' where"),
        ([0, 1], [0, 1], {"pos_label": 2}, UnknownName, "must be one of the labels [0, 1]; got 2. Try pos_label=1"),
        ([0, 1, 2], [0, 1, 2], {"pos_label": 2}, InputError, "pos_label is for two classes; this is a multiclass"),
        ([0.5, 1.7], None, {"pos_label": 1}, InputError, "pos_label is for two classes; this is a regression"),
        ([0, 3], [0, 1], {"classes": (0, 1), "kind": "classifier"}, UnknownName, "it also holds [3]"),
    ],
)
def test_what_does_not_go_together(first, y, known, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        read(first, y, **known)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[0.1, 0.2, 0.7]] * 2, "one column for each of the 2 classes [0, 1]; got shape (2, 3)"),
        ([["a", "b"]] * 2, "must be numbers"),
    ],
)
def test_scores_that_do_not_fit_the_classes(scores, message):
    with pytest.raises((InputError, InputTypeError), match=re.escape(message)):
        read([0, 1], [0, 1], scores)
    with pytest.raises((InputError, InputTypeError)):
        read([0, 1, 2], [0, 1, 2], [0.1, 0.2, 0.3])


def test_truth_the_model_has_never_seen():
    reading, _ = read(["a", "b"], None)
    with pytest.raises(
        UnknownName, match=re.escape("y must hold labels the model knows, ['a', 'b']; it also holds ['c']")
    ):
        reading.truth(np.array(["a", "c"], dtype=object))
    regression, _ = read([1.5, 2.5], None)
    with pytest.raises(InputTypeError, match="y must be numbers"):
        regression.truth(np.array(["a", "c"], dtype=object))


def test_the_same_rule_reads_later_answers():
    reading, _ = read(PROBABILITY, YES_NO)
    assert reading(ModelOutput(np.array([0.0, 1.0]))).predicted.tolist() == [0, 1]
    reading, _ = read(YES_NO, YES_NO)
    assert reading(ModelOutput(np.array(["yes"], dtype=object))).predicted.tolist() == [1]
    with pytest.raises(UnknownName, match="it also holds"):
        reading(ModelOutput(np.array(["maybe"], dtype=object)))
