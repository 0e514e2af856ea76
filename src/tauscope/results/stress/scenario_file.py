"""Scenarios as a file: what they are, of which data, and what they were saved with; and a clear no to any other."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, TypedDict, cast

from tauscope.arguments import describe
from tauscope.data.data_hash import SHOWN
from tauscope.errors import InputError, InputTypeError, TauscopeError, UnknownName
from tauscope.results.stress.numbers.joint_moments import JointHold
from tauscope.results.stress.scenario import Scenario, named_features, with_features_named
from tauscope.results.versions import package_versions
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.base import Study

SCHEMA, VERSION = "tauscope.scenarios", 1
QUANTILE = 0.05
SAVED = ("name", "taus", "hold")


class MeanDocument(TypedDict):
    """The mean of a feature as it is and as a scenario has it, in `unit`: "year", "days", "share" of rows, or ""."""

    before: float
    target: float
    unit: str


class ScenarioDocument(TypedDict):
    """One scenario; `means` by feature are for readers and not read back."""

    name: str
    taus: dict[str, float]
    hold: JointHold
    means: dict[str, MeanDocument]


class DataDocument(TypedDict):
    """By which the data of scenarios are known again."""

    hash: str
    n_rows: int
    columns: list[str]


class ScenariosDocument(TypedDict):
    """What a file of scenarios holds; `seed` is that of rows which were drawn."""

    schema: str
    version: int
    saved: str
    data: DataDocument
    seed: int | None
    packages: dict[str, str]
    quantile: float
    scenarios: list[ScenarioDocument]


def scenarios_document(source: Study, scenarios: Sequence[Scenario]) -> ScenariosDocument:
    """Return what a file of scenarios holds.

    Raises
    ------
    InputError, InputTypeError
        For none, two of one name, or what is no scenario.
    UnknownName
        For a feature that is not there, with the nearest names.
    """
    check_scenarios(scenarios)
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "saved": date.today().isoformat(),
        "data": data_document(source),
        "seed": source._random_state,
        "packages": package_versions(),
        "quantile": QUANTILE,
        "scenarios": [_scenario(source, with_features_named(scenario, source.feature_names)) for scenario in scenarios],
    }


def data_document(source: Study) -> DataDocument:
    """Return by what the data of a study are known again."""
    return {"hash": source.data_hash, "n_rows": source.n_rows, "columns": list(source.feature_names)}


def scenarios_text(document: ScenariosDocument) -> bytes:
    """Return a document as JSON in UTF-8, half of a surrogate pair as its escape."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)
    return f"{text}\n".encode("utf-8", "backslashreplace")


def check_scenarios(scenarios: Sequence[object]) -> None:
    """Ask for scenarios of different names, at least one.

    Raises
    ------
    InputError, InputTypeError
    """
    if not len(scenarios):
        raise InputError("At least one scenario is needed; got none. Try [ts.Scenario('older', {'age': 0.5})].")
    names: set[str] = set()
    for each in scenarios:
        if not isinstance(each, Scenario):
            raise InputTypeError(f"scenarios must be a list of ts.Scenario; got {describe(each)} in it.")
        if each.name in names:
            raise InputError(f"Each scenario needs a name of its own; got {each.name!r} twice. Rename one of the two.")
        names.add(each.name)


def read_scenarios(source: Study, text: bytes, file: str, *, check_data: bool = True) -> tuple[Scenario, ...]:
    """Read scenarios for a study.

    Parameters
    ----------
    source : Study
    text : bytes
    file : str
        What messages call it.
    check_data : bool
        Whether they have to be of the study's own data; else their features have to be there.

    Raises
    ------
    UnknownName
        For a feature that is not there, with the nearest names.
    InputError
        For another schema or version, other data, or what is no scenario, each by its own message.
    """
    document = _read_document(text, file)
    saved: object = document.get("scenarios")
    if not isinstance(saved, list):
        raise InputError(f"A file of scenarios has a list of them; got {describe(saved)} in {file!r}. Save them anew.")
    entries = cast(list[object], saved)
    scenarios = tuple(_read_scenario(one, f"Scenario {k} in {file!r}") for k, one in enumerate(entries, 1))
    check_scenarios(scenarios)
    for scenario in scenarios:
        _check_features(scenario, source)
    if check_data:
        _check_data(document.get("data"), source, file)
    return scenarios


def _scenario(source: Study, scenario: Scenario) -> ScenarioDocument:
    columns = source.joint_stress(named_features(scenario, source._columns), quantile=QUANTILE)._columns
    means: dict[str, MeanDocument] = {}
    for k, feature in enumerate(columns.features):
        target = columns.target(feature.name, scenario.taus[feature.name])
        unit = "share" if feature.kind == "share" else feature.source.unit
        means[feature.name] = {"before": float(columns.mean[k]), "target": target, "unit": unit}
    return {"name": scenario.name, **scenario.stress, "means": means}


def _read_document(text: bytes, file: str) -> Mapping[str, Any]:
    try:
        document: object = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"A file of scenarios is JSON; {file!r} cannot be read as such: {error}. Give one that "
            "study.save_scenarios wrote."
        ) from None
    fields = _fields(document)
    if fields.get("schema") != SCHEMA:
        raise InputError(
            f"A file of scenarios has the schema {SCHEMA!r}; got {describe(fields.get('schema'))} in {file!r}. Give "
            "one that study.save_scenarios wrote."
        )
    if fields.get("version") != VERSION:
        raise InputError(
            f"This version of Tauscope reads version {VERSION} of {SCHEMA}; got {describe(fields.get('version'))} in "
            f"{file!r}. Save the scenarios anew, or load them with the Tauscope that wrote them{_writer(fields)}."
        )
    return fields


def _fields(value: object) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def _writer(fields: Mapping[str, Any]) -> str:
    name = _fields(fields.get("packages")).get("tauscope")
    return f", {name}" if isinstance(name, str) else ""


def _read_scenario(saved: object, place: str) -> Scenario:
    fields = _fields(saved)
    missing = [name for name in SAVED if name not in fields]
    if missing:
        raise InputError(f"{place} must have {', '.join(SAVED)}; {missing[0]} is not there. Save them anew.")
    try:
        return Scenario(*(fields[name] for name in SAVED))
    except TauscopeError as error:
        raise InputError(f"{place} cannot be read. {error}") from None


def _check_features(scenario: Scenario, source: Study) -> None:
    try:
        named_features(scenario, source._columns)
    except UnknownName as error:
        raise UnknownName(
            f"The scenario {scenario.name!r} moves a feature that this study has not. {error} Rename it in the file, "
            "or give a study that has it."
        ) from None


def _check_data(data: object, source: Study, file: str) -> None:
    saved, n_rows = _fields(data).get("hash"), _fields(data).get("n_rows")
    if saved == source.data_hash:
        return
    shown = saved[:SHOWN] if isinstance(saved, str) else "none"
    rows = f", {count(n_rows, 'row')}" if isinstance(n_rows, int) else ""
    raise InputError(
        f"The scenarios in {file!r} are of other data (hash {shown}{rows}; this study's is {source.data_hash[:SHOWN]}, "
        f"{count(source.n_rows, 'row')}), where the same τ is another mean. Load them with a study of that data, or "
        "by the "
        "names of features with check_data=False."
    )
