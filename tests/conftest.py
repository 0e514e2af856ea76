"""How the tests run: the same examples in every run, what belongs together in one worker, what takes longest first."""

import os
from pathlib import Path

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

# There is a worker for every core, and threads of OpenBLAS or OpenMP beyond that wait for each other by spinning.
# Set before NumPy is loaded, and handed on to the kernels and servers that tests start.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

settings.register_profile("fixed", derandomize=True)
settings.load_profile("fixed")

HERE = Path(__file__).parent
LONGEST_FIRST = ("browser", "notebooks", "architecture")
SLOW = (
    "browser",
    "notebooks",
    "figures",
    "chunked/rules",
    "architecture/test_distributions.py",
    "architecture/test_make.py",
)
"""Marked slow as a whole: `make check` leaves them out, as it does single tests with the mark."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what is left out as a whole: browsers and notebooks bring libraries of seconds."""
    leaves_out_slow = config.getoption("markexpr") == "not slow"
    return True if leaves_out_slow and collection_path in [HERE / name for name in SLOW] else None


@pytest.hookimpl(tryfirst=True)  # before pytest picks by mark
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest folders first, so that no worker begins one when the others are done, and mark slow ones."""

    def turn(item: pytest.Item) -> int:
        folder = item.path.relative_to(HERE).parts[0]
        return LONGEST_FIRST.index(folder) if folder in LONGEST_FIRST else len(LONGEST_FIRST)

    items.sort(key=turn)
    slow = [HERE / name for name in SLOW]
    for item in items:
        if any(path == item.path or path in item.path.parents for path in slow):
            item.add_marker("slow")


# Not the marks of `--dist loadgroup`: xdist 3.8 writes them into the id of a test where pytest 9.2 does not read it.
ALONE = ("tests/architecture/test_distributions.py", "tests/architecture/test_make.py")
"""Files of such a folder that take long and share nothing with the others."""


class Together(LoadFileScheduling):
    """Hand out a file at a time, one notebook of those in one file, a folder that shares a browser or files at once."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        if file.endswith("test_notebooks.py"):
            return file + test.partition("[")[2]
        # the tests of the architecture read every file of the package: parsed once where one worker has them all
        whole = [folder for folder in ("browser", "architecture") if file.startswith(f"tests/{folder}/")]
        return whole[0] if whole and file not in ALONE else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Together:
    """Use the scheduler above in every parallel run."""
    return Together(config, log)
