"""The user's functions, stored by the study that received them, so that results need only name them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tauscope.errors import InputError
from tauscope.stress.functions import NamedFunction
from tauscope.stress.joint.constraints import Constraint, Moment, Stress


class FunctionRegistry:
    """Functions of the user's by name: metrics, and what moments are the means of.

    Shared by a study and those derived from it. It pickles empty, as most such functions are lambdas, which do not.
    """

    def __init__(self) -> None:
        self._functions: dict[str, Callable[..., Any]] = {}

    def keep(self, function: Callable[..., Any], name: str) -> NamedFunction:
        """Store a function and return its name; another function of the same name gets its own key."""
        key, n = name, 1
        while self._functions.setdefault(key, function) is not function:
            n += 1
            key = f"{name} ({n})"
        return NamedFunction(key, name)

    def find(self, named: NamedFunction) -> Callable[..., Any]:
        """Return a stored function.

        Raises
        ------
        InputError
            Where it was left behind.
        """
        if named.key not in self._functions:
            raise InputError(
                f"The function {named.name!r} was left behind when a result was pickled. Ask the study with the "
                "function itself, or use result.with_source(study) with the study it was made of."
            )
        return self._functions[named.key]

    def name_functions(self, stress: Stress) -> Stress:
        """Store the functions of a stress and return it with their names; itself where it has none."""
        named = tuple(self._name_function(constraint) for constraint in stress)
        return stress if named == stress.constraints else Stress(named)

    def with_functions(self, stress: Stress) -> Stress:
        """Return a stress with the functions it names; itself where it names none."""
        constraints = tuple(self._restore_function(constraint) for constraint in stress)
        return stress if constraints == stress.constraints else Stress(constraints)

    def _name_function(self, constraint: Constraint) -> Constraint:
        if not isinstance(constraint, Moment) or not callable(constraint.function):
            return constraint
        name = str(getattr(constraint.function, "__name__", "<lambda>"))
        return replace(constraint, function=self.keep(constraint.function, name))

    def _restore_function(self, constraint: Constraint) -> Constraint:
        if not isinstance(constraint, Moment) or not isinstance(constraint.function, NamedFunction):
            return constraint
        return replace(constraint, function=self.find(constraint.function))

    def __getstate__(self) -> dict[str, Any]:
        return {"_functions": {}}
