"""Question a fitted model by moving things: stress, boundaries, rules and effects, linked in a notebook.

``tauscope.Study(model, X, y)`` is where everything starts. Nothing heavy is imported until a name is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tauscope.errors import (
        DependentConstraints,
        FailedPartition,
        InfeasibleTarget,
        InputError,
        InputTypeError,
        TauscopeError,
        UnknownName,
    )
    from tauscope.results.effect import FeatureEffect
    from tauscope.results.effect_attack import AttackedEffect
    from tauscope.results.effect_bounds import BoundedEffect
    from tauscope.results.effect_breakdown import EffectBreakdown
    from tauscope.results.effect_comparison import ComparedEffects
    from tauscope.results.effect_moved import MovedEffect
    from tauscope.results.effect_randomisation import RandomizedModel
    from tauscope.results.effect_regions import EffectRegions
    from tauscope.results.effect_summed import SummedEffect
    from tauscope.results.feature_effects import FeatureEffects
    from tauscope.results.joint_stress import JointStress
    from tauscope.results.refit_curves import RefitCurves
    from tauscope.results.reweighting import Reweighting
    from tauscope.results.stress_curves import StressCurves
    from tauscope.results.stress_image import StressImage
    from tauscope.results.stress_surface import StressSurface
    from tauscope.results.summed_reweighting import SummedReweighting
    from tauscope.stress.joint.constraints import Covariance, Mean, Moment, Share, Stress, Variance
    from tauscope.study.effect_parts import effect_chunks, effect_partitions
    from tauscope.study.reweight_parts import reweight_chunks, reweight_partitions
    from tauscope.study.stress_image import stress_image_chunks
    from tauscope.study.stress_sketch import StressSketch
    from tauscope.study.study import Study
    from tauscope.views.link import link

__version__ = "0.1.0"

__all__ = [
    "AttackedEffect",
    "BoundedEffect",
    "ComparedEffects",
    "Covariance",
    "DependentConstraints",
    "EffectBreakdown",
    "EffectRegions",
    "FailedPartition",
    "FeatureEffect",
    "FeatureEffects",
    "InfeasibleTarget",
    "InputError",
    "InputTypeError",
    "JointStress",
    "Mean",
    "Moment",
    "MovedEffect",
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
    "effect_chunks",
    "effect_partitions",
    "link",
    "reweight_chunks",
    "reweight_partitions",
    "stress_image_chunks",
]

_HOME = {
    "AttackedEffect": "tauscope.results.effect_attack",
    "BoundedEffect": "tauscope.results.effect_bounds",
    "ComparedEffects": "tauscope.results.effect_comparison",
    "Covariance": "tauscope.stress.joint.constraints",
    "DependentConstraints": "tauscope.errors",
    "EffectBreakdown": "tauscope.results.effect_breakdown",
    "EffectRegions": "tauscope.results.effect_regions",
    "FailedPartition": "tauscope.errors",
    "FeatureEffect": "tauscope.results.effect",
    "FeatureEffects": "tauscope.results.feature_effects",
    "InfeasibleTarget": "tauscope.errors",
    "InputError": "tauscope.errors",
    "InputTypeError": "tauscope.errors",
    "JointStress": "tauscope.results.joint_stress",
    "Mean": "tauscope.stress.joint.constraints",
    "Moment": "tauscope.stress.joint.constraints",
    "MovedEffect": "tauscope.results.effect_moved",
    "RandomizedModel": "tauscope.results.effect_randomisation",
    "RefitCurves": "tauscope.results.refit_curves",
    "Reweighting": "tauscope.results.reweighting",
    "Share": "tauscope.stress.joint.constraints",
    "Stress": "tauscope.stress.joint.constraints",
    "StressCurves": "tauscope.results.stress_curves",
    "StressImage": "tauscope.results.stress_image",
    "StressSketch": "tauscope.study.stress_sketch",
    "StressSurface": "tauscope.results.stress_surface",
    "Study": "tauscope.study.study",
    "SummedEffect": "tauscope.results.effect_summed",
    "SummedReweighting": "tauscope.results.summed_reweighting",
    "TauscopeError": "tauscope.errors",
    "UnknownName": "tauscope.errors",
    "Variance": "tauscope.stress.joint.constraints",
    "effect_chunks": "tauscope.study.effect_parts",
    "effect_partitions": "tauscope.study.effect_parts",
    "link": "tauscope.views.link",
    "reweight_chunks": "tauscope.study.reweight_parts",
    "reweight_partitions": "tauscope.study.reweight_parts",
    "stress_image_chunks": "tauscope.study.stress_image",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
