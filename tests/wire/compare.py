"""Golden messages beside those of now: words alike, numbers to the digits that every platform computes."""

from base64 import b64decode

import numpy as np
import pytest

from tauscope.views.packing import DRAWN, unpack


def assert_same(new, kept, where):
    """Compare words and numbers, wherever they are nested; numbers to a millionth."""
    if isinstance(kept, dict):
        assert set(new) == set(kept), where
        for key in kept:
            assert_same(new[key], kept[key], f"{where}.{key}")
    elif isinstance(kept, list):
        assert len(new) == len(kept), where
        for k, one in enumerate(kept):
            assert_same(new[k], one, f"{where}[{k}]")
    elif isinstance(kept, float):
        assert new == pytest.approx(kept, rel=1e-6, abs=1e-6), where
    else:
        assert new == kept, where


def assert_same_buffers(now, kept, name, kind="<f4", *, atol=1e-5):
    """Compare one buffer of two states, as numbers of a kind."""
    new, old = (np.frombuffer(unpack(b64decode(state["buffers"][name])), kind).astype(float) for state in (now, kept))
    np.testing.assert_allclose(new, old, rtol=DRAWN, atol=max(atol, DRAWN))
