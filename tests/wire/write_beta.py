"""Write quantiles of the beta distribution, by SciPy, for the page's own: python tests/wire/write_beta.py"""

import json
from pathlib import Path
from typing import Any

from scipy.special import betaincinv

FILE = Path(__file__).with_name("beta.json")
SIZES = (1e-9, 1e-3, 0.4, 1.0, 1.37, 2.5, 10.0, 14.9, 300.0, 54321.7, 1e6, 1e7)
PROBABILITIES = (1e-20, 1e-4, 0.025, 0.3, 0.5, 0.7, 0.975, 0.9999)
LEAST = 1e-6
"""One of the sizes: with less all weight is at both ends, and which has the quantile hangs on the last digit."""


def golden() -> dict[str, Any]:
    """Quantiles by first size, second size and probability; None where they hang on rounding."""
    quantiles = [
        [
            [float(betaincinv(a, b, p)) for p in PROBABILITIES] if max(a, b) >= LEAST else [None] * len(PROBABILITIES)
            for b in SIZES
        ]
        for a in SIZES
    ]
    return {"sizes": SIZES, "probabilities": PROBABILITIES, "quantiles": quantiles}


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden()).replace("]], [[", "]],\n[[") + "\n", "utf-8")
