"""Columns that a few values dwarf, and their tilts in decimals of fifty digits."""

from decimal import Decimal, localcontext

import numpy as np


def dwarfed_columns(n_rows=32, seed=0):
    rng = np.random.default_rng(seed)
    bulk = rng.normal(size=n_rows)
    columns = {"ordinary": bulk, "heavy": np.exp(6 * bulk)}
    for name, value in (("int64", 2.0**63 - 1), ("float", -1e30), ("offset", 1e14)):
        columns[name] = bulk + (1e8 if name == "offset" else 0.0)
        columns[name][3] = value
    columns["both sides"] = np.where(np.arange(n_rows) < 2, [1e18, -1e18] * (n_rows // 2), bulk)
    columns["one in ten"] = np.where(np.arange(n_rows) % 10 == 0, 1e18, bulk)
    return columns


def tilted_shares(values, target, base=None):
    """Shares v e^{ξx} of a mean, by bisection of ξ in decimals: the definition, whatever the column."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 50, 10**9, -(10**9)
        weights = [Decimal(1)] * len(values) if base is None else [Decimal(float(v)) for v in base]
        distances = [Decimal(float(x)) - Decimal(float(target)) for x in values]
        apart = sorted(abs(d) for d in distances if d)
        distances = [d / apart[len(apart) // 4] for d in distances]

        def shares(xi):
            logs = [xi * d for d in distances]
            top = max(logs)
            tilted = [v * (log - top).exp() for v, log in zip(weights, logs, strict=True)]
            total = sum(tilted)
            return [each / total for each in tilted]

        def miss(xi):
            return sum(share * d for share, d in zip(shares(xi), distances, strict=True))

        low, high = Decimal(-1), Decimal(1)
        while miss(low) > 0:
            low *= 4
        while miss(high) < 0:
            high *= 4
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (middle, high) if miss(middle) < 0 else (low, middle)
        return np.array([float(share) for share in shares((low + high) / 2)])
