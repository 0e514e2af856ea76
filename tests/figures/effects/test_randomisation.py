"""Charts of a disturbed model: changes of a probability are in percentage points, those of a prediction in its unit."""

import pytest

import tauscope as ts
from results.effects import samples
from tauscope.figures import theme


def drawn(study, feature):
    found = study.randomize_model([feature], repeats=2, grid=4, random_state=0, progress=False)
    panel, score = found.chart().to_dict()["concat"]
    return panel["layer"][1]["encoding"]["x"], score["layer"][0]["encoding"]["x"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("study", "feature", "title", "labels"),
    [
        (samples.study, "fare", "mean change, percentage points", theme.AXIS_WIDTH),
        (lambda: ts.Study(*samples.line()), "a", "mean change", theme.AXIS_VALUE),
    ],
)
def test_changes_of_probabilities_are_in_points(study, feature, title, labels):
    change, _ = drawn(study(), feature)
    assert (change["title"], change["axis"]["labelExpr"]) == (title, labels)


def test_a_score_is_a_share():
    _, score = drawn(samples.study(), "fare")
    assert score["title"].startswith("accuracy")
    assert score["axis"]["labelExpr"] == theme.AXIS_SHARE
