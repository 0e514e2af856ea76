"""Of a linear model every row has one direction, the coefficients', whichever way its columns are coded."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

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
    coded = {"bool": random.random(N) < 0.5, "int": (random.random(N) < 0.3).astype(int)}
    levels = {f"g_{k}": (level == k).astype(float) for k in (1, 2)}
    return fitted(numbers() | coded | levels, [1, -0.6, 1.5, -1.5, 1, -1.2])


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
}


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
    found = linear.study.boundaries(ROWS, **QUIET)
    effects, directions = in_units(linear, found), towards_one(linear, found)
    assert (directions @ effects > 0.9).all()
    pooled = linear.study.pooled_boundary(ROWS, **QUIET)
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
