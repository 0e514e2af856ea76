import inspect

import pytest

import tauscope.effects as effects


def test_names_are_sorted_and_once():
    assert effects.__all__ == sorted(set(effects.__all__))


@pytest.mark.parametrize("name", effects.__all__)
def test_every_name_is_there_and_documented(name):
    found = getattr(effects, name)
    assert found.__doc__
    if inspect.isclass(found):
        members = [one for key, one in vars(found).items() if not key.startswith("_")]
        assert all(one.__doc__ for one in members if callable(one) or isinstance(one, property))
