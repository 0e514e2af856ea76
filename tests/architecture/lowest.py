"""The lowest versions that pyproject.toml declares, as pins for pip: what `make test-lowest` installs."""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
BESIDE = {"duckdb", "hypothesis", "polars", "pyarrow", "pytest", "pytest-xdist"}
"""What the tests that run there need besides the package's own dependencies."""


def lowest(requirement: str) -> str:
    """Return "numpy==2.0.1" of "numpy>=2.0.1,<3"."""
    name, version = re.fullmatch(r"([A-Za-z0-9_.-]+)(?:\[.*\])?(?:>=|~=)([0-9.]+).*", requirement).groups()
    return f"{name}=={version}"


def pins() -> list[str]:
    """Return a pin for each dependency, and for what the tests need beside them."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    beside = [one for one in (*extras["parquet"], *extras["test"]) if re.split(r"[\[>~]", one)[0] in BESIDE]
    return [lowest(one) for one in (*project["dependencies"], *beside)]


if __name__ == "__main__":
    import sys

    sys.stdout.write("\n".join(pins()) + "\n")
