"""The planes fitted to the samples of one start, and how good the direction is that was chosen among them."""

from typing import NamedTuple

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.planes.design import Design, along, changes
from tauscope.boundary.planes.explainers import Fit, draw_blocks, fit_plane
from tauscope.boundary.planes.inspection import Sample
from tauscope.boundary.planes.simulation import axes_of, unit, vertex_steps
from tauscope.boundary.planes.tuned import HALFWAY, TOWARDS, Plan
from tauscope.boundary.space import Space
from tauscope.weights.arrays import Bools, Floats, Ints


class Rating(NamedTuple):
    """What the samples tell of one direction, as in `Diagnostics`, and how far they typically lie from the point."""

    radius: float
    balance: float
    faithfulness: float
    balanced_accuracy: float
    stability: float
    r2: float


class StartFits:
    """The fits of one start.

    Parameters
    ----------
    space : Space
    options : SearchOptions
    plan : Plan
    starts : Starts
        One.
    point : ndarray of shape (p,)
    distance : float
    moves : ndarray of bool, shape (p,)
        Columns that the samples change.
    samples : ndarray of shape (m, p)
    labels : ndarray of shape (m,)
        Codes of what is decided at them.
    flipped : ndarray of bool, shape (m,)
    margin : ndarray of shape (m,) or None
        As in `fit_plane`.

    Attributes
    ----------
    fits : tuple of Fit
        Of each candidate but the way to the point, in the order of `CANDIDATES`.
    """

    def __init__(
        self,
        space: Space,
        options: SearchOptions,
        plan: Plan,
        starts: Starts,
        point: Floats,
        distance: float,
        moves: Bools,
        samples: Floats,
        labels: Ints,
        flipped: Bools,
        margin: Floats | None,
    ) -> None:
        self._space, self._options, self._plan, self._key = space, options, plan, starts.key_of(0)
        self._start, self._point = starts.points[0], point
        self._samples, self._labels, self._flipped, self._margin = samples, labels, flipped, margin
        self._moves, self._distance = moves, distance
        groups = options.groups if options.vertices == "groups" else ()
        self._basis = axes_of(space, options.vertices, options.groups, options.axes, moves)
        self._design = Design.of(space, moves, groups, float(unit(space, np.array(distance))), samples)
        self._inverse: Floats | None = None
        """Of "own" vertices: from columns to how far a point lies along each axis."""
        if options.vertices == "own" and self._basis is not None:
            self._inverse = np.linalg.pinv(self._basis[:, self._design.columns]).astype(np.float64, copy=False)
        self._features = self._features_of(samples)
        self.fits: tuple[Fit, ...] = tuple(self._fit(part) for part in plan.parts)

    def _features_of(self, points: Floats) -> Floats:
        features = self._design.features(self._point, points)
        return features if self._inverse is None else features @ self._inverse

    def _gradient(self, fit: Fit) -> Floats:
        """Return a plane's coefficients by column, in units of scale: shape (p,)."""
        coefficients = fit.coefficients if self._inverse is None else self._inverse @ fit.coefficients
        return self._design.direction(self._space, coefficients)

    def _fit(self, part: Ints) -> Fit:
        return fit_plane(
            self._features[part],
            self._flipped[part],
            None if self._margin is None else self._margin[part],
            self._options.explainer,
            n_components=self._options.n_components,
            n_features=self._options.n_features,
        )

    def planes(self) -> tuple[Floats, Floats]:
        """Return the directions of the fits, of length 1 in units of scale, and the intercepts: (n_fits, p), (n_fits,).

        NaN where a sample shows no difference.
        """
        at_start = self._features_of(self._start[None])[0]
        directions = np.array([self._gradient(fit) for fit in self.fits])
        intercepts = np.array([fit.intercept + float(at_start @ fit.coefficients) for fit in self.fits])
        norm = np.linalg.norm(directions, axis=1)
        norm[norm == 0] = np.nan
        return directions / norm[:, None], intercepts / norm

    def projection(self, candidate: int) -> tuple[Floats, Ints] | None:
        """Return the scores of a candidate's sample, or of the first where it was not fitted, and its labels."""
        fitted = candidate if candidate < TOWARDS else 0
        scores = self.fits[fitted].scores
        return None if scores is None else (scores, self._labels[self._plan.parts[fitted]])

    def _part(self, candidate: int) -> Ints:
        """Places of the samples that a candidate is fitted on, or rated by where it is not fitted."""
        if candidate == HALFWAY:
            return np.arange(len(self._samples))
        return self._plan.parts[candidate if candidate < TOWARDS else 0]

    def sample(self, candidate: int) -> Sample:
        """Return what a candidate is fitted on, or rated by, and its plane as fitted."""
        part, fit = self._part(candidate), self.fits[candidate] if candidate < TOWARDS else None
        return Sample(
            self._samples[part],
            self._labels[part],
            None if self._margin is None else self._margin[part],
            vertex_steps(self._space, self._options.vertices, self._basis, self._moves, self._distance),
            np.unique(self._plan.radius[part]),
            None if fit is None else self._gradient(fit),
            None if fit is None or self._inverse is None else self._by_axis(fit),
            np.nan if fit is None else fit.intercept,
        )

    def _by_axis(self, fit: Fit) -> Floats:
        """Return a plane's coefficients by "own" axis; NaN for one of which nothing can move."""
        moving = (np.array(self._options.axes)[:, self._moves] != 0).any(axis=1)
        coefficients = np.full(len(moving), np.nan)
        coefficients[moving] = fit.coefficients / self._design.unit
        return coefficients

    def rate(self, candidate: int, direction: Floats, two: Ints) -> Rating:
        """Rate a direction.

        Parameters
        ----------
        candidate : int
            Its place among `CANDIDATES`.
        direction : ndarray of shape (p,)
        two : ndarray
            Places of the fits, or of the way to the point, that it lies between; of no matter for other candidates.
        """
        fitted, part = candidate < TOWARDS, self._part(candidate)
        samples, flipped = self._samples[part], self._flipped[part]
        away = np.linalg.norm(changes(self._space, self._point, samples), axis=1)
        if fitted:
            fit = self.fits[candidate]
            far, r2 = self._features[part] @ fit.coefficients + fit.intercept, fit.r2
        else:
            far = along(self._space, self._start, self._point, samples, direction)
            r2 = self._r2(far, part)
        return Rating(
            float(np.median(away)),
            float(1 - flipped.mean()),
            float((flipped == (far > 0)).mean()),
            balanced_accuracy(flipped, far > 0),
            self._stability(two if candidate == HALFWAY else np.array([candidate])),
            r2,
        )

    def _r2(self, far: Floats, part: Ints) -> float:
        """Squared correlation of how far samples lie along a direction that was not fitted with what fits are of."""
        target = self._flipped[part].astype(np.float64) if self._margin is None else -self._margin[part]
        spread = float(far.std() * target.std())
        return (float(((far - far.mean()) * (target - target.mean())).mean()) / spread) ** 2 if spread > 0 else np.nan

    def _stability(self, candidates: Ints) -> float:
        """Return the least of some candidates; NaN where none was fitted."""
        fitted: list[int] = [c for c in candidates.tolist() if c < TOWARDS]
        counts = draw_blocks(self._options.random_state, self._key, self._options.n_replicates) if fitted else None
        if counts is None:
            return np.nan
        parts = self._plan.parts
        found = [self.fits[c].stability(self._features[parts[c]], counts) for c in fitted]
        return float(np.fmin.reduce(found))


def balanced_accuracy(flipped: Bools, predicted: Bools) -> float:
    """Mean share found right on either side; NaN where the sample is on one side only."""
    if flipped.all() or not flipped.any():
        return np.nan
    return float((predicted[flipped].mean() + (~predicted[~flipped]).mean()) / 2)
