"""Versions of the packages that numbers came from."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tauscope.results.base import Study

MODULES = {"tauscope": "tauscope", "numpy": "numpy", "pandas": "pandas", "scikit-learn": "sklearn"}
"""Module of each package; asked itself, as a package that only lies on the path has no metadata."""


def package_versions(study: Study | None = None) -> dict[str, str]:
    """Return the version of each package, and of those that the model of a study in memory is made with."""
    versions = {name: str(import_module(module).__version__) for name, module in MODULES.items()}
    if study is None or not study._has_model or not hasattr(study, "_require_model"):  # chunks
        return versions
    made_with = {module: getattr(sys.modules[module], "__version__", None) for module in _modules_of(study)}
    return versions | {module: version for module, version in made_with.items() if isinstance(version, str)}


def _modules_of(study: Study) -> list[str]:
    """Name the packages of a model, of a pipeline's steps and of the best of a search, but those named anyway."""
    model = study._require_model("has packages").model
    model = getattr(model, "best_estimator_", model)
    parts = [model, *(step for _, step in getattr(model, "steps", ()))]
    named = dict.fromkeys(type(part).__module__.partition(".")[0] for part in parts)
    return [module for module in named if module not in MODULES.values() and module in sys.modules]
