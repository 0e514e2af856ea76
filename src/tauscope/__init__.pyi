# Every public name and where it lives, once: type checkers read this file, and so does __init__.py.

from tauscope.chunked.study import ChunkedStudy as ChunkedStudy
from tauscope.errors import (
    DependentConstraints as DependentConstraints,
    FailedPartition as FailedPartition,
    InfeasibleTarget as InfeasibleTarget,
    InputError as InputError,
    InputTypeError as InputTypeError,
    TauscopeError as TauscopeError,
    UnknownName as UnknownName,
)
from tauscope.results.base import Result as Result
from tauscope.results.boundary.boundaries import Boundaries as Boundaries
from tauscope.results.boundary.boundary import Boundary as Boundary
from tauscope.results.boundary.pooled import PooledBoundary as PooledBoundary
from tauscope.results.effects.attack import EffectAttack as EffectAttack
from tauscope.results.effects.bounds import EffectBounds as EffectBounds
from tauscope.results.effects.breakdown import EffectBreakdown as EffectBreakdown
from tauscope.results.effects.by_group import EffectByGroup as EffectByGroup
from tauscope.results.effects.comparison import EffectComparison as EffectComparison
from tauscope.results.effects.effect import FeatureEffect as FeatureEffect
from tauscope.results.effects.effects import FeatureEffects as FeatureEffects
from tauscope.results.effects.randomisation import RandomizedModel as RandomizedModel
from tauscope.results.effects.regions import EffectRegions as EffectRegions
from tauscope.results.effects.shift import EffectShift as EffectShift
from tauscope.results.rules.distribution import ProjectedDistribution as ProjectedDistribution
from tauscope.results.rules.rule import Rule as Rule
from tauscope.results.rules.rule_list import RuleList as RuleList
from tauscope.results.rules.rules import Rules as Rules, RulesOfRows as RulesOfRows
from tauscope.results.rules.rules_under import RulesUnder as RulesUnder
from tauscope.results.rules.sufficient import (
    SufficientExplanation as SufficientExplanation,
    SufficientExplanations as SufficientExplanations,
)
from tauscope.results.rules.sufficient_under import SufficientUnder as SufficientUnder
from tauscope.results.rules.swing_rules import SwingRules as SwingRules
from tauscope.results.stress.by_group import MetricsByGroup as MetricsByGroup
from tauscope.results.stress.calibration import Calibration as Calibration
from tauscope.results.stress.comparison import ModelComparison as ModelComparison
from tauscope.results.stress.curves import StressCurves as StressCurves
from tauscope.results.stress.curves_by_group import CurvesByGroup as CurvesByGroup
from tauscope.results.stress.harm import StressHarm as StressHarm
from tauscope.results.stress.image import StressImage as StressImage
from tauscope.results.stress.joint import JointStress as JointStress
from tauscope.results.stress.refit_curves import RefitCurves as RefitCurves
from tauscope.results.stress.reweight import Reweighting as Reweighting
from tauscope.results.stress.scenario import Scenario as Scenario
from tauscope.results.stress.scenarios import ScenarioComparison as ScenarioComparison
from tauscope.results.stress.surface import StressSurface as StressSurface
from tauscope.results.stress.thresholds import ThresholdCurves as ThresholdCurves
from tauscope.results.stress.towards import TargetPopulation as TargetPopulation
from tauscope.results.stress.worst_case import WorstCase as WorstCase
from tauscope.results.workspace.table import RowTable as RowTable
from tauscope.sharing.record.load import load as load
from tauscope.stress.joint.constraints import (
    Covariance as Covariance,
    Mean as Mean,
    Moment as Moment,
    Share as Share,
    Stress as Stress,
    Variance as Variance,
)
from tauscope.study.sketches.sketch import StressSketch as StressSketch
from tauscope.study.stress.compare import compare as compare
from tauscope.study.study import Study as Study
from tauscope.views.link import link as link

__version__: str
