import pickle
from functools import cache

import anywidget
import numpy as np
import pytest
import traitlets

from tauscope.errors import TauscopeError
from tauscope.views.rules.rules import RulesView
from wire import write_rules

LEVELS, MISSING, NONE = 3, 9, 23
found = cache(write_rules.found)
found_value = cache(write_rules.found_value)


def test_setting_a_row_searches_it():
    view = RulesView(found(LEVELS))
    view.row = MISSING
    assert view.progress["doing"] == "Searching the rules of row 9 at π = 0.9"
    view.wait(60)
    assert (view.answer["row"], view.progress, view.busy) == (MISSING, {}, False)
    assert view.answer["rules"][0]["condition"] == "slope > 0.9, or missing"
    assert view.result.explanation.row == MISSING
    assert len(view.cells) == view.answer["n_rows"] * sum(len(rule["axes"]) for rule in view.answer["rules"])
    view.close()


def test_setting_pi_searches_under_it():
    view = RulesView(found(LEVELS), pi=0.6)
    view.wait(60)
    assert view.answer["pi"] == view.result._spec.pi == 0.6
    assert all(rule["sdp_min"] >= 0.6 for rule in view.answer["rules"])
    view.close()


def test_setting_t_searches_under_it():
    view = RulesView(found_value(LEVELS))
    quantile = view.t
    assert view.result._spec.t == "q95"
    view.t = 400.0
    assert view.progress["doing"] == "Searching the rules of row 3 at π = 0.7 within ± 20"
    view.wait(60)
    assert (view.answer["same"]["t"], view.result._spec.t, view.progress) == (400.0, 400.0, {})
    assert view.answer["same"]["high"] - view.answer["same"]["decided"] == pytest.approx(20)
    view.t = quantile
    view.wait(60)
    assert (view.answer["same"]["t"], view.progress) == (quantile, {})
    view.close()


def test_a_t_left_alone_stays_a_quantile():
    view = RulesView(found_value(LEVELS))
    view.row = MISSING
    view.wait(60)
    assert (view.answer["row"], view.result._spec.t, view.progress) == (MISSING, "q95", {})
    assert view.t == view.answer["same"]["t"]
    view.close()


def test_t_is_there_for_values_alone():
    assert RulesView.offline(found(LEVELS)).t is None
    assert RulesView.offline(found_value(LEVELS, t=(30.0, 70.0))).t is None
    given = RulesView.offline(found_value(LEVELS, t=90.0))
    assert given.t == 90.0


@pytest.mark.parametrize("t", [0.0, -1.0, np.inf, np.nan, None, "q95"])
def test_a_t_that_cannot_be_is_refused(t):
    view = RulesView.offline(found_value(LEVELS))
    with pytest.raises(traitlets.TraitError, match="t must be a finite number above 0, the largest squared difference"):
        view.t = t


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (lambda: found(LEVELS), "of classes the same class counts as the same"),
        (lambda: found_value(LEVELS, t=(30.0, 70.0)), "were given as an interval"),
    ],
)
def test_where_there_is_no_t_none_is_set(of, said):
    view = RulesView.offline(of())
    with pytest.raises(traitlets.TraitError, match=said):
        view.t = 4.0


def test_views_are_linked_by_t():
    one, other = RulesView.offline(found_value(LEVELS)), RulesView.offline(found_value(LEVELS))
    link = traitlets.link((one, "t"), (other, "t"))
    one.t = 49.0
    assert other.t == 49.0
    link.unlink()


def test_values_of_their_own_are_searched_again():
    given = write_rules.rows().iloc[[LEVELS]]
    result = write_rules.study().rules(given, pi=0.9, n_estimators=8, n_drawn=200)
    view = RulesView(result)
    assert view.row == -1
    view.pi = 0.8
    view.wait(60)
    assert (view.answer["row"], view.answer["pi"], view.progress) == (-1, 0.8, {})
    view.close()


def test_an_error_is_said(monkeypatch):
    view = RulesView(found(LEVELS))
    monkeypatch.setattr(type(view.result.source), "_rules_from", lambda *_, **__: 1 / 0)
    view.row = MISSING
    view.wait(60)
    assert view.progress == {"row": MISSING, "pi": 0.9, "doing": "", "error": "division by zero"}
    assert view.answer["row"] == LEVELS
    view.close()


def test_going_back_ends_the_search():
    view = RulesView(found(LEVELS))
    view.row = MISSING
    view.row = LEVELS
    view.wait(60)
    assert (view.answer["row"], view.progress) == (LEVELS, {})
    view.close()


@pytest.mark.parametrize(
    ("trait", "value", "said"),
    [
        ("row", 160, "row must lie between 0 and 159; got 160"),
        ("row", -1, "got -1"),
        ("pi", 0.0, r"pi must lie in \(0, 1\]; got 0"),
        ("pi", 1.5, "got 1.5"),
        ("rule", -1, "rule must be at least 0"),
    ],
)
def test_what_cannot_be_is_refused(trait, value, said):
    view = RulesView.offline(found(LEVELS))
    with pytest.raises(traitlets.TraitError, match=said):
        setattr(view, trait, value)


def test_an_unknown_argument_is_refused():
    with pytest.raises(traitlets.TraitError, match="rule"):
        found(LEVELS).widget(rles=1)


def test_a_result_without_its_study_says_so():
    alone = pickle.loads(pickle.dumps(found(LEVELS)))
    object.__setattr__(alone, "source", None)
    view = RulesView.offline(alone)
    assert view.message["live"] is False
    assert "left their study" in view.message["offline"]
    with pytest.raises(traitlets.TraitError, match="there is no study"):
        view.row = 1


def test_a_saved_page_refuses_another_row():
    view = RulesView.offline(found(LEVELS), row=MISSING)
    assert "no kernel" in view.progress["error"]
    with pytest.raises(TauscopeError, match="Search them first"):
        view.check_offline()


def test_a_page_is_written(tmp_path):
    path = tmp_path / "rules.html"
    found(LEVELS).save(path, rule=1)
    page = path.read_text("utf-8")
    assert "ts-rules" in page
    assert "<b>level</b> is high" not in page


@pytest.mark.slow
def test_other_readers_get_words_and_a_table():
    data = found(LEVELS).widget().fallback()
    assert data["text/plain"].startswith("Rules of row 3")
    assert "&lt;b&gt;level&lt;/b&gt; is high" in data["text/html"]
    assert "<p>By age and slope alone: no 100 %.</p>" in data["text/html"]
    assert "alone" in found(NONE).widget().fallback()["text/html"]
    assert found(NONE).widget().fallback()["text/html"].partition("</div>")[2].startswith("<p>Rules of row 23")


def test_every_trait_is_said():
    own = set(RulesView.class_trait_names(sync=True)) - set(anywidget.AnyWidget.class_trait_names())
    assert all(RulesView.class_traits()[name].help for name in own)


def test_the_rows_kept_are_those_counted():
    result = found(LEVELS)
    rows = result.rows
    for place, rule in enumerate(result):
        ends = [(one.lower, one.upper, one.missing) for one in rule.conditions]
        inside = np.ones(len(rows.agrees), dtype=bool)
        for axis, (lower, upper, missing) in enumerate(ends):
            values = rows.values[place][:, axis]
            inside &= np.where(np.isnan(values), missing, (values > lower) & (values <= upper))
        n = rows.n_training
        assert (rule.training.n_inside, rule.held_out.n_inside) == (inside[:n].sum(), inside[n:].sum())
        assert rule.held_out.precision == pytest.approx(rows.agrees[n:][inside[n:]].mean())
        assert rule.sdp_min == pytest.approx(rows.sdp[place][inside[:n]].min())
