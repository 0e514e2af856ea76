"""A view that was saved, or displayed and closed, lets go of its result and of the study's rows."""

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from comm import DummyComm
from ipywidgets.widgets import widget as registry

import tauscope as ts
from architecture.tree import ROOT
from results.every import estimator, numbers, rows
from tauscope.results.base import Result


def study() -> ts.Study:
    return ts.Study(estimator(), numbers(), rows()[1], progress=False)


def images() -> ts.Study:
    pixels = np.random.default_rng(0).integers(0, 256, (60, 4)).astype(np.uint8)
    return ts.Study.from_predictions(pixels, pixels[:, 1] > 99, pixels[:, 0] > 99)


MADE: dict[str, Callable[[ts.Study], Result]] = {
    "stress/curves": lambda study: study.stress_curves(taus=3),
    "stress/comparison": lambda study: ts.compare(study, study),
    "stress/harm": lambda study: study.stress_curves(taus=3).harm(distance=0.05),
    "stress/joint": lambda study: study.joint_stress(),
    "stress/surface": lambda study: study.stress_surface("a", "b", taus=3),
    "stress/calibration": lambda study: study.calibration(n_bins=2),
    "stress/worst_case": lambda study: study.worst_case("error_rate", within={"tv": 0.1}),
    "stress/thresholds": lambda study: study.threshold_curves(thresholds=[0.3, 0.5]),
    "stress/towards": lambda study: study.towards(rows()[0][:60]),
    "stress/image": lambda images: images.stress_image((2, 2)),
    "effects/effect": lambda study: study.effect("a", grid=5),
    "boundary/boundary": lambda study: study.boundary(3, random_state=0, n_samples=50),
    "boundary/pooled": lambda study: study.pooled_boundary([1, 2], random_state=0, n_samples=50),
    "rules/rules": lambda study: study.rules(3, n_drawn=20, proof_budget=0),
    "workspace/table": lambda study: study.table(),
}


def save(result: Any, path: Any) -> None:
    result.save(path)


def display(result: Any, path: Any) -> None:
    data, _ = result._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    close(result._display)


def show(result: Any, path: Any) -> None:
    data, _ = result._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data


def make_and_close(result: Any, path: Any) -> None:
    close(result.widget())


def close(view: Any) -> None:
    view.layout.close()
    view.close()
    if hasattr(view, "wait"):
        view.wait(30)  # work under way ends when it next looks, and until then holds what it works on


@pytest.mark.slow
@pytest.mark.parametrize("use", [save, display, show, make_and_close])
@pytest.mark.parametrize("view", MADE)
def test_nothing_is_kept(view, use, tmp_path):
    asked = images() if view == "stress/image" else study()
    result = MADE[view](asked)
    left = [weakref.ref(held) for held in (result, asked, asked.X)]
    use(result, tmp_path / "page.html")
    del result, asked
    gc.collect()
    assert [ref() is None for ref in left] == [True, True, True]


@pytest.mark.slow
@pytest.mark.parametrize("use", ["make", "display"])
def test_nothing_is_kept_of_a_workspace(use):
    asked = study()
    made = asked.workspace() if use == "make" else asked._show()
    made.view = "effect"
    made.wait(60)
    left = [weakref.ref(held) for held in (made, asked, asked.X, *made.inside.values())]
    close(made)
    del asked, made
    gc.collect()
    assert [ref() is None for ref in left] == [True] * len(left)


@pytest.mark.slow
def test_nothing_is_kept_of_a_study_that_was_shown():
    asked = study()
    asked._repr_mimebundle_()
    left = [weakref.ref(held) for held in (asked, asked.X, asked._shown, *asked._shown.inside.values())]
    del asked
    gc.collect()
    assert [ref() is None for ref in left] == [True] * len(left)


def test_what_is_shown_hears_the_page_and_leaves_nothing_in_the_registry():
    before = set(registry._instances)
    result = study().stress_curves(taus=3)
    view = result._display
    update = {"method": "update", "state": {"metric": result.metric_names[-1]}, "buffer_paths": []}
    view.comm.handle_msg({"content": {"data": update}, "buffers": []})
    assert view.metric == result.metric_names[-1]
    del result, view
    gc.collect()
    assert set(registry._instances) <= before


@pytest.mark.parametrize("page", [True, False])
def test_only_a_page_holds_what_is_shown(page, monkeypatch):
    if page:
        monkeypatch.setattr("comm.create_comm", type("PageComm", (DummyComm,), {}))
    result = study().stress_curves(taus=3)
    view = weakref.ref(result._display)
    del result
    gc.collect()
    assert (view() is not None) == page
    if page:
        view().close()


def test_every_view_is_tried():
    views = ROOT / "js/src/views"
    assert {*MADE, "workspace/workspace"} == {
        str(entry.parent.relative_to(views)) for entry in views.glob("*/*/index.ts")
    }
