"""Spaces, and the slow definitions of a distance to the boundary."""

from itertools import product

import numpy as np

from tauscope.boundary.space import Limits, Space


def space(p, metric="euclidean", scale=None, integer=(), blocks=()):
    mask = np.zeros(p, dtype=bool)
    mask[list(integer)] = True
    return Space(metric, np.ones(p) if scale is None else np.asarray(scale, dtype=float), tuple(blocks), mask)


def held(points, columns):
    """Limits under which some columns stay."""
    limits = Limits.none(*points.shape)
    limits.lower[:, columns] = limits.upper[:, columns] = points[:, columns]
    return limits


def thresholds_of(trees, p):
    """Every threshold of scikit-learn's trees, column by column."""
    found = [[] for _ in range(p)]
    for tree in trees:
        for column, threshold in zip(tree.feature, tree.threshold, strict=True):
            if column >= 0:
                found[column].append(threshold)
    return found


class Cells:
    """Every cell between thresholds, and what a model answers in it."""

    def __init__(self, predict, thresholds):
        ends = [np.array([-1e6, *sorted(set(one)), 1e6]) for one in thresholds]
        self.low, self.high = [one[:-1] for one in ends], [one[1:] for one in ends]
        inner = [(low + high) / 2 for low, high in zip(self.low, self.high, strict=True)]
        self.answers = predict(np.array(list(product(*inner))))

    def distance(self, geometry, point, flipped):
        """Distance from a point to the nearest cell whose answer is flipped, of any shape of answers."""
        moved = [np.clip(x, low, high) for x, low, high in zip(point, self.low, self.high, strict=True)]
        corners = np.array(list(product(*moved)))[flipped]
        return float(geometry.distance(point, corners).min(initial=np.inf))


def random_in_ball(random, geometry, point, radius, n, free=None):
    """Random points within a distance, many of them at its edge."""
    p = len(point)
    direction = random.normal(size=(n, p)) * (random.random((n, p)) < random.random((n, 1)))
    if free is not None:
        direction[:, ~free] = 0
    moved = point + direction * geometry.scale
    length = geometry.distance(point, moved)
    share = np.where(random.random(n) < 0.5, 1.0, random.random(n)) * radius / np.maximum(length, 1e-12)
    return point + share[:, None] * (moved - point)
