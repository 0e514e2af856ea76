"""Shares are written in per cent and other metrics as numbers: every metric, wherever one is written."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

import tauscope as ts
from tauscope.figures.stress.panel import value_range
from tauscope.stress.metric_definitions import BY_ROWS, METRICS, ON_REQUEST
from tauscope.views.stress.curves import StressCurvesView

SHARES = {
    "portion_yes", "error_rate", "true_positive_rate", "false_positive_rate", "false_discovery_rate", "accuracy",
    "balanced_accuracy", "precision", "recall", "specificity", "false_negative_rate", "recall_macro", "hamming_loss",
}  # fmt: skip
BINARY = ["portion_yes", *(each.name for each in (*METRICS, *ON_REQUEST, *BY_ROWS) if "binary" in each.tasks)]
OF_SKLEARN = ["recall_macro", "hamming_loss", "jaccard", "matthews_corrcoef", "cohen_kappa_score", "d2_brier_score"]
REGRESSION = [each.name for each in (*METRICS, *ON_REQUEST, *BY_ROWS) if "regression" in each.tasks]
OLDER = ts.Mean("age", tau=0.4)
PERCENT = re.compile(r"(?<![\d.,])([\d,.]*\d) (?:%|pt|points)")
PLAIN = re.compile(r"(?<![\d.,])(\d[\d,]*\.?\d*)(?! ?%| pt| points|[\d.,])")


def rows(n=300):
    random = np.random.default_rng(5)
    X = pd.DataFrame({"age": random.normal(40, 10, n), "income": random.normal(3, 1, n)})
    sure = 0.08 * (X["age"] - 40) + X["income"] - 3 + random.normal(0, 0.7, n)
    return X, sure


@pytest.fixture(scope="module")
def binary():
    X, sure = rows()
    y = np.where(sure > 0.2, "yes", "no")
    return ts.Study(LogisticRegression().fit(X, y), X, y, progress=False)


@pytest.fixture(scope="module")
def regression():
    X, sure = rows()
    return ts.Study(LinearRegression().fit(X[:40], sure[:40]), X, sure, progress=False)


ANY = {
    "curves": lambda study, name: study.stress_curves(taus=5, metrics=name),
    "harm": lambda study, name: study.stress_curves(taus=5, metrics=name).harm(name, 0.05, worse="higher"),
    "refits": lambda study, name: study.refit_curves(
        LogisticRegression(), study.X, study.y, n_splits=2, taus=3, metrics=name, progress=False
    ),
}
BUILT_IN = {
    "surface": lambda study, name: study.stress_surface("age", "income", taus=3, metrics=name),
    "reweight": lambda study, name: study.reweight(OLDER, metrics=name),
    "towards": lambda study, name: study.towards(study.X[:90], study.y[:90], metrics=name),
    "scenarios": lambda study, name: study.compare_scenarios([ts.Scenario("older", {"age": 0.4})], metrics=name),
    "by": lambda study, name: study.metrics_by(study.X["income"] > 3, metrics=name),
    "compare": lambda study, name: ts.compare(study, study, OLDER, metrics=name),
    "joint": lambda study, name: study.joint_stress(metrics=name),
    "worst case": lambda study, name: study.worst_case(name, within={"kl": 0.02}, features=["age"], worse="higher"),
}
OF_A_REGRESSION = {key: verb for key, verb in (ANY | BUILT_IN).items() if key != "refits"}
CASES = (
    *(("binary", verb, name) for verb in ANY for name in (*BINARY, *OF_SKLEARN)),
    *(("binary", verb, name) for verb in BUILT_IN for name in BINARY),
    *(("regression", verb, name) for verb in OF_A_REGRESSION for name in REGRESSION),
)


def texts(result):
    """What a result says and what it shows in a notebook, without marks."""
    bundle = result._repr_mimebundle_()
    bundle = bundle[0] if isinstance(bundle, tuple) else bundle or {}
    shown = "\n".join(re.sub("<[^>]*>", " ", text) for kind, text in bundle.items() if kind.startswith("text/"))
    return f"{result!r}\n{result}", shown


def numbers(pattern, text):
    return [float(found.replace(",", "")) for found in pattern.findall(text)]


@pytest.mark.slow
@pytest.mark.parametrize(("of", "verb", "name"), CASES)
def test_shares_alone_are_in_per_cent(request, of, verb, name):
    study, is_share = request.getfixturevalue(of), name in SHARES
    value = abs(float(study.stress_curves(["age"], taus=3, metrics=name)._curves.value[0, 0, 1]))
    result = (ANY | BUILT_IN)[verb](study, name)
    said, shown = texts(result)
    # a frame has shares as numbers; what is 0 or 1 stands for much else
    near = [each for each in numbers(PERCENT, f"{said}\n{shown}") if abs(each / 100 - value) < 2e-4]
    assert is_share or value < 0.01 or value > 0.999 or near == []
    plain = [each for each in numbers(PLAIN, said) if abs(each - value) < 2e-4]
    assert not is_share or plain == []
    assert "0.0 pt" not in said
    assert not re.search(r"[-+−]0(\.0+)?(?![\d.,])", said)
    drawn = json.dumps(result.chart().to_dict()) if hasattr(result, "chart") else ""
    assert is_share or "datum.value * 100" not in drawn


@pytest.mark.parametrize("name", [*BINARY, *OF_SKLEARN])
def test_the_page_is_told_how_a_metric_is_written(binary, name):
    kind = StressCurvesView(binary.stress_curves(["age"], taus=3, metrics=name)).message["metrics"][0]["kind"]
    assert (kind == "share") == (name in SHARES)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*BINARY, *OF_SKLEARN])
def test_axes_of_metrics_between_0_and_1_end_there(binary, name):
    curves = binary.stress_curves(taus=5, metrics=name)
    if curves._curves.metrics[0].kind != "value":
        low, high = value_range(curves, name, curves.feature_names, curves.feature_names, ())
        assert 0 <= low < high <= 1
