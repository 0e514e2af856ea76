"""Of a linear model every row has one direction, the coefficients', whichever way its columns are coded."""

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

import tauscope as ts
from tauscope.results.boundary.words import weigh_words
from tauscope.views.boundary.answer import answers_wire

QUIET: dict[str, Any] = {"progress": False, "random_state": 0}
N = 400
ROWS = range(12)


class Linear(NamedTuple):
    """A linear model on coded columns, and what a unit of each column counts for in it.

    `unsigned` are columns of levels without an order.
    """

    model: Any
    X: Any
    y: np.ndarray
    effects: np.ndarray
    unsigned: tuple[str, ...] = ()

    @property
    def study(self) -> ts.Study:
        return ts.Study(self.model, self.X, self.y, progress=False)


def fitted(columns: dict[str, Any], betas: list[float]) -> Linear:
    """Fit a logistic regression on columns, the labels drawn by these coefficients."""
    X = pd.DataFrame(columns)
    score = X.to_numpy(dtype=float) @ betas
    y = (score - np.median(score) + np.random.default_rng(1).logistic(size=len(X)) > 0).astype(int)
    model = LogisticRegression().fit(X, y)
    return Linear(model, X, y, model.coef_[0])


def numbers() -> dict[str, Any]:
    return dict(zip("uv", np.random.default_rng(2).normal(size=(2, N)), strict=True))


def flags(code: Callable[[np.ndarray], np.ndarray]) -> Linear:
    """Three flags, one of them rare, coded in some way, beside two numbers."""
    drawn = np.random.default_rng(3).random((3, N)) < np.array([[0.5], [0.3], [0.1]])
    coded = {f"f{i}": code(flag) for i, flag in enumerate(drawn)}
    size = float(np.ptp(coded["f0"].astype(float)))
    return fitted(numbers() | coded, [1, -0.6, 2 / size, -1.6 / size, 1.2 / size])


def flags_alone(code: Callable[[np.ndarray], np.ndarray]) -> Linear:
    drawn = np.random.default_rng(3).random((7, N)) < 0.4
    return fitted({f"f{i}": code(flag) for i, flag in enumerate(drawn)}, [2, -2, 1.2, -1.2, 0.8, -0.6, 0.5])


def one_hot(*, drop: bool, dtype: type = int) -> Linear:
    level = np.random.default_rng(4).choice(4, size=N, p=[0.4, 0.3, 0.2, 0.1])
    levels = {f"g_{name}": (level == k).astype(dtype) for k, name in enumerate("abcd")}
    found = fitted(numbers() | dict(list(levels.items())[drop:]), [1, -0.6, *[1.4, -1.0, 0.5, -1.6][drop:]])
    effects = found.effects.copy()
    if not drop:
        effects[2:] -= effects[2:].mean()  # a constant over all levels is the intercept's
    return found._replace(effects=effects)


def categories() -> Linear:
    """Four levels without an order and two levels, in the units of Gower's distance."""
    random = np.random.default_rng(5)
    X = pd.DataFrame(numbers())
    X["city"] = pd.Categorical(np.array(list("abcd"))[random.integers(4, size=N)])
    X["answer"] = pd.Categorical(np.where(random.random(N) < 0.4, "yes", "no"))
    score = X["u"] - 0.6 * X["v"] + X["city"].map(dict(a=1.2, b=-0.8, c=0.4, d=-1.4)).astype(float)
    score = score + 1.5 * (X["answer"] == "yes")
    y = (score - score.median() + random.logistic(size=N) > 0).astype(int).to_numpy()
    encoded = make_column_transformer((OneHotEncoder(), ["city", "answer"]), remainder="passthrough")
    model = make_pipeline(encoded, LogisticRegression()).fit(X, y)
    coef = model[-1].coef_[0]
    return Linear(model, X, y, np.r_[coef[6:], 2 * coef[:4].std(), coef[5] - coef[4]], ("city",))


def mixed() -> Linear:
    random = np.random.default_rng(6)
    level = random.integers(3, size=N)
    coded = {"bool": random.random(N) < 0.5, "int": (random.random(N) < 0.3).astype(int), "c": random.poisson(2, N)}
    levels = {f"g_{k}": (level == k).astype(float) for k in (1, 2)}
    return fitted(numbers() | coded | levels, [1, -0.6, 1.5, -1.5, 0.6, 1, -1.2])


def ordinal() -> Linear:
    """Five levels of a scale; the model sees their places."""
    place = np.random.default_rng(7).integers(5, size=N)
    linear = fitted(numbers() | {"q": place}, [1, -0.6, 0.8])
    X = linear.X.assign(q=pd.Categorical.from_codes(place, list("abcde"), ordered=True))

    def codes(rows: pd.DataFrame) -> pd.DataFrame:
        return rows.assign(q=rows["q"].cat.codes)

    model = make_pipeline(FunctionTransformer(codes), LogisticRegression()).fit(X, linear.y)
    return Linear(model, X, linear.y, model[-1].coef_[0])


def counts(dtype: type = int) -> Linear:
    drawn = np.random.default_rng(8).poisson([0.3, 1, 2, 5], size=(N, 4)).astype(dtype)
    return fitted(dict(zip("abcd", drawn.T, strict=True)), [1.2, -0.8, 0.5, -0.3])


def with_whole_numbers_alone() -> Linear:
    """Counts that the model looks up: it raises where it meets a fraction."""
    linear = counts()
    lookup = {name: np.arange(-60, 61) for name in linear.X}

    def looked_up(rows: pd.DataFrame) -> np.ndarray:
        return np.column_stack([lookup[name][rows[name].to_numpy() + 60] for name in rows])

    model = make_pipeline(FunctionTransformer(looked_up), LogisticRegression()).fit(linear.X, linear.y)
    return linear._replace(model=model, effects=model[-1].coef_[0])


def names_in_numbers() -> Linear:
    """Classes 1, 2, 3, which the model takes for names and knows no others; their effects lie on a line."""
    place = np.random.default_rng(9).integers(1, 4, size=N)
    linear = fitted(numbers() | {"class": place}, [1, -0.6, 1.2])
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    columns = make_column_transformer(("passthrough", ["u", "v"]), (encoder, ["class"]))
    model = make_pipeline(columns, LogisticRegression()).fit(linear.X, linear.y)
    coef = model[-1].coef_[0]
    return linear._replace(model=model, effects=np.r_[coef[:2], (coef[4] - coef[2]) / 2])


CODES: dict[str, Callable[[], Linear]] = {
    "bool": lambda: flags(lambda flag: flag),
    "0/1 int": lambda: flags(lambda flag: flag.astype(int)),
    "0/1 float": lambda: flags(lambda flag: flag.astype(float)),
    "0/0.5": lambda: flags(lambda flag: flag * 0.5),
    "bools alone": lambda: flags_alone(lambda flag: flag),
    "0/1 alone": lambda: flags_alone(lambda flag: flag.astype(int)),
    "one-hot": lambda: one_hot(drop=False),
    "one-hot bools": lambda: one_hot(drop=False, dtype=bool),
    "one-hot, one dropped": lambda: one_hot(drop=True),
    "categories": categories,
    "mixed": mixed,
    "-1/1": lambda: flags(lambda flag: 2 * flag.astype(int) - 1),
    "ordinal": ordinal,
    "counts": counts,
    "counts as floats": lambda: counts(float),
    "counts looked up": with_whole_numbers_alone,
    "names in numbers": names_in_numbers,
}
CLASSES = {"names in numbers": {"bounds": {"class": (1, 3)}}}


def in_units(linear: Linear, found: Any) -> np.ndarray:
    """Return the effects in units of the distance, of length 1."""
    columns = found._numbers.columns
    scale = [1.0 if column.name in linear.unsigned else column.scale for column in columns]
    scaled = linear.effects * scale
    return scaled / np.linalg.norm(scaled)


def towards_one(linear: Linear, found: Any) -> np.ndarray:
    """Return the directions of rows, turned towards the class 1 where they have a sign."""
    sign = np.where(found._numbers.label == 1, -1.0, 1.0)[:, None]
    signed = ~np.isin(linear.X.columns, linear.unsigned)
    return found.directions.to_numpy() * np.where(signed, sign, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_every_row_and_the_pool_have_the_coefficients(code: str):
    linear = CODES[code]()
    options: dict[str, Any] = CLASSES.get(code, {}) | QUIET
    found = linear.study.boundaries(ROWS, **options)
    effects, directions = in_units(linear, found), towards_one(linear, found)
    assert (directions @ effects > 0.9).all()
    pooled = linear.study.pooled_boundary(ROWS, **options)
    assert pooled.direction @ effects > 0.985
    large = np.abs(effects) > 0.15
    assert (np.sign(pooled.direction[large]) == np.sign(effects[large])).all()
    assert np.abs(pooled.direction - effects).max() < 0.1
    assert pooled.present + pooled.absent == pytest.approx(pooled.direction)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"metric": "manhattan"}, {"metric": "gower"}, {"radius": 1.0}, {"explainer": "pls"}, {"vertices": "axis"},
        {"vertices": "groups"}, {"one_hot": None}, {"fitted_on": "labels"}, {"refine": "coordinate"},
        {"metric": "jaccard"},
    ],
    ids=str,
)  # fmt: skip
def test_whatever_the_options(options: dict[str, Any]):
    linear = flags_alone(lambda flag: flag) if "jaccard" in options.values() else one_hot(drop=False)
    pooled = linear.study.pooled_boundary(ROWS, **options, **QUIET)
    assert pooled.direction @ in_units(linear, pooled.boundaries) > 0.97


@pytest.mark.slow
@pytest.mark.parametrize("sparse_rows", [False, True])
def test_words_that_are_there_or_not(sparse_rows: bool):
    """Of a bag of words a present one weighs as its coefficient does, and so does an absent one."""
    linear = flags_alone(lambda flag: flag.astype(float))
    rows = linear.X.to_numpy()
    X = sparse.csr_matrix(rows) if sparse_rows else rows
    names = [f"word{j}" for j in range(rows.shape[1])]
    model = LogisticRegression().fit(rows, linear.y)
    study = ts.Study(model, X, linear.y, feature_names=names, progress=False)
    boundary = study.boundary(3, **QUIET)
    leads = -1.0 if boundary.predicted == "1" else 1.0
    text = " ".join(name for name in boundary.feature_names if boundary.value[name])
    weighed = weigh_words(text, boundary._numbers, boundary.direction.to_numpy())
    weights = {piece.text: piece.weight for piece in [*weighed.pieces, *weighed.absent] if piece.weight is not None}
    large = [name for name in weights if abs(model.coef_[0][names.index(name)]) > 0.5]
    assert len(large) > 2
    assert [np.sign(weights[name]) for name in large] == [
        leads * np.sign(model.coef_[0][names.index(name)]) for name in large
    ]


@pytest.mark.slow
def test_the_page_names_the_level_that_the_direction_leads_to():
    linear = categories()
    boundary = linear.study.boundary(0, **QUIET)
    features = {one["name"]: one for one in answers_wire(boundary, "").message["answers"][0]["features"]}
    to_one = boundary.predicted == "0"  # "yes" counts for the class 1
    assert features["answer"]["levels"][features["answer"]["leads_to"]] == ("yes" if to_one else "no")
    changed = boundary.point["city"] != boundary.value["city"]
    city = features["city"]
    assert city["leads_to"] == (city["levels"].index(boundary.point["city"]) if changed else None)
    assert features["u"]["leads_to"] is None
    assert city["direction"] > 0


def fewest_edits(linear: Linear, scale: np.ndarray, row: int, moves: np.ndarray) -> float:
    """Return the distance of the nearest flip by unit edits, none below 0, by looking at every one."""
    steps = np.array(list(product(range(-4, 5), repeat=linear.X.shape[1]))) * moves
    points = linear.X.to_numpy()[row] + steps
    score = [rows @ linear.effects + linear.model.intercept_ for rows in (points, linear.X.to_numpy()[row])]
    flips = (score[0] > 0) != (score[1] > 0)
    away = np.sqrt(((steps / scale) ** 2).sum(axis=1))
    return float(away[flips & (points >= 0).all(axis=1)].min())


@pytest.mark.slow
@pytest.mark.parametrize("refine", ["line", "coordinate"])
@pytest.mark.parametrize("sparse_rows", [False, True])
def test_the_point_of_counts_is_near_the_fewest_unit_edits(refine: str, sparse_rows: bool):
    linear = counts()
    linear.model.fit(linear.X.to_numpy(), linear.y)
    X = sparse.csr_matrix(linear.X.to_numpy()) if sparse_rows else linear.X.to_numpy()
    study = ts.Study(linear.model, X, linear.y, progress=False)
    bounds = None if sparse_rows else dict.fromkeys(range(4), (0, None))
    found = study.boundaries(range(20), refine=refine, bounds=bounds, **QUIET)
    scale = np.ones(4) if sparse_rows else linear.X.to_numpy().std(axis=0)
    names = np.array(study.feature_names)  # of a sparse row what is in it or in its rival moves
    moves = [np.isin(names, found[row].feature_names) for row in range(20)]
    ratio = found.frame["distance"] / [fewest_edits(linear, scale, row, moves[row]) for row in range(20)]
    assert (ratio > 1 - 1e-9).all()
    assert ratio.median() < 1.02
    assert ratio.max() < 1.25
    assert found.n_model_rows < 20 * 1500
    points = found.points.to_numpy(dtype=float)
    assert (points == np.round(points)).all()


@pytest.mark.slow
@pytest.mark.parametrize("sparse_rows", [False, True])
def test_whole_numbers_may_be_searched_between(sparse_rows: bool):
    """The boundary of a linear model is then as far as its plane, whole numbers and flags alike."""
    linear = counts()
    rows = np.column_stack([linear.X.to_numpy(), np.random.default_rng(0).random(N) < 0.5])
    model = LogisticRegression().fit(rows, linear.y)
    study = ts.Study(model, sparse.csr_matrix(rows) if sparse_rows else rows, linear.y, progress=False)
    boundary = study.boundary(5, whole=None, bounds=dict.fromkeys(range(5), (None, None)), **QUIET)
    scale = np.ones(5) if sparse_rows else rows.std(axis=0)
    plane = abs(model.decision_function(rows[[5]])[0]) / np.linalg.norm(model.coef_[0] * scale)
    if not sparse_rows:  # of a sparse row only what is in it or in its rival moves
        assert boundary.distance == pytest.approx(plane, rel=0.02)
        assert boundary.distance_lower == pytest.approx(plane, rel=1e-6)
    assert boundary.distance >= plane * (1 - 1e-6)
    assert (boundary.point % 1 != 0).any()
    assert boundary.distance < study.boundary(5, **QUIET).distance


@pytest.mark.slow
def test_rows_of_whole_numbers_keep_their_type_but_for_samples_and_walks():
    linear = counts()
    kinds: list[tuple[bool, bool]] = []

    def model(rows: pd.DataFrame) -> np.ndarray:
        values = rows.to_numpy()
        kinds.append((values.dtype.kind == "i", bool((values == np.round(values)).all())))
        return linear.model.predict_proba(rows)[:, 1]

    study = ts.Study(model, linear.X, linear.y, progress=False)
    point = study.boundary(3, **QUIET).point
    assert (True, True) in kinds
    assert (False, False) in kinds
    assert (point % 1 == 0).all()
    kinds.clear()
    study.boundary(3, max_model_rows=900, **QUIET)
    assert set(kinds) == {(True, True)}
