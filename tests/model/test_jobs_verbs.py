"""The verbs that take `n_jobs`: the same bits of any, through processes and threads, and one answer to a bad value."""

import inspect
from dataclasses import fields, is_dataclass
from functools import cache

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tauscope as ts

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
RNG = np.random.default_rng(0)
N = 400
X = pd.DataFrame({"a": RNG.normal(size=N), "b": RNG.normal(size=N), "c": RNG.integers(0, 5, N).astype(float)})
X.loc[:20, "b"] = np.nan
X = X.assign(job=pd.Categorical.from_codes(RNG.integers(0, 3, N), ["clerk", "cook", "pilot"]))
Y = (X["a"] + X["b"].fillna(0) / 2 + RNG.normal(size=N) > 0).to_numpy() * 1
NUMBERS = X[["a", "c"]]


@cache
def study():
    """Made anew where answers would be kept: a cache would compare an answer with itself."""
    model = MLPClassifier((20,), max_iter=60, random_state=0)
    return ts.Study(make_pipeline(StandardScaler(), model).fit(NUMBERS, Y), NUMBERS, Y, progress=False)


def mixed():
    return ts.Study.from_predictions(X, Y, y_score=1 / (1 + np.exp(-X["a"])))


def share(y_true, y_pred, sample_weight=None):
    return float(np.average(y_true == y_pred, weights=sample_weight))


def fresh():
    kept = study()
    return ts.Study(kept._require_model("is").model, NUMBERS, Y, progress=False)


def trees():
    return ts.Study(RandomForestClassifier(5, random_state=0).fit(NUMBERS, Y), NUMBERS, Y, progress=False)


def steep():
    """Cells whose targets lie on the edge of what the rows allow, which no bin can meet."""
    twice = (X["c"] > 2) * 1.0 + COIN
    return ts.Study.from_predictions(X.assign(twice=twice), Y, y_score=1 / (1 + np.exp(-X["a"])))


COIN = np.random.default_rng(1).integers(0, 2, N)
WORDS = sparse.random(N, 60, 0.1, format="csr", random_state=0)
SAID = (np.asarray(WORDS[:, :20].sum(axis=1)).ravel() > 0.6) * 1


def wordy():
    return ts.Study(LogisticRegression(C=50).fit(WORDS, SAID), WORDS, SAID, progress=False)


CASES = {
    "stress_curves, replicates": lambda n: mixed().stress_curves(
        "a", taus=3, interval="bootstrap-t", random_state=0, metrics="error_rate", n_jobs=n
    ),
    "stress_curves, held": lambda n: mixed().stress_curves(taus=3, hold="uncorrelated", n_jobs=n),
    "stress_curves, ranks": lambda n: mixed().stress_curves(taus=3, metrics="roc_auc", n_jobs=n),
    "stress_curves, own metric": lambda n: mixed().stress_curves(
        taus=3, metrics=[share, lambda y, p, sample_weight=None: share(y, p, sample_weight)], n_jobs=n
    ),
    "stress_curves": lambda n: mixed().stress_curves(taus=3, n_jobs=n),
    "refit_curves": lambda n: study().refit_curves(
        RandomForestClassifier(5), NUMBERS, Y, n_splits=3, taus=3, random_state=0, n_jobs=n
    ),
    "refit_curves, pipeline": lambda n: study().refit_curves(
        make_pipeline(StandardScaler(), MLPClassifier((8,), max_iter=20, random_state=np.random.RandomState(0))),
        NUMBERS, Y, n_splits=3, taus=3, random_state=0, n_jobs=n,
    ),
    "boundaries": lambda n: fresh().boundaries(range(300), n_samples=40, paths=False, random_state=0, n_jobs=n),
    "boundaries, certified": lambda n: trees().boundaries(
        range(6), n_samples=40, paths=False, certify=True, random_state=0, n_jobs=n
    ),
    "boundaries, of few model rows": lambda n: fresh().boundaries(
        range(300), paths=False, max_model_rows=9000, random_state=0, n_jobs=n
    ),
    "boundaries, sparse": lambda n: wordy().boundaries(range(5), certify=True, random_state=0, n_jobs=n),
    "boundaries, sparse, of few model rows": lambda n: wordy().boundaries(
        range(5), max_model_rows=3000, random_state=0, n_jobs=n
    ),
    "stress_surface, ranks": lambda n: mixed().stress_surface(
        "a", "b", taus=3, metrics=["roc_auc", "error_rate"], n_jobs=n
    ),
    "stress_surface, steep": lambda n: steep().stress_surface("a", "twice", taus=5, n_jobs=n),
    "rule_list": lambda n: trees().rule_list(
        n_rows=60, n_estimators=5, min_rows=5, pi=0.9, share=1.0, n_jobs=n
    ),
    "rule_list, proved": lambda n: trees().rule_list(
        n_rows=30, n_estimators=5, min_rows=5, pi=0.8, prove=True, n_drawn=50, n_jobs=n
    ),
    "effects": lambda n: fresh().effects(grid=5, n_jobs=n),
    "effects, replicates": lambda n: fresh().effects(
        grid=5, kind="ale", interval="bootstrap", random_state=0, n_jobs=n
    ),
    "randomize_model": lambda n: fresh().randomize_model(
        method="refit", repeats=3, grid=5, random_state=0, n_jobs=n
    ),
    "randomize_model, layers": lambda n: fresh().randomize_model(
        method="layers", repeats=2, sigma=0.5, grid=5, random_state=0, n_jobs=n
    ),
}  # fmt: skip
VERBS = sorted({case.partition(",")[0] for case in CASES})


def arrays(value, path=""):
    """Every array and number of a result by the way to it, what it was made of aside."""
    if is_dataclass(value):
        for field in fields(value):
            if field.name != "source":
                yield from arrays(getattr(value, field.name), f"{path}.{field.name}")
    elif isinstance(value, tuple | list):
        for i, part in enumerate(value):
            yield from arrays(part, f"{path}[{i}]")
    elif isinstance(value, np.ndarray | float | int | str | bool):
        yield path, np.asarray(value)


def same_bits(one, other):
    first, second = dict(arrays(one)), dict(arrays(other))
    assert first.keys() == second.keys()
    for name, values in first.items():
        numbers = values.dtype.kind in "fc"
        assert np.array_equal(values, second[name], equal_nan=numbers), name
    return first


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_any_number_of_workers_gives_the_same_bits(case):
    one = CASES[case](1)
    found = same_bits(one, CASES[case](2))
    assert any(values.dtype.kind == "f" and values.size > 3 for values in found.values())
    if "replicates" in case:
        return  # 300 of them each time
    same_bits(one, CASES[case](-1))
    with joblib.parallel_config("threading", n_jobs=2):
        same_bits(one, CASES[case](None))


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(("value", "message"), [(0, "Try -1"), (1.5, "got 1.5"), ("two", "got 'two'"), (10**6, "at")])
def test_a_bad_number_of_workers_is_refused_by_each(verb, value, message):
    case = next(name for name in CASES if name.partition(",")[0] == verb)
    with pytest.raises((ts.InputError, ts.InputTypeError), match=f"n_jobs must be .*{message}"):
        CASES[case](value)


def test_every_verb_with_workers_is_compared():
    with_workers = {
        name
        for name, verb in vars(ts.Study).items()
        if not name.startswith("_") and callable(verb) and "n_jobs" in inspect.signature(verb).parameters
    }
    assert with_workers == set(VERBS)


@pytest.mark.slow
def test_answers_from_other_processes_are_kept_and_counted():
    alone, together = fresh(), fresh()
    n_before = together.n_model_rows
    alone.effects(grid=5, n_jobs=1)
    together.effects(grid=5, n_jobs=2)
    assert together.n_model_rows == alone.n_model_rows > n_before
    again = together.effects(grid=5, n_jobs=1)
    assert together.n_model_rows == alone.n_model_rows
    assert [effect.n_model_rows for effect in again] == [0, 0]


@pytest.mark.slow
def test_rows_asked_about_by_other_processes_are_counted_and_told():
    alone, together = fresh(), fresh()
    seen = []
    options = {"n_samples": 40, "paths": False, "random_state": 0}
    one = alone.boundaries(range(300), n_jobs=1, **options)
    two = together.boundaries(range(300), n_jobs=2, callback=lambda done, total: seen.append(done), **options)
    assert together.n_model_rows == alone.n_model_rows
    # not told: a first look, whether c can be asked between whole numbers, and a last one at the points found
    assert one.n_model_rows == two.n_model_rows == 5 + seen[-1] + 300
    assert len(seen) == 3
    assert seen == sorted(seen)


@pytest.mark.slow
def test_sparse_rows_and_proofs_of_other_processes_are_counted_and_told():
    alone, together = wordy(), wordy()
    seen = []
    one = alone.boundaries(range(5), random_state=0, n_jobs=1)
    two = together.boundaries(range(5), random_state=0, n_jobs=2, callback=lambda done, total: seen.append(done))
    assert together.n_model_rows == alone.n_model_rows > N
    assert one.n_model_rows == two.n_model_rows == seen[-1]
    assert len(seen) == 5  # once for each row
    assert seen == sorted(seen)
    alone, together = trees(), trees()
    options = {"n_rows": 30, "n_estimators": 5, "min_rows": 5, "pi": 0.8, "prove": True, "n_drawn": 50}
    one, two = alone.rule_list(n_jobs=1, **options), together.rule_list(n_jobs=2, **options)
    assert together.n_model_rows == alone.n_model_rows > N
    assert one.n_model_rows == two.n_model_rows > 50


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_stop_between_sparse_rows_leaves_what_is_known(n_jobs):
    complete = wordy().boundaries(range(5), random_state=0, n_jobs=1)
    enough = complete.n_model_rows / 2
    found = wordy().boundaries(range(5), random_state=0, n_jobs=n_jobs, callback=lambda done, _: done > enough)
    assert any("ended early" in note for note in found.notes)
    settled = found._numbers.inspection.detection.settled
    assert settled[:2].all()
    assert not settled[4]
    assert np.array_equal(found.frame["distance"][:2], complete.frame["distance"][:2])


def test_a_surface_with_steep_cells_has_some_that_are_units():
    assert steep().stress_surface("a", "twice", taus=5)._surface.n_direct > 2


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_stop_between_blocks_leaves_what_is_known(n_jobs):
    options = {"n_samples": 40, "paths": False, "random_state": 0}
    complete = fresh().boundaries(range(300), n_jobs=1, **options)
    enough = complete.n_model_rows / 2

    def half_way(done, total):
        return done > enough

    found = fresh().boundaries(range(300), n_jobs=n_jobs, callback=half_way, **options)
    settled = found._numbers.inspection.detection.settled
    assert settled[:100].all()
    assert not settled[200:].any()
    assert any("ended early" in note for note in found.notes)
    n_whole = 200 if n_jobs == 2 else 100
    first = found._numbers.inspection.point[:n_whole]
    assert np.array_equal(first, complete._numbers.inspection.point[:n_whole])


@pytest.mark.slow
def test_a_callback_stops_the_features_of_several_workers_too():
    seen = []

    def stop(done, total):
        seen.append((done, total))
        return True

    assert len(fresh().effects(grid=5, callback=stop, n_jobs=2)) == 1
    assert seen == [(1, 2)]


class Unfit(LogisticRegression):
    def fit(self, X, y):
        raise ArithmeticError("no fit")


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_learner_that_fails_says_why_whichever_worker_fits_it(n_jobs):
    with pytest.raises(ArithmeticError, match="no fit"):
        study().refit_curves(Unfit(), NUMBERS, Y, n_splits=3, taus=3, n_jobs=n_jobs)


@pytest.mark.slow
def test_refits_of_an_unseeded_learner_follow_from_random_state():
    def values(seed):
        learner = RandomForestClassifier(5)
        return study().refit_curves(learner, NUMBERS, Y, n_splits=2, taus=3, random_state=seed).values

    assert np.array_equal(values(0), values(0), equal_nan=True)
    assert not np.array_equal(values(0), values(1), equal_nan=True)
