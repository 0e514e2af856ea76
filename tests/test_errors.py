import pickle
import re
import subprocess
import sys

import pytest

from tauscope.errors import UnknownName


def words(what, name, known):
    return str(UnknownName.among(what, name, known))


def test_nearest_names_come_first():
    assert words("feature", "agee", ["income", "age", "sex"]) == "There is no feature 'agee'. Nearest: 'age'."


def test_a_name_that_is_known_twice_is_said_once():
    assert words("metric", "recal", ["recall", "r2", "recall"]) == "There is no metric 'recal'. Nearest: 'recall'."


def test_all_names_where_none_is_near():
    assert words("metric", "zzz", ["age", "sex"]) == "There is no metric 'zzz'. There are: 'age', 'sex'."


def test_many_names_are_counted():
    assert words("feature", "zzz", [f"x{i}" for i in range(40)]).endswith("'x11' and 28 more.")


def test_what_is_not_a_name_is_shown_as_it_is():
    assert "There is no feature 3." in words("feature", 3, ["age"])


def test_an_error_reads_the_same_after_pickling():
    error = UnknownName.among("feature", "agee", ["age"])
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


CALLS = """
import sys
import numpy as np
from IPython.core.interactiveshell import InteractiveShell
import tauscope as ts
X = np.random.default_rng(0).normal(size=(40, 2))
def model(rows):
    return ts.Study.from_predictions(X, X[:, 0], X[:, 1]).effect("nobody", grid=3)
study = ts.Study.from_predictions(X, X[:, 0] > 0, X[:, 1] > 0)
shell = InteractiveShell.instance(colors="nocolor")
shell.user_ns.update(globals())
for source in sys.stdin.read().split(";"):
    print("=" * 8)
    shell.run_cell(source)
"""
BAD = (
    "study.stress_curves(taus=-1)",
    "study.stress_surface('x0', 'agee')",
    "study.reweight(ts.Mean('x0', target=99))",
    "ts.Study(model, X)",
)


@pytest.mark.slow
def test_ipython_shows_the_callers_lines_and_the_message():
    cells = [*BAD, "%xmode Verbose", BAD[0]]
    done = subprocess.run([sys.executable, "-c", CALLS], input=";".join(cells), capture_output=True, text=True)
    shown = [part.strip().splitlines() for part in done.stdout.split("=" * 8)[1:]]
    for source, lines in zip(BAD[:3], shown, strict=False):
        assert len(lines) <= 6
        assert f"----> 1 {source}" in lines
        assert re.match(r"\w+: .", lines[-1])
    called_back = "\n".join(shown[3])
    assert "in model(rows)" in called_back  # the user's own function, between two calls of ours
    assert "tauscope/" not in called_back
    assert "tauscope/" in "\n".join(shown[5])
