import numpy as np
import pytest

from effects.models import data, smooth
from tauscope.effects import (
    BatchOptions,
    accumulated_effect,
    accumulated_levels,
    accumulated_surface,
    category_grid,
    conditional_dependence,
    coupling,
    model_change,
    numeric_grid,
    partial_dependence,
    sampled_distance,
)
from tauscope.errors import InputError, InputTypeError

X = data()
WEIGHTS = np.random.default_rng(1).exponential(size=len(X))
GRID = numeric_grid(X[:, 0], 7)


def other(rows):
    return smooth(rows) + 0.1 * np.sin(3 * rows[:, :2])


def pair(run):
    return run(smooth), run(other)


def pd(predict):
    return partial_dependence(predict, X, (0,), (GRID,), sample_weight=WEIGHTS)


def cd(predict):
    return conditional_dependence(predict, X, (0,), (GRID,), sample_weight=WEIGHTS)


def ale(predict):
    return accumulated_effect(predict, X, 0, GRID, sample_weight=WEIGHTS)


def test_coupling_by_definition():
    noisy = X + 0.2 * np.random.default_rng(0).normal(size=X.shape)
    noisy[:, 0] = X[:, 0]
    before = pd(smooth)
    after = partial_dependence(smooth, noisy, (0,), (GRID,), sample_weight=WEIGHTS)
    found = coupling(before, after)
    assert np.allclose(found.change, after.effect - before.effect)
    assert np.allclose(found.bound, np.average(np.abs(after.ice - before.ice), axis=1, weights=WEIGHTS))
    assert np.all(np.abs(found.change) <= found.bound + 1e-12)


def test_coupling_sees_what_a_histogram_does_not():
    from tauscope.effects import histogram_distance

    shuffled = X.copy()
    shuffled[:, 1:3] = X[np.random.default_rng(0).permutation(240), 1:3]
    model = lambda rows: rows[:, 0] * 0 + rows[:, 1] * rows[:, 3]  # noqa: E731
    before, after = (partial_dependence(model, rows, (0,), (GRID,)) for rows in (X, shuffled))
    assert histogram_distance(X[:, 1:3], shuffled[:, 1:3]) == 0
    found = coupling(before, after)
    assert np.all(np.abs(found.change) > 0)
    assert np.all(np.abs(found.change) <= found.bound + 1e-12)


@pytest.mark.parametrize("run", [pd, cd, ale])
def test_another_model(run):
    one, two = pair(run)
    found = model_change(one, two)
    assert np.all(np.abs(found.change) <= found.pointwise + 1e-12)
    assert np.all(found.pointwise <= found.bound + 1e-12)
    assert found.source == "rows"
    assert found.certified
    given = model_change(one, two, distance=2 * found.distance)
    assert np.allclose(given.bound, 2 * found.bound)
    assert given.source == "given"
    assert given.certified
    assert not model_change(one, two, distance=1e-6).certified


def test_lemma_2_and_theorem_4_5_by_hand():
    one, two = pair(pd)
    found = model_change(one, two)
    assert np.allclose(found.distance, np.abs(two.ice - one.ice).max(axis=(1, 2)))
    assert np.allclose(found.bound, found.distance[:, None])
    steeper = model_change(ale(lambda r: r[:, 0]), ale(lambda r: 1.5 * r[:, 0]))
    assert np.allclose(steeper.change, 0.5 * (GRID.values - GRID.values[0]))
    assert np.allclose(steeper.bound, steeper.change)
    assert np.allclose(steeper.pointwise, steeper.change)


def test_the_box_is_sampled():
    base, moved = (lambda r: r[:, 0]), (lambda r: r[:, 0] + 0.3 * np.abs(r[:, 1]))
    truth = 0.3 * np.abs(X[:, 1]).max()
    found, seed = sampled_distance(base, moved, X, n_samples=4000, random_state=2)
    assert seed == 2
    assert 0.98 * truth < found[0] <= truth
    again, _ = sampled_distance(base, moved, X, n_samples=4000, random_state=2, batches=BatchOptions(batch_rows=17))
    assert again.shape == (1,)
    coded = np.column_stack([X[:, 0], np.arange(240) % 3]).astype(float)
    coded[0, 0] = np.nan
    seen = []

    def record(rows):
        seen.append(rows)
        return np.nan_to_num(rows[:, 0])

    sampled_distance(record, record, coded, n_samples=300, sampled=frozenset({1}), random_state=0)
    drawn = np.concatenate(seen)
    assert set(drawn[:, 1]) == {0, 1, 2}
    assert np.isnan(drawn[:, 0]).any()


def test_bad_pairs_are_said():
    grid = numeric_grid(X[:, 0], 8)
    levels = np.column_stack([np.arange(240) % 3, X[:, 1]]).astype(float)
    of_levels = accumulated_levels(lambda r: r[:, 1], levels, 0, category_grid(levels[:, 0]))
    stopped = partial_dependence(
        smooth, X, (0,), (GRID,), sample_weight=WEIGHTS, batches=BatchOptions(batch_rows=70, progress=lambda *_: True)
    )
    surface = accumulated_surface(smooth, X, (0, 1), (GRID, GRID))
    for one, two, error, message in (
        (pd(smooth), partial_dependence(smooth, X, (0,), (grid,), sample_weight=WEIGHTS), InputError, "same grid"),
        (pd(smooth), partial_dependence(smooth, X, (0,), (GRID,)), InputError, "row weights"),
        (pd(smooth), stopped, InputError, "stopped early"),
        (pd(smooth), cd(smooth), InputError, "same rows"),
        (surface, surface, InputTypeError, "got AccumulatedSurface"),
        (of_levels, of_levels, InputError, "needs a numeric feature"),
    ):
        with pytest.raises(error, match=message):
            model_change(one, two)
    with pytest.raises(InputError, match="distance must be finite"):
        model_change(*pair(pd), distance=-1)
    with pytest.raises(InputError, match="n_samples"):
        sampled_distance(smooth, smooth, X, n_samples=0)
    with pytest.raises(InputError, match="as many responses"):
        sampled_distance(smooth, lambda r: r[:, 0], X)
