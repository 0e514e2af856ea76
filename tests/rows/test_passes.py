import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.rows.passes import aligned


def off_by_four(array):
    """Return the same numbers four bytes further on, as a message of Dask may bring them."""
    room = np.zeros(array.nbytes + 4, np.uint8)
    moved = np.frombuffer(room.data, array.dtype, array.size, offset=4).reshape(array.shape)
    moved[:] = array
    return moved


def test_numbers_at_odd_addresses_are_copied_once():
    frame = pd.DataFrame(off_by_four(np.arange(30.0).reshape(10, 3)), columns=["a", "b", "c"], copy=False)
    frame["text"] = ["yes", "no"] * 5
    assert not frame["b"].to_numpy().flags.aligned
    moved = aligned(frame)
    assert moved["b"].to_numpy().flags.aligned
    pd.testing.assert_frame_equal(moved, frame)
    assert aligned(moved) is moved


def test_a_frame_without_numbers_stays_as_it_is():
    frame = pd.DataFrame({"text": ["yes", "no"]})
    assert aligned(frame) is frame


@pytest.mark.parametrize("of_list", [True, False])
def test_bars_have_a_total_and_the_number_of_passes(of_list, monkeypatch):
    shown = []
    monkeypatch.setattr("tauscope.rows.passes.progress", lambda chunks, *said, **_: shown.append(said) or chunks)
    parts = [(pd.DataFrame({"a": np.arange(9.0) + i}), np.arange(9) % 2) for i in range(3)]
    study = ts.ChunkedStudy(lambda rows: np.asarray(rows["a"] / 12), parts if of_list else lambda: iter(parts))
    study.stress_curves(taus=3, metrics="roc_auc")
    assert shown == [
        ("Reading chunks, pass 1", 3 if of_list else None, "chunk"),
        ("Reading chunks, pass 1 of 2", 3, "chunk"),
        ("Reading chunks, pass 2 of 2", 3, "chunk"),
    ]
