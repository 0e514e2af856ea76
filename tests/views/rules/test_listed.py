import json

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from tauscope.views.rules import listed
from tauscope.views.rules.listed import listed_wire, sampled_rows
from wire.write_rules import found, rows

LEVELS, NONE = 3, 23
SMALL = {"pi": 0.7, "n_estimators": 4, "n_drawn": 0, "max_rules": 2}


def read(sent, n):
    floats = np.frombuffer(sent.entries, "<f4").reshape(-1, n)
    return dict(zip([column["name"] for column in sent.listed["columns"]], floats, strict=True))


def test_rows_have_their_own_answers_and_values():
    result = found(LEVELS)
    sent = listed_wire(result)
    json.dumps(sent.listed, allow_nan=False)
    places = np.frombuffer(sent.places, "<u4")
    assert sorted(places) == list(range(160))
    X = rows()
    values = read(sent, 160)
    np.testing.assert_allclose(values["age"], X["age"].to_numpy()[places])
    np.testing.assert_allclose(values["slope"], X["slope"].to_numpy()[places], rtol=1e-6)
    levels = next(one["levels"] for one in sent.listed["columns"] if one["kind"] == "levels")
    assert [levels[int(code)] for code in values["<b>level</b>"]] == X["<b>level</b>"].to_numpy()[places].tolist()
    decided = [sent.listed["classes"][int(code)] for code in np.frombuffer(sent.decided, "<f4")]
    assert decided == result.source.predicted[places].astype(int).choose(result.source.classes).tolist()
    assert (sent.listed["score"], sent.scores, sent.listed["n_study"]) == ("", b"", 160)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_of_the_model(n_classes):
    X = pd.DataFrame({"a": np.sin(np.arange(120)), "b": np.cos(3 * np.arange(120))})
    y = np.digitize(X["a"], [0.2] if n_classes == 2 else [-0.4, 0.4])
    model = LogisticRegression().fit(X, y)
    study = ts.Study(model, X, y, progress=False)
    row = int(np.flatnonzero(study.predicted == 0)[0])
    sent = listed_wire(study.rules(row, **SMALL))
    shown = 1 if n_classes == 2 else 0
    assert sent.listed["score"] == f"probability of {shown}"
    assert sent.listed["probability"] is True
    expected = model.predict_proba(X)[np.frombuffer(sent.places, "<u4"), shown]
    np.testing.assert_allclose(np.frombuffer(sent.scores, "<f4"), expected, rtol=1e-5)


def test_values_of_a_regression_and_dates_as_days():
    days = pd.date_range("2020-01-01", periods=120, freq="D")
    X = pd.DataFrame({"when": days, "a": np.arange(120) % 7})
    study = ts.Study(lambda rows: np.where(rows["when"] > days[60], 8.0, 2.0) + rows["a"] / 100, X, progress=False)
    sent = listed_wire(study.rules(100, t=1.0, **SMALL))
    places = np.frombuffer(sent.places, "<u4")
    assert (sent.listed["classes"], sent.listed["columns"][0]["kind"]) == ([], "date")
    np.testing.assert_allclose(
        np.frombuffer(sent.decided, "<f4"), np.where(places > 60, 8, 2) + places % 7 / 100, rtol=1e-6
    )
    np.testing.assert_array_equal(read(sent, 120)["when"], 18262 + places)


def test_past_the_budget_fewer_rows_are_sent(monkeypatch):
    result = found(LEVELS)
    monkeypatch.setattr(listed, "BUDGET", 4000)
    kept = sampled_rows(result.rows)
    assert 0 < len(kept) < 160
    assert kept.tolist() == sorted(set(kept.tolist()))
    sent = listed_wire(result)
    np.testing.assert_array_equal(np.frombuffer(sent.places, "<u4"), result.rows.position[kept])
    assert sent.listed["n_study"] == 160


def test_without_a_rule_there_are_no_rows():
    sent = listed_wire(found(NONE))
    assert (sent.places, sent.entries, sent.listed["columns"]) == (b"", b"", [])
