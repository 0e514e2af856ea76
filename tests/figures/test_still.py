"""A picture and a table for every result, where no script runs."""

import os
import subprocess
import sys
from base64 import b64decode
from xml.etree import ElementTree

import pytest

from architecture.tree import ROOT
from results import every
from results.samples import HOSTILE, binary_study
from tauscope.figures.still import stand_in

WITHOUT_ROWS = ("reweighting of chunks",)
"""Neither balance nor histograms: these rows came in chunks and were not kept."""


def shown(name):
    bundle = every.result(name)._repr_mimebundle_()
    return bundle[0] if isinstance(bundle, tuple) else bundle


@pytest.mark.parametrize("name", every.MADE)
def test_every_result_has_a_picture_and_a_table(name):
    bundle = shown(name)
    assert bundle["text/plain"] == repr(every.result(name))
    page = ElementTree.fromstring(f"<div>{bundle['text/html']}</div>")
    assert page.find(".//table") is not None or page.find(".//p") is not None
    if name in WITHOUT_ROWS:
        assert page.find(".//pre") is not None
        return
    if not every.result(name)._has_picture:
        assert page.find(".//table") is not None
        assert page.find(".//img") is None
        return
    source = page.find(".//img").get("src")
    assert b64decode(source.partition(",")[2]).decode() == bundle["image/svg+xml"]


def test_pictures_take_no_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name in ("curves", "harm", "effect", "boundary", "rules", "surface"):
        assert "<img" in stand_in(every.result(name))["text/html"]


def test_a_joint_stress_shows_its_answer():
    joint = binary_study().joint_stress()
    at_rest = joint.widget().fallback()["text/html"]
    assert "as it is" in at_rest
    assert "Moved:" not in at_rest
    view = joint.widget(stress={"taus": {"age": 0.5}, "hold": "none"})
    moved = view.fallback()["text/html"]
    assert "Moved: age to τ = 0.5." in moved
    under = joint._answer({"age": 0.5}).estimates[0]
    assert f"{100 * under.value:.1f} %" in moved


def test_a_stress_that_cannot_be_met_says_so():
    joint = every.result("joint")
    excluded = {name: 1.0 for name in joint.feature_names}
    said = joint.widget(stress={"taus": excluded, "hold": "none"}).fallback()["text/html"]
    assert "Moved:" in said
    assert "<table>" in said


def test_text_from_the_data_is_escaped():
    for result in (binary_study().joint_stress(), binary_study().stress_curves(taus=3)):
        assert HOSTILE not in stand_in(result)["text/html"]


WITHOUT_ALTAIR = """
import sys
from results.samples import binary_study
study = binary_study()
curves = study.stress_curves()
for shown in (study, curves, curves.harm("error_rate")):
    data, _ = shown._repr_mimebundle_()
    assert "<table" in data["text/html"], shown
print("altair" in sys.modules)
"""


@pytest.mark.slow
def test_what_a_study_shows_first_takes_no_altair():
    """Altair's import took three quarters of the time to the first widget of a kernel."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_ALTAIR], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert (done.stdout.strip(), done.stderr) == ("False", "")
