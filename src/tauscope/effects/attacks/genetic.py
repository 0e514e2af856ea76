"""The genetic search of "Fooling partial dependence via data poisoning", with its parameters and with ours."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.effects.attacks.attacked import Aim, Attack, AttackStatus, AttackTarget, aim_loss
from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats
from tauscope.weights.checks import check_share
from tauscope.weights.seeds import RandomState, seed_of


@dataclass(frozen=True)
class GeneticSearch:
    """Parameters of the search; the defaults are those of the paper's experiments.

    Attributes
    ----------
    population : int
        Data sets kept from one generation to the next.
    iterations : int
        At most.
    patience, tolerance : int, float
        Stop once the best loss improved by less than `tolerance`, relative to the largest seen, over `patience`
        generations.
    sigma : float
        Noise of a mutation, in standard deviations of each column.
    first_sigma : float
        Times `sigma`, for the first generation.
    mutated, mutated_columns : float
        Chance that a data set mutates, and that each of its columns then does.
    mutated_rows : float
        Share of the rows a mutated column changes in; 1: every row.
    crossover : float
        Parents, as a share of the population, in pairs that exchange half of all their values.
    elites : int
        Best data sets always kept.
    keep_elites : bool
        Whether they are spared by mutation; in the paper's code they are not.
    keep_best : bool
        Whether the best data set ever seen is the result; in the paper's code the best of the last generation.
    """

    population: int = 100
    iterations: int = 200
    patience: int = 30
    tolerance: float = 1e-4
    sigma: float = 0.25
    first_sigma: float = 3.0
    mutated: float = 0.5
    mutated_columns: float = 0.5
    mutated_rows: float = 1.0
    crossover: float = 0.5
    elites: int = 2
    keep_elites: bool = False
    keep_best: bool = False

    def __post_init__(self) -> None:
        if self.population < 4 or self.iterations < 1 or self.patience < 1:
            raise InputError("population must be at least 4, iterations and patience at least 1")
        if not 0 <= self.elites <= self.population:
            raise InputError(f"elites must be between 0 and the population, got {self.elites}")
        if not (0 < self.sigma < np.inf and 0 <= self.first_sigma < np.inf and self.tolerance >= 0):
            raise InputError("sigma must be positive, first_sigma and tolerance not negative, all finite")
        for name in ("mutated", "mutated_columns", "mutated_rows", "crossover"):
            check_share(getattr(self, name), name)

    @classmethod
    def published(cls) -> "GeneticSearch":
        """Parameters of the paper's experiments."""
        return cls()

    @classmethod
    def sparse(cls) -> "GeneticSearch":
        """Parameters that change a few rows strongly rather than all a little, and lose nothing they have found.

        About as far as the published ones with 40 % of the model rows, on a network of two hidden layers.
        """
        return cls(population=40, elites=4, mutated_rows=0.2, sigma=1.0, keep_elites=True, keep_best=True)


def genetic_attack(
    point: AttackTarget,
    aim: Aim = "high",
    search: GeneticSearch | None = None,
    *,
    random_state: RandomState = None,
) -> Attack:
    """Search for perturbed rows that push the curve towards an aim.

    Parameters
    ----------
    point : AttackTarget
        Its progress hook is called with the generation and the most there can be; where it returns something true
        the search stops with the best it has, as it does on an interrupt.
    aim : "high", "low" or float
    search : GeneticSearch, optional
        The published parameters by default.
    random_state : int, Generator or None

    Returns
    -------
    Attack
        `n_model_rows` is at most (1 + crossover) · population · iterations times the rows.

    Notes
    -----
    Each generation: parents are drawn without replacement and paired, the children exchange exactly half of all
    values; data sets and columns mutate by chance, values beyond the column's range drawn again uniformly within a
    standard deviation of its end; all are predicted; ranks are drawn by roulette, chances falling linearly with
    rank, among the best of the population, besides the elites. The last generation is not selected from.

    A curve is a mean over rows, so that rows can be chosen one by one: `greedy_attack` does, and goes further for
    a small part of the model rows. This search is here to repeat the paper's.

    References
    ----------
    Baniecki, Kretowicz and Biecek, "Fooling partial dependence via data poisoning", 2022.
    """
    search = search or GeneticSearch.published()
    seed = seed_of(random_state)
    random = np.random.default_rng(seed)
    loss_of = aim_loss(aim)
    before = point.n_model_rows
    operators = _GeneticOperators(point, search, random)
    population = np.repeat(point.original[None], search.population, axis=0)
    population = operators.mutate(
        population, search.sigma * search.first_sigma, np.ones(len(population), dtype=np.bool_)
    )
    curves = point.curve(point.answers(population))
    best, best_curve = population[0], float(curves[0])
    if search.keep_best:
        best, best_curve = point.original, float(point.curve(point.before[None])[0])
    history: list[float] = []
    largest = -np.inf
    losses: list[float] = []
    status: AttackStatus = "complete"
    for generation in range(1, search.iterations + 1):
        population = np.concatenate([population, operators.cross(population)])
        spared = np.zeros(len(population), dtype=np.bool_)
        if search.keep_elites:
            elite = np.argsort(loss_of(curves), kind="stable")[: search.elites]
            spared[elite] = True
        population = operators.mutate(population, search.sigma, ~spared)
        try:
            curves = point.curve(point.answers(population))
        except KeyboardInterrupt:
            if not history:
                raise
            status = "stopped"
            break
        loss = loss_of(curves)
        top = int(np.argmin(loss))
        lowest_loss = float(loss[top])
        if not search.keep_best or lowest_loss < float(loss_of(np.array([best_curve]))[0]):
            best, best_curve = population[top], float(curves[top])
        history.append(best_curve)
        losses.append(float(loss_of(np.array([best_curve]))[0]))
        largest = max(largest, abs(float(np.max(loss))))
        progress = point.batches.progress
        if progress is not None and progress(generation, search.iterations):
            status = "stopped"
            break
        if len(losses) > search.patience:
            gained = losses[-1 - search.patience] - losses[-1]
            if gained < search.tolerance * (largest or 1.0):
                status = "converged"
                break
        if generation < search.iterations:
            survivors = operators.select(loss)
            population, curves = population[survivors], curves[survivors]
    return point.result(
        "genetic",
        best.copy(),
        np.array(history),
        seed=seed,
        steps=(len(history), search.iterations),
        status=status,
        rows_before=before,
    )


class _GeneticOperators:
    """The three steps that make a generation."""

    def __init__(self, point: AttackTarget, search: GeneticSearch, random: np.random.Generator) -> None:
        self._point, self._search, self._random = point, search, random

    def mutate(self, population: Floats, sigma: float, mutable: Bools) -> Floats:
        """Add noise to some columns of some data sets (v, m, k)."""
        search, random, point = self._search, self._random, self._point
        v, m, k = (int(size) for size in population.shape)
        mutating = (random.random(v) < search.mutated) & mutable
        columns = (random.random((v, k)) < search.mutated_columns) & mutating[:, None]
        mutants = population.copy()
        for member, column in np.argwhere(columns):
            rows = random.random(m) < search.mutated_rows
            values = mutants[member, rows, column]
            values = values + random.normal(0.0, sigma * point.deviation[column], len(values))
            low, high, width = point.lowest[column], point.highest[column], point.deviation[column]
            under, over = values < low, values > high
            values[under] = random.uniform(low, min(low + width, high), int(under.sum()))
            values[over] = random.uniform(max(high - width, low), high, int(over.sum()))
            mutants[member, rows, column] = values
        return point.allowed(mutants)

    def cross(self, population: Floats) -> Floats:
        """Make children of pairs of parents, half of whose values change places."""
        random = self._random
        n_pairs = int(self._search.crossover * len(population)) // 2
        parents = random.permutation(len(population))[: 2 * n_pairs]
        size = population[0].size
        children: list[Floats] = []
        for a, b in zip(parents[:n_pairs], parents[::-1][:n_pairs], strict=True):
            swapped = random.permutation(size)[: size // 2]
            first, second = population[a].ravel().copy(), population[b].ravel().copy()
            first[swapped], second[swapped] = second[swapped], first[swapped].copy()
            children += [first.reshape(population[0].shape), second.reshape(population[0].shape)]
        return np.stack(children) if children else population[:0]

    def select(self, loss: Floats) -> NDArray[np.intp]:
        """Draw the next population by rank, elites first."""
        n, elites = self._search.population, self._search.elites
        ranked = np.argsort(loss, kind="stable")
        chances = np.arange(n, 0, -1) / (n * (n + 1) / 2)
        ranks = self._random.choice(n, n - elites, p=chances)
        return np.concatenate([ranked[:elites], ranked[ranks]])
