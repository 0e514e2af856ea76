"""Effects, their bounds and their moves as files: table, numbers with what they were computed from, picture, page."""

from pathlib import Path
from typing import Any, Protocol

import pandas as pd

from tauscope.results.effects.attack import EffectAttack
from tauscope.results.effects.bounds import EffectBounds
from tauscope.results.effects.comparison import EffectComparison
from tauscope.results.effects.effect import FeatureEffect
from tauscope.results.effects.effects import FeatureEffects
from tauscope.results.effects.randomisation import RandomizedModel
from tauscope.results.effects.regions import EffectRegions
from tauscope.results.effects.shift import EffectShift
from tauscope.results.effects.text import extent, title
from tauscope.sharing.chart_page import chart_page
from tauscope.sharing.html import copy_note
from tauscope.sharing.save import records, write_result


class Charted(Protocol):
    """A result with a table and a chart."""

    @property
    def frame(self) -> pd.DataFrame:
        """The tidy table."""
        ...

    def chart(self) -> Any:
        """Make the Altair chart."""
        ...


def save_effect(result: FeatureEffect, path: Path) -> None:
    """Write an effect; see `FeatureEffect.save`."""

    def page() -> str:
        from tauscope.sharing.effect_page import effect_page

        return effect_page(result)

    write_result(
        path,
        frame=lambda: result.frame,
        document=lambda: _document("effect", result) | {"records": records(result.frame)},
        chart=result.chart,
        page=page,
    )


def save_bounds(result: EffectBounds, path: Path) -> None:
    """Write an effect with its bounds; see `EffectBounds.save`."""
    more: dict[str, Any] = {
        "epsilon": result.epsilon,
        "distance": result.distance,
        "covers": result.covers,
        "notes": list(result.notes),
    }
    _write(path, result, "effect_bounds", result.effect, more)


def save_moved(result: EffectShift, path: Path) -> None:
    """Write an effect before and after a stress; see `EffectShift.save`."""
    names = ("tv", "kl", "ess", "population", "inside", "sentence")
    _write(path, result, "effect_under_stress", result.before, {name: getattr(result, name) for name in names})


def save_attack(result: EffectAttack, path: Path) -> None:
    """Write what an attack did; see `EffectAttack.save`."""
    more: dict[str, Any] = {
        "method": result.method,
        "at": result.at,
        "columns": list(result.columns),
        "random_state": result.random_state,
        "n_model_rows": result.n_model_rows,
        "status": result.status,
        "sentence": result.sentence,
        "notes": list(result.notes),
        "curve": records(result.curve),
        "summary": records(result.summary),
        "verdicts": records(result.verdicts),
    }
    _write(path, result, "effect_attack", result.before, more)


def save_comparison(result: EffectComparison, path: Path) -> None:
    """Write the same effect of two models; see `EffectComparison.save`."""
    more: dict[str, Any] = {
        "other_model": result.other.model_name,
        "distance": [float(one) for one in result.distance],
        "source": result.source,
        "covers": result.covers,
        "certified": result.certified,
        "n_samples": result.n_samples,
        "random_state": result.random_state,
        "sentence": result.sentence,
    }
    _write(path, result, "effect_comparison", result.effect, more)


def save_regions(result: EffectRegions, path: Path) -> None:
    """Write the regions of an effect; see `EffectRegions.save`."""
    more: dict[str, Any] = {
        "feature": result.feature,
        "regions": records(result.summary),
        "reduction": result.reduction,
        "sentence": result.sentence,
    }
    _write(path, result, "effect_regions", result.effect, more)


def save_effects(result: FeatureEffects, path: Path) -> None:
    """Write the effects of several features; see `FeatureEffects.save`."""
    first = result.effects[0]
    more: dict[str, Any] = {
        "features": list(result.feature_names),
        "n_model_rows": result.n_model_rows,
        "status": result.status,
        "skipped": [list(one) for one in result.skipped],
    }
    _write(path, result, "effects", first, more)


def save_randomisation(result: RandomizedModel, path: Path) -> None:
    """Write what disturbing a model did to its curves; see `RandomizedModel.save`."""
    document: dict[str, Any] = {
        "schema": "tauscope.randomized_model",
        "version": 1,
        "model": result.model_name,
        "method": result.method,
        "features": list(result.feature_names),
        "kinds": list(result.kinds),
        "response": result.response,
        "classes": list(result.classes),
        "n_rows": result.n_rows,
        "n_model_rows": result.n_model_rows,
        "random_state": result.random_state,
        "status": result.status,
        "score": result.score_name,
        "original_score": result.original_score,
        "notes": list(result.notes),
    }
    _write_charted(path, result, document, "Randomized model", f"{result.title}, {result.n_rows:,} rows")


def _write(path: Path, result: Charted, schema: str, effect: FeatureEffect, more: dict[str, Any]) -> None:
    """Write what was made of an effect."""
    _write_charted(path, result, _document(schema, effect) | more, title(effect), extent(effect))


def _write_charted(path: Path, result: Charted, document: dict[str, Any], name: str, words: str) -> None:
    write_result(
        path,
        frame=lambda: result.frame,
        document=lambda: document | {"records": records(result.frame)},
        chart=result.chart,
        page=lambda: chart_page(result.chart(), title=name, note=copy_note(words)),
    )


def _document(schema: str, effect: FeatureEffect) -> dict[str, Any]:
    """Say what was computed, and from what."""
    return {
        "schema": f"tauscope.{schema}",
        "version": 1,
        "model": effect.model_name,
        "features": list(effect.feature_names),
        "kind": effect.kind,
        "response": effect.response,
        "classes": list(effect.classes),
        "n_rows": effect.n_rows,
        "n_model_rows": effect.n_model_rows,
        "method": effect.method,
        "status": effect.status,
        "interval": effect.interval,
        "confidence": effect.confidence,
        "random_state": effect.random_state,
        "weighted": effect.weighted,
        "ess": effect.ess,
        "notes": list(effect.notes),
    }
