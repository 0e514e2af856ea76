import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from tauscope.errors import InputError
from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import ProjectedForest
from tauscope.rules.recount import FixedCells
from tauscope.rules.shared import shared_sdp

N = 150


def draw(regression):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 4, N), rng.normal(size=(N, 2)), rng.integers(0, 2, N)])
    X[rng.random(N) < 0.1, 1] = np.nan
    score = X[:, 0] + np.nan_to_num(X[:, 1]) * X[:, 3] + 0.2 * rng.normal(size=N)
    y = score if regression else np.digitize(score, [1, 2])
    kind = RandomForestRegressor if regression else RandomForestClassifier
    forest = ProjectedForest(kind(5, max_depth=4, random_state=0).fit(X, y), X, y)
    same = SameDecision.within(forest.y[:1], 0.5) if regression else SameDecision.of_class(forest.y[:1])
    return forest, X, same, rng


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("subset", [(), (0,), (1, 3), (0, 1, 2)])
@pytest.mark.slow
def test_one_structure_has_the_probabilities_of_every_weight(regression, subset):
    forest, X, same, rng = draw(regression)
    new = X[::3] + np.array([0, 0.3, -0.3, 0])  # some in cells of their own
    cells = FixedCells.find(forest, new, subset, 6)
    every = np.ones(len(new), dtype=bool)
    for weight in (None, rng.integers(0, 3, N).astype(float), rng.exponential(size=N)):
        anew = shared_sdp(forest, new, subset, same, weight=weight, min_rows=6)[:, 0]
        assert np.abs(cells.sdp(forest, same, every, weight) - anew).max() < 1e-12
    some = rng.random(len(new)) < 0.5
    assert cells.sdp(forest, same, some) == pytest.approx(cells.sdp(forest, same, every)[some], abs=1e-12)
    assert 0 < cells.nbytes < 1e6


def test_the_paper_s_size_of_cells():
    forest, X, same, _ = draw(regression=False)
    every = np.ones(len(X), dtype=bool)
    anew = shared_sdp(forest, X, (0,), same, min_rows="paper")[:, 0]
    assert FixedCells.find(forest, X, (0,), "paper").sdp(forest, same, every) == pytest.approx(anew, abs=1e-12)


def test_rows_without_any_weight_in_their_cells_are_refused_where_they_count():
    forest, X, same, _ = draw(regression=False)
    cells = FixedCells.find(forest, X[[0, 1]], (0,), 1)
    weight = (X[:, 0] == X[0, 0]).astype(float)
    assert X[0, 0] != X[1, 0]
    assert len(cells.sdp(forest, same, np.array([True, False]), weight)) == 1
    alone = FixedCells.find(forest, X[[1]], (0, 1, 2, 3), 1)
    with pytest.raises(InputError, match="weight"):
        alone.sdp(forest, same, np.array([True]), weight)


def test_too_large_cells_are_refused():
    forest, X, _, _ = draw(regression=False)
    with pytest.raises(InputError, match="min_rows"):
        FixedCells.find(forest, X, (0,), N + 1)
