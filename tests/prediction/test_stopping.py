import pytest

from tauscope.prediction.stopping import Stopped, step, steps, stoppable


def test_work_goes_on_until_it_is_told_to_stop():
    told = [False]
    step()  # nothing to stop it
    with stoppable(lambda: told[0]):
        step()
        letters = steps("abc")
        assert [next(letters), next(letters)] == ["a", "b"]
        told[0] = True
        with pytest.raises(Stopped):
            next(letters)
        with pytest.raises(Stopped):
            step()
    step()


def test_work_within_work_is_told_by_its_own():
    with stoppable(lambda: True):
        with stoppable(lambda: False):
            assert list(steps("ab")) == ["a", "b"]
        with pytest.raises(Stopped):
            step()
