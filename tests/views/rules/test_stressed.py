import json
import pickle

import numpy as np
import pytest

import tauscope as ts
from tauscope.views.rules import listed
from tauscope.views.rules.stressed import stressed_wire
from wire.write_rules import STRESS, found, rows, study

LEVELS, NONE = 3, 23


def test_the_message_has_the_numbers_of_rules_under():
    result = found(LEVELS)
    message, weights = stressed_wire(result, STRESS)
    json.dumps(message, allow_nan=False)
    under = result.under(ts.Mean("slope", tau=0.5))
    for sent, rule, holds in zip(message["rules"], under.after, under.holds, strict=True):
        assert (sent["sdp"], sent["sdp_min"]) == pytest.approx((rule.sdp, rule.sdp_min))
        assert sent["held_out"]["coverage"] == pytest.approx(rule.held_out.coverage)
        assert (sent["below"] == "") is holds
    assert message["rules"][0]["below"] == "falls below π = 0.9 under this stress: 89.7 % at a row inside"
    assert message["ess"] == pytest.approx(under.ess)
    sent_weights = np.frombuffer(weights, "<f4")
    np.testing.assert_allclose(sent_weights, under.weight[result.rows.position], rtol=1e-5)
    assert (message["row"], message["pi"], message["error"]) == (LEVELS, 0.9, "")


def test_weights_are_of_the_rows_sent(monkeypatch):
    result = found(LEVELS)
    monkeypatch.setattr(listed, "BUDGET", 4000)
    _, weights = stressed_wire(result, STRESS)
    assert len(weights) == 4 * len(listed.sampled_rows(result.rows)) < 4 * 160


def test_what_cannot_be_shown_is_said():
    stress = {"taus": {"nowhere": 0.5}, "hold": "none"}
    message, weights = stressed_wire(found(LEVELS), stress)
    assert "nowhere" in message["error"]
    assert (message["stress"], weights, "rules" in message) == (stress, b"", False)


@pytest.mark.slow
def test_new_values_and_a_lost_study_are_said():
    given = study().rules(rows().iloc[[LEVELS]], pi=0.9, n_estimators=8, n_drawn=0)
    assert "rules of new values" in stressed_wire(given, STRESS)[0]["error"]
    alone = pickle.loads(pickle.dumps(found(LEVELS)))
    object.__setattr__(alone, "source", None)
    assert "left their study" in stressed_wire(alone, STRESS)[0]["error"]


def test_a_row_without_rules_has_a_population():
    message, weights = stressed_wire(found(NONE), STRESS)
    assert (message["error"], message["rules"], weights) == ("", [], b"")
    assert message["words"].startswith("slope")
