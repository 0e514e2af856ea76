"""Small decisions with boundaries known in closed form, and a spy on what the model is asked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import Decision, DecisionPredictor
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.planes.inspect import inspect_boundary
from tauscope.boundary.planes.inspection import Inspection
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits, Space
from tauscope.prediction.rows import ArrayRows
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass
class Spy:
    """A decision by the sign of a score, all points it was asked about kept."""

    score: Callable[[Floats], Floats]
    with_answers: bool = True
    asked: list[Floats] = field(default_factory=list[Floats])

    def labels(self, points: Floats) -> Ints:
        self.asked.append(points.copy())
        return (self.score(points) > 0).astype(np.int64)

    def answers(self, points: Floats) -> Floats:
        self.asked.append(points.copy())
        p = 1 / (1 + np.exp(-np.clip(self.score(points), -30, 30)))
        return np.column_stack([1 - p, p])

    @property
    def decision(self) -> Decision:
        if not self.with_answers:
            return Decision(self.labels, None, None, 2)
        return Decision(self.labels, self.answers, lambda a: (a[:, 1] > 0.5).astype(np.int64), 2)


@dataclass
class Problem:
    """Rows, how they are measured and decided, and which of them the boundary is searched from."""

    spy: Spy
    points: Floats
    space: Space
    index: Ints
    limits: Limits = field(default_factory=lambda: Limits.none(0, 0))
    target: int | None = None
    normal: Floats = field(default_factory=lambda: np.zeros(0))
    offset: float = 0.0

    def __post_init__(self) -> None:
        self.labels = (self.spy.score(self.points) > 0).astype(np.int64)
        if len(self.limits.lower) == 0:
            self.limits = Limits.none(len(self.index), self.points.shape[1])

    @property
    def starts(self) -> Starts:
        return Starts(self.points[self.index], self.labels[self.index], self.index, self.target)

    @property
    def pool(self) -> Pool:
        return Pool(self.points, self.labels)

    @property
    def predictor(self) -> DecisionPredictor:
        return DecisionPredictor(self.spy.decision, ArrayRows(self.points))

    def arguments(self, **options: Any) -> tuple[Any, ...]:
        return (
            self.spy.decision,
            ArrayRows(self.points),
            self.space,
            self.pool,
            self.starts,
            self.limits,
            SearchOptions(**options),
        )

    def inspect(self, *, paths: bool = True, **options: Any) -> Inspection:
        return inspect_boundary(*self.arguments(**options), paths=paths)

    def some(self, index: Ints) -> "Problem":
        return Problem(self.spy, self.points, self.space, self.index[index], self.limits.take(index), self.target)


def euclidean(p: int, scale: Floats | None = None, integer: Bools | None = None) -> Space:
    return Space(
        "euclidean", np.ones(p) if scale is None else scale, (), np.zeros(p, bool) if integer is None else integer
    )


def linear(p: int = 5, n: int = 120, n_starts: int = 8, seed: int = 0, *, with_answers: bool = True) -> Problem:
    """A plane through the rows; `normal` and `offset` are kept on the problem."""
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=p)
    points = rng.normal(size=(n, p))

    def score(x: Floats) -> Floats:
        return (x * normal).sum(axis=1) + 0.3

    problem = Problem(Spy(score, with_answers), points, euclidean(p), np.flatnonzero(score(points) > 0)[:n_starts])
    problem.normal, problem.offset = normal, 0.3
    return problem


def plane_distance(problem: Problem) -> Floats:
    away = np.abs((problem.points[problem.index] * problem.normal).sum(axis=1) + problem.offset)
    return away / np.linalg.norm(problem.normal)


def circle(n: int = 200, n_starts: int = 8, *, with_answers: bool = True) -> Problem:
    """A disc of radius 1 around 0, decided otherwise than what is outside."""
    points = np.random.default_rng(1).uniform(-2, 2, size=(n, 2))

    def score(x: Floats) -> Floats:
        return 1 - np.hypot(x[:, 0], x[:, 1])

    return Problem(Spy(score, with_answers), points, euclidean(2), np.flatnonzero(score(points) > 0.1)[:n_starts])


def mixed(seed: int = 0, n: int = 80) -> Problem:
    """Two numbers, one of them whole, a column of codes and a one-hot group, in Gower's distance."""
    rng = np.random.default_rng(seed)
    one_hot = np.eye(3)[rng.integers(3, size=n)]
    points = np.column_stack([rng.normal(size=n), rng.integers(0, 9, n), rng.integers(4, size=n), one_hot])

    def score(x: Floats) -> Floats:
        return x[:, 0] + 0.4 * (x[:, 1] - 4) + np.where(x[:, 2] == 1, 1.0, -0.5) + 0.8 * x[:, 3] - 0.6 * x[:, 5]

    space = Space(
        "gower",
        np.array([5.0, 8, 1, 1, 1, 1]),
        ((2,), (3, 4, 5)),
        np.array([False, True, False, False, False, False]),
        (2,),
    )
    return Problem(Spy(score), points, space, np.flatnonzero(score(points) > 0)[:6])
