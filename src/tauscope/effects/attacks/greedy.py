"""The strongest change of a given share of the rows: each takes the candidate values that move its answer most."""

import numpy as np

from tauscope.effects.attacks.attacked import Aim, Attack, AttackTarget, aim_loss
from tauscope.errors import InputError
from tauscope.weights.arrays import Floats
from tauscope.weights.checks import check_share
from tauscope.weights.seeds import RandomState, seed_of


def greedy_attack(
    point: AttackTarget,
    aim: Aim = "high",
    *,
    budget: float = 1.0,
    n_candidates: int = 50,
    random_state: RandomState = None,
) -> Attack:
    """Replace the columns' values by others that occur, row by row, in the order of what it gains.

    Among changes that give each row one of the candidates and touch at most a share `budget` of the weight, none
    moves the curve further, up to the last row that would only partly fit. The total variation is at most the
    budget, so that the certified band for replaced rows speaks of it.

    Parameters
    ----------
    point : AttackTarget
        Its progress hook is called with the candidates tried and all of them; where it returns something true, or
        on an interrupt, the rows take the best of those tried.
    aim : "high", "low" or float
        Where to push the curve; a number is approached and not passed.
    budget : float, default=1.0
        Share of the rows' weight, in (0, 1].
    n_candidates : int, default=50
        Combinations of the columns' values, drawn from the rows that occur.
    random_state : int, Generator or None

    Returns
    -------
    Attack
        `n_model_rows` is about n_candidates times the rows.
    """
    check_share(budget, "budget", open_low=True)
    if n_candidates < 1:
        raise InputError(f"n_candidates must be at least 1, got {n_candidates}")
    aim_loss(aim)
    seed = seed_of(random_state)
    before = point.n_model_rows
    distinct = np.unique(point.original, axis=0)
    sample = np.random.default_rng(seed).permutation(len(distinct))[:n_candidates]
    candidates = point.allowed(distinct[np.sort(sample)])
    start = float(point.curve(point.before[None])[0])
    rising = aim == "high" or (aim != "low" and float(aim) > start)

    best = point.before.copy()
    values = point.original.copy()
    n_tried = len(candidates)
    for tried, candidate in enumerate(candidates, start=1):
        try:
            answers = point.answers(np.broadcast_to(candidate, (1, *point.original.shape)))[0]
        except KeyboardInterrupt:
            if tried == 1:
                raise
            n_tried = tried - 1
            break
        better = np.greater(answers, best) if rising else np.less(answers, best)
        best[better] = answers[better]
        values[better] = candidate
        progress = point.batches.progress
        if progress is not None and progress(tried, len(candidates)) and tried < len(candidates):
            n_tried = tried
            break
    gain = point.weights * np.abs(best - point.before)
    order = np.argsort(-gain / point.weights, kind="stable")
    cumulative_weight = np.cumsum(point.weights[order])
    selected = cumulative_weight <= budget + 1e-12
    if not isinstance(aim, str):
        selected &= np.cumsum(gain[order]) <= abs(float(aim) - start) + 1e-12
    selected &= gain[order] > 0
    changed = order[selected]
    perturbed = point.original.copy()
    perturbed[changed] = values[changed]
    sign = 1.0 if rising else -1.0
    history: Floats = start + sign * np.cumsum(gain[changed])
    return point.result(
        "greedy",
        perturbed,
        history,
        seed=seed,
        steps=(n_tried, len(candidates)),
        status="complete" if n_tried == len(candidates) else "stopped",
        rows_before=before,
    )
