"""An interrupt ends every verb of chunks at once, and the study answers as before."""

import numpy as np
import pyarrow as pa
import pytest
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from interrupts import check_interrupts, interrupt_at, told
from study.test_study_interrupts import Interrupted, X as all_rows, y as all_labels

pytestmark = pytest.mark.slow

X, y = all_rows[:48], all_labels[:48]
PARTS = [X.assign(y=y)[i : i + 16] for i in range(0, 48, 16)]
PIXELS = [(np.random.default_rng(0).integers(0, 4, (16, 4)).astype(np.uint8), part["y"].to_numpy()) for part in PARTS]

VERBS = {
    "boundaries": lambda study: study.boundaries((X[:16], y[:16]), random_state=0),
    "distribution": lambda study: study.distribution(0, "a", n_estimators=3),
    "effect": lambda study: study.effect("a", grid=5),
    "cd": lambda study: study.effect("a", kind="cd", grid=5),
    "ale": lambda study: study.effect("a", kind="ale", grid=5),
    "reweight": lambda study: study.reweight(ts.Mean("a", tau=0.3)).metrics,
    "rule_list": lambda study: study.rule_list(n_estimators=2, n_rows=8),
    "rules": lambda study: study.rules(0, n_estimators=3),
    "same_decision": lambda study: study.same_decision(["a"], n_estimators=3),
    "sample": lambda study: study.sample(30).stress_curves(taus=3),
    "sketch": lambda study: study.sketch().stress_curves(taus=3),
    "stress_curves": lambda study: study.stress_curves(taus=3),
    "sufficient": lambda study: study.sufficient(0, n_estimators=3),
    "swing_rules": lambda study: study.swing_rules(0, n_estimators=3),
}


def chunked(model, chunks=PARTS):
    return ts.ChunkedStudy(model, chunks, target="y", progress=False)


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_ends_wherever_it_comes(verb):
    model = LogisticRegression().fit(X, y)
    check_interrupts(lambda: chunked(model), VERBS[verb], moments=2)


def test_maps_of_pixels_end_wherever_it_comes():
    def says(rows):
        return (np.asarray(rows)[:, 0] > 1).astype(int)

    check_interrupts(
        lambda: ts.ChunkedStudy(says, PIXELS, task="binary", classes=[0, 1], progress=False),
        lambda study: study.stress_image((2, 2), taus=3),
    )


@pytest.mark.parametrize("call", [1, 2])
@pytest.mark.parametrize("verb", VERBS)
def test_the_model_is_not_called_after_it(verb, call):
    model = Interrupted().fit(X, y)
    study = chunked(model)
    model.interrupt_at(call)
    with pytest.raises(KeyboardInterrupt):
        VERBS[verb](study)
    assert model.after == 0
    model.interrupt_at(None)
    want = ts.Study(model, X, y).stress_curves(taus=3).frame["value"]
    assert np.allclose(study.stress_curves(taus=3).frame["value"], want, equal_nan=True)


@pytest.mark.parametrize("verb", VERBS)
def test_no_chunk_is_read_after_it(verb):
    left = [2]

    def chunks():
        for part in PARTS:
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt
            yield part

    study = chunked(LogisticRegression().fit(X, y), chunks)
    with pytest.raises(KeyboardInterrupt):
        VERBS[verb](study)
    assert left == [0]
    assert study.n_rows == 48


class Parts:
    """A collection of chunks that is no list."""

    def __iter__(self):
        return iter(PARTS)


AGAIN = {
    "a function": lambda: lambda: iter(PARTS),
    "a collection": Parts,
    "an Arrow table": lambda: pa.Table.from_pandas(X.assign(y=y)),
}


@pytest.mark.parametrize("source", AGAIN)
def test_what_can_be_read_again_is_asked_again(source):
    model = LogisticRegression().fit(X, y)
    check_interrupts(lambda: chunked(model, AGAIN[source]()), VERBS["stress_curves"])


@pytest.mark.parametrize("source", AGAIN)
def test_what_can_be_read_again_is_asked_again_after_the_model_was_interrupted(source):
    model = Interrupted().fit(X, y)
    study = chunked(model, AGAIN[source]())
    model.interrupt_at(1)
    with pytest.raises(KeyboardInterrupt):
        study.stress_curves(taus=3)
    model.interrupt_at(None)
    assert told(study.stress_curves(taus=3)) == told(chunked(model, AGAIN[source]()).stress_curves(taus=3))


def interrupted_iterator(at):
    """Chunks of a generator in which a person presses Ctrl-C while chunk `at` is made."""
    for number, part in enumerate(PARTS, 1):
        if number == at:
            raise KeyboardInterrupt
        yield part


@pytest.mark.parametrize(("at", "said"), [(1, "0 chunks"), (2, "1 chunk"), (3, "2 chunks")])
def test_an_iterator_that_was_interrupted_says_so(at, said):
    study = chunked(LogisticRegression().fit(X, y), interrupted_iterator(at))
    with pytest.raises(KeyboardInterrupt):
        study.stress_curves(taus=3)
    for verb in ("stress_curves", "reweight", "sketch"):
        with pytest.raises(ts.InputError, match=f"interrupted after {said}, by you .* function that returns a new"):
            VERBS[verb](study)


def test_an_iterator_says_so_when_the_model_was_interrupted():
    model = Interrupted().fit(X, y)
    study = chunked(model, iter(PARTS))
    model.interrupt_at(5)  # labels and scores of the first chunk, and of some of its rows again
    with pytest.raises(KeyboardInterrupt):
        study.stress_curves(taus=3)
    model.interrupt_at(None)
    with pytest.raises(ts.InputError, match="interrupted after 2 chunks, by you"):
        study.stress_curves(taus=3)


def test_an_iterator_of_images_says_so():
    def says(rows):
        return (np.asarray(rows)[:, 0] > 1).astype(int)

    def pixels():
        yield PIXELS[0]
        raise KeyboardInterrupt

    study = ts.ChunkedStudy(says, pixels(), task="binary", classes=[0, 1], progress=False)
    with pytest.raises(KeyboardInterrupt):
        study.stress_image((2, 2), taus=3)
    with pytest.raises(ts.InputError, match="interrupted after 1 chunk, by you"):
        study.stress_image((2, 2), taus=3)


def test_an_iterator_answers_as_before_or_says_that_it_was_interrupted():
    model = LogisticRegression().fit(X, y)
    ask = VERBS["stress_curves"]
    want = told(ask(chunked(model, iter(PARTS))))
    study = chunked(model, iter(PARTS))
    with interrupt_at(0) as entered:
        study._passes()
    n_reading, refused = entered[0], []
    for place in (1, n_reading // 2, n_reading - 9, 2 * n_reading, 4 * n_reading):
        study = chunked(model, iter(PARTS))
        with pytest.raises(KeyboardInterrupt), interrupt_at(place):
            ask(study)
        try:
            said = told(ask(study))
        except ts.InputError as error:
            said = str(error)
        refused.append("that reading was interrupted after" in said)
        assert refused[-1] or said == want
    assert {*refused} == {True, False}
