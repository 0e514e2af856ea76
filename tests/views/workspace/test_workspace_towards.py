"""Another population in the workspace: a view of its own that takes the sliders along, on pages, and as code."""

import numpy as np
import pytest
import traitlets

import tauscope as ts
from results import every
from tauscope.views.workspace.code import code_of
from tauscope.views.workspace.requests import saved_state

UNSTRESSED = {"taus": {}, "hold": "none"}


@pytest.fixture(scope="module")
def there():
    return every.study().towards(every.rows()[0][:60], every.rows()[1][:60], features=["a", "c"])


@pytest.fixture
def workspace(there):
    made = every.study().workspace(towards=there)
    yield made
    made.close()


def opened(workspace):
    workspace.view = "towards"
    workspace.wait(60)
    return workspace.inside["towards"]


def test_the_slider_of_the_way_moves_all_views(workspace, there):
    assert workspace.message["views"][-1] == {"name": "towards", "label": "New data", "refused": ""}
    assert "towards" not in workspace.inside
    view = opened(workspace)
    assert (view.amount, workspace.stress) == (0, UNSTRESSED)
    workspace.towards__amount = 0.5
    assert workspace.stress == there.stress_at(0.5) == workspace.inside["joint"].stress
    workspace.stress = there.stress_at(0.2)
    assert workspace.towards__amount == view.amount == 0.2
    workspace.stress = {"taus": {"b": 0.3}, "hold": "none"}
    assert view.amount == 0.2


def test_a_population_that_sliders_cannot_say_stands_alone(there):
    made = every.study().workspace(towards=every.study().towards({"a": 0.4}, price=3.0))
    view = opened(made)
    assert (view.amount, made.stress) == (1, UNSTRESSED)
    made.towards__amount = 0.5
    assert made.stress == UNSTRESSED
    made.close()


def test_without_another_population_there_is_no_such_view():
    alone = every.study().workspace()
    assert "towards" not in [one["name"] for one in alone.message["views"]]
    with pytest.raises(traitlets.TraitError, match="towards"):
        alone.view = "towards"
    alone.close()


def test_a_population_of_another_study_is_refused(there):
    study = every.study()
    half = study.where(np.arange(study.n_rows) < 80)
    with pytest.raises(ts.InputError, match="must be of its own rows, 160 of 4 columns; got 80"):
        half.workspace(towards=there)
    with pytest.raises(ts.InputError, match="towards must be of this study's model, predictions"):
        ts.Study.from_predictions(study.X, study.y, study.predicted).workspace(towards=there)
    with pytest.raises(ts.InputTypeError, match=r"towards must be what study\.towards"):
        study.workspace(towards=study.X)


def test_it_can_stand_beside_a_second_model(there):
    made = every.study().workspace(beside=every.other(), towards=there)
    assert [one["label"] for one in made.message["views"]][-2:] == ["Models", "New data"]
    made.close()


def test_a_page_takes_the_way_along(workspace, there, tmp_path):
    opened(workspace)
    workspace.towards__amount = 0.4
    state = saved_state(workspace)
    assert (state["views"], state["view"]) == (["towards"], "towards")
    assert state["inside"]["towards"] == {"amount": 0.4}
    assert state["stress"] == there.stress_at(0.4)
    every.study().save(tmp_path / "there.html", **state)
    text = (tmp_path / "there.html").read_text("utf-8")
    assert "the way to the other population" in text
    assert "40 % of the way to 4 margins of 60 new rows" in text


def test_a_page_has_what_was_given_without_its_name(tmp_path):
    X = every.rows()[0][["a", "b"]]
    study = ts.Study.from_predictions(X, X["a"] > 0, X["b"] > 0)
    study.save(tmp_path / "there.html", rows=120, towards=study.towards(X[:60]))
    text = (tmp_path / "there.html").read_text("utf-8")
    assert "the way to the other population" in text
    assert "2 margins of 60 new rows; effective sample " in text
    assert "of 120" in text


def test_a_page_has_both_a_second_model_and_the_population(tmp_path, there):
    every.study().save(tmp_path / "both.html", ["models", "towards"], beside=every.other(), towards=there)
    text = (tmp_path / "both.html").read_text("utf-8")
    assert "the comparison of both models, the way to the other population" in text


@pytest.mark.parametrize("name", ["beside", "towards"])
def test_a_page_without_rows_has_neither(tmp_path, there, name):
    given = {"beside": every.other(), "towards": there}[name]
    with pytest.raises(ts.InputError, match=f"{name}=… is a view of rows"):
        every.study().save(tmp_path / "none.html", rows="none", **{name: given})


CASES = [
    ({}, {}),
    ({"features": ["a", "c"]}, {}),
    ({"features": ["a", "c = x"], "moments": ("mean", "variance"), "price": 4.0, "confidence": 0.9}, {}),
    ({"sample_weight": np.arange(60) + 1.0, "metrics": ["recall"]}, {}),
    ({}, {"a": 0.3, "c": {"x": 0.5}}),
]


@pytest.mark.parametrize(("options", "table"), CASES)
@pytest.mark.parametrize("labels", [False, True])
def test_its_code_gives_what_is_on_screen(options, table, labels):
    X, y = every.rows()
    names = {"study": every.study(), "X_new": X[:60], "y_new": y[:60], "weight_new": options.get("sample_weight")}
    given = (table,) if table else (X[:60], y[:60]) if labels else (X[:60],)
    made = every.study().workspace(towards=every.study().towards(*given, **options))
    opened(made)
    made.towards__amount = 0.5
    code = code_of(made)
    answer = eval(code, names)
    shown = made.inside["towards"].result.at(0.5, made.inside["towards"].result.price)
    np.testing.assert_allclose(answer.weights, shown.weights)
    assert answer.metrics.equals(shown.metrics)
    assert answer.margins["margin"].tolist() == shown.margins["margin"].tolist()
    assert code.startswith("study.towards({'a': 0.3" if table else "# X_new are the new rows")
    made.close()


def test_code_before_the_view_is_there_is_of_what_was_given(there, monkeypatch):
    made = every.study().workspace(towards=there.at(0.3))
    monkeypatch.setattr(made, "_open", lambda name: None)
    made.view = "towards"
    assert code_of(made).endswith("study.towards(X_new, y_new, features=['a', 'c'], amount=0.3)")
    made.close()
