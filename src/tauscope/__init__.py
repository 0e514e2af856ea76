"""Question a fitted model by moving things: stress, boundaries, rules and effects, linked in a notebook.

``tauscope.Study(model, X, y)`` is where everything starts. Nothing heavy is imported until a name is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tauscope.chunked.stress.sketch import StressSketch
    from tauscope.chunked.study import ChunkedStudy
    from tauscope.errors import (
        DependentConstraints,
        FailedPartition,
        InfeasibleTarget,
        InputError,
        InputTypeError,
        TauscopeError,
        UnknownName,
    )
    from tauscope.results.effects.attack import EffectAttack
    from tauscope.results.effects.bounds import EffectBounds
    from tauscope.results.effects.breakdown import EffectBreakdown
    from tauscope.results.effects.chunked import SummedEffect
    from tauscope.results.effects.comparison import EffectComparison
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.results.effects.effects import FeatureEffects
    from tauscope.results.effects.randomisation import RandomizedModel
    from tauscope.results.effects.regions import EffectRegions
    from tauscope.results.effects.shift import EffectShift
    from tauscope.results.stress.chunked_reweight import SummedReweighting
    from tauscope.results.stress.curves import StressCurves
    from tauscope.results.stress.image import StressImage
    from tauscope.results.stress.joint import JointStress
    from tauscope.results.stress.refit_curves import RefitCurves
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.results.stress.surface import StressSurface
    from tauscope.stress.joint.constraints import Covariance, Mean, Moment, Share, Stress, Variance
    from tauscope.study.study import Study
    from tauscope.views.link import link

__version__ = "0.1.0"

__all__ = [
    "ChunkedStudy",
    "Covariance",
    "DependentConstraints",
    "EffectAttack",
    "EffectBounds",
    "EffectBreakdown",
    "EffectComparison",
    "EffectRegions",
    "EffectShift",
    "FailedPartition",
    "FeatureEffect",
    "FeatureEffects",
    "InfeasibleTarget",
    "InputError",
    "InputTypeError",
    "JointStress",
    "Mean",
    "Moment",
    "RandomizedModel",
    "RefitCurves",
    "Reweighting",
    "Share",
    "Stress",
    "StressCurves",
    "StressImage",
    "StressSketch",
    "StressSurface",
    "Study",
    "SummedEffect",
    "SummedReweighting",
    "TauscopeError",
    "UnknownName",
    "Variance",
    "__version__",
    "link",
]

_HOME = {
    "ChunkedStudy": "tauscope.chunked.study",
    "EffectAttack": "tauscope.results.effects.attack",
    "EffectBounds": "tauscope.results.effects.bounds",
    "EffectComparison": "tauscope.results.effects.comparison",
    "Covariance": "tauscope.stress.joint.constraints",
    "DependentConstraints": "tauscope.errors",
    "EffectBreakdown": "tauscope.results.effects.breakdown",
    "EffectRegions": "tauscope.results.effects.regions",
    "FailedPartition": "tauscope.errors",
    "FeatureEffect": "tauscope.results.effects.effect",
    "FeatureEffects": "tauscope.results.effects.effects",
    "InfeasibleTarget": "tauscope.errors",
    "InputError": "tauscope.errors",
    "InputTypeError": "tauscope.errors",
    "JointStress": "tauscope.results.stress.joint",
    "Mean": "tauscope.stress.joint.constraints",
    "Moment": "tauscope.stress.joint.constraints",
    "EffectShift": "tauscope.results.effects.shift",
    "RandomizedModel": "tauscope.results.effects.randomisation",
    "RefitCurves": "tauscope.results.stress.refit_curves",
    "Reweighting": "tauscope.results.stress.reweight",
    "Share": "tauscope.stress.joint.constraints",
    "Stress": "tauscope.stress.joint.constraints",
    "StressCurves": "tauscope.results.stress.curves",
    "StressImage": "tauscope.results.stress.image",
    "StressSketch": "tauscope.chunked.stress.sketch",
    "StressSurface": "tauscope.results.stress.surface",
    "Study": "tauscope.study.study",
    "SummedEffect": "tauscope.results.effects.chunked",
    "SummedReweighting": "tauscope.results.stress.chunked_reweight",
    "TauscopeError": "tauscope.errors",
    "UnknownName": "tauscope.errors",
    "Variance": "tauscope.stress.joint.constraints",
    "link": "tauscope.views.link",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
