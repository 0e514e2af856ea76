import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from tauscope.rules.grid import Grid, SideBox, simplest_between
from tauscope.rules.growth import GridBox
from tauscope.rules.rule import count_rule, grow_rule, measure_box, nearest_swing, precision_interval
from tauscope.trees.adapters import read_trees


def test_rows_in_one_cell_go_the_same_way_in_every_tree():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    X[rng.random((300, 3)) < 0.1] = np.nan
    model = RandomForestClassifier(10, max_depth=3, random_state=0).fit(X, np.nan_to_num(X[:, 0]) > 0)
    trees = read_trees(model, "predict_proba").trees
    grid = Grid.of_trees(trees, np.arange(3))
    cells = grid.cells(X)
    leaves = model.apply(X)
    for cell in np.unique(cells, axis=0):
        assert len(np.unique(leaves[(cells == cell).all(axis=1)], axis=0)) == 1
    assert (cells[np.isnan(X)] == np.broadcast_to(grid.n_cells - 1, X.shape)[np.isnan(X)]).all()


def test_a_box_of_cells_and_its_sides_hold_the_same_rows():
    rng = np.random.default_rng(1)
    grid = Grid((np.array([-0.5, 0.0, 1.0]), np.array([0.2]), np.empty(0)))
    values = rng.normal(size=(500, 3))
    values[rng.random((500, 3)) < 0.15] = np.nan
    values[:20, 0] = np.repeat([-0.5, 0.0], 10)  # at a threshold: inside what lies below it
    cells = grid.cells(values)
    for _ in range(60):
        ends = np.sort(rng.integers(0, grid.n_cells, (2, 3)), axis=0)
        box = GridBox(*ends)
        assert (grid.sides(box, values, cells).inside(values) == box.inside(cells)).all()


def draw(seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.uniform(-1, 1, (400, 2))
    sdp = np.where(np.abs(rows).max(axis=1) < 0.6, 0.97, 0.4)
    grid = Grid((np.linspace(-0.95, 0.95, 20), np.linspace(-0.95, 0.95, 20)))
    return rng, rows, sdp, grid


def test_the_rule_of_a_square_is_the_square():
    _, rows, sdp, grid = draw()
    rule = grow_rule(np.array([4, 7]), grid, rows, np.array([0.1, -0.2]), sdp, 0.97, 0.95, np.ones(400))
    within_cells = np.abs(rows).max(axis=1) < 0.55  # those beside the edge share a cell with rows outside
    assert (rule.inside == within_cells).all()
    assert (sdp[rule.inside] >= 0.95).all()
    assert (rule.box.inside(rows) == rule.inside).all()
    assert rule.sdp_min == 0.97
    assert np.abs(np.abs([rule.box.lower, rule.box.upper]) - 0.6).max() < 0.11
    assert rule.columns.tolist() == [4, 7]


def test_whole_weights_are_repeated_rows_and_rows_without_weight_are_not_there():
    rng, rows, sdp, grid = draw(2)
    times = rng.integers(0, 3, 400)
    row = np.array([0.0, 0.3])
    weighted = grow_rule(np.arange(2), grid, rows, row, sdp, 0.97, 0.9, times.astype(float), seed=5)
    repeated = grow_rule(
        np.arange(2), grid, np.repeat(rows, times, axis=0), row, np.repeat(sdp, times), 0.97, 0.9,
        np.ones(times.sum()), seed=5,
    )  # fmt: skip
    assert (weighted.box.lower == repeated.box.lower).all()
    assert (weighted.box.upper == repeated.box.upper).all()
    left_out = grow_rule(
        np.arange(2), grid, rows[times > 0], row, sdp[times > 0], 0.97, 0.9, times[times > 0] * 1.0, seed=5
    )
    assert (left_out.box.upper == weighted.box.upper).all()


def test_a_row_away_from_all_others_keeps_its_own_cell():
    _, rows, _, grid = draw()
    rows, sdp = 0.9 * rows, np.full(400, 0.1)
    rule = grow_rule(np.arange(2), grid, rows, np.array([5.0, 5.0]), sdp, 0.99, 0.95, np.ones(400))
    assert rule.sdp_min == 0.99
    assert not rule.inside.any()
    assert (rule.box.lower < 5).all()
    assert np.isposinf(rule.box.upper).all()


def test_coverage_and_precision_by_hand():
    inside = np.array([True, True, True, False, False])
    agrees = np.array([True, False, True, True, False])
    counts = count_rule(inside, agrees, np.array([1.0, 2.0, 0.0, 1.0, 1.0]))
    assert (counts.n_rows, counts.n_inside) == (4, 2)
    assert counts.coverage == pytest.approx(3 / 5)
    assert counts.precision == pytest.approx(1 / 3)
    assert counts.ess == pytest.approx(9 / 5)
    none = count_rule(np.zeros(5, bool), agrees, np.ones(5))
    assert np.isnan(none.precision)
    assert (none.coverage, none.ess) == (0, 0)


@pytest.mark.parametrize("share", [0.8, 0.95, 0.99])
def test_the_interval_of_a_precision_covers(share):
    """On rows that the rule was not made on, a nominal .95; of weighted rows at their effective number."""
    rng, missed = np.random.default_rng(0), []
    for weight in (np.ones(120), rng.exponential(size=120)):
        for _ in range(600):
            counts = count_rule(np.ones(120, bool), rng.random(120) < share, weight)
            lower, upper = precision_interval(counts)
            missed.append(not lower <= share <= upper)
    assert np.mean(missed) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / len(missed))
    assert np.isnan(precision_interval(count_rule(np.zeros(3, bool), np.ones(3, bool), np.ones(3)))).all()


def test_a_box_s_share_of_the_ranges():
    box = SideBox(np.array([-np.inf, 2.0]), np.array([1.0, np.inf]), np.zeros(2, bool))
    assert measure_box(box, np.array([0.0, 0.0]), np.array([4.0, 10.0])) == pytest.approx(0.25 * 0.8)
    assert measure_box(box, np.array([3.0, 0.0]), np.array([3.0, 10.0])) == 0


def test_the_nearest_row_decided_otherwise():
    rows = np.array([[0.0, 0.0], [1.0, 0.0], [0.2, 3.0], [np.nan, 0.1], [0.1, 0.0]])
    others = np.array([True, True, True, True, False])
    sdp = np.array([0.5, 0.99, 0.99, 0.99, 0.99])
    row, scale = np.array([0.0, 0.0]), np.array([1.0, 10.0])
    weight = np.ones(5)
    assert nearest_swing(row, rows, sdp, others, 0.9, scale, weight) == 2
    assert nearest_swing(row, rows, sdp, others, 0.4, scale, weight) == 0
    assert nearest_swing(np.array([np.nan, 0.0]), rows, sdp, others, 0.9, scale, weight) == 3
    weight[2] = 0
    assert nearest_swing(row, rows, sdp, others, 0.9, np.array([1.0, 1.0]), weight) == 1
    assert nearest_swing(row, rows, sdp, others, 0.999, scale, weight) == -1


@pytest.mark.parametrize(
    ("low", "high", "value"),
    [
        (35, 36, 35), (34.2, 36.1, 35), (0.1234, 0.1299, 0.124), (-0.5, 0.2, 0), (1234, 2100, 2000), (0, 1, 0),
        (-3.7, -3.2, -3.7), (5095.2, 5096.9, 5096), (1e-9, 2.5e-9, 1e-9), (99.99, 100.01, 100), (7, 7.0000001, 7),
    ],
)  # fmt: skip
def test_the_shortest_number_between_two(low, high, value):
    assert simplest_between(low, high) == pytest.approx(value, rel=1e-12)
    assert low <= simplest_between(low, high) < high
