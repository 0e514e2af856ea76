"""People of Adult and a boosting that decides about them: those the rules are made on, and those they are judged on."""

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import real_data

N_MADE_ON = 6000
"""People of Adult's test file that rules are made on; they are judged on the others of it."""
NUMBERS = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
N_PEOPLE = 100


@dataclass(frozen=True)
class People:
    """Rows with the boosting's answers to them, which was fitted on others.

    Attributes
    ----------
    made_on, judged_on : DataFrame
    y : ndarray
        Labels of those made on.
    answers : ndarray of shape (len(judged_on),)
    model : fitted pipeline
    """

    made_on: pd.DataFrame
    judged_on: pd.DataFrame
    y: np.ndarray
    answers: np.ndarray
    model: Any


@cache
def people() -> People:
    """Fit on Adult's training file, and split its test file."""
    train, test = real_data.adult("train"), real_data.adult("test")
    texts = [column for column in train if column not in (*NUMBERS, "income")]
    encode = make_column_transformer(
        (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), texts), remainder="passthrough"
    )
    model = make_pipeline(encode, HistGradientBoostingClassifier(random_state=0))
    model.fit(train.drop(columns="income"), train["income"])
    rows, y = test.drop(columns="income"), test["income"].to_numpy()
    judged_on = rows[N_MADE_ON:].reset_index(drop=True)
    return People(rows[:N_MADE_ON], judged_on, y[:N_MADE_ON], model.predict(judged_on), model)


def explained(n: int = N_PEOPLE) -> np.ndarray:
    """Positions of random people among those that rules are made on."""
    return np.random.default_rng(0).permutation(N_MADE_ON)[:n]
