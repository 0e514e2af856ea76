"""How a boundary is searched and explained: one record of the options."""

from dataclasses import dataclass
from typing import Literal

from tauscope.boundary.bisection import TOLERANCE

Refinement = Literal["line", "coordinate", "none"]
RefinementChoice = Literal["auto"] | Refinement
Vertices = Literal["distant", "axis", "groups", "sparse", "own"]
VerticesChoice = Literal["auto", "distant", "axis", "groups", "sparse"]
Explainer = Literal["ridge", "pls", "logistic_pls", "lasso"]
FittedOn = Literal["auto", "labels", "probabilities"]


@dataclass(frozen=True)
class SearchOptions:
    """Options of one run.

    Attributes
    ----------
    n_rivals : int
        Nearest rows decided otherwise that the search starts from.
    refine : {"line", "coordinate", "none"}
        How the point found is brought nearer: by one search along the direction fitted; by putting columns back to the
        start's one after the other, which suits trees; not at all, as published.
    vertices : {"distant", "axis", "groups", "sparse", "own"}
        Of the hull that is sampled around the point: √p times its distance away along each column; once, as published;
        along groups of columns moved together; along the columns that are not zero at the point, or not the start's;
        along `axes`.
    radius : "tuned" or float
        A multiple of those vertices' distance; "tuned" compares directions fitted at several radii, and the way to
        the point, by the mean answer for the start's class along the path of each; of a model of labels, by the share
        of the path that is not flipped.
    explainer : {"ridge", "pls", "logistic_pls", "lasso"}
    fitted_on : {"auto", "labels", "probabilities"}
        "auto": probabilities where there are any.
    groups : tuple of tuple of int
        Columns moved together; a partition of all columns. Of vertices="groups" alone.
    axes : tuple of tuple of float
        Changes of all columns, in their own units and of any length. Of vertices="own" alone.
    n_samples : int
        Points of the hull, over all radii; with radius="tuned" the points along the paths compared are among them.
    n_components : int
        Of explainer="pls" and "logistic_pls".
    n_features : int or None
        Most features of explainer="lasso"; None: as many as the penalty leaves.
    path_step, n_path_steps : float or None, int
        Length of a step along the direction, in units of the distance's scale, and their number; None: twice the
        point's distance in all.
    keep_sample : bool
        Whether the sample of a single start is part of its explanation.
    n_replicates : int
        Samples drawn again from those there are, for the stability of the direction.
    tolerance : float
    max_model_rows : int or None
        For the whole run.
    random_state : int
    """

    n_rivals: int = 100
    refine: Refinement = "line"
    vertices: Vertices = "distant"
    radius: Literal["tuned"] | float = "tuned"
    explainer: Explainer = "ridge"
    fitted_on: FittedOn = "auto"
    groups: tuple[tuple[int, ...], ...] = ()
    axes: tuple[tuple[float, ...], ...] = ()
    n_samples: int = 900
    n_components: int = 2
    n_features: int | None = None
    path_step: float | None = None
    n_path_steps: int = 100
    keep_sample: bool = False
    n_replicates: int = 20
    tolerance: float = TOLERANCE
    max_model_rows: int | None = None
    random_state: int = 0
