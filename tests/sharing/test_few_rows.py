"""Pages and reports of one to six rows: what cannot be answered is left out, with its reason."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

import tauscope as ts

RNG = np.random.default_rng(0)
X = pd.DataFrame({"a": RNG.normal(size=60), "b": RNG.normal(size=60)})
THREE = np.digitize(X["a"], [-0.4, 0.4])
LABELS = {
    "binary": (LogisticRegression(), (X["a"] > 0).to_numpy().astype(int)),
    "multiclass": (LogisticRegression(), THREE),
    "regression": (LinearRegression(), (X["a"] + X["b"]).to_numpy()),
}


@pytest.mark.slow
@pytest.mark.parametrize("n", range(2, 7))
@pytest.mark.parametrize("kind", LABELS)
def test_few_rows_have_a_page_and_a_report(kind: str, n: int, tmp_path: Path) -> None:
    model, y = LABELS[kind]
    order = np.argsort(np.abs(X["a"].to_numpy()))[:n]
    order[0] = int(np.argmax(X["a"]))
    order[1] = int(np.argmin(X["a"]))
    study = ts.Study(model.fit(X, y), X.iloc[order], y[order], progress=False)
    study.save(tmp_path / "page.html")
    study.report(tmp_path / "report.html", row=0)
    assert study.rules(0, progress=False).explanation._forest.min_rows <= n


@pytest.mark.slow
def test_what_rules_need_is_said_on_the_page_and_in_the_report(tmp_path: Path) -> None:
    rows = X.iloc[:4]
    study = ts.Study(lambda given: np.tile([0.1, 0.2, 0.7], (len(given), 1)), rows, [0, 1, 2, 2], progress=False)
    study.save(tmp_path / "page.html")
    study.report(tmp_path / "report.html", row=0)
    for name in ("page.html", "report.html"):
        assert "Rules need decisions that differ" in (tmp_path / name).read_text("utf-8")
    with pytest.raises(ts.InputError, match="Rules need decisions that differ"):
        study.save(tmp_path / "page.html", views="rules")
