"""Kinds of columns, ordinary and odd: each takes a generator and a number of rows."""

import numpy as np
import pandas as pd

LEVELS = ("", "a", "b b", "ä", "</script>", "__proto__", "nan", "0", "a" * 200)


def _with(values, rng, odd, most=3):
    """Put an odd value into one to three rows."""
    out = np.array(values, dtype=float)
    out[rng.integers(len(out), size=rng.integers(1, most + 1))] = odd
    return out


def _some(values, rng, nothing):
    out = np.array(values, dtype=object)
    out[rng.random(len(out)) < rng.choice([0.05, 0.5, 0.95])] = nothing
    return out


NUMBERS = {
    "ordinary": lambda rng, n: rng.normal(size=n),
    "skewed": lambda rng, n: rng.exponential(size=n) ** 3,
    "integers": lambda rng, n: rng.integers(0, 9, size=n),
    "small integers": lambda rng, n: rng.integers(0, 200, size=n).astype(np.uint8),
    "constant": lambda rng, n: np.full(n, rng.choice([0.0, 1e9, -3.5])),
    "two-valued": lambda rng, n: rng.choice([-1.0, 7.0], size=n),
    "half and half": lambda rng, n: np.arange(n) % 2,
    "rare": lambda rng, n: (rng.random(n) < 0.05).astype(float),
    "zero-inflated": lambda rng, n: np.where(rng.random(n) < 0.8, 0.0, rng.exponential(size=n)),
    "one apart": lambda rng, n: np.append(np.zeros(n - 1), 1.0),
    "int64 code": lambda rng, n: _with(rng.normal(size=n), rng, 2.0**63 - 1),
    "negative code": lambda rng, n: _with(rng.normal(size=n), rng, -1e30),
    "-9999": lambda rng, n: _with(rng.normal(size=n), rng, -9999.0),
    "float32 code": lambda rng, n: _with(rng.normal(size=n), rng, 3.4e38),
    "two codes": lambda rng, n: _with(_with(rng.normal(size=n), rng, 1e18), rng, -1e12),
    "heavy": lambda rng, n: np.exp(5 * rng.normal(size=n)),
    "Pareto": lambda rng, n: rng.pareto(0.5, size=n),
    "huge": lambda rng, n: rng.normal(size=n) * 1e60,
    "tiny": lambda rng, n: rng.normal(size=n) * 1e-60,
    "beyond": lambda rng, n: _with(rng.normal(size=n), rng, rng.choice([1e200, -1.7e308])),
    "subnormal": lambda rng, n: rng.normal(size=n) * 1e-310,
    "offset": lambda rng, n: 1e8 + 1e-3 * rng.normal(size=n),
    "near 2^53": lambda rng, n: 2.0**53 + 2 * rng.integers(0, 50, size=n),
    "near 2^62": lambda rng, n: np.int64(2**62) + 1024 * rng.integers(0, 50, size=n),
    "infinite": lambda rng, n: _with(rng.normal(size=n), rng, np.inf),
    "gaps": lambda rng, n: _with(rng.normal(size=n), rng, np.nan, most=n // 2),
    "nothing": lambda rng, n: np.full(n, np.nan),
}
OTHERS = {
    "booleans": lambda rng, n: rng.random(n) < 0.4,
    "dates": lambda rng, n: np.datetime64("2020-01-01", "ns") + rng.integers(0, 900, size=n).astype("timedelta64[D]"),
    "durations": lambda rng, n: rng.integers(0, 9000, size=n).astype("timedelta64[s]").astype("timedelta64[ns]"),
    "text": lambda rng, n: rng.choice(np.array(LEVELS, dtype=object), size=n),
    "text with gaps": lambda rng, n: _some(rng.choice(np.array(LEVELS, dtype=object), size=n), rng, None),
    "levels": lambda rng, n: pd.Categorical(rng.choice(list("uvw"), size=n), categories=list("uvwx")),
    "numbers as objects": lambda rng, n: _some(rng.integers(0, 5, size=n).astype(float), rng, None),
    "mixed": lambda rng, n: np.array([1, "a", 2.5, None, True] * n, dtype=object)[:n],
}
KINDS = {**NUMBERS, **OTHERS}
