"""Same-decision probabilities of many rows given one set of features: those of each row alone."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from study.rules.test_sufficient import explanation, people, row_of, study
from tauscope.errors import InputError, UnknownName


@pytest.mark.slow
def test_each_row_s_is_that_of_its_explanation() -> None:
    found = study().same_decision(["age", "job"])
    assert found.name == "sdp"
    assert len(found) == len(people()[0])
    for row in (row_of((20, 30), "driver"), row_of((60, 70), "clerk"), row_of((60, 70), "baker")):
        frame = explanation(row).frame.set_index("features")
        own = next(value for names, value in frame["sdp"].items() if set(names) == {"age", "job"})
        assert found[row] == pytest.approx(own, abs=1e-12)
    assert found.mean() > study().same_decision(["noise"]).mean()


def test_some_rows_new_rows_and_positions_of_features() -> None:
    X, _ = people()
    every, some = study().same_decision(["age"]), study().same_decision([0], [5, 3])
    assert some.index.tolist() == [5, 3]
    np.testing.assert_array_equal(some, every[[5, 3]])
    np.testing.assert_array_equal(study().same_decision(["age"], (X["age"] > 70).to_numpy()), every[X["age"] > 70])
    np.testing.assert_array_equal(study().same_decision(["age"], X.iloc[[5, 3]]), every[[5, 3]])


@pytest.mark.slow
def test_values_of_a_regression_and_weights_count() -> None:
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.uniform(size=(400, 3)), columns=["a", "b", "c"])
    asked = ts.Study(lambda rows: 10 * rows["a"].to_numpy(), X, task="regression")
    found = asked.same_decision(["a"], t=0.5)
    frame = asked.sufficient(7, t=0.5).frame.set_index("features")
    assert found[7] == pytest.approx(frame["sdp"].loc[[("a",)]].iloc[0], abs=1e-12)
    assert (asked.same_decision(["a"], t=4.0) >= found - 1e-12).all()
    stressed = study().under(ts.Mean("age", tau=0.8))
    before, after = study().same_decision("sex", [3])[3], stressed.same_decision("sex", [3])[3]
    assert after == pytest.approx(stressed.sufficient(3).frame.set_index("features")["sdp"].loc[[("sex",)]].iloc[0])
    assert abs(after - before) > 0.01


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"subset": ["agee"]}, UnknownName, "Nearest: 'age'"),
        ({"subset": []}, InputError, "some features, each once"),
        ({"subset": ["age", "age"]}, InputError, "some features, each once"),
        ({"subset": ["age"], "rows": []}, InputError, "one at least"),
        ({"subset": ["age"], "pi": 0.9}, UnknownName, "no option 'pi'"),
        ({"subset": ["age"], "t": "q90"}, InputError, "leave it out"),
        ({"subset": ["age"], "min_rows": 10_000}, InputError, "min_rows"),
    ],
)
def test_what_cannot_be_asked(given, error, words) -> None:
    with pytest.raises(error, match=words):
        study().same_decision(**given)
