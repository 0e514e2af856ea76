"""What a row is decided as, with other values: against the model itself."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from study.boundary import bags
from study.boundary.cases import cancer, forest, mixed, people
from tauscope.data.sparse import SparseTable
from tauscope.errors import InputError, InputTypeError, TauscopeError, UnknownName
from wire import write_boundary

ROW = 17


def test_a_row_of_the_study_is_decided_as_the_model_does():
    study = forest()
    decided = study.predict_row(ROW)
    probabilities = study._model.model.predict_proba(cancer()[0].iloc[[ROW]])[0]
    assert decided.label == str(study._model.model.classes_[probabilities.argmax()])
    assert decided.answer == pytest.approx(probabilities.max())
    assert decided.kind == "probability"
    assert decided.sentence.startswith(f"{decided.label}, ")
    assert decided.sentence.endswith(" %")


def test_other_values_stand_in_for_the_rows_own():
    study = forest()
    X = cancer()[0].iloc[[ROW]].assign(**{"mean radius": 9.0, "worst area": 300.0})
    decided = study.predict_row(ROW, {"mean radius": 9, "worst area": 300})
    assert decided.answer == pytest.approx(study._model.model.predict_proba(X)[0].max())
    assert study.predict_row(X).answer == decided.answer


@pytest.mark.slow
def test_levels_and_missing_values_are_put_in_as_they_are():
    study, X = mixed(), people().iloc[[0]].drop(columns="income")
    changed = {"workclass": "Private", "age": None, "hours-per-week": 60}
    decided = study.predict_row(0, changed)
    assert decided.answer == pytest.approx(study._model.model.predict_proba(X.assign(**changed))[0].max())


def test_every_kind_of_answer_reads_as_it_should():
    X = pd.DataFrame({"a": np.linspace(-2, 2, 30)})

    class Labels:
        classes_ = np.array(["down", "up"])

        def predict(self, rows):
            return np.where(rows["a"] > 0, "up", "down")

    class Scores(Labels):
        def decision_function(self, rows):
            return rows["a"].to_numpy() * 3

    assert ts.Study(Labels(), X, Labels().predict(X)).predict_row(29).sentence == "up"
    assert ts.Study(Scores(), X, Labels().predict(X)).predict_row(0, {"a": 0.5}).sentence == "up, score 1.5"
    values = ts.Study(lambda rows: rows["a"].to_numpy() * 2.0, X, np.linspace(-4, 4, 30), task="regression")
    for row, sentence in ((29, "above 1, prediction 4"), (0, "up to 1, prediction −4")):
        assert values.predict_row(row, threshold=1).sentence == sentence


def test_rows_the_model_was_called_on_are_counted_and_told():
    told = []
    decided = write_boundary.study(2).predict_row(7, callback=lambda done, total: told.append((done, total)))
    assert decided.n_model_rows == told[-1][0] == 2


@pytest.mark.parametrize(
    ("values", "kind", "words"),
    [
        ({"agee": 3}, UnknownName, "no column 'agee'. Nearest: 'age'"),
        ({"<b>level</b>": "hig"}, UnknownName, "Nearest: 'high'"),
        ({"age": "old"}, TauscopeError, "'age' holds numbers; got 'old'. Give a number"),
        ({"age": np.inf}, InputError, "must be finite"),
    ],
)
def test_what_cannot_be_put_in_is_refused(values, kind, words):
    with pytest.raises(kind, match=words):
        write_boundary.study(2).predict_row(7, values)


def test_a_study_without_a_model_cannot_decide():
    study = ts.Study.from_predictions(pd.DataFrame({"a": range(10)}), [0, 1] * 5, [0, 1] * 5)
    with pytest.raises(InputError, match="Only a study of a model"):
        study.predict_row(0)
    with pytest.raises(InputError, match="numbered 0 to 59"):
        write_boundary.study(2).predict_row(60)


class TestSparse:
    @pytest.fixture(autouse=True)
    def no_column_is_read(self, monkeypatch):
        def refused(table, column):
            raise AssertionError(f"column {column} was read")

        monkeypatch.setattr(SparseTable, "column", refused)

    def test_a_row_is_decided_as_the_model_does_with_other_words(self):
        study, (X, _) = bags.study(), bags.weights()
        own, absent = (bags.WORDS[j] for j in (X[[ROW]].indices[0], 59))
        assert X[ROW, 59] == 0
        changed = X[[ROW]].toarray()
        changed[0, bags.WORDS.index(own)], changed[0, 59] = 0.0, 2.5
        for values, row in (
            ({}, X[[ROW]].toarray()),
            ({own: 0, absent: 2.5}, changed),
            ({own: None, absent: 2.5}, changed),
        ):
            decided = study.predict_row(ROW, values)
            probabilities = bags.logistic().predict_proba(row)[0]
            assert decided.answer == pytest.approx(probabilities.max())
            assert decided.label == str(study.classes[probabilities.argmax()])
            assert decided.n_model_rows == 2

    def test_new_rows_are_what_is_not_zero(self):
        decided = bags.study().predict_row({"word 3": 1.5}, {"word 4": 2})
        row = np.zeros((1, bags.P))
        row[0, 3:5] = 1.5, 2
        assert decided.answer == pytest.approx(bags.logistic().predict_proba(row)[0].max())
        empty = bags.study().predict_row({})
        assert empty.answer == pytest.approx(bags.logistic().predict_proba(0 * row)[0].max())

    @pytest.mark.parametrize(
        ("values", "kind", "words"),
        [
            ({"wrod 3": 1.0}, UnknownName, "'word 3'"),
            ({"word 3": "old"}, InputTypeError, "'word 3' holds numbers; got 'old'. Give a number"),
            ({"word 3": np.nan}, InputError, "must be finite"),
        ],
    )
    def test_what_cannot_be_put_in_is_refused(self, values, kind, words):
        with pytest.raises(kind, match=words):
            bags.study().predict_row(ROW, values)
        with pytest.raises(InputError, match="must fit the matrix' type, int64"):
            bags.counted().predict_row(ROW, {"word 3": 0.5})
