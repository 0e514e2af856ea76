import pytest

from results.samples import binary_study
from tauscope.errors import UnknownName


def test_a_page_opens_on_features_that_are_there(tmp_path):
    joint = binary_study().joint_stress()
    with pytest.raises(UnknownName, match="Nearest: 'age'"):
        joint.save(tmp_path / "joint.html", stress={"taus": {"agee": 0.5}})
    assert not list(tmp_path.iterdir())
    joint.save(tmp_path / "joint.html", stress={"taus": {"age": 0.5}, "hold": "means"})
    assert '"stress":{"hold":"means","taus":{"age":0.5}}' in (tmp_path / "joint.html").read_text("utf-8")
