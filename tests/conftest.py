"""Fixtures every test may use."""

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

PROJECT = Path(__file__).resolve().parents[1]

# The same examples in every run, as every other draw of these tests has its seed.
settings.register_profile("fixed", derandomize=True)
settings.load_profile("fixed")


@pytest.fixture(scope="session")
def shared() -> ModuleType:
    """The loaders of the real data sets (`load.py`), kept beside the project or where TAUSCOPE_DATA points."""
    folder = Path(os.environ.get("TAUSCOPE_DATA", PROJECT.parent / "shared" / "data"))
    file = folder / "load.py"
    if not file.is_file():
        pytest.fail(f"Real data are needed: no load.py in {folder}. Put the data sets there, or set TAUSCOPE_DATA.")
    spec = importlib.util.spec_from_file_location("shared_data", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
