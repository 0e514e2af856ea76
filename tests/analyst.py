"""A credit analyst's first hour: a gradient boosting of incomes, and the five questions asked of it, a line each."""

from functools import cache
from typing import Any

import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import real_data
import tauscope as ts

LINES = {
    "older": 'study.reweight(ts.Mean("age", shift=5)).metrics',
    "by sex": 'study.reweight(ts.Mean("age", shift=5)).by("sex")',
    "harm": 'study.stress_curves().harm("error_rate")',
    "together": 'study.reweight(ts.Mean("age", shift=5) & ts.Mean("education-num", shift=1)).metrics',
    "trust": 'study.effect("hours-per-week").breakdown()',
}


@cache
def rows(part: str) -> tuple[pd.DataFrame, pd.Series]:
    """Adult's "train" or "test" without the survey's weights, and the incomes."""
    frame = real_data.adult(part).drop(columns="fnlwgt")
    return frame.drop(columns="income"), frame["income"]


@cache
def model() -> Any:
    """The boosting, fitted on the training rows."""
    X, y = rows("train")
    texts = X.select_dtypes(exclude="number").columns.tolist()
    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    boosting = HistGradientBoostingClassifier(max_iter=40, random_state=0)
    return make_pipeline(make_column_transformer((codes, texts), remainder="passthrough"), boosting).fit(X, y)


@cache
def study() -> ts.Study:
    """The model judged on the test rows."""
    return ts.Study(model(), *rows("test"))


@cache
def answer(question: str) -> Any:
    """What the line of a question gives."""
    return eval(LINES[question], {"study": study(), "ts": ts})
