"""Many rows in blocks: the numbers of one run, a hook that counts on, and a budget that all rows spend together."""

from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from boundary.problems import linear, mixed
from tauscope.boundary.detection import Detection
from tauscope.boundary.planes import inspect_blocks
from tauscope.boundary.planes.inspect_blocks import inspect_in_blocks
from tauscope.prediction.batches import BatchOptions

FEW = {"n_samples": 100, "n_path_steps": 10, "n_replicates": 4}


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(inspect_blocks, "BLOCK", 3)


def in_blocks(problem, *, hook=None, detected=None, paths=True, **options):
    batches = BatchOptions(None, hook)
    return inspect_in_blocks(*problem.arguments(**options), batches=batches, detected=detected, paths=paths)


def same(one, other):
    for field in fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b, err_msg=field.name)
        elif is_dataclass(a):
            same(a, b)


@pytest.mark.parametrize("make", [linear, mixed])
@pytest.mark.parametrize("paths", [True, False])
def test_blocks_have_the_numbers_of_one_run(make, paths):
    whole = make().inspect(paths=paths, **FEW)
    assert len(whole.distance) > 3
    blocks = in_blocks(make(), paths=paths, **FEW)
    same(whole, blocks)
    assert (blocks.paths is None) is not paths
    assert not blocks.spent


def test_what_was_detected_goes_to_the_block_of_its_row():
    whole = linear().inspect(**FEW)
    again = in_blocks(linear(), detected=whole.detection, **FEW)
    assert isinstance(again.detection, Detection)
    same(whole, again)


def test_a_hook_counts_over_all_blocks_and_ends_them():
    seen = []
    blocks = in_blocks(linear(), hook=lambda done, total: seen.append(done), **FEW)
    assert seen == sorted(seen)
    assert seen[-1] == blocks.n_model_rows
    asked = []

    def stop(done, total):
        asked.append(done)
        return True

    stopped = in_blocks(linear(), hook=stop, **FEW)
    assert (len(asked), stopped.spent) == (1, True)
    assert stopped.n_model_rows == asked[0]
    assert np.isnan(stopped.paths.answer).all()


def test_a_budget_is_spent_by_one_run():
    whole = linear().inspect(max_model_rows=500, **FEW)
    blocks = in_blocks(linear(), max_model_rows=500, **FEW)
    same(whole, blocks)
    assert whole.n_model_rows == blocks.n_model_rows <= 500
    assert blocks.spent
