import time

from tauscope.study import bars
from tauscope.study.bars import Bar, progress


def test_items_pass_through(capsys):
    assert list(progress(iter("abc"), "Spelling", 3, "letter")) == ["a", "b", "c"]
    assert list(progress("ab", "Spelling", None, "letter")) == ["a", "b"]
    letters = "ab"
    assert progress(letters, "Spelling", 2, "letter", shown=False) is letters
    assert capsys.readouterr().err == ""


def test_a_bar_shows_once_the_work_takes_its_time(capsys, monkeypatch):
    monkeypatch.setattr(bars, "DELAY", 0.05)
    with Bar("Counting", unit="step") as bar:
        for done in range(1, 4):
            time.sleep(0.06)
            assert bar.update(done, 3) is False
    assert "Counting" in capsys.readouterr().err
    with Bar("Counting", shown=False) as bar:
        time.sleep(0.06)
        bar.update(1, 1)
    assert capsys.readouterr().err == ""


def test_the_callback_is_told_and_can_stop():
    seen = []

    def stop(done, total):
        seen.append((done, total))
        return done == 2

    with Bar("Counting", shown=False, callback=stop) as bar:
        assert [bar.update(done, 3) for done in (1, 2, 3)] == [False, True, False]
    assert seen == [(1, 3), (2, 3), (3, 3)]
