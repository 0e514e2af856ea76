import pandas as pd
import pytest

from results.samples import HOSTILE, binary_study
from tauscope.errors import InputError
from tauscope.sharing.page import result_page


@pytest.fixture(scope="module")
def joint():
    return binary_study().joint_stress()


def test_frame_says_what_can_be_moved(joint):
    frame = joint.frame
    assert list(frame) == ["feature", "low", "mean", "high", "sd", "n_missing", "held", "note"]
    assert (frame["low"] < frame["mean"]).all()
    assert (frame["mean"] < frame["high"]).all()
    age = frame.set_index("feature").loc["age"]
    assert age["n_missing"] == 18
    assert "minimum" in frame.set_index("feature").loc["gain", "note"]


def test_names(joint):
    assert joint.feature_names == tuple(feature.name for feature in joint.features)
    assert "error_rate" in joint.metric_names
    assert dict(joint.skipped)["constant"] == "every observed value is 1"
    assert (joint.model_name, joint.n_rows, joint.quantile, joint.confidence) == ("predictions", 300, 0.05, 0.95)


def test_summary_says_how_to_ask(joint):
    assert repr(joint).startswith("Joint stress of predictions: ")
    assert ".at({" in repr(joint)


@pytest.mark.slow
def test_page_needs_no_network_and_escapes(joint):
    page = result_page(joint, stress={"taus": {HOSTILE: 0.2}, "hold": "means"})
    assert "default-src 'none'" in page
    assert HOSTILE not in page
    assert "http://" not in page.split('id="script"')[0]


@pytest.mark.slow
def test_saved_by_its_ending(joint, tmp_path):
    joint.save(tmp_path / "joint.html")
    joint.save(tmp_path / "joint.csv")
    assert (tmp_path / "joint.html").read_text().startswith("<!doctype html>")
    assert len(pd.read_csv(tmp_path / "joint.csv")) == len(joint.features)
    with pytest.raises(InputError, match=r"\.html, \.csv, \.json; got '\.png'"):
        joint.save(tmp_path / "joint.png")


def test_page_with_too_many_rows(joint, monkeypatch):
    monkeypatch.setattr("tauscope.views.stress.joint.JointStressView.solved_in_page", False)
    with pytest.raises(InputError, match="Name fewer features"):
        result_page(joint)
