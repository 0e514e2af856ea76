import numpy as np
import pytest

from results.samples import QUOTED, binary_result, binary_study
from tauscope.errors import InputError
from tauscope.study.stress.curves import stress_curves
from tauscope.views.packing import unpack
from tauscope.views.stress.groups_message import groups_wire, name_few


def numbers(wire):
    return np.frombuffer(unpack(wire.group_numbers), "<f4").astype(float)


def test_numbers_are_those_of_python():
    curves = binary_result()
    wire = groups_wire(curves, QUOTED, "by", "age", ("marginal", "within"))
    message, n_taus = wire.groups, len(curves.taus)
    n_groups, n_metrics = len(message["labels"]), len(message["metrics"])
    table = numbers(wire).reshape(len(message["blocks"]), n_taus, -1)
    cells = table[:, :, : 5 * n_groups * n_metrics].reshape(-1, n_taus, n_groups, n_metrics, 5)
    for at, shift in enumerate(("marginal", "within")):
        found = curves.by(QUOTED, within=shift == "within")._curves
        p = len(curves.features)
        own = slice(at * p, (at + 1) * p)
        np.testing.assert_allclose(cells[own, ..., 0], found.value.transpose(0, 3, 1, 2), rtol=1e-6)
        np.testing.assert_allclose(cells[own, ..., 2], found.upper.transpose(0, 3, 1, 2), rtol=1e-6)
        gaps = table[own, :, -8 * n_metrics :].reshape(p, n_taus, n_metrics, 8)
        np.testing.assert_allclose(gaps[..., 2], found.gaps.gap.transpose(0, 2, 1), rtol=1e-6)
        shares = table[own, :, 5 * n_groups * n_metrics : -8 * n_metrics].reshape(p, n_taus, n_groups, 3)
        np.testing.assert_allclose(shares[..., 1], found.share.transpose(0, 2, 1), rtol=1e-6)
        np.testing.assert_allclose(shares[..., 2], found.ess.transpose(0, 2, 1), rtol=1e-6)


def test_past_the_budget_one_feature_is_sent(monkeypatch):
    monkeypatch.setattr("tauscope.views.stress.groups_message.BUDGET", 10_000)
    wire = groups_wire(binary_result(), QUOTED, "by", "gain", ("marginal",))
    assert wire.groups["blocks"] == [{"feature": "gain", "shift": "marginal"}]


def test_metrics_that_take_all_rows_are_left_out():
    curves = stress_curves(binary_study(), taus=3, metrics=["roc_auc", "error_rate"])
    wire = groups_wire(curves, QUOTED, "by", "age", ("marginal",))
    assert wire.groups["metrics"] == ["error_rate"]
    assert wire.groups["worse"] == ["higher"]


def test_few_groups_are_drawn():
    assert name_few(binary_result(), np.arange(300) % 2 == 0) == ("group", ("False", "True"))
    with pytest.raises(InputError, match="2 to 12 groups"):
        name_few(binary_result(), [str(k % 13) for k in range(300)])
