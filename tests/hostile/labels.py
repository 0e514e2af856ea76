"""Labels, targets and models of odd kinds, asked for metrics that are counted again from the raw labels."""

import datetime
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from sklearn.metrics import average_precision_score, f1_score, r2_score, roc_auc_score

import tauscope as ts
from hostile.effects import check_said
from hostile.stress import check_numbers


def _of(values):
    """Draw from these values, each of which keeps its type."""
    table = np.empty(len(values), dtype=object)
    table[:] = values
    return lambda rng, n: table[rng.integers(len(values), size=n)]


def _rarely(values, odd):
    """Draw from these values, and put an odd one into one row."""

    def draw(rng, n):
        out = _of(values)(rng, n)
        out[rng.integers(n)] = odd
        return out

    return draw


LABELS = {
    "0 and 1": lambda rng, n: rng.integers(0, 2, size=n),
    "-1 and 1": lambda rng, n: rng.choice([-1, 1], size=n),
    "small unsigned": lambda rng, n: rng.integers(1, 3, size=n).astype(np.uint8),
    "float32": lambda rng, n: rng.integers(0, 2, size=n).astype(np.float32),
    "halves": lambda rng, n: rng.choice([0.5, 1.5, 2.5], size=n),
    "whole floats": lambda rng, n: rng.choice([0.0, 1.0, 2.0], size=n),
    "beyond 2^53": lambda rng, n: 2**53 + rng.integers(0, 3, size=n),
    "beyond 2^63": _of([2**63, 2**63 + 1]),
    "booleans": lambda rng, n: rng.random(n) < 0.5,
    "text": lambda rng, n: rng.choice(["no", "yes"], size=n),
    "text objects": _of(["no", "yes", ""]),
    "digits": _of(["0", "1"]),
    "digits and numbers": _of(["1", 1, 2]),
    "True and 1": _of([True, 1, 0]),
    "mixed": _of([1, "a", 2.5, True]),
    "markup": _of(["</script>", "__proto__", "nan"]),
    "tuples": _of([(1, 2), (3,)]),
    "lists": _of([[1], [2]]),
    "bytes": _of([b"a", b"b"]),
    "decimals": _of([Decimal("1.5"), Decimal("2")]),
    "dates": _of([datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)]),
    "instants": lambda rng, n: rng.choice(np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[ns]"), size=n),
    "levels": lambda rng, n: pd.Categorical(rng.choice(list("uvw"), size=n), categories=list("uvwx")),
    "nullable": lambda rng, n: pd.array(rng.integers(0, 2, size=n), dtype="Int64"),
    "a None": _rarely(["a", "b"], None),
    "a NaN": _rarely([0.0, 1.0], np.nan),
    "a pd.NA": _rarely([0, 1], pd.NA),
    "all None": _of([None]),
    "one class": _of(["a"]),
    "a rare class": _rarely(["a", "b"], "c"),
    "nine classes": lambda rng, n: rng.integers(0, 9, size=n),
    "as many as rows": lambda rng, n: np.arange(n).astype(str),
    "complex": _of([1j, 2j]),
    "surrogate": _of(["\ud800", "a"]),
    "long": _of(["a" * 1000, "b"]),
}
TARGETS = {
    "ordinary": lambda rng, n: rng.normal(size=n),
    "constant": lambda rng, n: np.full(n, 3.0),
    "zero": lambda rng, n: np.zeros(n),
    "one far off": lambda rng, n: np.append(rng.normal(size=n - 1), 1e30),
    "large": lambda rng, n: rng.normal(size=n) * 1e140,
    "too large": lambda rng, n: rng.normal(size=n) * 1e200,
    "small": lambda rng, n: rng.normal(size=n) * 1e-140,
    "subnormal": lambda rng, n: rng.normal(size=n) * 1e-310,
    "offset": lambda rng, n: 1e9 + rng.normal(size=n),
    "infinite": lambda rng, n: np.append(rng.normal(size=n - 1), np.inf),
    "with a gap": lambda rng, n: np.append(rng.normal(size=n - 1), np.nan),
    "many whole": lambda rng, n: rng.integers(0, 1000, size=n),
    "int8": lambda rng, n: rng.integers(-128, 128, size=n).astype(np.int8),
    "float32": lambda rng, n: rng.normal(size=n).astype(np.float32),
    "decimals": lambda rng, n: np.array([Decimal(int(v)) / 7 for v in rng.integers(0, 99, size=n)]),
    "objects": lambda rng, n: rng.normal(size=n).astype(object),
    "text": lambda rng, n: rng.normal(size=n).astype(str),
}
CONTAINERS = {
    "array": lambda values: values,
    "list": lambda values: list(values),
    "Series": lambda values: pd.Series(values, index=np.arange(len(values))[::-1]),
    "polars": lambda values: pl.Series(values=list(values), strict=False),
    "Arrow": lambda values: pa.array(list(values)),
    "column": lambda values: np.asarray(values)[:, None],
}
WAYS = ("labels", "proba", "decision", "classifier", "function", "regressor", "y only", "no y")
FAULTS = ("",) * 12 + ("short", "long", "wide", "NaN", "text", "None", "scalar", "ragged", "empty", "reversed")


@dataclass
class LabelCase:
    """Labels or targets, what is answered, and how."""

    seed: int
    kind: str
    container: str
    way: str
    fault: str
    X: pd.DataFrame
    raw: object
    y: object
    predicted: object
    weight: object

    def __str__(self):
        return f"seed {self.seed}: {self.kind} in {self.container} by {self.way} {self.fault}"


def make_case(seed):
    rng = np.random.default_rng([seed, 7])
    n = int(rng.choice([3, 12, 40]))
    regression = rng.random() < 0.35
    known = TARGETS if regression else LABELS
    kind = str(rng.choice(list(known)))
    raw, predicted = known[kind](rng, n), known[kind](rng, n)
    container = str(rng.choice(list(CONTAINERS)))
    try:
        y = CONTAINERS[container](raw)
    except (TypeError, ValueError, OverflowError, UnicodeError, pa.ArrowException, pl.exceptions.PolarsError):
        container, y = "list", list(raw)  # what those libraries cannot hold themselves is not ours to refuse
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.integers(0, 4, size=n)})
    weight = [None, rng.uniform(0.1, 3, size=n)][int(rng.integers(2))]
    way, fault = str(rng.choice(WAYS)), str(rng.choice(FAULTS))
    return LabelCase(seed, kind, container, way, fault, X, raw, y, predicted, weight)


class Told:
    """A model that looks its answers up by the first column, and answers at fault where it is told to."""

    def __init__(self, case, rng):
        order = np.argsort(case.X["a"].to_numpy())
        self.known = case.X["a"].to_numpy()[order]
        self.labels = [list(case.predicted)[row] for row in order]
        self.fault = case.fault
        self.scores = rng.normal(size=len(order))
        self.classes_ = classes_of(case.predicted, case.raw)

    def at(self, X):
        return np.searchsorted(self.known, np.asarray(X["a"])).clip(0, len(self.known) - 1)

    def answer(self, values):
        """Give the values as they are, or at fault."""
        n = len(values)
        faults = {
            "short": lambda: values[:-1],
            "long": lambda: np.concatenate([values, values[:1]]),
            "wide": lambda: np.stack([values] * 3, axis=-1).reshape(n, -1),
            "NaN": lambda: np.where(np.arange(n) == n - 1, np.nan, 1.0),
            "text": lambda: np.full(n, "text"),
            "None": lambda: None,
            "scalar": lambda: 1.0,
            "ragged": lambda: [[1], [1, 2]] * n,
            "empty": lambda: np.zeros((n, 0)),
            "reversed": lambda: pd.Series(list(values), index=range(n)[::-1]) if values.ndim == 1 else values[:, ::-1],
        }
        return faults[self.fault]() if self.fault else values

    def predict(self, X):
        told = np.empty(len(X), dtype=object)
        told[:] = [self.labels[place] for place in self.at(X)]
        kinds = {type(label) for label in told.tolist()}
        return self.answer(np.array(told.tolist()) if len(kinds) == 1 and kinds <= {int, float, str, bool} else told)

    def predict_proba(self, X):
        first = 1 / (1 + np.exp(-self.scores[self.at(X)]))
        rest = max(1, len(self.classes_) - 1)
        return self.answer(np.column_stack([first, *([(1 - first) / rest] * rest)]))

    def decision_function(self, X):
        told = self.scores[self.at(X)]
        classes = len(self.classes_)
        return self.answer(told if classes == 2 else np.column_stack([told * k for k in range(classes)]))


def classes_of(*arrays):
    found = {}
    for array in arrays:
        for label in array:
            found[label if label.__hash__ else str(label)] = None
    return list(found)


class Predicts:
    """An object with `predict` alone, or with one more method."""

    def __init__(self, told, *more):
        self.predict = told.predict
        for name in more:
            setattr(self, name, getattr(told, name))


def study_of(case, rng):
    told = Told(case, rng)
    model = {
        "labels": Predicts(told),
        "proba": Predicts(told, "predict_proba", "classes_"),
        "decision": Predicts(told, "decision_function", "classes_"),
        "classifier": Predicts(told, "classes_"),
        "function": told.predict,
        "regressor": told.predict,
    }.get(case.way)
    if model is None:
        y = None if case.way == "no y" else case.y
        return ts.Study.from_predictions(case.X, y, case.predicted, sample_weight=case.weight)
    task = "regression" if case.way == "regressor" else "auto"
    return ts.Study(model, case.X, case.y, sample_weight=case.weight, task=task, progress=False)


def plain(case, study):
    """Give truth and answers as lists of Python values, where the case answers as it was told to."""
    lookup = not case.fault or case.way in ("y only", "no y")
    truth = None if study.y is None else [getattr(v, "item", lambda v=v: v)() for v in np.asarray(case.raw, object)]
    told = [getattr(v, "item", lambda v=v: v)() for v in np.asarray(case.predicted, object)]
    return (truth, told) if lookup else (None, None)


def expected_metrics(case, study, weights):
    """Count metrics again from the raw labels, under weights of the rows."""
    truth, told = plain(case, study)
    if told is None:
        return {}
    share = weights / weights.sum()
    if study._task == "regression":
        told = np.array(told, dtype=float)
        found = {"mean": share @ told}
        if truth is not None:
            found["rmse"] = np.sqrt(share @ (told - np.array(truth, dtype=float)) ** 2)
        return found
    if truth is None:
        return {}
    return {"error_rate": sum(w for w, a, b in zip(share, truth, told, strict=True) if a != b)}


def check_counted(case, study, frame, weights):
    found = frame.set_index("metric").value
    for name, expected in expected_metrics(case, study, weights).items():
        if name in found:
            np.testing.assert_allclose(found[name], expected, rtol=1e-6, atol=1e-9, err_msg=name)
    _, told = plain(case, study)
    if told is not None and study._task != "regression":
        share = weights / weights.sum()
        portions = [sum(w for w, b in zip(share, told, strict=True) if b == label) for label in study.classes]
        shown = found[found.index.str.startswith("portion_")].to_numpy()
        if study._task == "multiclass":
            np.testing.assert_allclose(shown, portions, rtol=1e-6, atol=1e-9)
        else:
            np.testing.assert_allclose(shown, portions[1:], rtol=1e-6, atol=1e-9)


def check_as_they_are(case, study, rng):
    frame = study.stress_curves("a", taus=[0]).frame
    check_numbers(frame[~frame.metric.isin(["variance", "rmse"])])
    weight = np.ones(len(case.X)) if case.weight is None else case.weight
    check_counted(case, study, frame, weight)


def check_moved(case, study, rng):
    tau = float(rng.choice([-0.5, 0.3]))
    frame = study.stress_curves(["a", "b"], taus=[tau]).frame
    answer = study.reweight(ts.Mean("a", tau=tau))
    check_counted(case, study, frame[(frame.feature == "a") & (frame.tau == tau)], answer.weights)
    check_counted(case, study, answer.metrics, answer.weights)


def check_on_request(case, study, rng):
    """Ask for metrics of the task by name, beside scikit-learn's."""
    if study._task == "regression":
        names = ["r2", "mean_absolute_error", "bias"]
    elif study._task == "multiclass":
        names = ["accuracy", "balanced_accuracy", "log_loss"]
    else:
        names = ["accuracy", "precision", "recall", "specificity", "f1", "roc_auc", "average_precision", "log_loss"]
    for name in names if study.y is not None else names[:1]:
        check_one_metric(case, study, name)


def check_one_metric(case, study, name):
    try:
        cell = study.stress_curves("a", taus=[0], metrics=[name]).frame.iloc[0]
    except ts.InputError:
        return
    if np.isnan(cell.value):
        assert cell.note, f"{name} is missing without a word"
        return
    weight = case.weight
    if name == "r2":
        truth = study._true_values - study._true_values.mean()
        if np.ptp(truth) > 0:
            expected = r2_score(truth, study.predicted - study._true_values.mean(), sample_weight=weight)
            np.testing.assert_allclose(cell.value, expected, rtol=1e-6, atol=1e-6)
    elif name in ("roc_auc", "average_precision") and len(np.unique(study._true_values)) == 2:
        by_hand = roc_auc_score if name == "roc_auc" else average_precision_score
        expected = by_hand(study._true_values == 1, study.score, sample_weight=weight)
        np.testing.assert_allclose(cell.value, expected, rtol=1e-9, err_msg=name)
    elif name == "f1":
        expected = f1_score(study._true_values, study.predicted, sample_weight=weight, zero_division=np.nan)
        np.testing.assert_allclose(cell.value, expected, rtol=1e-9)


def check_surface(case, study, rng):
    frame = study.stress_surface("a", "b", taus=[-0.5, 0, 0.5]).frame
    check_numbers(frame[~frame.metric.isin(["variance", "rmse"])])


def check_harm(case, study, rng):
    metric = str(rng.choice(study.stress_curves("a", taus=[0]).frame.metric))
    frame = study.stress_curves(metrics=[metric], taus=5).harm(metric, distance=0.05).frame
    assert not (frame.change.isna() & (frame.reliability == "reliable")).any()


def check_effect(case, study, rng):
    check_said(study.effect("a", grid=3, kind=str(rng.choice(["pd", "cd", "ale"])), progress=False))


def check_one_class(case, study, rng):
    label = list(study.classes)[int(rng.integers(max(1, len(study.classes))))] if study.classes else None
    effect = study.effect("b", grid=2, target_class=label, progress=False)
    check_said(effect)
    assert effect.frame.effect.notna().all()


def check_part(case, study, rng):
    """Of rows of one class only."""
    part = study.where(study.predicted == study.predicted[0])
    frame = part.stress_curves("a", taus=3).frame
    check_numbers(frame[~frame.metric.isin(["variance", "rmse"])])


def check_boundary(case, study, rng):
    found = study.boundary(0, max_model_rows=500, progress=False)
    assert np.isfinite(found.distance) == (found.status == "found")


def check_rules(case, study, rng):
    found = study.sufficient(0)
    assert 0 <= found.frame.sdp.min() <= found.frame.sdp.max() <= 1 + 1e-9


VERBS = (
    check_as_they_are, check_moved, check_on_request, check_surface, check_harm, check_effect, check_one_class,
    check_part, check_boundary, check_rules,
)  # fmt: skip
