from itertools import product

import numpy as np

from tauscope.boundary.certificates.boxes import Boxes
from tauscope.boundary.certificates.decomposition import Budget, radius_bound, split_bound


def random_boxes(seed, n_groups=4, n_boxes=4, k=3):
    random = np.random.default_rng(seed)
    group = np.repeat(np.arange(n_groups), n_boxes)
    cost = random.exponential(size=(len(group), k)) * (random.random((len(group), k)) < 0.5)
    cost[::n_boxes] = 0  # the point's own box
    value = np.where(np.arange(len(group)) % n_boxes == 0, 1.0, random.normal(size=len(group)))
    ends = np.full(cost.shape, np.inf)
    return Boxes(group, value, -ends, ends, cost)


def least_by_trying(boxes, offset, forced=None):
    """Every choice of one box a group whose values turn the margin."""
    members = [np.flatnonzero(boxes.group == group) for group in range(boxes.n_groups)]
    costs = [
        boxes.cost[list(chosen)].max(axis=0).sum()
        for chosen in product(*members)
        if offset + boxes.value[list(chosen)].sum() <= 0 and (forced is None or forced in chosen)
    ]
    return min(costs, default=np.inf)


def test_bounds_are_below_every_choice():
    for seed in range(4):
        boxes = random_boxes(seed)
        wanted = least_by_trying(boxes, 0.0)
        assert radius_bound(boxes, 0.0) <= wanted
        split = split_bound(boxes, 0.0, np.inf, Budget(1e9))
        assert split.cost <= wanted + 1e-9
        for box in range(len(boxes.value)):
            assert split.of_box[box] <= least_by_trying(boxes, 0.0, box) + 1e-9


def test_columns_of_their_own_add_up():
    # each of 20 groups turns its vote for a cost of 1 in its own column, and 10 have to
    cost = np.zeros((40, 20))
    cost[np.arange(1, 40, 2), np.arange(20)] = 1.0
    boxes = Boxes(np.repeat(np.arange(20), 2), np.tile([1.0, -1.0], 20), 0 * cost - np.inf, 0 * cost + np.inf, cost)
    assert radius_bound(boxes, 0.0) == 1
    assert 9.99 < split_bound(boxes, 0.0, np.inf, Budget(1e9)).cost <= 10


def test_a_spent_budget_still_bounds():
    boxes = random_boxes(3)
    bound = split_bound(boxes, 0.0, np.inf, Budget(1))
    assert 0 <= bound.cost <= least_by_trying(boxes, 0.0)


def test_one_group_is_the_least_cost():
    boxes = random_boxes(5, n_groups=1, n_boxes=9)
    assert radius_bound(boxes, -0.2) == least_by_trying(boxes, -0.2)
