"""Populations to draw samples from: real data sets and made ones, each row predicted by a model that did not see it.

The full set is the population: what a curve is there is known, and a sample of its rows, drawn with replacement, is
what a person has.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tauscope as ts

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import real_data

N_MADE = 20_000
FOLDS = 5


@dataclass(frozen=True)
class Population:
    """Rows with their predictions.

    Attributes
    ----------
    columns : DataFrame of shape (n_rows, p)
        What is stressed.
    y : ndarray of shape (n_rows,)
    predicted : ndarray of shape (n_rows,)
        Labels or values.
    score : ndarray of shape (n_rows,) or None
        Of the positive class of two.
    """

    columns: pd.DataFrame
    y: np.ndarray
    predicted: np.ndarray
    score: np.ndarray | None

    def study(self, rows: np.ndarray | slice = slice(None)) -> ts.Study:
        """Make a study of some of the rows."""
        score = None if self.score is None else self.score[rows]
        X = self.columns.iloc[rows].reset_index(drop=True)
        if score is not None:
            return ts.Study.from_predictions(X, self.y[rows], y_score=score, classes=[0, 1], task="binary")
        classes = None if self.is_regression else sorted(np.unique(self.y))
        return ts.Study.from_predictions(X, self.y[rows], self.predicted[rows], classes=classes)

    @property
    def is_regression(self) -> bool:
        """Whether values are predicted."""
        return self.y.dtype.kind == "f"


def linear(**options: Any) -> Any:
    """Return a logistic regression on standardised columns."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=300, **options))


def predicted_apart(columns: pd.DataFrame, inputs: Any, y: Any, model: Any) -> Population:
    """Predict each row by a model fitted on other rows."""
    y = np.asarray(y)
    if y.dtype.kind == "f":
        return Population(columns, y, cross_val_predict(model, inputs, y, cv=FOLDS), None)
    probabilities = cross_val_predict(model, inputs, y, cv=FOLDS, method="predict_proba")
    score = probabilities[:, 1] if probabilities.shape[1] == 2 else None
    return Population(columns, y, probabilities.argmax(axis=1), score)


def _adult() -> Population:
    people = real_data.adult("test")
    numbers = people[real_data.ADULT_NUMBERS].astype(float)
    levels = pd.get_dummies(people[["sex", "race", "marital-status", "occupation", "education"]]).astype(float)
    columns = numbers.assign(woman=people["sex"] == "Female", irish=people["native-country"] == "Ireland")
    rich = people["income"].str.startswith(">50K").astype(int)
    return predicted_apart(
        columns.astype(float), numbers.join(levels), rich, HistGradientBoostingClassifier(max_iter=60)
    )


def _hours() -> Population:
    people = real_data.adult("test")
    numbers = people[real_data.ADULT_NUMBERS].astype(float)
    hours = numbers.pop("hours-per-week").to_numpy()
    return predicted_apart(numbers, numbers, hours, HistGradientBoostingRegressor(max_iter=60))


def _german() -> Population:
    credit = pd.concat([real_data.german("train"), real_data.german("test")])
    good = credit.pop("credit-risk")
    return predicted_apart(credit[["duration", "amount", "age", "foreign-worker"]], credit, good, linear())


def _sms() -> Population:
    texts = real_data.sms()
    lower = texts["text"].str.lower()
    words = ("free", "call", "txt", "you", "ok", "win", "prize", "claim", "stop", "love", "mobile", "now")
    counts = pd.DataFrame({word: lower.str.count(rf"\b{word}\b") for word in words}).astype(float)
    columns = counts[["call", "free"]].assign(
        length=texts["text"].str.len(), digits=texts["text"].str.count(r"\d"), prize=counts["prize"] > 0
    )
    return predicted_apart(columns.astype(float), counts, (texts["label"] == "spam").astype(int), linear())


def _cancer() -> Population:
    data = datasets.load_breast_cancer(as_frame=True)
    columns = data.data[["mean radius", "mean texture", "area error", "mean concavity", "worst symmetry"]]
    return predicted_apart(columns, data.data.iloc[:, :10], data.target, linear(C=0.05))


def _wine() -> Population:
    data = datasets.load_wine(as_frame=True)
    columns = data.data[["alcohol", "malic_acid", "flavanoids", "proline"]]
    return predicted_apart(columns, data.data.iloc[:, :3], data.target, linear())


def _digits() -> Population:
    data = datasets.load_digits(as_frame=True)
    return predicted_apart(data.data.iloc[:, [20, 27, 36, 43]], data.data.iloc[:, ::2], data.target, linear(C=0.05))


def _digit_images() -> Population:
    data = datasets.load_digits(as_frame=True)
    pixels = data.data.astype(np.uint8)
    return predicted_apart(pixels, data.data, data.target, linear(C=0.05))


def _diabetes() -> Population:
    data = datasets.load_diabetes(scaled=False, as_frame=True)
    return predicted_apart(data.data[["age", "sex", "bmi", "s3", "s5"]], data.data, data.target.astype(float), Ridge())


def _amounts() -> Population:
    credit = pd.concat([real_data.german("train"), real_data.german("test")])
    forest = RandomForestRegressor(60, min_samples_leaf=5, random_state=0)
    amounts = credit.pop("amount").to_numpy(float)
    return predicted_apart(credit[["duration", "age"]], credit.drop(columns="credit-risk"), amounts, forest)


def _classes(share: float, seed: int) -> Population:
    random = np.random.default_rng(seed)
    X, y = datasets.make_classification(N_MADE, 8, n_informative=5, weights=[share], flip_y=0.03, random_state=seed)
    columns = pd.DataFrame(
        {
            "smooth": X[:, 0],
            "heavy tail": np.exp(X[:, 0]),
            "mostly zero": np.where(random.random(N_MADE) < 0.85, 0.0, random.exponential(size=N_MADE)),
            "rare level": random.random(N_MADE) < 0.01,
        }
    ).astype(float)
    return predicted_apart(columns, X, y, HistGradientBoostingClassifier(max_iter=40))


def _values(make: Callable[..., Any], seed: int, heavy: bool) -> Population:
    random = np.random.default_rng(seed)
    X, y = make(N_MADE, random_state=seed)
    noise = random.standard_t(3, N_MADE) if heavy else random.standard_normal(N_MADE)
    y = y + 0.4 * y.std() * noise
    columns = pd.DataFrame({"x0": X[:, 0], "x1": X[:, 1], "heavy tail": np.exp(random.standard_normal(N_MADE))})
    return predicted_apart(columns, X, y, HistGradientBoostingRegressor(max_iter=60))


MAKERS: dict[str, Callable[[], Population]] = {
    "adult": _adult,
    "german credit": _german,
    "sms": _sms,
    "breast cancer": _cancer,
    "wine": _wine,
    "digits": _digits,
    "diabetes": _diabetes,
    "hours worked": _hours,
    "credit amounts": _amounts,
    "made classes": lambda: _classes(0.7, 11),
    "made rare class": lambda: _classes(0.95, 12),
    "friedman 1": lambda: _values(datasets.make_friedman1, 13, heavy=False),
    "friedman 2, heavy tails": lambda: _values(datasets.make_friedman2, 14, heavy=True),
}


IMAGES: dict[str, Callable[[], Population]] = {"digit images": _digit_images}
"""Of which every column is a pixel."""


@cache
def population(name: str) -> Population:
    """Return a population by name; made once in a process."""
    return (MAKERS | IMAGES)[name]()
