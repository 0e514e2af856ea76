"""The verb `boundary`: the smallest change that flips one decision, and the direction that carries it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tauscope.boundary.bisection import TOLERANCE
from tauscope.boundary.options import Explainer, FittedOn, RefinementChoice, VerticesChoice
from tauscope.errors import InputError
from tauscope.model.progress_bar import Callback
from tauscope.results.boundary.boundary import Boundary
from tauscope.results.boundary.spec import BoundarySpec, MetricChoice
from tauscope.study.boundary.encoded import Coder, decoding_note, encoded_study, read_codes
from tauscope.study.boundary.search import search
from tauscope.study.rows import choose_row

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase
    from tauscope.weights.seeds import RandomState


def boundary(
    self: StudyBase,
    row: Any,
    *,
    n_rivals: int = 100,
    refine: RefinementChoice = "auto",
    vertices: VerticesChoice | Any = "auto",
    radius: Literal["tuned"] | float = "tuned",
    explainer: Explainer = "ridge",
    fitted_on: FittedOn = "auto",
    fixed: Sequence[str | int] = (),
    bounds: Mapping[str, Any] | None = None,
    monotonic_cst: Mapping[str, int] | None = None,
    groups: Any = None,
    one_hot: Any = "auto",
    whole: Literal["auto"] | None = "auto",
    metric: MetricChoice = "auto",
    target: Hashable | None = None,
    threshold: float | None = None,
    n_samples: int = 900,
    n_features: int | None = None,
    keep_sample: bool = False,
    path_step: float | None = None,
    tolerance: float = TOLERANCE,
    n_regions: int = 1,
    n: int = 1,
    max_model_rows: int | None = None,
    encode: Coder | None = None,
    decode: Coder | None = None,
    attributes: Sequence[str] | None = None,
    random_state: RandomState = None,
    progress: bool = True,
    callback: Callback | None = None,
) -> Boundary:
    """Find the smallest change of a row that flips the model's decision, and which features carry it.

    The nearest rows that are predicted otherwise start a bisection of the ways to them; around the point where the
    boundary is met a sample is drawn, and a linear model fitted on it gives the direction that leaves the decision.

    Parameters
    ----------
    row : int, or new values
        A position among the study's rows; or a frame of one row, a series, a dict of all columns, or an array. Of
        sparse rows: a position, a sparse row, or a dict or series of what is not 0.
    n_rivals : int, default 100
        Nearest rows predicted otherwise that the search starts from; more where none of them stands the constraints.
    refine : {"auto", "line", "coordinate", "none"}, default "auto"
        How the point is brought nearer: by a search along the direction; by putting features back to the row's own
        one after the other besides, which changes few of them and asks about some ten more model rows a feature; not
        at all, as published. "auto" is "coordinate" for models that are flat between jumps (trees, nearest neighbours,
        and ensembles of them), whose point is else a fifth to a half farther, and "line" for the others, whose point
        is within a percent.
    vertices : {"auto", "distant", "axis", "groups", "sparse"}, array of shape (k, p), or frame, default "auto"
        Of the hull that is sampled: √p times the point's distance away along each feature; once, as published; along
        groups of features moved together; along the features that are not zero at the point, or not the row's. "auto"
        is "distant", and "sparse" for rows of a sparse matrix: a plane through thousands of absent words would rest on
        a sample of hundreds, and one through the words of the message and of its rival does not. Each row of an array,
        or of a frame of some features, is a change of your own, such as a mask of pixels: in the features' units, of
        any length, added and taken away; levels and what is held are left out. The direction is made of them alone.
    radius : "tuned" or float, default "tuned"
        A multiple of the vertices' distance. "tuned" fits directions at several and takes the one along which the
        answer falls soonest, where the model gives answers.
    explainer : {"ridge", "pls", "logistic_pls", "lasso"}, default "ridge"
        The linear model fitted: ridge (logistic on labels); partial least squares with two components, linear or, as
        in the thesis, with a logit link, whose projection is `Boundary.projection`; a sparse one.
    fitted_on : {"auto", "labels", "probabilities"}, default "auto"
        "auto": probabilities or scores where there are any; labels for "logistic_pls", which takes nothing else.
    fixed : sequence of names or positions
        Features that stay as they are.
    bounds : dict, optional
        Feature to (lowest, highest), None for an open end; of levels to a list of those allowed. Without them a flip
        may have a value that no row reaches, which its notes say.
    monotonic_cst : dict, optional
        Feature to 1, where it may only increase, or −1, where it may only decrease.
    groups : sequence of sequences, or array of shape (n_features,), optional
        vertices="groups": a partition of the features, as lists of names or as a group number for each. By default
        the groups of `one_hot`.
    one_hot : "auto", sequence of sequences, or None, default "auto"
        Groups of 0/1 columns of which at most one is 1 and that change together. "auto" takes columns whose names
        begin alike, such as "city_Bonn" and "city_Kiel", where no row has two of them, and adjacent ones of which
        every row has one.
    whole : "auto" or None, default "auto"
        None: columns of whole numbers, 0/1 columns outside groups among them, may take any number between. By default
        the point has whole numbers there; the sample and the walk along the direction lie between them where the model
        takes fractions.
    metric : {"auto", "euclidean", "manhattan", "gower", "jaccard"}, default "auto"
        Of the distance, in units of standard deviations; of sparse rows in the matrix' own units, "euclidean" (which
        "auto" takes) or "manhattan". "gower", which "auto" takes where there are categories: the
        mean over features of the change as a share of the range, 1 for another level. "jaccard": of features that are
        1, the share that differ.
    target : label, optional
        The class to reach; by default any other.
    threshold : float, optional
        Of a regression, which has to have one: the decision is whether the prediction lies above.
    n_samples : int, default 900
        Points of the sample, at least 20.
    n_features : int, optional
        explainer="lasso": most features of the direction.
    keep_sample : bool, default False
        Whether `Boundary` has the sample that its direction is judged by, its vertices, and the coefficients of the
        plane as fitted.
    path_step : float, optional
        Length of each of the 100 steps along the direction; by default they go twice the point's distance in all.
    tolerance : float, default 1e-6
        Distance to which the boundary is located between two points.
    n_regions : int, default 1
        Most stretches of the boundary to tell apart, by the direction they lie in: `Boundary.regions`, each with its
        own point, distance and direction.
    n : int, default 1
        Points beyond the boundary that differ in what they change: `Boundary.diverse`, with how plain and how
        plausible each is.
    max_model_rows : int, optional
        Most rows the model is called on, those asked for the proof of the lower distance included; where they end
        before a point is found, the status says so.
    encode, decode : callable, optional
        Measure in a space of your own, such as an autoencoder's: `encode` takes rows as the study has them and returns
        their codes, (n_rows, k); `decode` takes codes and returns rows as the model takes them. Features are then the
        codes, a point's row is `decode` of it, and the model is asked once about all rows as decoded.
    attributes : sequence of str, optional
        Names of the codes.
    random_state : int, Generator or None
        Draws the samples.
    progress : bool, default True
        Whether a bar shows after two seconds.
    callback : callable, optional
        Called as callback(done, total) after each batch of rows; something true ends the search with what is known.

    Returns
    -------
    Boundary
        `.status`, `.point`, `.distance`, `.distance_lower`, `.direction`, `.frame`, `.path`, `.diagnostics`,
        `.reliability`; `.chart()`, `.widget()`.

    Raises
    ------
    UnknownName
        For a feature, level or class that is not there, with the nearest names.
    InputError, InputTypeError
        For a row that is not there or that the columns cannot hold, constraints that exclude it, groups that do not
        partition the features, a metric that does not fit the columns, or a study without a model.

    Notes
    -----
    Every point asked about and returned stands the constraints: whole numbers stay whole, levels are levels, and what
    is missing stays missing. Where no such point was found, `status` says why, and nothing is returned in its place.
    The rows' own predictions cost nothing; `n_model_rows` counts the calls of the search.

    The lower distance is proved of linear models and networks of scikit-learn, and of tree ensembles of scikit-learn,
    LightGBM, XGBoost and CatBoost, alone or behind steps that scale columns.

    A sparse matrix is searched without being made dense. Between a row and its rival only features move that are not
    0 in one of them, so each row is searched in those, `frame` and `direction` have those alone, and what is nowhere
    below 0 in the matrix (a count, a tf-idf weight) stays at 0 or above unless `bounds` has it. Distances are in the
    matrix' own units: rows of tf-idf weights have length 1 already, and standard deviations would make a word costly
    for being rare. The lower distance of a linear model, or of naive Bayes, is over all columns.

    References
    ----------
    Vlassopoulos, "Decision boundary approximation", Leiden, 2019. Laugel, Renard, Lesot, Marsala, Detyniecki,
    "Defining locality for surrogates in post-hoc interpretablity", 2018, has the same idea a year before. Vlassopoulos,
    van Erven, Brighton, Menkovski, "Explaining predictions by approximating the local decision boundary",
    arXiv 2006.07985, 2020, measures in a learned space with named attributes.

    Examples
    --------
    >>> boundary = study.boundary(0)
    >>> round(boundary.distance, 2), round(boundary.distance_lower, 2)
    (0.97, 0.97)
    """
    spec = BoundarySpec(
        n_rivals=n_rivals,
        refine=refine,
        vertices=vertices,
        radius=radius,
        explainer=explainer,
        fitted_on=fitted_on,
        fixed=fixed,
        bounds=bounds,
        monotonic_cst=monotonic_cst,
        groups=groups,
        one_hot=one_hot,
        whole=whole,
        metric=metric,
        target=target,
        threshold=threshold,
        n_samples=n_samples,
        n_features=n_features,
        keep_sample=keep_sample,
        path_step=path_step,
        tolerance=tolerance,
        n_regions=n_regions,
        n=n,
        max_model_rows=max_model_rows,
        random_state=random_state,
    )
    if encode is None and decode is None and attributes is None:
        return boundary_from(self, row, spec, progress=progress, callback=callback)
    if encode is None or decode is None:
        raise InputError("A space of your own has both encode and decode; got one of them. Give both.")
    encoded = encoded_study(self, encode, decode, attributes)
    place: Any = row
    if not isinstance(row, int | np.integer):
        place = read_codes(encode(place), 1)[0]
    found = boundary_from(encoded, place, spec, progress=progress, callback=callback)
    note = decoding_note(self, encoded)
    return replace(found, _extra_notes=(note, *found._extra_notes)) if note else found


def boundary_from(
    self: StudyBase, row: Any, spec: BoundarySpec, *, progress: bool = True, callback: Callback | None = None
) -> Boundary:
    """Search a boundary by a record of its options, such as another's changed with `dataclasses.replace`.

    Parameters
    ----------
    row : int, or new values
        As in `boundary`.
    spec : BoundarySpec
        That of a `Boundary` searches it again.
    progress, callback
        As in `boundary`.

    Returns
    -------
    Boundary

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `boundary`.
    """
    found = search(self, lambda: choose_row(self, row), spec, progress=progress, callback=callback)
    return Boundary(
        found.spec,
        found.numbers,
        self._model_name,
        found.notes,
        found.regions,
        found.diverse,
        found.extra_model_rows,
        source=self._as_source(),
    )
