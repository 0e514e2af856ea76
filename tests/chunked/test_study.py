"""`ChunkedStudy`: what it keeps between questions, and what it says to those that need the rows."""

import pickle

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from chunked.mixed_rows import TAUS, N, assert_same_curves
from tauscope.study.needs_rows import ASKED_FOR, REASONS


def cut(frame, rows=1300):
    return [frame.iloc[i : i + rows] for i in range(0, len(frame), rows)]


class Counted:
    """Chunks that count how often they are read."""

    def __init__(self, chunks):
        self.chunks, self.times = chunks, 0

    def __call__(self):
        self.times += 1
        return iter(self.chunks)


@pytest.fixture
def counted(X, y):
    return Counted(cut(X.assign(y=y)))


@pytest.fixture
def study(model, counted):
    return ts.ChunkedStudy(model, counted, target="y")


def test_nothing_is_read_before_it_is_asked_for(study, counted):
    assert repr(study) == "ChunkedStudy of Pipeline[LogisticRegression], no rows read yet"
    assert study._model_name == "Pipeline[LogisticRegression]"
    assert counted.times == 0


@pytest.mark.slow
def test_what_is_known_of_all_rows_is_found_once(study, counted, X):
    assert (study.n_rows, study.feature_names) == (N, tuple(X.columns))
    assert (study._task, study.classes) == ("binary", ("no", "yes"))
    assert counted.times == 2  # all rows, and the first chunk for how the model's answers are read
    assert repr(study) == "ChunkedStudy of Pipeline[LogisticRegression] on 5,000 rows × 7 columns"
    study.effect("sex")
    assert counted.times == 2 + 2  # order with donors, and answers


@pytest.mark.slow
def test_curves_are_asked_for_again_without_reading(study, counted, want):
    assert_same_curves(study.stress_curves(taus=TAUS), want)
    times = counted.times
    assert_same_curves(study.stress_curves(taus=TAUS), want)
    assert study.stress_curves("age", taus=3, metrics="error_rate", confidence=0.8).metric_names == ("error_rate",)
    assert study.sketch().n_rows == N
    assert counted.times == times


@pytest.mark.slow
def test_a_sketch_takes_up_rows_and_leaves_the_study_alone(study, X, y, want):
    study.sketch().update(X[:1000], y[:1000])
    assert study.sketch().n_rows == N
    assert_same_curves(study.stress_curves(taus=TAUS), want)


@pytest.mark.slow
def test_another_quantile_is_summed_anew(study, model, X, y):
    study.sketch()
    got = study.stress_curves("income", taus=TAUS, quantile=0.1)
    assert_same_curves(got, ts.Study(model, X, y).stress_curves("income", taus=TAUS, quantile=0.1))


@pytest.mark.slow
def test_an_iterator_answers_several_questions(model, X, y, want):
    asked = []

    def counting(rows):
        asked.append(len(rows))
        return model.predict(rows)

    study = ts.ChunkedStudy(counting, iter(cut(X.assign(y=y))), target="y")
    stress = ts.Mean("age", tau=0.5)
    got = study.reweight(stress)
    expected = ts.Study(model.predict, X, y).reweight(stress)
    pd.testing.assert_frame_equal(got.metrics, expected.metrics, rtol=1e-9, atol=1e-9)
    curves = study.stress_curves(taus=TAUS)
    assert_same_curves_but_name = ts.Study(counting, X, y).stress_curves(taus=TAUS)
    assert_same_curves(curves, assert_same_curves_but_name)
    assert sum(asked) == 2 * (N + 8)  # once here, once by the study in memory, and eight rows again
    with pytest.raises(ts.InputError, match="got an iterator"):
        study.effect("age")
    with pytest.raises(ts.InputError, match="read only once, and has been"):
        study.stress_image((2, 2))


def test_every_verb_of_a_study_is_there_or_refused_and_those_refused_are_not_listed(study):
    verbs = {name for name in dir(ts.Study) if callable(getattr(ts.Study, name)) and name[0] != "_"}
    of_rows = {"from_predictions", "from_ranges", "with_model"}
    assert verbs - {*dir(study)} == ({*REASONS} & verbs) | of_rows
    assert not {*REASONS} & {*dir(study)}
    assert not any(hasattr(study, verb) for verb in REASONS)


@pytest.mark.parametrize("verb", REASONS)
def test_verbs_that_need_the_rows_say_why_and_what_to_do(study, counted, verb):
    with pytest.raises(ts.InputError, match=f"^{ASKED_FOR.get(verb, verb)} needs the rows in memory: .+\\. .+\\.$"):
        getattr(study, verb)("age", anything=1)
    assert counted.times == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"target": 3}, "target names a column"),
        ({"sample_weight": np.ones(N)}, "sample_weight names a column"),
        ({"prediction": "p"}, "got both"),
        ({"score": "s"}, "got both"),
        ({"task": "ordinal"}, "task must be"),
        ({"response_method": "guess"}, "response_method must be"),
        ({"batch_rows": 0}, "batch_rows must be"),
        ({"classes": ("yes", "no")}, "classes"),
    ],
)
def test_options_are_checked_before_a_row_is_read(model, counted, given, message):
    with pytest.raises((ts.InputError, ts.InputTypeError), match=message):
        ts.ChunkedStudy(model, counted, **given)
    assert counted.times == 0


@pytest.mark.slow
def test_a_lone_score_given_speaks_for_the_positive_class(model, X, y):
    """Whether there is a model decides how a score is read, not what it is called."""
    predicted, score = model.predict(X), model.predict_proba(X)[:, 0]

    def predictions(rows):
        return model.predict(rows)

    slices = [slice(i, i + 1300) for i in range(0, N, 1300)]
    given = [(X[s], y[s], predicted[s], score[s]) for s in slices]
    got = ts.ChunkedStudy(None, given, pos_label="no").stress_curves("age", taus=TAUS)
    want = ts.Study.from_predictions(X, y, predicted, score, pos_label="no").stress_curves("age", taus=TAUS)
    assert_same_curves(got, want)
    pairs = [(X[s], y[s]) for s in slices]
    got = ts.ChunkedStudy(predictions, pairs, pos_label="no").stress_curves("age", taus=TAUS)
    assert_same_curves(got, ts.Study(predictions, X, y, pos_label="no").stress_curves("age", taus=TAUS))


@pytest.mark.slow
def test_results_ask_their_study_for_more(study, want):
    curves = study.stress_curves(taus=TAUS)
    assert curves.source is study
    assert_same_curves(curves.at(9), want.at(9))
    reweighting = study.reweight(ts.Mean("income", tau=0.2) & ts.Moment(over_sixty, 0.5))
    assert (reweighting.source, reweighting.weights) == (study, None)
    again = study.reweight(reweighting.stress)  # its function by name
    pd.testing.assert_frame_equal(again.metrics, reweighting.metrics)
    with pytest.raises(ts.InputError, match="came in chunks"):
        reweighting.sample()
    with pytest.raises(ts.InputError, match="came in chunks"):
        _ = reweighting.balance


def over_sixty(rows):
    return (rows["age"] > 60).astype(float)


@pytest.mark.slow
def test_a_pickled_result_answers_without_chunks(study, want):
    back = pickle.loads(pickle.dumps(study.stress_curves(taus=TAUS)))
    assert_same_curves(back.at(9), want.at(9))
    assert (back.source._has_model, back.source._model_name) == (False, study._model_name)
    with pytest.raises(ts.InputError, match="chunks were left behind"):
        back.source.stress_curves("income", quantile=0.2)
    sketch = study.sketch()
    curves = pickle.loads(pickle.dumps(sketch.stress_curves(taus=TAUS)))
    assert_same_curves(curves.at(9), want.at(9))
    reweighting = study.reweight(ts.Mean("age", tau=0.5))
    pd.testing.assert_frame_equal(pickle.loads(pickle.dumps(reweighting)).metrics, reweighting.metrics)


@pytest.mark.slow
def test_a_study_of_a_list_pickles_with_its_model(model, X, want, y):
    study = ts.ChunkedStudy(model, cut(X.assign(y=y)), target="y")
    assert_same_curves(pickle.loads(pickle.dumps(study)).stress_curves(taus=TAUS), want)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda one: one.stress_curves("age", hold="means"), "hold='means' needs the rows in memory"),
        (lambda one: one.stress_curves("age", interval="bootstrap-t"), "replicates are drawn from them"),
        (lambda one: one.effect("age", n_neighbors=5), "n_neighbors=5 needs the rows"),
        (lambda one: one.effect("age", callback=print), "not stopped half-way"),
    ],
)
def test_options_that_need_the_rows_say_why(study, counted, ask, message):
    with pytest.raises(ts.InputError, match=message):
        ask(study)
    assert counted.times == 0


@pytest.mark.slow
def test_options_as_they_are_by_default_and_names_that_are_none(study, want):
    asked = {"interval": "analytic", "random_state": None, "hold": None, "hold_features": None}
    assert_same_curves(study.stress_curves(taus=TAUS, **asked), want)
    assert study.effect("sex", method="brute", ice_bytes=0, interval="analytic").kind == "pd"
    for ask in (study.stress_curves, study.effect):
        with pytest.raises(TypeError, match="unexpected keyword argument 'holds'"):
            ask("age", holds="means")


def changed_rows(frame):
    return frame.assign(age=frame["age"] + 1)


def changed_labels(frame):
    return frame.assign(y=np.where(frame["y"] == "yes", "no", "yes"))


@pytest.mark.parametrize("change", [changed_rows, changed_labels, lambda frame: frame[:-3], lambda frame: frame[:0]])
@pytest.mark.slow
def test_rows_that_change_between_passes_are_refused(model, X, y, change):
    chunks, times = cut(X.assign(y=y))[:2], [0]

    def read():
        times[0] += 1
        return iter(chunks if times[0] <= 3 else [chunks[0], change(chunks[1])])

    with pytest.raises(ts.InputError, match="must be the same at every reading"):
        ts.ChunkedStudy(model, read, target="y", progress=False).reweight(ts.Mean("age", tau=0.3))


def test_a_column_without_any_value_is_answered_as_in_memory():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": random.normal(size=12), "empty": np.full(12, np.nan)})
    y, predicted = np.arange(12) % 2, np.arange(12) // 2 % 2
    parts = [(X[:5], y[:5], predicted[:5]), (X[5:], y[5:], predicted[5:])]
    chunked = ts.ChunkedStudy(None, parts, classes=(0, 1), progress=False).stress_curves(taus=3)
    whole = ts.Study.from_predictions(X, y, predicted, classes=(0, 1)).stress_curves(taus=3)
    np.testing.assert_allclose(chunked.frame.value, whole.frame.value, atol=1e-9)


def test_numbers_that_hardly_differ_over_all_chunks_are_refused():
    parts = [(pd.DataFrame({"a": [1e-80 * k, 1e-80 * k]}), [0, 1], [0, 1]) for k in range(3)]
    with pytest.raises(ts.InputError, match="must do so by more than 1e-70"):
        ts.ChunkedStudy(None, parts, classes=(0, 1), progress=False).stress_curves(taus=3)
