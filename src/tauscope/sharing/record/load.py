"""`load`: a result read again from its record, and a clear no to anything else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tauscope.arguments import checks_call, describe
from tauscope.data.data_hash import SHOWN
from tauscope.errors import InputError, TauscopeError
from tauscope.results.base import Result
from tauscope.sharing.record.record import SCHEMA, VERSION, RecordDocument, digest_of
from tauscope.sharing.record.values import Reader
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.results.boundary.boundaries import Boundaries
    from tauscope.results.boundary.boundary import Boundary
    from tauscope.results.boundary.pooled import PooledBoundary
    from tauscope.results.effects.attack import EffectAttack
    from tauscope.results.effects.bounds import EffectBounds
    from tauscope.results.effects.breakdown import EffectBreakdown
    from tauscope.results.effects.by_group import EffectByGroup
    from tauscope.results.effects.comparison import EffectComparison
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.results.effects.effects import FeatureEffects
    from tauscope.results.effects.randomisation import RandomizedModel
    from tauscope.results.effects.regions import EffectRegions
    from tauscope.results.effects.shift import EffectShift
    from tauscope.results.rules.distribution import ProjectedDistribution
    from tauscope.results.rules.rule_list import RuleList
    from tauscope.results.rules.rules import Rules, RulesOfRows
    from tauscope.results.rules.rules_under import RulesUnder
    from tauscope.results.rules.sufficient import SufficientExplanation, SufficientExplanations
    from tauscope.results.rules.sufficient_under import SufficientUnder
    from tauscope.results.rules.swing_rules import SwingRules
    from tauscope.results.stress.by_group import MetricsByGroup
    from tauscope.results.stress.calibration import Calibration
    from tauscope.results.stress.comparison import ModelComparison
    from tauscope.results.stress.curves import StressCurves
    from tauscope.results.stress.curves_by_group import CurvesByGroup
    from tauscope.results.stress.harm import StressHarm
    from tauscope.results.stress.image import StressImage
    from tauscope.results.stress.joint import JointStress
    from tauscope.results.stress.refit_curves import RefitCurves
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.results.stress.scenarios import ScenarioComparison
    from tauscope.results.stress.surface import StressSurface
    from tauscope.results.stress.thresholds import ThresholdCurves
    from tauscope.results.stress.towards import TargetPopulation
    from tauscope.results.stress.worst_case import WorstCase
    from tauscope.results.workspace.table import RowTable

    AnyResult: TypeAlias = (
        Boundaries | Boundary | Calibration | CurvesByGroup | EffectAttack | EffectBounds | EffectBreakdown |
        EffectByGroup | EffectComparison | EffectRegions | EffectShift | FeatureEffect | FeatureEffects | JointStress |
        MetricsByGroup | ModelComparison | PooledBoundary | ProjectedDistribution | RandomizedModel | RefitCurves |
        Reweighting | RowTable | RuleList | Rules | RulesOfRows | RulesUnder | ScenarioComparison | StressCurves |
        StressHarm | StressImage | StressSurface | SufficientExplanation | SufficientExplanations | SufficientUnder |
        SwingRules | TargetPopulation | ThresholdCurves | WorstCase
    )  # fmt: skip


@checks_call
def load(path: str | Path, study: Study | None = None) -> AnyResult:
    """Read a result that `save` wrote as .json.

    The result is of the class that was saved and equal in every field. Nothing in the file is run: it is JSON, and the
    classes it may name are in a table of Tauscope's own.

    Parameters
    ----------
    path : str or Path
        A .json that any result's `save` wrote.
    study : Study, optional
        Of the same data, which is checked by `Study.data_hash`: the result asks its further questions of it. By
        default the result stands alone, with all its numbers, its chart and its text; what goes back to the model or
        the rows says so. A `JointStress` is read with its study only.

    Returns
    -------
    result
        Of the class that was saved, such as a `StressCurves`; to a checker of types any of these classes, which
        `isinstance` tells apart.

    Raises
    ------
    InputError
        For a file that is no record or of another version, that was changed or is damaged, of other data than the
        study's, or of a result that cannot stand alone; each says what was found, and what to do.
    FileNotFoundError
        Where there is no such file.

    Examples
    --------
    >>> study.stress_curves("mean radius").save("curves.json")
    >>> curves = ts.load("curves.json", study)
    >>> curves.feature_names
    ('mean radius',)
    """
    file = Path(path).name
    return read_record(Path(path).read_bytes(), file, study)


def read_record(text: bytes, file: str, study: Study | None) -> Any:
    """Read a record; see `load`.

    Parameters
    ----------
    text : bytes
    file : str
        What messages call it.
    study : Study or None
    """
    document = _read_document(text, file)
    if study is not None:
        _check_data(_mapping(document.get("data")), study, file)
    try:
        result = Reader(_list(document.get("shared")), study).read(document["result"])
    except InputError as error:
        raise InputError(f"The record in {file!r} cannot be read: {error}. Save the result anew.") from None
    except RecursionError:
        raise InputError(f"The record in {file!r} is nested too deeply to be one. Save the result anew.") from None
    if not isinstance(result, Result) or type(result).__name__ != document["kind"]:
        raise InputError(
            f"The record in {file!r} says it is of a {describe(document['kind'])}, and has a {type(result).__name__}. "
            "Save the result anew."
        )
    if study is None:
        _check_stands_alone(result, file)
    _check_goes_together(result, file)
    return result


def _read_document(text: bytes, file: str) -> Mapping[str, Any]:
    """Read the frame of a record, and refuse one that is not whole."""
    try:
        document = _mapping(json.loads(text.decode("utf-8"), parse_constant=_refuse_constant))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"A record is JSON; {file!r} cannot be read as such: {error}. Give one that result.save(…) wrote."
        ) from None
    if document.get("schema") != SCHEMA:
        raise InputError(
            f"A record has the schema {SCHEMA!r}; got {describe(document.get('schema'))} in {file!r}. Give a .json "
            "that result.save(…) wrote; scenarios are read by study.load_scenarios."
        )
    if document.get("version") != VERSION or isinstance(document.get("version"), bool):
        raise InputError(
            f"This version of Tauscope reads version {VERSION} of {SCHEMA}; got {describe(document.get('version'))} in "
            f"{file!r}. Save the result anew, or load it with the Tauscope that wrote it{_writer(document)}."
        )
    for name in RecordDocument.__annotations__:
        if name not in document:
            raise InputError(f"A record has {name}; in {file!r} it is not there. Save the result anew.")
    if document["digest"] != digest_of(document):
        raise InputError(
            f"The record in {file!r} was changed after it was written, or is damaged: its digest is another. Give the "
            "file as it was saved, or save the result anew."
        )
    return document


def _check_data(data: Mapping[str, Any], study: Study, file: str) -> None:
    """Ask for the data the result is of."""
    saved, own = data.get("hash"), getattr(study, "data_hash", None)
    if not isinstance(saved, str) or own is None:
        where = f"of {file!r}" if not isinstance(saved, str) else "of this study, whose rows come in chunks,"
        raise InputError(
            f"The hash of the data {where} is unknown, so that nothing tells whether the two are of the same data. "
            "Load it without a study; result.with_source(study) then takes your word for it."
        )
    if saved != own:
        n_rows = data.get("n_rows")
        rows = f", {count(n_rows, 'row')}" if isinstance(n_rows, int) else ""
        raise InputError(
            f"The result in {file!r} is of other data (hash {saved[:SHOWN]}{rows}) than this study (hash "
            f"{own[:SHOWN]}, {count(study.n_rows, 'row')}). Give the study it was made of, or load it without one."
        )


def _check_stands_alone(result: Result, file: str) -> None:
    try:
        assert result.title
    except InputError:
        raise InputError(
            f"The {type(result).__name__} in {file!r} reads what it says from its study. Give load the study of the "
            "same data: ts.load(path, study)."
        ) from None


def _check_goes_together(result: Result, file: str) -> None:
    """Ask a result for its words and numbers, so that fields that fit no others are refused now and not at use."""
    try:
        _ = result.title, result.notes, result.frame, result._document(), repr(result)
    except TauscopeError:
        return  # what it would ask a study or a model
    except Exception as error:
        raise InputError(
            f"The record in {file!r} has fields that do not go together: {type(error).__name__}: {error}. Save the "
            "result anew."
        ) from None


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _writer(document: Mapping[str, Any]) -> str:
    name = _mapping(document.get("packages")).get("tauscope")
    return f", {name}" if isinstance(name, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []
