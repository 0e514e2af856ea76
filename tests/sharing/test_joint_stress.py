import pytest

from results.samples import binary_study
from tauscope.errors import InputError, UnknownName


@pytest.mark.slow
def test_a_page_opens_on_features_that_are_there(tmp_path):
    joint = binary_study().joint_stress()
    with pytest.raises(UnknownName, match="Nearest: 'age'"):
        joint.save(tmp_path / "joint.html", stress={"taus": {"agee": 0.5}})
    assert not list(tmp_path.iterdir())
    joint.save(tmp_path / "joint.html", stress={"taus": {"age": 0.5}, "hold": "means"})
    assert '"stress":{"hold":"means","taus":{"age":0.5}}' in (tmp_path / "joint.html").read_text("utf-8")


@pytest.mark.slow
def test_a_page_that_cannot_rank_says_so(tmp_path):
    joint = binary_study().joint_stress(metrics=["roc_auc", "error_rate"])
    with pytest.raises(InputError, match=r"as 'roc_auc' does.*joint_stress\(metrics=\['error_rate'\]\).*at\("):
        joint.save(tmp_path / "joint.html")
    assert not (tmp_path / "joint.html").exists()
    with pytest.raises(InputError, match=r"Save joint_stress\(\)"):
        binary_study().joint_stress(metrics="roc_auc").save(tmp_path / "joint.html")
    binary_study().joint_stress(metrics=["error_rate"]).save(tmp_path / "joint.html")
    assert joint.at({"age": 0.5}).metrics["metric"].tolist() == ["roc_auc", "error_rate"]
