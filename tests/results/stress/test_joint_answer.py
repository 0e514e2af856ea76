"""Many metrics at once: intervals and reliability are those of each alone."""

import numpy as np
import pytest

from tauscope.results.stress.numbers.joint_answer import metric_estimates, support_of
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.metrics import define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.reliability import REASONS


@pytest.mark.parametrize(("n_beyond", "in_doubt", "pareto_k"), [(20.0, False, 0.1), (12.0, False, 0.8)])
def test_many_metrics_have_the_interval_and_reason_of_each_alone(n_beyond, in_doubt, pareto_k):
    rng = np.random.default_rng(0)
    score = rng.beta(0.3, 3, 90)
    outcomes = Outcomes("binary", (score > 0.5) * 1, (rng.random(90) < score) * 1, score, ("no", "yes"))
    quantities, metrics = define_quantities(outcomes, names=None)
    estimates = joint_estimates(quantities, metrics, np.zeros((90, 1)), np.zeros(1), np.ones(90), unstressed=True)
    support = support_of(n_beyond, in_doubt, pareto_k)
    shown = metric_estimates(metrics, estimates, support, 0.95, 90)
    alone = [
        metric_estimates([each], [one], support, 0.95, 90)[0] for each, one in zip(metrics, estimates, strict=True)
    ]
    assert list(shown) == alone
    assert len({REASONS[each.reason].name for each in shown}) > 1
    assert {type(each.reason) for each in shown} == {int}


def test_of_no_metrics_there_is_no_estimate():
    assert metric_estimates([], [], support_of(20.0, False, 0.1), 0.95, 200) == ()
