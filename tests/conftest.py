"""How the tests run: the same examples in every run, a file in one worker, what takes longest first."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# There is a worker for every core, and threads of OpenBLAS or OpenMP beyond that wait for each other by spinning.
# Set before NumPy is loaded, and handed on to the kernels and servers that tests start.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

settings.register_profile("fixed", derandomize=True)
settings.load_profile("fixed")

HERE = Path(__file__).parent
LONGEST_FIRST = ("browser", "notebooks", "house")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test a group, which stays in one worker with its fixtures, and put the longest groups first."""
    folders = {}
    for item in items:
        file = item.path.relative_to(HERE)
        folders[item] = file.parts[0]
        if item.get_closest_marker("xdist_group") is None:
            # One Chromium, one JupyterLab and one Voila serve all tests in browsers.
            name = "browser" if file.parts[0] == "browser" else file.with_suffix("").as_posix()
            item.add_marker(pytest.mark.xdist_group(name))
    items.sort(key=lambda item: LONGEST_FIRST.index(at) if (at := folders[item]) in LONGEST_FIRST else len(LONGEST_FIRST))
