"""The report's answer about other thresholds where none would decide better than deciding no row positive."""

import numpy as np
import pytest

import tauscope as ts
from tauscope.sharing.report.audit import Audit, ReportOptions
from tauscope.sharing.report.thresholds import sections


@pytest.mark.parametrize(("rate", "none"), [(0.3, True), (0.9, False)])
def test_a_threshold_above_every_score_is_said_to_be_one(rate: float, none: bool) -> None:
    rng = np.random.default_rng(0)
    score, y = rng.choice([0.3, 0.5, 0.7], 300), (rng.random(300) < rate).astype(int)
    study = ts.Study.from_predictions(rng.normal(size=(300, 1)), y, (score >= 0.5).astype(int), score)
    (section,) = sections(Audit(study, ReportOptions()))
    said = "a threshold of 0.701 (above every score of these rows, so that none is decided positive) costs least"
    assert (said in section.answer) == none
    assert ("none is decided positive" in section.body) == none
