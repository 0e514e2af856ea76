import dataclasses
import inspect
import sys
import typing
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import tauscope
from tauscope.errors import InputError
from tauscope.results.base import Result
from tauscope.results.stress.curves import StressCurves
from tauscope.sharing.record import classes
from tauscope.sharing.record.classes import ALIASES, MODULES, PLAIN, class_named, field_kinds, field_names, name_of


def loaded() -> dict[str, Any]:
    """Every name of every module of the package."""
    names: dict[str, Any] = {}
    for one in walk_packages(tauscope.__path__, "tauscope."):
        if not one.name.endswith("__main__"):
            for name, value in vars(import_module(one.name)).items():
                names.setdefault(name, value)
    return names | ALIASES


def is_data(kind: type) -> bool:
    return dataclasses.is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))


def held(kind: Any, names: dict[str, Any], seen: set[type]) -> Iterator[type]:
    """Every class of data that a field of a class can hold, by its annotations, however deep."""
    for part in typing.get_args(kind):
        yield from held(part, names, seen)
    kind = typing.get_origin(kind) or kind
    if not inspect.isclass(kind) or not kind.__module__.startswith("tauscope.") or kind in seen:
        return
    seen.add(kind)
    for closer in kind.__subclasses__():
        yield from held(closer, names, seen)
    if not is_data(kind):
        return
    yield kind
    for owner in kind.__mro__[:-1]:
        home = names | vars(sys.modules[owner.__module__])
        for name, said in vars(owner).get("__annotations__", {}).items():
            if name != "source":
                yield from held(eval(said, home) if isinstance(said, str) else said, names, seen)


@pytest.mark.slow
def test_the_table_has_every_class_a_result_can_hold():
    names, seen = loaded(), set()
    needed = {kind for result in Result.__subclasses__() for kind in held(result, names, seen)}
    of_the_package = {kind for kind in needed if not inspect.isabstract(kind) and not kind.__name__.startswith("_")}
    missing = {f"{kind.__module__.removeprefix('tauscope.')}: {kind.__name__}" for kind in of_the_package}
    missing -= {f"{module.removeprefix('tauscope.')}: {name}" for name, module in MODULES.items()}
    assert not missing, f"to be added in src/tauscope/sharing/record/classes.py: {sorted(missing)}"


def test_names_are_unique_and_lead_to_their_classes():
    assert len(MODULES) == sum(len(names.split()) for names in classes.CLASSES.values())
    for name in MODULES:
        kind = class_named(name)
        assert kind.__name__ == name_of(kind) == name
        assert is_data(kind) or name in PLAIN
        assert field_names(kind)


def test_a_class_of_the_same_name_is_another():
    other = dataclasses.make_dataclass("StressCurves", ["n"])
    assert name_of(StressCurves) == "StressCurves"
    assert name_of(other) is None


@pytest.mark.parametrize("name", ["Study", "os", "StressCurves.at", "", None, 3, ["StressCurves"]])
def test_other_names_lead_nowhere(name):
    with pytest.raises(InputError, match="no class that a record can hold"):
        class_named(name)


def test_the_source_of_a_result_is_no_field():
    assert "source" not in field_names(StressCurves)
    assert "computed_on" in field_names(StressCurves)


@pytest.mark.slow
def test_the_kinds_of_fields_are_known():
    unknown = [
        f"{name}.{field}"
        for name in MODULES
        for field, kind in field_kinds(class_named(name)).items()
        if kind is typing.Any
    ]
    said = {name.split(".")[1] for name in unknown}
    assert said <= {
        "groups",
        "one_hot",
        "grid",
        "gradient",
        "level",
        "t",
        "target_class",
        "label",
        "value",
        "features",
    }, unknown
