"""Sub-bins and powers: sums of steep tilts to rounding, whichever number of powers takes the fewest numbers."""

import numpy as np
import pytest

from stress.bins.test_columns import binary
from stress.sketching import COLUMNS, lay_out_column
from tauscope.stress.bins.binned_rows import sum_rows
from tauscope.stress.bins.layout import ORDERS
from tauscope.stress.bins.sub_bins import SubBins
from tauscope.stress.metrics import define_quantities


def test_rows_are_found_in_their_sub_bins_and_slices():
    x = COLUMNS["exponential"](np.random.default_rng(0), 20_000)
    layout = lay_out_column(x)
    assert len(layout.centres) > len(layout.bins.centres)
    z = layout.scale(x)
    sub_bin = layout.find_sub_bins(z)
    assert np.all(np.abs(z - layout.centres[sub_bin]) <= layout.half_widths[sub_bin] * (1 + 1e-9))
    offset = z - layout.centres[sub_bin]
    fine = layout.find_slices(offset, lambda of_sub_bins: of_sub_bins[sub_bin])
    first, n, half = layout.first_slice[sub_bin], layout.n_slices[sub_bin], layout.half_widths[sub_bin]
    middle = ((fine - first + 0.5) * 2 / n - 1) * half
    assert np.all((fine >= first) & (fine < first + n))
    assert np.all(np.abs(offset - middle) <= half / n * (1 + 1e-6))
    assert layout.n_slices.max() > 10


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "n", "order"), [("normal", 12_000, 10), ("lognormal", 12_000, 8), ("normal", 250_000, 6)]
)
def test_tilts_are_those_of_the_rows_with_as_few_powers_as_do(kind, n, order):
    x, outcomes = COLUMNS[kind](np.random.default_rng(0), n), binary(n)
    layout = lay_out_column(x)
    assert layout.order == order
    assert order in ORDERS
    quantities = define_quantities(outcomes)[0]
    sums = SubBins(sum_rows(x, quantities, layout))
    z = layout.scale(x)
    for tau in (-1.0, -0.3, 0.6, 1.0):
        target = float(layout.scale(layout.around.target(np.array([tau])))[0])
        xi, log_norm = sums.solve(target, target)
        for power, found in enumerate(sums.sums(sums.log_weight(xi, log_norm), target, (1, 1, 1, 1)), 1):
            weight = np.exp(power * (xi * z - log_norm))
            inside = [weight[quantities.cell == c].sum() for c in range(quantities.n_cells)]
            real = [(weight * g).sum() for g in quantities.powers[0].values(slice(None))[None] ** np.array([[1], [2]])]
            np.testing.assert_allclose(found[0], [weight.sum(), *inside, *real], rtol=1e-11, atol=1e-12)
