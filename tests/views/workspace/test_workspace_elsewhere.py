"""A workspace whose rows are past the page's budget: what the kernel answers in the page's place."""

import json

import numpy as np
import pandas as pd
import pytest
import traitlets
from sklearn.linear_model import LogisticRegression

import tauscope as ts

OLDER = {"taus": {"age": 0.3}, "hold": "none"}


def small_study(weighted=False):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 2)), columns=["age", "hours"])
    y = np.where(X["age"] + rng.normal(size=300) > 0, "yes", "no")
    weight = rng.uniform(0.5, 2, 300) if weighted else None
    return ts.Study(LogisticRegression().fit(X, y), X, y, sample_weight=weight)


@pytest.fixture(params=[False, True], ids=["alike", "weighted"])
def workspace(request):
    made = small_study(request.param).workspace(inside={"joint": {"budget": 1000}})
    yield made
    made.close()


def shares(workspace, rows):
    """Return the share of all weight that some rows have as tested, and under the stress."""
    study = workspace.study
    base = np.ones(study.n_rows) if study.sample_weight is None else study.sample_weight
    after = study.joint_stress().at(workspace.stress["taus"]).weights if workspace.stress["taus"] else None
    return [None if weight is None else weight[rows].sum() / weight.sum() for weight in (base, after)]


def told(workspace):
    selected = workspace.selected
    json.dumps(selected, allow_nan=False)
    return [selected["share"], selected["share_after"]]


def test_rows_selected_are_weighed_as_tested_and_under_the_stress(workspace):
    assert workspace.selected == {}
    workspace.selection = [7, 3, 5]
    assert told(workspace) == pytest.approx(shares(workspace, [3, 5, 7]))
    workspace.stress = OLDER
    workspace.inside["joint"].wait(30)
    assert workspace.selected["stress"] == OLDER
    assert told(workspace) == pytest.approx(shares(workspace, [3, 5, 7]))
    workspace.selection = list(range(100))
    assert (workspace.selected["n"], workspace.selected["total"]) == (100, 4950)
    assert told(workspace) == pytest.approx(shares(workspace, range(100)))
    workspace.stress = {"taus": {}, "hold": "none"}
    assert told(workspace) == pytest.approx(shares(workspace, range(100)))
    workspace.selection = []
    assert workspace.selected == {}


def test_no_share_under_a_stress_that_cannot_be(workspace):
    workspace.selection = [1]
    workspace.stress = {"taus": {"elsewhere": 0.5}, "hold": "none"}
    workspace.inside["joint"].wait(30)
    assert workspace.selected["stress"] == workspace.stress
    assert workspace.selected["share_after"] is None


def test_a_place_of_the_matrix_is_selected_where_the_rows_are(workspace):
    heard = []
    workspace.send = lambda message, buffers=None: heard.append(message)

    def ask(place):
        request = {"type": "tauscope:request", "id": "1", "what": "cell", "place": place}
        workspace._handle_custom_msg({**request, "state": {"selection": [0]}}, [])
        return heard[-1]

    outcomes = workspace.study._outcomes
    for place in range(4):
        assert ask(place)["state"] == "done"
        inside = (outcomes.truth == place // 2) & (outcomes.predicted == place % 2)
        assert workspace.selection == np.flatnonzero(inside).tolist()
        assert workspace.selected["n"] == inside.sum()
    failed = ask(9)
    assert (failed["state"], "one of 4" in failed["words"]) == ("failed", True)


def test_rows_in_the_page_are_weighed_there():
    made = small_study().workspace()
    made.selection = [1, 2]
    assert made.selected == {}
    with pytest.raises(traitlets.TraitError, match="between 0 and 299"):
        made.selection = [300]
    made.close()
