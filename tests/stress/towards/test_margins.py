"""Margins of a sample, against their definitions and against samples drawn again."""

import numpy as np
import pytest

from stress.towards.toys import sample
from tauscope.stress.towards.margins import Margin, Margins, measure_margins

WHICH = (
    Margin("mean", ("a",)),
    Margin("mean", ("b",)),
    Margin("share", ("u",)),
    Margin("variance", ("a",)),
    Margin("covariance", ("a", "b")),
)


def test_they_are_those_of_the_rows_with_a_value() -> None:
    columns = sample(200, 0.3, 0, gaps=True)
    weight = np.random.default_rng(1).gamma(1, size=200)
    margins = measure_margins(WHICH, columns.__getitem__, 200, weight)
    a, b, seen = columns["a"], columns["b"], ~np.isnan(columns["b"])
    mean_a, mean_b = np.average(a, weights=weight), np.average(b[seen], weights=weight[seen])
    both = np.average((a[seen] - mean_a) * (b[seen] - mean_b), weights=weight[seen])
    by_definition = [
        mean_a,
        mean_b,
        np.average(columns["u"], weights=weight),
        np.average((a - mean_a) ** 2, weights=weight),
        both,
    ]
    np.testing.assert_allclose(margins.wanted, by_definition, rtol=1e-12)


def test_their_covariance_is_that_of_samples_drawn_again() -> None:
    drawn = [measure_margins(WHICH, sample(150, 0.3, seed, gaps=True).__getitem__, 150, None) for seed in range(1500)]
    seen = np.cov(np.stack([one.wanted for one in drawn]), rowvar=False)
    said = np.mean([one.covariance for one in drawn], axis=0)
    scale = np.sqrt(np.outer(np.diag(seen), np.diag(seen)))
    np.testing.assert_allclose(said / scale, seen / scale, atol=0.08)


def test_given_ones_are_known_without_error() -> None:
    margins = Margins.given(WHICH[:2], [1, 2])
    assert margins.wanted.tolist() == [1.0, 2.0]
    assert not margins.covariance.any()


@pytest.mark.parametrize(("margin", "name"), [(WHICH[0], "mean of a"), (WHICH[4], "covariance of a and b")])
def test_names(margin: Margin, name: str) -> None:
    assert margin.name == name
