"""The study that the browser tests show: the notebooks run this text, the tests its functions."""

from typing import Any

SOURCE = '''\
import json

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tauscope as ts

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X.iloc[:, :6].copy()
X["size"] = pd.cut(X["mean area"], [0, 400, 800, np.inf], labels=["small", "medium", "large"]).astype(str)
X.loc[::17, "mean texture"] = np.nan
numbers = make_pipeline(SimpleImputer(), StandardScaler())
columns = ColumnTransformer([("size", OneHotEncoder(), ["size"])], remainder=numbers)
model = make_pipeline(columns, LogisticRegression()).fit(X[::2], y[::2])

curves = ts.Study(model, X, y).stress_curves()


def in_python(view):
    """What the widget must show, computed here at its own traits."""
    # Read once: JupyterLab delivers a trait's change on a thread of its own while a cell runs.
    tau, feature, metric = view.tau, view.feature, view.metric
    frame = curves.at([tau]).frame
    chosen = (frame["feature"] == feature) & (frame["metric"] == metric) & (frame["tau"] == tau)
    numbers = frame[chosen].iloc[0].drop("note").to_dict()
    return json.dumps(numbers)
'''

EFFECT_SOURCE = '''

study = ts.Study(model, X, y)
effect = study.effect("mean radius", grid=30)


def effect_in_python(view):
    """What the effect widget must show, computed here under its own stress by the study."""
    stress, kind = view.stress, view.kind
    if not stress["taus"]:
        found = study.effect("mean radius", grid=30, kind=kind).frame
        return json.dumps({"stress": stress, **found.iloc[0].to_dict()})
    ((feature, tau),) = stress["taus"].items()
    mean = ts.Mean(feature, tau=tau) if "=" not in feature else ts.Share(*feature.split(" = "), tau=tau)
    solved = study.reweight(mean)
    under = study.under(mean).effect("mean radius", grid=30, kind=kind).frame.iloc[0].to_dict()
    moved = study.effect("mean radius", grid=30, kind=kind).under(mean)
    frame = moved.frame.iloc[0].to_dict()
    distance = {"tv": solved.tv, "ess": solved.ess, "kl": solved.kl}
    band = {name: frame[name] for name in ("certified_lower", "certified_upper", "paper_lower", "paper_upper")}
    return json.dumps({"stress": stress, **under, **distance, **band})
'''


def run() -> dict[str, Any]:
    """Run the study in this process and return its names."""
    names: dict[str, Any] = {}
    exec(SOURCE + EFFECT_SOURCE, names)
    return names
