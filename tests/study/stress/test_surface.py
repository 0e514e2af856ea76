import numpy as np
import pytest

import tauscope as ts


@pytest.mark.parametrize("given", [["a", "b"], None, (), {"a": 1}, 1.5])
def test_a_side_is_one_feature(given):
    y = np.arange(60) % 2
    x = np.random.default_rng(0).normal(size=(60, 3))
    study = ts.Study.from_predictions(x, y, y, feature_names=["a", "b", "z"])
    with pytest.raises(ts.InputTypeError, match="one feature along each side"):
        study.stress_surface(given, "z", taus=3)
    with pytest.raises(ts.InputTypeError, match="one feature along each side"):
        study.stress_surface("z", given, taus=3)
