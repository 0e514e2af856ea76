"""Data and models of the boundary cases; scikit-learn, NumPy and pandas only, since every environment runs it."""

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import real_data

MODELS = ("logistic", "forest", "network")
STEPS = 100
STEP = {"breast cancer": 0.1, "adult": 0.02}
"""Length of a step of a path, in standard deviations."""
ADULT_ROWS = 4000
N_MADE, P_MADE = 5000, 20


@dataclass(frozen=True)
class Table:
    """Standardised rows with two classes.

    Attributes
    ----------
    X : ndarray of shape (n, p)
        Of mean 0 and standard deviation 1 over all rows.
    train : ndarray
        Positions of the rows a model is fitted on, seven in ten.
    y : ndarray of shape (n,)
    """

    X: np.ndarray
    y: np.ndarray
    train: np.ndarray


@dataclass
class Counted:
    """A fitted model that counts the rows it is asked about."""

    model: Any
    rows: int = 0

    @property
    def classes_(self) -> np.ndarray:
        """Its classes."""
        return self.model.classes_

    def predict(self, X: Any) -> np.ndarray:
        """Labels, shape (n,)."""
        self.rows += len(X)
        return self.model.predict(X)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities, shape (n, 2)."""
        self.rows += len(X)
        return self.model.predict_proba(X)


@cache
def table(name: str, seed: int = 0) -> Table:
    """One of the numeric data sets, with one of the splits."""
    X, y = {"breast cancer": _cancer, "adult": _adult_numbers}[name]()
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    train, _ = train_test_split(np.arange(len(X)), test_size=0.3, stratify=y, random_state=seed)
    return Table(X, y, train)


def _cancer() -> tuple[np.ndarray, np.ndarray]:
    return load_breast_cancer(return_X_y=True)


def _adult_numbers() -> tuple[np.ndarray, np.ndarray]:
    people = real_data.adult("train")[:ADULT_ROWS]
    married = people["marital-status"].str.startswith("Married")
    numbers = people[["age", "education-num", "capital-gain", "hours-per-week"]].assign(married=married)
    return numbers.to_numpy(float), (people["income"] == ">50K").to_numpy(int)


@cache
def fitted(data: str, model: str, seed: int = 0) -> Any:
    """One of the models on the training rows of a numeric data set."""
    made = {
        "logistic": LogisticRegression(),
        "forest": RandomForestClassifier(100, random_state=seed),
        "network": MLPClassifier((5,), max_iter=2000, random_state=seed),
    }
    rows = table(data, seed)
    return made[model].fit(rows.X[rows.train], rows.y[rows.train])


def instances(data: str, model: str, seed: int = 0, n: int = 100) -> np.ndarray:
    """Positions of random rows of class 1 that are predicted 1."""
    rows = table(data, seed)
    right = np.flatnonzero((rows.y == 1) & (fitted(data, model, seed).predict_proba(rows.X)[:, 1] > 0.5))
    return np.random.default_rng(seed).permutation(right)[:n]


@cache
def made(model: str) -> tuple[Any, np.ndarray]:
    """Fit a model of the detection case on rows of 20 numbers; return it and these rows, standardised."""
    X, y = make_classification(N_MADE, P_MADE, n_informative=10, random_state=0)
    X = StandardScaler().fit_transform(X)
    models = {
        "forest": RandomForestClassifier(100, n_jobs=1, random_state=0),
        "network": MLPClassifier((50,), max_iter=300, tol=1e-3, random_state=0),
    }
    return models[model].fit(X[:4000], y[:4000]), X


@dataclass(frozen=True)
class Credit:
    """People of whom something is decided, with what may not change.

    Attributes
    ----------
    X : DataFrame
        Numbers and text.
    y : ndarray of shape (n,)
    numbers : list of str
    fixed : list of str
        Columns that stay.
    rising : str
        The column that may only increase.
    """

    X: pd.DataFrame
    y: np.ndarray
    numbers: list[str]
    fixed: list[str]
    rising: str = "age"

    @property
    def ranges(self) -> dict[str, list[float]]:
        """Smallest and largest value of each column of numbers."""
        return {name: [float(self.X[name].min()), float(self.X[name].max())] for name in self.numbers}


@cache
def credit(name: str) -> Credit:
    """Adult or German Credit as a person has it: numbers and text, one column a trait."""
    return {"adult": _adult, "german credit": _german}[name]()


def _adult() -> Credit:
    people = real_data.adult("train")[:ADULT_ROWS].reset_index(drop=True)
    y = (people.pop("income") == ">50K").to_numpy(int)
    X = people.drop(columns=["fnlwgt", "native-country", "education"])
    numbers = ["age", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    return Credit(X.astype(dict.fromkeys(numbers, int)), y, numbers, ["sex", "race"])


def _german() -> Credit:
    rows = pd.concat([real_data.german("train"), real_data.german("test")], ignore_index=True)
    y = rows.pop("credit-risk").to_numpy(int)
    groups: dict[str, list[str]] = {}
    for column in rows:
        stem, _, level = column.rpartition("_")
        if stem and level.isdigit():
            groups.setdefault(stem, []).append(column)
    X = rows.drop(columns=[column for columns in groups.values() for column in columns])
    numbers = list(X.columns.drop("foreign-worker"))
    X = X.astype(dict.fromkeys(numbers, int)).astype({"foreign-worker": str})
    for stem, columns in groups.items():
        X[stem] = rows[columns].to_numpy().argmax(axis=1).astype(str)
    return Credit(X, y, numbers, ["personal-status-sex", "foreign-worker"])


@cache
def fitted_credit(name: str, model: str) -> Any:
    """Fit a pipeline on seven in ten of the people."""
    people = credit(name)
    train, _ = train_test_split(np.arange(len(people.X)), test_size=0.3, stratify=people.y, random_state=0)
    texts = [column for column in people.X if column not in people.numbers]
    encode = make_column_transformer(
        (StandardScaler(), people.numbers), (OneHotEncoder(handle_unknown="ignore", sparse_output=False), texts)
    )
    made = {
        "forest": RandomForestClassifier(100, min_samples_leaf=3, random_state=0),
        "network": MLPClassifier((20,), max_iter=400, tol=1e-3, random_state=0),
    }
    return make_pipeline(encode, made[model]).fit(people.X.iloc[train], people.y[train])


def declined(name: str, model: str, n: int = 50) -> np.ndarray:
    """Positions of random people whom the model gives class 0."""
    no = np.flatnonzero(fitted_credit(name, model).predict(credit(name).X) == 0)
    return np.random.default_rng(0).permutation(no)[:n]
