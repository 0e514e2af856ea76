"""The classes a record can hold: one table. A name in a file is looked up here, and never imported."""

# Decided in docs/decisions/0023-a-record-names-classes-and-a-table-has-them.md.

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.results.base import Result

# Module below `tauscope` → its classes. Those of every field of every result; a test compares it with their annotations
# and says which line is missing. Features of chunks are named, not imported: nothing here stands on rows.
CLASSES = {
    "boundary.detection": "Detection",
    "boundary.planes.inspection": "Diagnostics Explanation Inspection Paths Sample",
    "boundary.options": "SearchOptions",
    "boundary.space": "Limits Space",
    "data.columns": "Column",
    "data.features": "Feature",
    "effects.attacks.attacked": "Attack BoundCheck",
    "effects.bounds.bands": "Band",
    "effects.bounds.breakdown": "Breakdown",
    "effects.bounds.changes": "ModelChange",
    "effects.bounds.effect_bounds": "CurveBounds",
    "effects.bounds.lipschitz": "Lipschitz",
    "effects.bounds.observed": "CurveShift",
    "effects.bounds.published": "OutputRange PublishedBounds",
    "effects.curves.accumulated": "AccumulatedEffect",
    "effects.curves.sums": "ChunkedEffect",
    "effects.curves.conditional": "ConditionalDependence",
    "effects.curves.dependence": "PartialDependence",
    "effects.curves.effect": "Effect",
    "effects.curves.grids": "Grid",
    "effects.curves.intervals": "Interval",
    "effects.curves.neighbourhoods": "Nearest Window",
    "effects.curves.ragged": "RaggedGroups",
    "effects.curves.regions": "Region Regions",
    "effects.curves.surface": "AccumulatedSurface",
    "effects.randomisation": "Randomisation",
    "results.boundary.boundaries": "Boundaries",
    "results.boundary.boundary": "Boundary BoundaryRegion DiverseRow",
    "results.boundary.columns": "BoundaryColumn",
    "results.boundary.numbers": "BoundaryNumbers",
    "results.boundary.pooled": "PooledBoundary",
    "results.boundary.sparse": "SparseNumbers",
    "results.boundary.spec": "BoundarySpec",
    "results.effects.attack": "EffectAttack",
    "results.effects.axis": "Axis",
    "results.effects.bounds": "EffectBounds",
    "results.effects.breakdown": "EffectBreakdown",
    "results.effects.by_group": "EffectByGroup GroupEffects",
    "results.effects.comparison": "EffectComparison",
    "results.effects.effect": "FeatureEffect",
    "results.effects.effects": "FeatureEffects",
    "results.effects.numbers": "EffectNumbers",
    "results.effects.randomisation": "RandomizedModel",
    "results.effects.regions": "EffectRegions",
    "results.effects.shift": "EffectShift",
    "results.effects.spec": "EffectSpec",
    "results.reliability": "Judged",
    "results.rules.columns": "Condition RuleColumn",
    "results.rules.distribution": "ProjectedDistribution SetDistribution",
    "results.rules.rows": "RuleRows",
    "results.rules.rule": "Rule RuleProof RuleShare",
    "results.rules.rule_list": "ListAgreement RuleList",
    "results.rules.rules": "Rules RulesOfRows",
    "results.rules.rules_under": "RulesUnder",
    "results.rules.spec": "ForestInfo RuleListSpec RulesSpec",
    "results.rules.sufficient": "SubsetNumbers SufficientExplanation SufficientExplanations",
    "results.rules.sufficient_under": "SufficientUnder",
    "results.rules.swing_rules": "Move SwingRule SwingRules",
    "results.stress.by_group": "Group MetricsByGroup",
    "results.stress.calibration": "Calibration CalibrationAsked",
    "results.stress.columns": "StressColumns",
    "results.stress.comparison": "ModelComparison",
    "results.stress.numbers.curve_numbers": "CurvesOptions",
    "results.stress.curves": "StressCurves",
    "results.stress.curves_by_group": "CurvesByGroup",
    "results.stress.numbers.equal_distance": "Shift",
    "results.stress.harm": "StressHarm",
    "results.stress.image": "StressImage",
    "results.stress.joint": "JointStress",
    "results.stress.numbers.joint_answer": "MetricEstimate",
    "results.stress.notes": "FeatureNotes",
    "results.stress.numbers.observed": "Observed",
    "results.stress.other_population": "Novelty Target",
    "results.stress.refit_curves": "RefitCurves",
    "results.stress.reweight": "Reweighting",
    "results.stress.scenario": "Scenario",
    "results.stress.scenarios": "ScenarioComparison ScenarioPopulation",
    "results.stress.surface": "StressSurface",
    "results.stress.thresholds": "ThresholdCurves ThresholdsAsked",
    "results.stress.towards": "TargetPopulation",
    "results.stress.worst_case": "HeldOut WorstCase",
    "results.stress.tables.worst_margins": "MovedMean",
    "results.stress.worst_within": "Within",
    "results.workspace.row_column": "RowColumn",
    "results.workspace.table": "RowTable",
    "rows.sketches.features": "SketchedFeature SummedColumn",
    "stress.bins.binned": "BinnedSums End",
    "stress.bins.heaviest_rows": "HeaviestRows",
    "stress.bins.layout": "Layout",
    "stress.bins.quantile_windows": "QuantileWindow",
    "stress.bins.value_counts": "ValueCounts",
    "stress.column.sketch": "Scale",
    "stress.column.target": "TauRange",
    "stress.column.tau_end": "TauEnd",
    "stress.curves": "Curves",
    "stress.functions": "NamedFunction",
    "stress.groups.group_curves": "GroupCurves",
    "stress.histogram": "Bars",
    "stress.images": "PixelCounts",
    "stress.joint.constraints": "Covariance Mean Moment Share Stress Variance",
    "stress.joint.gaps": "Gaps",
    "stress.joint.terms": "Term",
    "stress.metrics": "Counted Metric SummedMetric",
    "stress.outcomes": "Outcomes",
    "stress.pair.surface": "Surface",
    "stress.score_steps": "Ranking ScoreSteps",
    "stress.thresholds": "Costs",
    "stress.towards.difference": "Ends",
    "stress.towards.margins": "Margin Margins",
    "stress.worst.rows": "Distance",
    "weights.carriers": "Carriers",
}
MODULES = {name: f"tauscope.{module}" for module, names in CLASSES.items() for name in names.split()}
# What is no dataclass and no named tuple: its fields, and the kinds of these.
PLAIN: dict[str, dict[str, Any]] = {
    "PixelCounts": {"levels": NDArray[np.float64], "n_rows": int, "counts": NDArray[np.uint32]},
}
# Names in annotations whose home is loaded for type checkers only.
ALIASES: dict[str, Any] = {"Floats": NDArray[np.float64], "EffectKind": str, "Task": str}


def name_of(kind: type) -> str | None:
    """Return the name by which a record has a class; None for one that it cannot hold."""
    name = kind.__name__
    return name if MODULES.get(name) == kind.__module__ else None


def class_named(name: object) -> Any:
    """Return a class of the table.

    Raises
    ------
    InputError
        For any other name; nothing is imported for it.
    """
    if not isinstance(name, str) or name not in MODULES:
        raise InputError(f"it names {name!r:.60}, which is no class that a record can hold")
    return getattr(import_module(MODULES[name]), name)


def field_names(kind: Any) -> tuple[str, ...]:
    """Return the fields that a record has of a class; a result's source is the study, which stays where it is."""
    if kind.__name__ in PLAIN:
        return tuple(PLAIN[kind.__name__])
    if hasattr(kind, "_fields"):  # a named tuple
        return kind._fields
    return tuple(item.name for item in dataclasses.fields(kind) if not _is_source(kind, item.name))


@cache
def field_kinds(kind: type) -> Mapping[str, Any]:
    """Return what each field of a class is said to be by its annotation; `Any` for those that cannot be read here."""
    return PLAIN.get(kind.__name__) or {name: _kind_of(kind, name) for name in field_names(kind)}


def build(kind: Any, values: Mapping[str, Any]) -> Any:
    """Make an object of its fields; its own checks look at them."""
    if kind.__name__ not in PLAIN:
        return kind(**values)
    made = object.__new__(kind)
    made.__dict__.update(values)
    return made


def _is_source(kind: type, name: str) -> bool:
    return name == "source" and issubclass(kind, Result)


def _kind_of(kind: type, name: str) -> Any:
    owner = next(one for one in kind.__mro__ if name in vars(one).get("__annotations__", {}))
    bare = type("Bare", (), {"__annotations__": {name: owner.__annotations__[name]}, "__module__": owner.__module__})
    known = {"Literal": Literal, **ALIASES, **_loaded_classes(), **vars(import_module(owner.__module__))}
    try:
        return typing.get_type_hints(bare, globalns=known)[name]
    except NameError:
        return Any


def _loaded_classes() -> dict[str, Any]:
    """Return the classes of the table, all of them: annotations name those of other modules for type checkers."""
    return {name: class_named(name) for name in MODULES}
