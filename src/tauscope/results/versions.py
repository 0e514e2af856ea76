"""Versions of the packages that numbers came from."""

from importlib import import_module

MODULES = {"tauscope": "tauscope", "numpy": "numpy", "pandas": "pandas", "scikit-learn": "sklearn"}
"""Module of each package; asked itself, as a package that only lies on the path has no metadata."""


def package_versions() -> dict[str, str]:
    """Return the version of each package."""
    return {name: str(import_module(module).__version__) for name, module in MODULES.items()}
