"""Products in pieces against the product itself."""

import numpy as np
import pytest

from tauscope.stress.joint.products import of_rows, over_rows


@pytest.mark.parametrize(("p", "q"), [(1, 1), (3, 2), (19, 19), (200, 7)])
@pytest.mark.parametrize("n", [1, 15, 16, 1000, 4096, 20_001])
@pytest.mark.slow
def test_pieces_add_up_to_the_product(p, q, n):
    rng = np.random.default_rng(0)
    a, b, c = rng.normal(size=(p, n)), rng.normal(size=(q, n)), rng.normal(size=(p, q))
    np.testing.assert_allclose(over_rows(a, b), a @ b.T, rtol=1e-9, atol=1e-9)
    rows = np.ascontiguousarray(a.T)
    np.testing.assert_allclose(of_rows(rows, c), rows @ c, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(of_rows(rows, c[:, :0]), rows @ c[:, :0])
