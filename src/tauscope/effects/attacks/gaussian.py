"""Normal noise on some columns: what chance does to a curve."""

from collections.abc import Sequence

import numpy as np

from tauscope.effects.attacks.attacked import Attack, AttackTarget
from tauscope.errors import InputError
from tauscope.weights.seeds import RandomState, seed_of


def gaussian_attack(
    point: AttackTarget,
    sigmas: Sequence[float] = (0.01, 0.05, 0.1, 0.12, 0.25),
    *,
    repeats: int = 5,
    relative: bool = True,
    accumulate: bool = False,
    random_state: RandomState = None,
) -> tuple[Attack, ...]:
    """Add normal noise to every row's columns, for each standard deviation and repeat.

    Parameters
    ----------
    point : AttackTarget
    sigmas : sequence of float
        Standard deviations. The defaults are the paper's.
    repeats : int, default=5
        The draw of a repeat is the same for every sigma, but for its scale.
    relative : bool, default=True
        Whether sigmas are in standard deviations of each column, or in the columns' own unit (as in the paper,
        whose columns are scaled to [0, 1]).
    accumulate : bool, default=False
        Add each draw to the rows left by those before it, sigmas in order and repeats within them, as the
        paper's code does; False starts from the rows as they are.
    random_state : int, Generator or None

    Returns
    -------
    tuple of Attack
        Sigmas in order, repeats within each; fewer where `batches.progress`, or an interrupt, stopped the run.
    """
    if not len(sigmas) or not all(0 < sigma < np.inf for sigma in sigmas):
        raise InputError(f"sigmas must be positive and finite, at least one, got {list(sigmas)}")
    if repeats < 1:
        raise InputError(f"repeats must be at least 1, got {repeats}")
    seed = seed_of(random_state)
    scale = point.deviation if relative else np.ones(len(point.columns))
    draws = [np.random.default_rng([seed, repeat]).normal(size=point.original.shape) for repeat in range(repeats)]
    attacks: list[Attack] = []
    values = point.original
    for sigma in sigmas:
        for repeat in range(repeats):
            before = point.n_model_rows
            start = values if accumulate else point.original
            values = start + sigma * scale * draws[repeat]
            name = f"gaussian, sigma {sigma:g}{', accumulated' if accumulate else ''}"
            allowed = point.allowed(values)
            try:
                attack = point.result(name, allowed, np.empty(0), seed=seed, rows_before=before)
            except KeyboardInterrupt:
                if not attacks:
                    raise
                return tuple(attacks)
            attacks.append(attack)
            progress = point.batches.progress
            if progress is not None and progress(len(attacks), len(sigmas) * repeats):
                return tuple(attacks)
    return tuple(attacks)
