"""Effects, their bounds and their moves as files: table, numbers with what they were computed from, picture, page."""

import json
import math
from collections.abc import Callable
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, cast

import pandas as pd

from tauscope.errors import InputError
from tauscope.results.effect import FeatureEffect
from tauscope.results.effect_attack import AttackedEffect
from tauscope.results.effect_bounds import BoundedEffect
from tauscope.results.effect_comparison import ComparedEffects
from tauscope.results.effect_moved import MovedEffect
from tauscope.results.effect_randomisation import RandomizedModel
from tauscope.results.effect_regions import EffectRegions
from tauscope.results.effect_words import extent, title
from tauscope.results.feature_effects import FeatureEffects
from tauscope.sharing.chart_page import chart_page

ENDINGS = (".html", ".png", ".svg", ".pdf", ".csv", ".json")
PIXEL_RATIO = 2.0
SCHEMA_VERSION = 1


def save_effect(result: FeatureEffect, path: Path) -> None:
    """Write an effect; see `FeatureEffect.save`."""
    if path.suffix.lower() == ".html":
        from tauscope.sharing.effect_page import effect_page

        path.write_text(effect_page(result), "utf-8")
    else:
        _save(path, "effect", result, result.frame, result.chart, {})


def save_bounds(result: BoundedEffect, path: Path) -> None:
    """Write an effect with its bounds; see `BoundedEffect.save`."""
    more = {"epsilon": result.epsilon, "distance": result.distance, "covers": result.covers}
    _save(path, "effect_bounds", result.effect, result.frame, result.chart, more | {"notes": list(result.notes)})


def save_moved(result: MovedEffect, path: Path) -> None:
    """Write an effect before and after a stress; see `MovedEffect.save`."""
    more: dict[str, Any] = {name: _plain(getattr(result, name)) for name in ("tv", "kl", "ess")}
    more |= {"population": result.population, "inside": result.inside, "sentence": result.sentence}
    _save(path, "effect_under_stress", result.before, result.frame, result.chart, more)


def save_attack(result: AttackedEffect, path: Path) -> None:
    """Write what an attack did; see `AttackedEffect.save`."""
    more: dict[str, Any] = {
        "method": result.method,
        "at": result.at,
        "columns": list(result.columns),
        "random_state": result.random_state,
        "model_rows": result.model_rows,
        "status": result.status,
        "sentence": result.sentence,
        "notes": list(result.notes),
        "curve": _records(result.curve),
        "summary": _records(result.summary),
        "verdicts": _records(result.verdicts),
    }
    _save(path, "effect_attack", result.before, result.frame, result.chart, more)


def save_comparison(result: ComparedEffects, path: Path) -> None:
    """Write the same effect of two models; see `ComparedEffects.save`."""
    more: dict[str, Any] = {
        "other_model": result.other.model_name,
        "distance": [_plain(float(one)) for one in result.distance],
        "source": result.source,
        "covers": result.covers,
        "certified": result.certified,
        "n_samples": result.n_samples,
        "random_state": result.random_state,
        "sentence": result.sentence,
    }
    _save(path, "effect_comparison", result.effect, result.frame, result.chart, more)


def save_regions(result: EffectRegions, path: Path) -> None:
    """Write the regions of an effect; see `EffectRegions.save`."""
    more: dict[str, Any] = {
        "feature": result.feature,
        "regions": _records(result.summary),
        "reduction": result.reduction,
        "sentence": result.sentence,
    }
    _save(path, "effect_regions", result.effect, result.frame, result.chart, more)


def save_effects(result: FeatureEffects, path: Path) -> None:
    """Write the effects of several features; see `FeatureEffects.save`."""
    first = result.effects[0]
    more = {"features": list(result.feature_names), "model_rows": result.model_rows, "status": result.status}
    document = _document("effects", first) | more | {"skipped": [list(one) for one in result.skipped]}
    _write(path, document, result.frame, result.chart, title(first), extent(first))


def save_randomisation(result: RandomizedModel, path: Path) -> None:
    """Write what disturbing a model did to its curves; see `RandomizedModel.save`."""
    document: dict[str, Any] = {
        "schema": "tauscope.randomized_model",
        "version": SCHEMA_VERSION,
        "model": result.model_name,
        "method": result.method,
        "features": list(result.feature_names),
        "kinds": list(result.kinds),
        "response": result.response,
        "classes": list(result.classes),
        "n_rows": result.n_rows,
        "model_rows": result.model_rows,
        "random_state": result.random_state,
        "status": result.status,
        "score": result.score_name,
        "original_score": _plain(result.original_score),
        "notes": list(result.notes),
    }
    words = f"{result.title}, {result.n_rows:,} rows"
    _write(path, document, result.frame, result.chart, "Randomized model", words)


def _save(
    path: Path,
    schema: str,
    effect: FeatureEffect,
    frame: pd.DataFrame,
    chart: Callable[[], Any],
    more: dict[str, Any],
) -> None:
    _write(path, _document(schema, effect) | more, frame, chart, title(effect), extent(effect))


def _write(
    path: Path, document: dict[str, Any], frame: pd.DataFrame, chart: Callable[[], Any], name: str, words: str
) -> None:
    suffix = path.suffix.lower()
    match suffix:
        case ".csv":
            path.write_text(frame.to_csv(index=False, lineterminator="\n"), "utf-8")
        case ".json":
            text = json.dumps(document | {"records": _records(frame)}, ensure_ascii=False, allow_nan=False)
            path.write_text(text + "\n", "utf-8")
        case ".html":
            _ask_for_vl_convert(suffix)
            note = f"Static copy, computed {date.today().isoformat()}: {words}. No kernel, no network."
            path.write_text(chart_page(chart(), title=name, note=note), "utf-8")
        case ".png" | ".svg" | ".pdf":
            _ask_for_vl_convert(suffix)
            kind = cast(Literal["png", "svg", "pdf"], suffix[1:])
            chart().save(path, format=kind, scale_factor=PIXEL_RATIO if kind == "png" else 1)
        case _:
            raise InputError(
                f"The file's ending says the format, one of {', '.join(ENDINGS)}; got {suffix or 'none'!r} in "
                f"{path.name!r}."
            )


def _ask_for_vl_convert(suffix: str) -> None:
    if find_spec("vl_convert") is None:
        raise ImportError(
            f"Writing {suffix} needs vl-convert, which is not installed. "
            'Run: pip install "tauscope[export]". Without it, save(".csv"), save(".json") and .chart() work.'
        )


def _document(schema: str, effect: FeatureEffect) -> dict[str, Any]:
    """Say what was computed, and from what."""
    return {
        "schema": f"tauscope.{schema}",
        "version": SCHEMA_VERSION,
        "model": effect.model_name,
        "features": list(effect.feature_names),
        "kind": effect.kind,
        "response": effect.response,
        "classes": list(effect.classes),
        "n_rows": effect.n_rows,
        "model_rows": effect.model_rows,
        "method": effect.method,
        "status": effect.status,
        "interval": effect.interval,
        "confidence": effect.confidence,
        "random_state": effect.random_state,
        "weighted": effect.weighted,
        "ess": effect.ess,
        "notes": list(effect.notes),
    }


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Lay a frame out row by row; numbers that are not finite are null."""
    columns = [[_plain(value) for value in frame[name].to_list()] for name in frame.columns]
    names = [str(name) for name in frame.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: null for what is not finite or no date, dates as text."""
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if value is pd.NaT:
        return None
    return value.isoformat() if isinstance(value, pd.Timestamp) else value
