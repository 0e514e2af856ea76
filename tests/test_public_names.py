import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import tauscope

PROJECT = Path(__file__).resolve().parents[1]


def test_names_are_sorted_and_once():
    assert tauscope.__all__ == sorted(set(tauscope.__all__))


def test_every_name_is_there_and_has_one_home():
    assert set(tauscope._HOME) | {"__version__"} == set(tauscope.__all__)
    for name, home in tauscope._HOME.items():
        assert getattr(tauscope, name) is getattr(importlib.import_module(home), name)


def test_list_is_complete():
    errors = importlib.import_module("tauscope.errors")
    own = {name for name, one in vars(errors).items() if isinstance(one, type) and one.__module__ == errors.__name__}
    assert own <= set(tauscope.__all__)
    results = importlib.import_module("tauscope.results.stress.curves")
    for name in ("Study", results.StressCurves.__name__):
        assert name in tauscope.__all__


@pytest.mark.parametrize("name", [name for name in tauscope.__all__ if name != "__version__"])
def test_every_name_is_documented(name):
    documented = getattr(tauscope, name)
    assert documented.__doc__
    if documented.__module__ == "tauscope.errors":
        return
    for member, one in vars(documented).items():
        if not member.startswith("_") and (callable(one) or isinstance(one, property | classmethod)):
            assert one.__doc__, f"{name}.{member} has no docstring"


def test_unknown_name_raises():
    with pytest.raises(AttributeError, match="no attribute 'Studdy'"):
        tauscope.Studdy  # noqa: B018


def test_dir_lists_names():
    assert set(tauscope.__all__) <= set(dir(tauscope))


def test_import_loads_nothing_heavy():
    code = "import sys, tauscope; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"numpy", "scipy", "sklearn", "pandas", "narwhals", "polars", "anywidget", "ipywidgets", "altair", "tqdm"}
    assert heavy.isdisjoint(loaded)


@pytest.mark.slow
def test_names_are_read_when_one_is_asked_for():
    code = (
        "import tauscope\n"
        "assert not {'_HOME', '__all__'} & set(vars(tauscope))\n"
        "from tauscope import *\n"
        "assert Study is tauscope.Study and set(tauscope.__all__) <= set(globals())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_import_and_use_leave_settings_alone():
    code = (
        "import warnings, numpy as np, altair, sklearn.metrics, tqdm.auto\n"
        "before = (warnings.formatwarning, list(warnings.filters), np.random.get_state()[1].tolist(),"
        " altair.renderers.active, altair.theme.active)\n"
        "import tauscope\n"
        "study = tauscope.Study.from_ranges(lambda X: X['a'] > X['b'], {'a': (0, 1.0), 'b': (0, 2.0)}, n=50)\n"
        "repr(study)\n"
        "after = (warnings.formatwarning, list(warnings.filters), np.random.get_state()[1].tolist(),"
        " altair.renderers.active, altair.theme.active)\n"
        "assert before == after\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
