"""A sketch as a file: arrays in a plain npz, everything else as JSON text in it; nothing that could run."""

# JSON is of any shape.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

import json
import zlib
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.model.prediction import OutputSpec
from tauscope.results.files import replacing
from tauscope.rows.sketches.plan import ColumnPlan, Plan
from tauscope.rows.sketches.sums import ColumnSums, SketchSums
from tauscope.stress.bins.binned import BinnedSums, End
from tauscope.stress.bins.heaviest_rows import HeaviestRows
from tauscope.stress.bins.layout import Layout
from tauscope.stress.bins.outer_values import OuterValues
from tauscope.stress.bins.quantile_windows import QuantileWindow
from tauscope.stress.bins.value_counts import ValueCounts
from tauscope.stress.column.sketch import Scale
from tauscope.stress.column.target import TauRange
from tauscope.stress.histogram import Bars
from tauscope.stress.metric_definitions import definitions
from tauscope.stress.metric_forms import Unit
from tauscope.stress.metrics import degrees_of
from tauscope.stress.score_steps import ScoreSteps

FORMAT = "tauscope stress sketch"
VERSION = 3
MOST_BYTES = 4 * 2**30
"""A file that would be larger when read is refused before it is."""

Arrays = dict[str, NDArray[Any]]


def save_sums(sums: SketchSums, path: Path) -> None:
    """Write sums to an npz; where the writing fails, the file that was there stays.

    Raises
    ------
    InputError
        For class labels that are neither text nor numbers.
    """
    plan, outputs = sums.plan, sums.plan.outputs
    odd = [value for value in outputs.classes if not isinstance(value, str | int | float | bool)]
    if odd:
        raise InputError(f"A sketch is saved with classes of text or numbers; got {odd[0]!r}. Name the classes.")
    arrays: Arrays = {}
    columns = [_column(f"{j}", p, c, arrays) for j, (p, c) in enumerate(zip(plan.columns, sums.columns, strict=True))]
    for name, values in sums.outer.items():
        arrays |= {f"lowest of {name}": values.lowest, f"highest of {name}": values.highest}
    head = {
        "format": FORMAT,
        "version": VERSION,
        "n_rows": sums.n_rows,
        "scores": [float(value) if np.isfinite(value) else None for value in sums.scores],
        "quantile": plan.quantile,
        "model_name": plan.model_name,
        "labelled": plan.labelled,
        "scored": plan.scored,
        "sample_weight": plan.sample_weight,
        "units": {name: [unit.centre, unit.scale] for name, unit in plan.units.items()},
        "powers": _powers(plan),
        "n_outer": plan.n_outer,
        "asked": list(plan.asked),
        "steps": None if plan.steps is None else plan.steps.edges.tolist(),
        "outer": {name: [values.n, values.n_zero] for name, values in sums.outer.items()},
        "reading": {
            "task": outputs.task,
            "classes": list(outputs.classes),
            "source": outputs.source,
            "columns": list(outputs.columns),
            "threshold": outputs.threshold,
            "flip": outputs.flip,
        },
        "columns": columns,
    }
    arrays["head"] = np.array(json.dumps(head, allow_nan=False))
    arrays["digest"] = np.array(_digest(arrays))
    with replacing(path) as beside, beside.open("wb") as file:
        np.savez_compressed(file, **arrays)  # pyright: ignore[reportArgumentType]


def load_sums(path: Path) -> SketchSums:
    """Read sums from an npz.

    Raises
    ------
    InputError
        For a file that holds no sketch, one that was damaged or changed or is beyond 4 GiB, or one of a later version.
    """
    try:
        with ZipFile(path) as packed:
            size = sum(entry.file_size for entry in packed.infolist())
        assert size <= MOST_BYTES
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        head = json.loads(str(arrays["head"]))
        assert head["format"] == FORMAT
        assert isinstance(head["version"], int)
    except (ValueError, KeyError, AssertionError, EOFError, TypeError, BadZipFile, zlib.error) as error:
        raise InputError(f"{path.name!r} holds no stress sketch. Give a file written by StressSketch.save.") from error
    if head["version"] > VERSION:
        raise InputError(f"{path.name!r} was written by a later version of Tauscope. Update it.")
    if head["version"] < VERSION:
        raise InputError(f"{path.name!r} lacks what intervals are made of since. Make the sketch anew.")
    digest = arrays.pop("digest", None)
    if digest is None or str(digest) != _digest(arrays):
        raise InputError(f"{path.name!r} was changed since it was written. Make the sketch anew.")
    spec = head["reading"]
    outputs = OutputSpec(
        spec["task"], tuple(spec["classes"]), spec["source"], tuple(spec["columns"]), spec["threshold"], spec["flip"]
    )
    restored = [_restore_column(f"{j}", column, arrays) for j, column in enumerate(head["columns"])]
    plan = Plan(
        tuple(value for value, _ in restored),
        outputs,
        head["labelled"],
        head["scored"],
        {name: Unit(*unit) for name, unit in head["units"].items()},
        head["quantile"],
        head["model_name"],
        head["sample_weight"],
        head["n_outer"],
        tuple(head.get("asked", ())),
        None if head.get("steps") is None else ScoreSteps(np.array(head["steps"], np.float64)),
    )
    outer = {
        name: OuterValues(arrays[f"lowest of {name}"], arrays[f"highest of {name}"], n, n_zero, plan.n_outer)
        for name, (n, n_zero) in head["outer"].items()
    }
    low, high = head["scores"]
    scores = (np.inf, -np.inf) if low is None else (low, high)
    if head["powers"] != _powers(plan):
        raise InputError(
            f"{path.name!r} holds sums for other metrics than those of this version of Tauscope: {head['powers']}, "
            f"not {_powers(plan)}. Make the sketch anew."
        )
    return SketchSums(plan, head["n_rows"], tuple(value for _, value in restored), scores, outer)


def _digest(arrays: Arrays) -> str:
    """Return SHA-256 of all arrays, their names, types and shapes: it tells a damaged file, not who wrote it."""
    digest = sha256()
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _powers(plan: Plan) -> list[list[Any]]:
    """Return what is summed apart from cell counts: each quantity with its number of powers."""
    return [[quantity.name, n] for quantity, n in degrees_of(definitions(plan.no_outcomes, plan.asked)).items()]


def _column(key: str, plan: ColumnPlan, column: ColumnSums, arrays: Arrays) -> dict[str, Any]:
    """Put a column's arrays among the others, and return what is said of it in JSON."""
    entry: dict[str, Any] = {
        "name": plan.name,
        "kind": plan.kind,
        "unit": plan.unit,
        "whole": plan.whole,
        "levels": list(column.levels),
        "keep": plan.keep,
    }
    sums = column.sums
    if sums.heaviest is not None:
        tops = sums.heaviest
        entry["tops"] = [tops.n, tops.n_missing]
        arrays |= {f"{key}.tops": np.stack([tops.values, tops.logs]), f"{key}.tops_missing": tops.missing}
    if isinstance(sums, ValueCounts):
        arrays |= {f"{key}.values": sums.values, f"{key}.sums": sums.sums, f"{key}.rest": sums.rest}
        return entry
    layout, around = sums.layout, sums.layout.around
    no_counts = np.zeros(0, np.float64 if sums.weighted else np.int64)
    arrays |= {
        f"{key}.moments": sums.moments,
        f"{key}.rest": sums.rest,
        f"{key}.slices": sums.slices,
        f"{key}.lowest": sums.lowest,
        f"{key}.highest": sums.highest,
        f"{key}.minimum": np.append(sums.minimum.value, sums.minimum.sums),
        f"{key}.maximum": np.append(sums.maximum.value, sums.maximum.sums),
        f"{key}.bars": np.stack([sums.bars.mass, sums.bars.first]),
        f"{key}.window_values": np.concatenate([np.zeros(0), *(w.values for w in sums.windows)]),
        f"{key}.window_counts": np.concatenate([no_counts, *(w.counts for w in sums.windows)]),
        f"{key}.window_below": np.array([w.below for w in sums.windows], no_counts.dtype),
        f"{key}.window_excess": np.array([[w.below_excess, w.below_squared] for w in sums.windows]).reshape(-1, 2),
        f"{key}.window_squared": np.concatenate(
            [np.zeros(0), *(w.squared for w in sums.windows if w.squared is not None)]
        ),
        f"{key}.window_sizes": np.array([len(w.values) for w in sums.windows], np.int64),
        f"{key}.pieces": layout.n_sub_bins,
        f"{key}.n_slices": layout.n_slices,
        f"{key}.windows": layout.windows,
        f"{key}.edges": layout.edges,
    }
    low, mean, high = around.low, around.mean, around.high
    entry["layout"] = {
        "around": [low, mean, high, list(around.reached), around.minimum, around.maximum],
        "scale": [layout.scale.centre, layout.scale.unit, layout.scale.near],
        "n_rows": layout.n_rows,
        "order": layout.order,
        "tilts": list(layout.tilts),
        "heaviest": layout.n_heaviest,
    }
    return entry


def _restore_column(key: str, entry: dict[str, Any], arrays: Arrays) -> tuple[ColumnPlan, ColumnSums]:
    def of(name: str) -> NDArray[Any]:
        return arrays[f"{key}.{name}"]

    keep = entry["keep"]
    tops = None
    if "tops" in entry:
        (values, logs), (n, n_missing) = of("tops"), entry["tops"]
        tops = HeaviestRows(values, logs, of("tops_missing"), n, n_missing)
    if "layout" not in entry:
        plan = ColumnPlan(entry["name"], entry["kind"], entry["unit"], entry["whole"], None, keep)
        return plan, ColumnSums(tuple(entry["levels"]), ValueCounts(of("values"), of("sums"), of("rest"), tops, keep))
    bins = entry["layout"]
    low, mean, high, reached, minimum, maximum = bins["around"]
    around = TauRange(low, mean, high, (reached[0], reached[1]), minimum, maximum)
    scale = Scale(*bins["scale"])
    layout = Layout(
        around,
        scale,
        bins["n_rows"],
        bins["order"],
        of("pieces"),
        of("n_slices"),
        of("windows"),
        of("edges"),
        tuple(bins["tilts"]),
        bins["heaviest"],
    )
    below, ends = of("window_below").tolist(), np.cumsum(of("window_sizes"))
    values, counts = np.split(of("window_values"), ends[:-1]), np.split(of("window_counts"), ends[:-1])
    squared = np.split(of("window_squared"), ends[:-1]) if tops is not None else [None] * len(values)
    windows = tuple(
        QuantileWindow(low, high, under, v, c, excess, square, under_squared)
        for (low, high), under, v, c, square, (excess, under_squared) in zip(
            layout.windows.tolist(), below, values, counts, squared, of("window_excess").tolist(), strict=True
        )
    )
    (mass, first), bottom, top = of("bars"), of("minimum"), of("maximum")
    sums = BinnedSums(
        layout,
        of("moments"),
        of("rest"),
        of("slices"),
        windows,
        of("lowest"),
        of("highest"),
        End(float(bottom[0]), bottom[1:]),
        End(float(top[0]), top[1:]),
        Bars(layout.edges, (minimum, maximum), mass, first),
        tops,
    )
    return ColumnPlan(entry["name"], entry["kind"], entry["unit"], entry["whole"], layout, keep), ColumnSums((), sums)
