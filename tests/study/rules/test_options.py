"""Options of the rules' verbs: each documented once, and a name that is none."""

import inspect

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.errors import UnknownName
from tauscope.results.rules.spec import RulesOptions, RulesSpec, SufficientOptions


def small() -> ts.Study:
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(300, 3)), columns=["a", "b", "c"])
    return ts.Study(lambda rows: (rows["a"] > 0).to_numpy().astype(int), X)


@pytest.mark.parametrize(
    ("ask", "nearest"),
    [
        (lambda study: study.rules(3, max_rule=2), "'max_rules'"),
        (lambda study: study.rules(3, feature=["a"]), "'features', 'n_features'"),
        (lambda study: study.swing_rules(3, proved=True), "'prove'"),
        (lambda study: study.rule_list(shares=0.5), "'share'"),
        (lambda study: study.rule_list(proof_budgets=5), "'proof_budget'"),
    ],
)
def test_a_misspelt_option_gets_the_nearest(ask, nearest) -> None:
    with pytest.raises(UnknownName, match=f"There is no option '.+'. Nearest: .*{nearest}"):
        ask(small())


def test_keywords_are_those_of_the_record_and_documented_where_they_are_spelt() -> None:
    own = inspect.signature(ts.Study.sufficient).parameters.keys() - {"self", "row"}
    assert own == set(SufficientOptions.__optional_keys__)
    assert set(RulesOptions.__optional_keys__) | {"max_rules"} == set(inspect.signature(RulesSpec).parameters)
    for verb in (ts.Study.rules, ts.Study.swing_rules, ts.Study.rule_list):
        said = (verb.__doc__ or "").replace("\n", " ")
        assert all(f" {name}" in said for name in SufficientOptions.__optional_keys__)
        assert "As in `sufficient`" in said or "as in `sufficient`" in said
