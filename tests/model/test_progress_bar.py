"""Bars of long work: shown once it takes its time, hushed where asked, and asked whether to stop."""

import subprocess
import sys
import time

import numpy as np
import pytest

import tauscope as ts
from tauscope.model import progress_bar
from tauscope.model.progress_bar import Bar, progress
from tauscope.prediction.stopping import Stopped, stoppable


def test_items_pass_through(capsys):
    assert list(progress(iter("abc"), "Spelling", 3, "letter")) == ["a", "b", "c"]
    assert list(progress("ab", "Spelling", None, "letter")) == ["a", "b"]
    assert list(progress("ab", "Spelling", 2, "letter", shown=False)) == ["a", "b"]
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_a_bar_shows_once_the_work_takes_its_time(capsys, monkeypatch):
    monkeypatch.setattr(progress_bar, "DELAY", 0.05)
    with Bar("Counting", unit="step") as bar:
        for done in range(1, 4):
            time.sleep(0.06)
            assert bar.update(done, 3) is False
    assert "Counting" in capsys.readouterr().err
    with Bar("Counting", shown=False) as bar:
        time.sleep(0.06)
        bar.update(1, 1)
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_a_bar_that_the_environment_forbids_writes_nothing():
    code = (
        "from tauscope.model import progress_bar\nprogress_bar.DELAY = 0\n"
        "with progress_bar.Bar('Counting') as bar:\n    bar.update(1, 3)\n    bar.update(3, 3)"
    )
    environment = {"TQDM_DISABLE": "1", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_the_callback_is_told_and_can_stop():
    seen = []

    def stop(done, total):
        seen.append((done, total))
        return done == 2

    with Bar("Counting", shown=False, callback=stop) as bar:
        assert [bar.update(done, 3) for done in (1, 2, 3)] == [False, True, False]
    assert seen == [(1, 3), (2, 3), (3, 3)]


RANDOM = np.random.default_rng(0)
X = RANDOM.integers(0, 9, (200, 4)).astype(np.uint8)
STUDY = ts.Study.from_predictions(X, X[:, 0] > 3, X[:, 1] > 4)
VERBS = {
    "curves": lambda **options: STUDY.stress_curves(**options).at(5),
    "metric": lambda **options: STUDY.stress_curves("x0", metrics="accuracy", taus=3, **options),
    "held": lambda **options: STUDY.stress_curves("x0", hold="means", taus=3, **options),
    "bootstrap": lambda **options: STUDY.stress_curves("x0", interval="bootstrap-t", taus=3, **options),
    "surface": lambda **options: STUDY.stress_surface("x0", "x1", taus=3, **options),
    "worst case": lambda **options: STUDY.worst_case("error_rate", reach=0.5, features=["x0", "x1"], **options),
    "image": lambda **options: STUDY.stress_image((2, 2), **options),
    "chunks": lambda **options: ts.ChunkedStudy(None, [(X, None, X[:, 1] > 4)]).stress_image((2, 2), **options),
}


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_shows_a_bar_unless_hushed(verb, capsys, monkeypatch):
    monkeypatch.setattr(progress_bar, "DELAY", 0)
    VERBS[verb](progress=False)
    assert capsys.readouterr().err == ""
    VERBS[verb]()
    if verb != "surface":  # which has none where its sketch is accurate enough
        assert "/s]" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    "work",
    [lambda study, path: study.save(path), lambda study, path: study.report(path), lambda study, _: display(study)],
    ids=["save", "report", "display"],
)
def test_a_hushed_study_shows_no_bar_where_none_can_be_asked_for(work, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(progress_bar, "DELAY", 0)
    for shown in (False, True):
        study = ts.Study(lambda rows: (rows[:, 1] > 4) * 1, X, X[:, 0] > 3, batch_rows=100, progress=shown)
        capsys.readouterr()
        work(study, tmp_path / "page.html")
        assert ("/s]" in capsys.readouterr().err) is shown


def display(study):
    study._repr_mimebundle_()


def test_hushing_ends_with_the_work():
    with pytest.raises(RuntimeError), progress_bar.bars_shown(False):
        raise RuntimeError
    with progress_bar.bars_shown(True):
        assert progress_bar._are_shown()
    assert progress_bar._scope.get() is None


def test_hushed_work_hushes_all_inside_it(capsys, monkeypatch):
    monkeypatch.setattr(progress_bar, "DELAY", 0)
    with progress_bar.bars_shown(False), progress_bar.bars_shown(True):
        assert list(progress("ab", "Spelling", 2, "letter")) == ["a", "b"]
        with Bar("Counting") as bar:
            bar.update(1, 2)
    assert capsys.readouterr().err == ""


def test_a_bar_goes_with_work_that_fails(monkeypatch):
    monkeypatch.setattr(progress_bar, "DELAY", 0)
    bars = []

    def work():
        with progress_bar.bars_shown(True):
            for _ in progress("abc", "Spelling", 3, "letter"):
                bars.extend(progress_bar._scope.get().bars)
                assert not bars or bars[0]._drawn is not None
                _ = 1 / (not bars)

    with pytest.raises(ZeroDivisionError) as raised:
        work()
    assert raised.tb is not None  # which keeps the loop from being collected
    assert [bar._drawn for bar in bars] == [None]


def test_nothing_is_made_before_the_delay_has_passed(monkeypatch):
    def made(*args):
        raise AssertionError

    monkeypatch.setattr("tauscope.model.drawn_bar.draw_bar", made)
    assert list(progress("ab", "Spelling", 2, "letter")) == ["a", "b"]
    with Bar("Counting") as bar:
        assert bar.update(1, 1) is False


def test_work_that_is_counted_stops_between_two_items():
    told = [False]
    with stoppable(lambda: told[0]):
        letters = iter(progress("abc", "Spelling", 3, "letter", shown=False))
        assert [next(letters), next(letters)] == ["a", "b"]
        told[0] = True
        with pytest.raises(Stopped):
            next(letters)
