"""The table of rows as data: its frame, the names of its columns, the threshold between two classes."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results import every
from tauscope.errors import InputError, UnknownName

N = 40


def mixed(**columns):
    i = np.arange(N)
    level = np.array(["x", "y"], dtype=object)[i % 2]
    level[3] = None
    X = pd.DataFrame(
        {
            "age": 20 + i,
            "level": level,
            "flag": i % 3 == 0,
            "signed": pd.Timestamp("2020-01-01") + pd.to_timedelta(i, unit="D"),
            "stay": pd.to_timedelta(1.5 * i, unit="D"),
            **columns,
        }
    )
    return X


def test_the_frame_has_every_row_in_its_own_units():
    X = mixed()
    y, score = np.resize(["no", "yes"], N), np.linspace(0.01, 0.99, N)
    weight = 1.0 + np.arange(N) % 3
    study = ts.Study.from_predictions(X, y, y_score=score, sample_weight=weight)
    frame = study.table().frame
    assert frame.columns.tolist() == ["row", "predicted", "truth", "score", *X.columns, "weight"]
    assert frame["row"].tolist() == list(range(N))
    assert frame["truth"].tolist() == y.tolist()
    assert frame["predicted"].tolist() == np.where(score > 0.5, "yes", "no").tolist()
    np.testing.assert_array_equal(frame["score"], score)
    np.testing.assert_array_equal(frame["age"], X["age"])
    assert frame["level"].tolist() == ["x", "y", "x", None, *["x", "y"] * 18]
    assert frame["flag"].tolist() == [str(flag) for flag in X["flag"]]
    assert (frame["signed"] == X["signed"]).all()
    assert (frame["stay"] == X["stay"]).all()
    np.testing.assert_allclose(frame["weight"], weight / weight.mean())


def test_a_regression_has_errors_and_no_score():
    truth = np.arange(N) / 2
    study = ts.Study.from_predictions(mixed(), truth, truth + 0.25)
    table = study.table(["age"])
    assert table.frame.columns.tolist() == ["row", "predicted", "truth", "error", "age", "weight"]
    np.testing.assert_allclose(table.frame["error"], 0.25)
    assert table.threshold is None
    assert table.notes == ("1 of 5 features.",)


def test_the_score_of_several_classes_is_that_of_the_class_predicted():
    scores = np.random.default_rng(0).dirichlet([1, 1, 1], N)
    study = ts.Study.from_predictions(mixed(), y_score=scores, classes=["a", "b", "c"])
    table = study.table(["age"])
    np.testing.assert_array_equal(table.frame["score"], scores.max(axis=1))
    assert table._column("score").label == "probability of the class predicted"
    assert "truth" not in table.frame


def test_names_that_are_taken_get_a_number():
    X = mixed(score=np.arange(N), row=1.0 * np.arange(N)).rename(columns={"age": "predicted"})
    frame = ts.Study.from_predictions(X, y_score=np.linspace(0, 1, N)).table().frame
    assert frame.columns.is_unique
    assert {"predicted", "predicted (2)", "score", "score (2)", "row", "row (2)"} <= set(frame.columns)
    np.testing.assert_array_equal(frame["score"], np.arange(N))


@pytest.mark.parametrize(
    ("score", "predicted", "threshold"),
    [
        (np.linspace(0, 1, N), np.linspace(0, 1, N) > 0.5, 0.5),
        (np.linspace(-3, 4, N), np.linspace(-3, 4, N) > 0, 0.0),
        (np.linspace(0, 1, N), np.linspace(0, 1, N) > 0.3, 0.3),
        (np.linspace(0, 1, N), np.arange(N) % 2 == 0, 0.5),
        (np.linspace(0, 1, N), np.zeros(N, dtype=bool), 0.5),
    ],
)
def test_the_threshold_is_where_labels_part_the_scores(score, predicted, threshold):
    y = np.arange(N) % 2 == 0
    table = ts.Study.from_predictions(mixed(), y, predicted, score).table()
    assert table.threshold == pytest.approx(threshold, abs=0.6 / N)


def test_it_says_what_it_is():
    text = repr(every.study().table(["a", "c"]))
    assert text.startswith("Rows of a function: 160 rows\n2 of 4 features.\n")
    assert text.endswith("and 155 more, in .frame")
    assert "probability" not in text


def test_columns_that_are_not_there_are_refused():
    with pytest.raises(UnknownName, match="'a'"):
        every.study().table(["aa"])
    with pytest.raises(InputError, match="each once"):
        every.study().table(["a", "a"])


def test_it_is_written_as_csv_and_a_page(tmp_path):
    table = every.study().table(["a"])
    table.save(tmp_path / "rows.csv")
    assert pd.read_csv(tmp_path / "rows.csv").shape == (160, 6)
    with pytest.raises(InputError, match=r"\.html, \.csv, \.json;"):
        table.save(tmp_path / "rows.svg")
