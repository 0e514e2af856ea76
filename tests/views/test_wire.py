"""What messages have in common: the reasons of reliability in words and in bytes."""

import numpy as np

from results.samples import metric
from tauscope.stress.reliability import CODES, LEVELS, REASONS
from tauscope.views.wire import metric_messages, reason_bytes, reason_messages


def test_every_reason_has_its_words_at_its_code():
    messages = reason_messages()
    assert [message["name"] for message in messages] == [reason.name for reason in REASONS]
    assert {message["level"] for message in messages} == set(LEVELS)
    assert messages[CODES["few_events"]]["words"].startswith("{amount} effective {events}")


def test_metrics_say_what_they_count():
    (message,) = metric_messages([metric()])
    assert message["events"] == ["events", "non-events"]


def test_amounts_are_bytes():
    """Rows and events rounded down, k̂ in hundredths, 255 for all that is larger."""
    names = ("none", "few_events", "few_rows_beyond", "heavy_tail", "heavy_weights", "undefined", "few_events")
    reason = np.array([[CODES[name] for name in names]], np.int8)
    amount = np.array([[0.0, 9.97, 300.0, 0.623, np.inf, np.nan, 7 - 1e-14]])
    packed = reason_bytes(reason, amount)
    assert packed.dtype == np.uint8
    assert packed.shape == (1, 7, 2)
    assert packed[0, :, 0].tolist() == reason[0].tolist()
    assert packed[0, :, 1].tolist() == [0, 9, 255, 62, 255, 0, 7]
