"""A page of a study in which no row's values are: stress curves that move, and an effect as a picture with bands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.errors import InputError
from tauscope.figures.effects.table import effect_table
from tauscope.results import show
from tauscope.results.stress.curves import StressCurves
from tauscope.sharing.about import about
from tauscope.sharing.page import closing, page
from tauscope.sharing.reading import ROOMS, fold
from tauscope.sharing.sections import drawn, section
from tauscope.views.packing import pack_floats, unpack
from tauscope.views.stress.curves import StressCurvesView

if TYPE_CHECKING:
    from tauscope.results.base import Study

FEWEST = 10
"""Rows that a level must have to be named."""
STEPS = 500
"""Parts of a column's range to which what is read off its rows is rounded."""
N_POINTS = 21
EPSILON = 0.05
TRAITS = ("stress", "feature", "metric", "tau", "rank_by")
LEFT_OUT = (
    "Several features at once, groups of rows, boundaries, rules and the table are left out: they are solved on rows, "
    "or show some. "
    "study.save(path) has them."
)
KEPT = (
    "Curves, intervals and histograms are sums over all rows; ends of ranges are rounded, and levels of fewer than "
    f"{FEWEST} rows are not named. No row's values, label, prediction or weight is in this file. That is no proof of "
    "anonymity: a sum over few rows can still tell of them."
)


def page_without_rows(study: Study, views: Sequence[str] | None, traits: Mapping[str, Any]) -> str:
    """Write the page.

    Parameters
    ----------
    study : Study
    views : sequence of {"effect"}, optional
        By default the effect of the feature chosen, where there is a model to ask.
    traits : mapping
        First values of the curves' traits.

    Raises
    ------
    InputError
        For views and traits that are of rows.
    """
    chosen = _views(study, views)
    for name in traits:
        if name not in TRAITS:
            raise InputError(
                f"A page with rows='none' opens on {', '.join(TRAITS)}; got {name}. Leave it out, or embed rows."
            )
    curves = _curves(study)
    with closing(StressCurvesView.offline(curves, **traits)) as view:
        view.check_offline()
        _round(view, curves)
        column = next(one["column"] for one in cast(Any, view).message["features"] if one["name"] == view.feature)
        shown = [_effect(study, column)] if "effect" in chosen else []
        facts = {
            "Rows": f"None of {study.n_rows:,} are in this page. {KEPT}",
            "Left out": LEFT_OUT,
            "Computed": "the curves of every feature"
            + (f", and the effect of {column} with its bands" if shown else ""),
        }
        return page(
            view,
            title=f"{curves.title} without rows",
            note=f"Static copy, computed {curves.computed_on.isoformat()}: {curves.title}.",
            still=show.stand_in(curves)["text/html"] if curves._has_picture else "",
            reading="".join(
                (*shown, about(study, facts), fold([*ROOMS["stress"], *(ROOMS["effects"] if shown else ())]))
            ),
        )


def _views(study: Study, views: Sequence[str] | None) -> tuple[str, ...]:
    if views is None:
        return ("effect",) if study._has_model else ()
    chosen = (views,) if isinstance(views, str) else tuple(views)
    for name in chosen:
        if name != "effect":
            raise InputError(f"Without rows a page can have the view 'effect'; got {name!r}, which is of rows.")
    if chosen:
        study._require_model("has effects")
    return chosen


def _curves(study: Study) -> StressCurves:
    """Compute the curves of features that are numbers, and of levels that are not of a few rows."""
    every = study.stress_curves()
    named = [
        feature.name
        for feature, mean in zip(every.features, every._curves.mean, strict=True)
        if not _is_rare(study, feature, mean)
    ]
    if not named:
        raise InputError(
            f"Without rows a page has numbers and levels of at least {FEWEST} rows to move; there are none."
        )
    return study.stress_curves(named)


def _is_rare(study: Study, feature: Any, share: float) -> bool:
    count = study.n_rows * min(share, 1 - share)
    return feature.kind == "share" and count < FEWEST


def _round(view: StressCurvesView, curves: StressCurves) -> None:
    """Round what is read off single rows: the ends of histograms, and the means that τ stands for."""
    message = view.message
    population = (
        np.frombuffer(unpack(view.population), "<f4").reshape(len(message["features"]), len(message["taus"]), -1).copy()
    )
    features: list[dict[str, Any]] = []
    for place, feature in enumerate(message["features"]):
        edges = feature["edges"]
        if edges:
            population[place, :, 0] = _coarse(population[place, :, 0], edges)
            feature = {**feature, "edges": _coarse(np.array(edges), edges).tolist(), "note_low": "", "note_high": ""}
        features.append(feature)
    view.message = {**message, "features": features, "skipped": []}
    view.population = pack_floats(population, population.shape[-1])


def _coarse(values: NDArray[Any], edges: Sequence[float]) -> NDArray[np.float64]:
    """Round to a power of ten that is at most a part of the range."""
    step = float(10.0 ** np.floor(np.log10((edges[-1] - edges[0]) / STEPS)))
    return np.asarray([round(float(value) / step) * step for value in values])


def _effect(study: Study, column: str) -> str:
    """Draw an effect, without curves of single rows, over round values."""
    read: Column = study._columns[study.feature_names.index(column)]
    if read.numbers is None or read.kind != "numeric" or read.unit:
        return section(f"Effect of {column}", notes=("Left out: levels and dates of few rows would tell of them.",))
    low, high = (float(np.nanquantile(read.numbers, level)) for level in (0.02, 0.98))
    grid = np.unique(_coarse(np.linspace(low, high, N_POINTS), (low, high)))
    effect = study.effect(column, grid=grid, progress=False)
    bounds = effect.bounds(EPSILON)
    return section(f"Effect of {column}", drawn(effect.chart(n_ice=0), effect.title), effect_table(effect)) + section(
        f"How far other weights of {EPSILON:.0%} of the rows could bend it", drawn(bounds.chart(), bounds.title)
    )
