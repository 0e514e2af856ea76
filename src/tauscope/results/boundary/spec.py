"""Every option of `Study.boundary` in one record, changed with `replace`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from tauscope.boundary.bisection import TOLERANCE
from tauscope.boundary.options import Explainer, FittedOn, RefinementChoice, VerticesChoice
from tauscope.boundary.space import Metric
from tauscope.weights.seeds import RandomState

MetricChoice = Literal["auto"] | Metric


@dataclass(frozen=True, eq=False)
class BoundarySpec:
    """The options of a boundary; `Study.boundary` documents each.

    Those of a result are as the study read them: features by name, the metric and the groups of columns that were
    found, the seed.

    Attributes
    ----------
    n_rivals : int
    refine : {"auto", "line", "coordinate", "none"}
        Of a boundary that was computed never "auto".
    vertices : {"auto", "distant", "axis", "groups", "sparse"}, or array of shape (k, p)
        Of a boundary that was computed never "auto".
    radius : "tuned" or float
    explainer : {"ridge", "pls", "logistic_pls", "lasso"}
    fitted_on : {"auto", "labels", "probabilities"}
    fixed : tuple of str
    bounds : mapping or None
        Name to (lowest, highest), or to a list of levels.
    monotonic_cst : mapping or None
        Name to 1 (may only increase) or −1 (may only decrease).
    groups : sequence of sequences, or None
    one_hot : "auto", sequence of sequences, or None
    whole : "auto" or None
    metric : {"auto", "euclidean", "manhattan", "gower", "jaccard"}
        Of a boundary that was computed never "auto".
    target : label or None
    threshold : float or None
    n_samples : int
    n_features : int or None
    keep_sample : bool
        Of the boundary of one row alone.
    path_step : float or None
    tolerance : float
    n_regions : int
    n : int
    max_model_rows : int or None
    random_state : int, Generator or None
        Of a boundary that was computed the seed.
    """

    n_rivals: int = 100
    refine: RefinementChoice = "auto"
    vertices: VerticesChoice | Any = "auto"
    radius: Literal["tuned"] | float = "tuned"
    explainer: Explainer = "ridge"
    fitted_on: FittedOn = "auto"
    fixed: Sequence[str | int] = ()
    bounds: Mapping[str, Any] | None = None
    monotonic_cst: Mapping[str, int] | None = None
    groups: Any = None
    one_hot: Any = "auto"
    whole: Literal["auto"] | None = "auto"
    metric: MetricChoice = "auto"
    target: Hashable | None = None
    threshold: float | None = None
    n_samples: int = 900
    n_features: int | None = None
    keep_sample: bool = False
    path_step: float | None = None
    tolerance: float = TOLERANCE
    n_regions: int = 1
    n: int = 1
    max_model_rows: int | None = None
    random_state: RandomState = None


class BoundaryOptions(TypedDict, total=False):
    """The options of `BoundarySpec` as keywords, for the verbs that take what `Study.boundary` documents."""

    n_rivals: int
    refine: RefinementChoice
    vertices: VerticesChoice | Any
    radius: Literal["tuned"] | float
    explainer: Explainer
    fitted_on: FittedOn
    fixed: Sequence[str | int]
    bounds: Mapping[str, Any] | None
    monotonic_cst: Mapping[str, int] | None
    groups: Any
    one_hot: Any
    whole: Literal["auto"] | None
    metric: MetricChoice
    target: Hashable | None
    threshold: float | None
    n_samples: int
    n_features: int | None
    keep_sample: bool
    path_step: float | None
    tolerance: float
    n_regions: int
    n: int
    max_model_rows: int | None
    random_state: RandomState
