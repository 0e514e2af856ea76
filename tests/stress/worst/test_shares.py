"""A metric of shares: the value of `metric_values`, and influences that are its derivatives."""

import numpy as np
import pytest

from tauscope.stress.joint.estimates import metric_values
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.worst.shares import MetricOfShares

RNG = np.random.default_rng(0)
N = 60
TRUTH, SCORE = RNG.integers(0, 2, N), RNG.random(N)
BINARY = Outcomes("binary", (SCORE > 0.4).astype(np.int64), TRUTH, SCORE, ("no", "yes"))
VALUE = RNG.normal(3, 2, N)
REGRESSION = Outcomes("regression", VALUE + RNG.normal(size=N), VALUE, None, ())


@pytest.mark.parametrize(
    ("outcomes", "name"),
    [
        *(
            (BINARY, name)
            for name in ("error_rate", "false_discovery_rate", "balanced_accuracy", "log_loss", "roc_auc")
        ),
        *((BINARY, name) for name in ("mean_score", "f1", "average_precision", "brier_score_loss")),
        *((REGRESSION, name) for name in ("rmse", "variance", "mean_absolute_error", "bias", "r2")),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_value_and_influence(outcomes, name):
    quantities, every = define_quantities(outcomes, names=(name,))
    metric = choose(every, (name,))[0]
    of_shares, share = MetricOfShares(quantities, metric), RNG.random(N)
    share /= share.sum()
    value, influence = of_shares(share)
    assert value == pytest.approx(metric_values(quantities, [metric], share)[0], rel=1e-12)
    assert share @ influence == pytest.approx(0, abs=1e-10)
    moved = np.exp(0.2 * RNG.normal(size=N)) * share
    moved = moved / moved.sum() - share
    ends = [of_shares(share + side * 1e-6 * moved)[0] for side in (1, -1)]
    assert influence @ moved == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5, abs=1e-9)
