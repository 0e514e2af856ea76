"""A boundary searched, explained and walked to, for one point or thousands: what comes out of a run."""

from dataclasses import dataclass

from tauscope.boundary.detection import Detection
from tauscope.boundary.options import SearchOptions
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Sample:
    """The points around one point found that its direction is judged by, and the plane as it was fitted to them.

    Attributes
    ----------
    points : ndarray of shape (m, p)
    label : ndarray of shape (m,)
        Codes of what is decided at each.
    margin : ndarray of shape (m,) or None
        By how much the answers favour the start's decision; None where labels are fitted.
    steps : ndarray of shape (k, p)
        What takes the point to a vertex along each of k axes, and with the other sign to the opposite one.
    radii : ndarray of shape (r,)
        Multiples of these steps at which the sample has vertices.
    coefficients : ndarray of shape (p,) or None
        Of the plane, by column in units of scale, as fitted; None where the direction was not fitted, but taken.
    by_axis : ndarray of shape (k,) or None
        The same of vertices="own" by axis, of length 1 in units of scale.
    intercept : float
        The plane is intercept + coefficients · (x − point) / scale = 0.
    """

    points: Floats
    label: Ints
    margin: Floats | None
    steps: Floats
    radii: Floats
    coefficients: Floats | None
    by_axis: Floats | None
    intercept: float


@dataclass(frozen=True, eq=False)
class Explanation:
    """The direction that leaves the decision, for each of n starts; NaN where nothing was found to explain.

    Attributes
    ----------
    direction : ndarray of shape (n, p)
        Of length 1 in units of the space's scale, pointing away from the start's decision: above 0 where more of a
        column leads there. 0 in a column that cannot change. Of a nominal column a size, without a sign.
    intercept : ndarray of shape (n,)
        The plane is intercept + direction · (x − start) / scale = 0, nominal columns aside.
    radius : ndarray of shape (n,)
        Typical distance of the sample from the point, of the direction taken.
    candidate : ndarray of shape (n,)
        Place among `CANDIDATES`; −1 where there is none.
    projection : tuple of two ndarrays or None
        Partial least squares of a single start: the sample on two components (m, 2), and the codes of its labels (m,).
    sample : Sample or None
        Of a single start, where it is to be kept.
    """

    direction: Floats
    intercept: Floats
    radius: Floats
    candidate: Ints
    projection: tuple[Floats, Ints] | None = None
    sample: Sample | None = None


CANDIDATES = ("distant", "wider", "several radii", "towards the point", "between the two best")
"""What the direction was fitted on: vertices √p away, five times that, several distances; or no fit, z − x0 itself; or
halfway between the two best of these."""


@dataclass(frozen=True, eq=False)
class Paths:
    """What the model answers on the way along the direction, for each of n starts.

    Attributes
    ----------
    length : ndarray of shape (n, k)
        Distance walked from the start, 0 first.
    answer : ndarray of shape (n, k)
        Probability or score of the start's own class there; 1 or 0 of a model of labels.
    label : ndarray of shape (n, k)
        Codes of the classes decided.
    crossing : ndarray of shape (n,)
        Length at which the decision first flips; ∞ where it does not.
    returns : ndarray of bool, shape (n,)
        Whether a point after the crossing is decided as the start again.
    """

    length: Floats
    answer: Floats
    label: Ints
    crossing: Floats
    returns: Bools


@dataclass(frozen=True, eq=False)
class Diagnostics:
    """How good an explanation is, each of shape (n,); NaN where it was not computed.

    Attributes
    ----------
    balance : ndarray
        Share of the sample decided as the start; trusted between .3 and .7.
    faithfulness : ndarray
        Share of the sample for which plane and model agree: the accuracy of the plane, as published.
    balanced_accuracy : ndarray
        Mean of that share among the points decided as the start and among the others; NaN where one side is empty.
    cosine : ndarray
        Of the direction with point − start.
    crossing_ratio : ndarray
        Length of the first crossing along the direction over the point's distance; ∞ if there is none up to 1.5.
    plane_ratio : ndarray
        The same of a plane through the point, across the direction: above 1 where the metric is not Euclidean and the
        straight way not the shortest.
    scaled_distance : ndarray
        The point's distance over the mean distance between rows of the pool.
    derivative : ndarray
        Gateaux derivative of the start's own answer along the direction, at the start.
    stability : ndarray
        Mean cosine between directions fitted on replicates of the sample.
    r2 : ndarray
        R² of the fit on what it was fitted on; R²_Y of partial least squares.
    """

    balance: Floats
    faithfulness: Floats
    balanced_accuracy: Floats
    cosine: Floats
    crossing_ratio: Floats
    plane_ratio: Floats
    scaled_distance: Floats
    derivative: Floats
    stability: Floats
    r2: Floats


@dataclass(frozen=True, eq=False)
class Inspection:
    """One run.

    Attributes
    ----------
    options : SearchOptions
    detection : Detection
        The points bisected to, as published.
    point : ndarray of shape (n, p)
        The nearest point known, after refinement; decided otherwise and within the limits.
    distance : ndarray of shape (n,)
    label : ndarray of shape (n,)
        Code of what is decided at the point; −1 where none was found.
    explanation : Explanation
    paths : Paths or None
        None where none were wanted.
    diagnostics : Diagnostics
    unsteady : ndarray of bool, shape (n,)
        Whether the model answered otherwise for the start than it had before.
    n_model_rows : int
    spent : bool
        Whether the budget, or a person, ended the run.
    """

    options: SearchOptions
    detection: Detection
    point: Floats
    distance: Floats
    label: Ints
    explanation: Explanation
    paths: Paths | None
    diagnostics: Diagnostics
    unsteady: Bools
    n_model_rows: int
    spent: bool
