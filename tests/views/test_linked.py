"""The shared stress, the same in every view that has it."""

import pytest
import traitlets

from results.effects import samples as effect_samples
from results.samples import binary_study

MADE = {
    "curves": lambda: binary_study().stress_curves(taus=5),
    "surface": lambda: binary_study().stress_surface("age", "gain", taus=3),
    "joint": lambda: binary_study().joint_stress(),
    "effect": lambda: effect_samples.study().effect("age", grid=5),
}
ELSEWHERE = {"taus": {"of another study": 0.5}, "hold": "none"}


@pytest.mark.parametrize("which", MADE)
def test_one_way_of_all(which):
    result = MADE[which]()
    view = result.widget()
    assert view.stress == {"taus": {}, "hold": "none"}
    view.stress = ELSEWHERE
    assert view.stress == ELSEWHERE
    view.stress = {"taus": {"age": -0.5, "gain": 0}}
    assert view.stress == {"taus": {"age": -0.5}, "hold": "none"}
    with pytest.raises(traitlets.TraitError, match="got 2"):
        view.stress = {"taus": {"age": 2}}
    assert result.widget(stress=ELSEWHERE).stress == ELSEWHERE
