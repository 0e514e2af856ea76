"""What belongs to a person stays as it is: every verb is asked of models, rows, labels and weights of many kinds."""

import inspect
import warnings
from tempfile import TemporaryDirectory

import cloudpickle
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from lightgbm import LGBMClassifier
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

import tauscope as ts
from test_verbs import IN_CHUNKS, VERBS, rows

pytestmark = pytest.mark.slow

N = 120
X, Y = rows()
X, Y = X[:N].set_index(pd.Index([f"r{i}" for i in range(N)], name="who")), Y[:N]
X = X.assign(vip=X["age"] > 50, city=pd.Categorical(np.resize(["b", "a", "c"], N), ["c", "b", "never", "a"]))
WEIGHT = pd.Series(np.random.default_rng(1).integers(0, 4, N).astype(float), X.index)
NUMBERS, LEVELS = ["age", "income", "vip"], ["job", "city"]
CODES = X.assign(job=X["job"].astype("category").cat.codes, city=X["city"].cat.codes).astype(float).to_numpy()
OTHERS = {
    "outcomes_of": lambda study: study._outcomes_of(study.X[:9], study.y[:9]),
    "predict": lambda study: study.predict(study.X[:9]),
    "report": lambda study: in_a_folder(lambda path: study.report(f"{path}/a.html", features=["age"], row=0)),
    "save": lambda study: in_a_folder(lambda path: study.save(f"{path}/a.html")),
    "table": lambda study: study.table().frame,
    "to_code": lambda study: study.to_code(),
    "where": lambda study: study.where(np.arange(study.n_rows) % 3 > 0).stress_curves(taus=3),
    "with_model": lambda study: study.with_model(study._require_model("is").model),
    "workspace": lambda study: study.workspace(),
    "boundaries_proved": lambda study: study.boundaries([0, 1], certify=True, random_state=0),
    "rule_list_proved": lambda study: study.rule_list(n_rows=20, prove=True, n_estimators=5, random_state=0),
    "randomize_refit": lambda study: study.randomize_model("age", grid=3, repeats=2, method="refit", random_state=0),
    "link": lambda study: ts.link(study.stress_curves(taus=3).widget(), study.effect("age", grid=3).widget()),
    "load": lambda study: in_a_folder(lambda path: kept(study.stress_curves(taus=3), f"{path}/a.json", study)),
}
ASKED = VERBS | OTHERS
SUMMED = {name.removeprefix("_") for name in vars(ts.ChunkedStudy)}
OF_CHUNKS = {name: verb for name, verb in VERBS.items() if name in {*SUMMED, *IN_CHUNKS}} | {
    "boundaries": lambda study: study.boundaries([0, 1], random_state=0),
    "compare": lambda study: ts.compare(study, study),
    "curves_by_group": lambda study: study.stress_curves(taus=3).by("job"),
    "sample": lambda study: study.sample(60).rules(0, n_estimators=5, random_state=0),
    "sketch": lambda study: study.sketch(),
    "stress_image": lambda study: study.stress_image((1, 2), taus=3),
    "towards": lambda study: study.towards(study.sample(60).X, study.sample(60).y),
    "reweight_towards": lambda study: study.towards(study.sample(60).X).at(0.5),
    "worst_case": lambda study: study.worst_case("error_rate", within={"tv": 0.1}),
}


def in_a_folder(write):
    with TemporaryDirectory() as folder:
        return write(folder)


def kept(result, path, study):
    result.save(path)
    return ts.load(path).with_source(study)


class Ratio(TransformerMixin, BaseEstimator):
    """A step that takes columns by name, and so frames alone."""

    def fit(self, Z, y=None):
        self.fitted_ = True
        return self

    def transform(self, Z):
        return Z.assign(ratio=Z["income"] / (Z["age"].abs() + 1))


class Wrapped:
    """Anything with `predict` and `predict_proba`."""

    def __init__(self, model):
        self.model = model

    def predict(self, rows):
        return self.model.predict(rows)

    def predict_proba(self, rows):
        return self.model.predict_proba(rows)


def encoded(model, output="default"):
    columns = make_column_transformer(
        (OneHotEncoder(sparse_output=False), LEVELS), (StandardScaler(), NUMBERS), verbose_feature_names_out=False
    )
    return make_pipeline(columns, model).set_output(transform=output)


def forest():
    return RandomForestClassifier(6, random_state=np.random.RandomState(3))


def frame_of(model, y=Y, **options):
    return {"model": model.fit(X, y), "X": X, "y": pd.Series(y, X.index), "sample_weight": WEIGHT} | options


def pandas_output():
    return frame_of(encoded(forest(), "pandas"))


def step_that_takes_names():
    columns = make_column_transformer(
        (OrdinalEncoder(), LEVELS), remainder=StandardScaler(), verbose_feature_names_out=False
    )
    steps = (step.set_output(transform="pandas") for step in (columns, StandardScaler()))
    return frame_of(make_pipeline(*steps, Ratio(), LogisticRegression()))


def named_numbers():
    numbers = X[["age", "income"]]
    model = make_pipeline(StandardScaler().set_output(transform="pandas"), Ratio(), forest())
    return {"model": model.fit(numbers, Y), "X": numbers, "y": Y}


def polars_output():
    frame = pl.from_pandas(X.drop(columns="city"))
    columns = make_column_transformer((OneHotEncoder(sparse_output=False), ["job"]), remainder="passthrough")
    model = make_pipeline(columns, forest()).set_output(transform="polars")
    weight = pl.Series(WEIGHT.to_numpy())
    return {"model": model.fit(frame, Y), "X": frame, "y": pl.Series("y", Y), "sample_weight": weight}


def array_of_numbers():
    y = Y == "yes"
    model = make_pipeline(StandardScaler(), GradientBoostingClassifier(n_estimators=5, random_state=0))
    weight = WEIGHT.to_numpy()
    return {"model": model.fit(CODES, y), "X": CODES, "y": y, "sample_weight": weight, "feature_names": list(X)}


def lightgbm():
    frame = X.astype({"job": "category"})
    model = LGBMClassifier(n_estimators=5, min_child_samples=5, verbose=-1, n_jobs=1)
    return {"model": model.fit(frame, Y), "X": frame, "y": Y, "sample_weight": list(WEIGHT)}


def boosting_of_levels():
    frame = X.astype({"job": "category"})
    model = HistGradientBoostingClassifier(max_iter=5, categorical_features="from_dtype", random_state=0)
    return {"model": model.fit(frame, Y), "X": frame, "y": list(Y)}


def search():
    return frame_of(GridSearchCV(encoded(LogisticRegression(), "pandas"), {"logisticregression__C": [0.1, 1]}, cv=2))


def wrapper():
    return frame_of(encoded(forest(), "pandas")) | {"model": Wrapped(encoded(forest(), "pandas").fit(X, Y))}


def function():
    model = encoded(forest(), "pandas").fit(X, Y == "yes")
    table = pa.table({name: X[name].astype(object).to_list() for name in X})
    return {"model": lambda rows: model.predict_proba(rows.to_pandas()), "X": table, "y": Y}


def bound_method():
    return {"model": encoded(forest(), "pandas").fit(X, Y).predict_proba, "X": X, "y": Y}


def sparse_matrix():
    matrix = sparse.csr_matrix(CODES)
    model = LogisticRegression(max_iter=500).fit(matrix, Y)
    return {"model": model, "X": matrix, "y": Y, "feature_names": list(X)}


def values():
    network = MLPRegressor(hidden_layer_sizes=(5,), solver="lbfgs", max_iter=200, random_state=np.random.RandomState(0))
    model = TransformedTargetRegressor(encoded(network, "pandas"), transformer=StandardScaler())
    return frame_of(model, X["income"].to_numpy() * 3 + X["age"].to_numpy())


def predictions():
    return {"X": X, "y_true": Y, "y_pred": np.roll(Y, 1), "sample_weight": WEIGHT}


KINDS = {
    pandas_output: len(ASKED),
    step_that_takes_names: len(ASKED),
    named_numbers: 30,
    polars_output: 40,
    array_of_numbers: 30,
    lightgbm: 40,
    boosting_of_levels: 40,
    search: 40,
    wrapper: 40,
    function: 40,
    bound_method: 40,
    sparse_matrix: 8,
    values: 40,
    predictions: 20,
}
"""What a person gives, and how many verbs at least have an answer for it; the others raise an error of ours."""


def written(one):
    """Return all that an object is; of a sparse matrix not what it notes of itself when it is read."""
    return cloudpickle.dumps((one.format, one.data, one.indices, one.indptr) if sparse.issparse(one) else one)


def digests(given):
    """Return what a person would find changed, each under its name."""
    model = given.get("model")
    asked = model if model is None or callable(model) else model.predict
    return {
        **{name: written(one) for name, one in given.items()},
        **{f"flags of {name}": str(one.flags) for name, one in given.items() if isinstance(one, np.ndarray)},
        "answers": None if asked is None else written(asked(given["X"])),
        "warning filters": list(warnings.filters),
        "errors of NumPy": np.geterr(),
        "random state": written(np.random.get_state()),  # noqa: NPY002
        "options of scikit-learn": sklearn.get_config(),
    }


def ask_all(study, given, verbs):
    """Ask every verb; return which have an answer, and what changed of what was given, with the verb that did it."""
    answered, changed, before = [], [], digests(given)
    for name, verb in verbs.items():
        try:
            verb(study)
            answered.append(name)
        except ts.TauscopeError:
            pass
        after = digests(given)
        changed += [(name, what) for what in after if after[what] != before[what]]
        before = after
    return answered, changed


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_given_is_changed(kind):
    given = kind()
    before = digests(given)
    study = ts.Study(**given, progress=False) if "model" in given else ts.Study.from_predictions(**given)
    assert digests(given) == before
    answered, changed = ask_all(study, given, ASKED)
    assert not changed
    assert len(answered) >= KINDS[kind], set(ASKED) - set(answered)


@pytest.mark.parametrize("kind", [pandas_output, step_that_takes_names, polars_output, lightgbm, wrapper, values])
def test_nothing_given_in_chunks_is_changed(kind):
    whole = kind()
    frame = whole["X"]
    frame = frame.with_columns(y=whole["y"]) if isinstance(frame, pl.DataFrame) else frame.assign(y=list(whole["y"]))
    given = {"model": whole["model"], "first": frame[:70], "second": frame[70:], "X": whole["X"]}
    study = ts.ChunkedStudy(given["model"], [given["first"], given["second"]], target="y", progress=False)
    answered, changed = ask_all(study, given, OF_CHUNKS)
    assert not changed
    assert len(answered) >= 14, set(OF_CHUNKS) - set(answered)


def test_every_verb_is_asked():
    def verbs(kind):
        return {name for name, one in vars(kind).items() if inspect.isfunction(one) and not name.startswith("_")}

    functions = {name for name in ts.__all__ if inspect.isfunction(getattr(ts, name))}
    assert verbs(ts.Study) | (functions - {"compare"}) <= set(ASKED)  # "compare_outcomes" is `compare`
    assert verbs(ts.ChunkedStudy) <= set(OF_CHUNKS)
