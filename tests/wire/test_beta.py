"""SciPy still gives the quantiles of the golden file, on which the page's own are tested."""

import json

import numpy as np

from wire.write_beta import FILE, golden


def test_quantiles_are_the_golden_ones():
    now, kept = golden(), json.loads(FILE.read_text("utf-8"))
    for name in ("sizes", "probabilities"):
        assert list(now[name]) == kept[name]
    np.testing.assert_allclose(
        np.array(now["quantiles"], float), np.array(kept["quantiles"], float), rtol=1e-12, atol=1e-12
    )
