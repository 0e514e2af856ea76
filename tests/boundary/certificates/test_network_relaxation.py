import numpy as np
import pytest

from tauscope.boundary.certificates.network import lines_of

ACTIVATIONS = {"relu": lambda h: np.maximum(h, 0), "tanh": np.tanh}


@pytest.mark.parametrize("name", ["relu", "tanh"])
def test_lines_enclose_the_activation(name):
    random = np.random.default_rng(0)
    ends = np.sort(random.normal(size=(4000, 2)) * random.choice([1e-3, 0.3, 2, 30], size=(4000, 1)), axis=1)
    ends[:20, 1] = ends[:20, 0]
    lines = lines_of(name, ends[:, 0], ends[:, 1])
    for share in np.linspace(0, 1, 101):
        h = ends[:, 0] + share * (ends[:, 1] - ends[:, 0])
        value = ACTIVATIONS[name](h)
        assert (lines.lower_slope * h + lines.lower_intercept <= value + 1e-13).all()
        assert (lines.upper_slope * h + lines.upper_intercept >= value - 1e-13).all()


def test_lines_of_small_intervals_are_close():
    lower = np.linspace(-2, 2, 81)
    for name in ACTIVATIONS:
        lines = lines_of(name, lower, lower + 0.01)
        gap = (lines.upper_slope - lines.lower_slope) * lower + lines.upper_intercept - lines.lower_intercept
        assert (np.abs(gap) < (0.011 if name == "relu" else 1e-4)).all()
