"""The distribution given a row's sufficient values: against the projected forest itself, of values and of classes."""

import numpy as np
import pytest

from tauscope.study.rules.forest import study_forest
from wire.write_rules import found, found_value, study, study_of_values


def forest_of(result):
    return study_forest(result.source, result._spec)


@pytest.mark.parametrize("t", ["q95", 60.0, (30.0, 70.0)])
@pytest.mark.slow
def test_values_are_those_of_the_projected_forest(t):
    result = found_value(3, t=t)
    forest = forest_of(result)
    assert len(result.distributions) == max(len(result), 1)
    for one in result.distributions:
        columns = [study_of_values().feature_names.index(name) for name in one.features]
        row = forest.table.rows[[3]]
        wanted = forest.projected.cdf(row, [columns], one.values, min_rows=result.explanation._forest.min_rows)[0, 0]
        np.testing.assert_allclose(one.cumulative, wanted, atol=1e-12)
        assert (one.share > 0).all()
        assert one.share.sum() == pytest.approx(1)
        assert one.lowest <= one.values.min() <= one.values.max() <= one.highest
        assert one.decided == study_of_values().predicted[3]
    assert np.isnan(result.distributions[0].t) == isinstance(t, tuple)


@pytest.mark.parametrize("of", [lambda: found(3), lambda: found(13, weighted=True), lambda: found_value(3)])
@pytest.mark.slow
def test_the_share_that_counts_as_the_same_is_the_rule_s_probability(of):
    result = of()
    assert [one.features for one in result.distributions] == [rule.features for rule in result]
    assert [one.sdp for one in result.distributions] == pytest.approx([rule.sdp for rule in result], abs=1e-12)


def test_every_class_has_a_share():
    (first, _) = found(3).distributions
    assert first.classes == ("no", "yes") == tuple(study().classes)
    assert len(first.share) == 2
    assert first.decided == first.low == first.high == 0
    assert np.isnan(first.t)


@pytest.mark.parametrize("result", [lambda: found(23), lambda: found_value(3, t=0.01, probability="projected")])
def test_where_no_set_suffices_that_of_the_nearest_is_known(result):
    rules = result()
    (one,) = rules.distributions
    assert len(rules) == 0
    assert one.features == rules.explanation.best
    assert one.sdp == pytest.approx(rules.explanation.sdp, abs=1e-12)
