"""How far expected error and selection rates are from those observed on another sample, beside other guesses.

Biased samples of real sets and of made ones: the label depends on the features in the same way there, their
distribution differs. And real groups, which differ in more than any column says.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tauscope as ts
from populations import real_data
from report import Row

MOST_ROWS = 4_000
SEEDS = 3
STEEP = 1.5
"""How the log odds to be in the new sample rise with a standard deviation of the column that biases it."""
CLIPPED = 0.99
"""Quantile at which importance weights are cut."""
WAYS = ("as tested", "means", "means and variances", "classifier, linear", "classifier, trees", "confidence", "ATC")


@dataclass(frozen=True)
class Shift:
    """One shift: rows to fit on, rows tested, and rows of another population with their labels."""

    kind: str
    name: str
    X: pd.DataFrame
    y: np.ndarray
    fitted: np.ndarray
    tested: np.ndarray
    new: np.ndarray
    left_out: tuple[str, ...] = ()


def measure() -> list[Row]:
    """Return the mean absolute error of each way, by kind of shift; ours with means in front of the best other."""
    found: dict[tuple[str, str], list[dict[str, float]]] = {}
    held: dict[str, list[bool]] = {}
    for shift in shifts():
        for metric, (errors, inside) in judge(shift).items():
            found.setdefault((shift.kind, metric), []).append(errors)
            held.setdefault(shift.kind, []).append(inside)
    return [_row(kind, metric, errors, held[kind]) for (kind, metric), errors in found.items()]


def _row(kind: str, metric: str, errors: list[dict[str, float]], held: list[bool]) -> Row:
    table = pd.DataFrame(errors)
    means, sems = table.mean(), table.sem()
    others = {way: means[way] for way in WAYS if way not in ("means", "means and variances")}
    best = min(others, key=lambda way: others[way])
    listed = ", ".join(f"{way} {100 * means[way]:.2f} ± {100 * sems[way]:.2f}" for way in WAYS)
    return Row(
        f"towards, {metric}, {kind}",
        "points off",
        ours=float(100 * means["means"]),
        other=float(100 * others[best]),
        note=f"mean absolute error over {len(table)} shifts ± standard error: {listed}; other: {best}; "
        f"{100 * np.mean(held):.0f} % of our 95 % intervals of both rates meet that of what is observed",
    )


def shifts() -> Iterator[Shift]:
    """Yield every shift."""
    for seed in range(SEEDS):
        for name, (X, y) in tables().items():
            for column in biasing(X):
                yield biased(name, X, y, column, seed)
        yield from made(seed)
        yield from groups(seed)


def tables() -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Return real sets of two classes."""
    cancer = load_breast_cancer(as_frame=True)
    german = pd.concat([real_data.german("train"), real_data.german("test")], ignore_index=True)
    return {
        "adult": _adult(),
        "german": (german.drop(columns="credit-risk"), german["credit-risk"].to_numpy()),
        "breast cancer": (cancer.data, cancer.target.to_numpy()),
    }


def _adult() -> tuple[pd.DataFrame, np.ndarray]:
    people = pd.concat([real_data.adult("train"), real_data.adult("test")], ignore_index=True)
    y = people.pop("income").str.startswith(">50K").to_numpy(int)
    return people.drop(columns=["fnlwgt", "education"]), y


def biasing(X: pd.DataFrame) -> list[str]:
    """Return the three columns of numbers with most different values."""
    numbers = X.select_dtypes("number")
    return list(numbers.nunique().sort_values(ascending=False, kind="stable").index[:3])


def biased(name: str, X: pd.DataFrame, y: np.ndarray, column: str, seed: int) -> Shift:
    """Draw rows into the new sample the likelier, the larger a column is."""
    rng = np.random.default_rng(seed)
    ranks = X[column].rank(pct=True).to_numpy() - 0.5
    new = rng.random(len(X)) < 1 / (1 + np.exp(-STEEP * ranks / ranks.std()))
    return _split("biased samples", f"{name} by {column}", X, y, new, rng)


def made(seed: int) -> Iterator[Shift]:
    """Yield made rows of which the new ones are moved and more spread."""
    for curved in (False, True):
        rng = np.random.default_rng((seed, curved))
        rows = rng.normal(size=(6_000, 6))
        new = np.arange(6_000) >= 3_000
        rows[new] = 0.4 + 1.1 * rows[new]
        lin = rows[:, 0] + 0.5 * rows[:, 1] * rows[:, 2] if curved else rows[:, 0] - rows[:, 1]
        y = (lin + rng.logistic(scale=0.6, size=len(rows)) > 0).astype(int)
        X = pd.DataFrame(rows, columns=[f"x{j}" for j in range(6)])
        yield _split("made samples", "curved" if curved else "linear", X, y, new, rng)


def groups(seed: int) -> Iterator[Shift]:
    """Yield real groups of Adult, told apart by a column that is left out."""
    X, y = _adult()
    parts = {
        "sex": X["sex"] == "Female",
        "workclass": X["workclass"].str.contains("gov"),
        "native-country": X["native-country"] != "United-States",
        "race": X["race"] != "White",
    }
    for column, new in parts.items():
        rng = np.random.default_rng(seed)
        yield _split("real groups", f"adult by {column}", X, y, new.to_numpy(), rng, (column,))


def _split(
    kind: str,
    name: str,
    X: pd.DataFrame,
    y: np.ndarray,
    new: np.ndarray,
    rng: np.random.Generator,
    left_out: tuple[str, ...] = (),
) -> Shift:
    here, there = rng.permutation(np.flatnonzero(~new)), rng.permutation(np.flatnonzero(new))
    third = len(here) // 3
    tested = here[third : third + MOST_ROWS]
    return Shift(kind, name, X, y, here[:third], tested, there[:MOST_ROWS], left_out)


def judge(shift: Shift) -> dict[str, tuple[dict[str, float], bool]]:
    """Return how far each way is off, by metric, and whether our interval meets that of what is observed."""
    frame = shift.X.drop(columns=list(shift.left_out))
    coded = pd.get_dummies(frame, dtype=float)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=400))
    model.fit(coded.iloc[shift.fitted], shift.y[shift.fitted])

    def predict(rows: pd.DataFrame) -> np.ndarray:
        return model.predict_proba(pd.get_dummies(rows, dtype=float).reindex(columns=coded.columns, fill_value=0.0))[
            :, 1
        ]

    here, new = frame.iloc[shift.tested].reset_index(drop=True), frame.iloc[shift.new].reset_index(drop=True)
    study = ts.Study(predict, here, shift.y[shift.tested], task="binary", progress=False)
    names = ["error_rate", "portion_1"]
    there = study.towards(new, shift.y[shift.new], metrics=names)
    more = study.towards(new, moments=("mean", "variance"), metrics=names)
    weights = _importance(coded.iloc[shift.tested].to_numpy(), coded.iloc[shift.new].to_numpy())
    scores = predict(here), predict(new)
    wrong = ((scores[0] > 0.5) != shift.y[shift.tested]).astype(float)
    confident = [np.maximum(score, 1 - score) for score in scores]
    by_row = {"error_rate": wrong, "portion_1": (scores[0] > 0.5).astype(float)}
    out: dict[str, tuple[dict[str, float], bool]] = {}
    for k, metric in enumerate(names):
        row = there.metrics.iloc[k]
        guesses = {
            "as tested": row["before"],
            "means": row["value"],
            "means and variances": more.metrics["value"][k],
            **{way: float(np.average(by_row[metric], weights=w)) for way, w in weights.items()},
        }
        if metric == "error_rate":
            guesses["confidence"] = float(1 - confident[1].mean())
            guesses["ATC"] = float(np.mean(confident[1] < np.quantile(confident[0], wrong.mean())))
        else:  # with the new rows at hand it is known
            guesses |= {"confidence": np.nan, "ATC": np.nan}
        errors = {way: abs(guess - row["observed"]) for way, guess in guesses.items()}
        meets = row["lower"] <= row["observed_upper"] and row["observed_lower"] <= row["upper"]
        out[metric] = errors, bool(meets)
    return out


def _importance(here: np.ndarray, new: np.ndarray) -> dict[str, np.ndarray]:
    """Return weights p / (1 - p) of classifiers that tell the samples apart, each row judged by one of other rows."""
    rows, label = np.vstack([here, new]), np.repeat([0, 1], [len(here), len(new)])
    models: dict[str, Any] = {
        "classifier, linear": make_pipeline(StandardScaler(), LogisticRegression(max_iter=300)),
        "classifier, trees": HistGradientBoostingClassifier(max_iter=50, random_state=0),
    }
    out: dict[str, np.ndarray] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for way, model in models.items():
            p = cross_val_predict(model, rows, label, cv=5, method="predict_proba")[: len(here), 1]
            odds = p / (1 - p)
            out[way] = np.minimum(odds, np.quantile(odds, CLIPPED))
    return out
