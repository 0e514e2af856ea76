"""A metric with its interval, as views of a joint stress have it."""

from typing import TypedDict

from tauscope.results.stress.numbers.joint_answer import MetricEstimate
from tauscope.views.wire import OrInfinity, OrNaN, finite


class EstimateMessage(TypedDict):
    """One metric with its interval, null where there is none.

    `reason` is what decides over its reliability, a place among those of the message; `amount` what its sentence
    quotes, null for ∞.
    """

    value: OrNaN
    lower: OrNaN
    upper: OrNaN
    reason: int
    amount: OrInfinity


def estimate_message(estimate: MetricEstimate) -> EstimateMessage:
    """Encode a metric under a stress."""
    return {
        "value": finite(estimate.value),
        "lower": finite(estimate.lower),
        "upper": finite(estimate.upper),
        "reason": estimate.reason,
        "amount": finite(estimate.amount),
    }
