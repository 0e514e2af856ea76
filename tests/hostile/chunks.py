"""Verbs of rows in chunks, which must answer as those of the same rows in memory, or refuse as they do."""

from itertools import pairwise

import numpy as np
import pandas as pd

import tauscope as ts
from hostile.cases import contain, make_case as make_any_case, numbers_of
from hostile.models import answers
from tauscope.errors import TauscopeError

CONTAINERS = ("numpy", "pandas", "polars", "pyarrow")


def make_case(seed):
    """Give rows without a column of mixed types, of which a chunk that has True and no 1 knows another level."""
    tried = (make_any_case(10_000 * again + seed, CONTAINERS) for again in range(100))
    return next(case for case in tried if "mixed" not in case.kinds)


class Both:
    """The same rows whole and in chunks, predicted elsewhere or by a model."""

    def __init__(self, case, rng):
        n = len(next(iter(case.columns.values())))
        self.y = rng.integers(0, 2, size=n)
        self.predicted = rng.integers(0, 2, size=n)
        self.y[:2] = self.predicted[:2] = 0, 1
        cuts = [0, *sorted(rng.integers(1, n, size=int(rng.integers(1, 4)))), n]
        self.parts = [slice(low, high) for low, high in pairwise(cuts)]
        self.weight = case.weight if case.container != "numpy" else None
        self.names = None if case.container != "numpy" else [f"x{place}" for place in range(len(case.columns))]
        self.features = self.names or list(case.columns)
        self.X = case.X
        self.rows = [self.part_of(case, part) for part in self.parts]

    def part_of(self, case, part):
        """Give the rows of a part in the container of the case, their weight among the columns."""
        if case.container == "numpy":
            return case.X[part]
        if self.weight is None:
            return case.X[part]
        if isinstance(case.X, pd.DataFrame):
            return case.X.assign(weight=self.weight)[part]
        whole = case.X if not hasattr(case.X, "append_column") else None
        if whole is None:
            return case.X.append_column("weight", [self.weight])[part]
        return whole.with_columns(weight=self.weight)[part]

    def chunks(self):
        return [(rows, self.y[part], self.predicted[part]) for rows, part in zip(self.rows, self.parts, strict=True)]

    @property
    def options(self):
        return {"sample_weight": "weight"} if self.weight is not None else {}


def study_of(case, rng):
    return Both(case, rng)


def whole(both):
    return ts.Study.from_predictions(
        both.X, both.y, both.predicted, sample_weight=both.weight, feature_names=both.names, classes=(0, 1)
    )


def chunked(both):
    return ts.ChunkedStudy(None, both.chunks(), classes=(0, 1), progress=False, **both.options)


def modelled(both):
    return ts.Study(answers, both.X, sample_weight=both.weight, task="regression", progress=False)


def modelled_chunks(both):
    parts = list(both.rows)
    return ts.ChunkedStudy(answers, parts, task="regression", progress=False, **both.options)


def tried(ask, study_of_both, both):
    """Give what is answered, or the refusal."""
    try:
        return ask(study_of_both(both))
    except TauscopeError as error:
        return error


def agree(ask, both, of_rows=whole, of_chunks=chunked, columns=()):
    in_memory, in_chunks = tried(ask, of_rows, both), tried(ask, of_chunks, both)
    refused = [isinstance(answer, TauscopeError) for answer in (in_memory, in_chunks)]
    assert refused[0] == refused[1], f"in chunks: {in_chunks!r:.200}, in memory: {in_memory!r:.200}"
    if refused[0]:
        raise in_memory
    keys = [name for name in ("feature", "tau", "metric") if name in columns]
    frames = [
        answer.frame.sort_values(keys, kind="stable") if keys else answer.frame for answer in (in_chunks, in_memory)
    ]
    for column in columns:
        got, expected = (frame[column] for frame in frames)
        if expected.dtype.kind == "f":
            np.testing.assert_allclose(
                got.to_numpy(float), expected.to_numpy(float), rtol=1e-6, atol=1e-7, err_msg=column
            )
        else:
            assert got.tolist() == expected.tolist(), column
    return in_memory, in_chunks


def check_curves(case, both, rng):
    taus = sorted({*rng.choice([-1, -0.5, 0.3, 0.9, 1.0], size=2).tolist(), 0.0})
    agree(
        lambda study: study.stress_curves(taus=taus),
        both,
        columns=("feature", "tau", "target", "metric", "value", "lower", "upper", "ess", "kl"),
    )


def check_chosen(case, both, rng):
    name = str(rng.choice(both.features))
    agree(
        lambda study: study.stress_curves(name, taus=3),
        both,
        columns=("feature", "tau", "metric", "target", "value", "ess"),
    )


def check_asked_for(case, both, rng):
    names = ["accuracy", "f1", "roc_auc"][: int(rng.integers(1, 3))]
    agree(lambda study: study.stress_curves(taus=3, metrics=names), both, columns=("feature", "tau", "metric", "value"))


def check_image(case, both, rng):
    """Of 8-bit images, dark ones with a sentinel of 255 among them."""
    shape = (int(rng.integers(1, 3)), 2)
    X = rng.integers(0, 3, size=(len(both.y), 2 * shape[0])).astype(np.uint8)
    X[rng.integers(len(X), size=2), rng.integers(X.shape[1], size=2)] = 255
    X[:, 0] = X[0, 0] if rng.random() < 0.3 else X[:, 0]
    study = ts.Study.from_predictions(X, both.y, both.predicted, classes=(0, 1))
    parts = [(X[part], both.y[part], both.predicted[part]) for part in both.parts]
    images = ts.ChunkedStudy(None, parts, classes=(0, 1), progress=False)
    agree(
        lambda study: study.stress_image(shape, taus=3),
        both,
        lambda both: study,
        lambda both: images,
        columns=("target", "metric", "value", "lower", "ess"),
    )


def check_mean(case, both, rng):
    stress = ts.Mean(str(rng.choice(both.features)), tau=float(rng.choice([-0.7, 0.4])))
    found = agree(lambda study: study.reweight(stress), both)
    if all(answer.status == "solved" for answer in found):
        np.testing.assert_allclose(found[1].ess, found[0].ess, rtol=1e-6)
        np.testing.assert_allclose(found[1].tv, found[0].tv, atol=1e-7)


def check_calibration(case, both, rng):
    stress = None if rng.random() < 0.5 else ts.Mean(str(rng.choice(both.features)), tau=0.3)
    by = None if rng.random() < 0.5 else str(rng.choice(both.features))
    options = {"by": by, "n_bins": int(rng.integers(1, 6)), "strategy": str(rng.choice(["quantile", "uniform"]))}
    columns = ("population", "bin", "left", "right", "predicted", "observed", "lower", "upper", "n_rows", "ess")
    found = agree(lambda study: study.calibration(stress, **options), both, columns=columns)
    summaries = [each.summary for each in found]
    for name in ("value", "lower", "upper", "if_calibrated"):
        np.testing.assert_allclose(*(each[name] for each in summaries), rtol=1e-6, atol=1e-7, err_msg=name)
    np.testing.assert_allclose(*(each.changes["change"].astype(float) for each in found), rtol=1e-6, atol=1e-7)


def check_thresholds(case, both, rng):
    stress = None if rng.random() < 0.5 else ts.Mean(str(rng.choice(both.features)), tau=0.3)
    by = None if rng.random() < 0.5 else str(rng.choice(both.features))
    columns = ("threshold", "metric", "before", "value", "lower", "upper")
    found = agree(lambda study: study.threshold_curves(stress, by=by), both, columns=columns)
    np.testing.assert_array_equal(*(each.thresholds for each in found))
    for name in ("threshold", "lower", "upper", "cost", "present_cost"):
        np.testing.assert_allclose(*(each.best[name] for each in found), rtol=1e-6, atol=1e-9, err_msg=name)


def check_effect(case, both, rng):
    if case.container == "numpy":
        return
    name, kind = str(rng.choice(both.features)), str(rng.choice(["pd", "cd", "ale"]))
    if kind == "ale" and numbers_of(case, name) is None:
        return  # levels are put in order by rows in memory
    agree(
        lambda study: study.effect(name, kind=kind, grid=4, progress=False),
        both,
        modelled,
        modelled_chunks,
        columns=("effect", "n"),
    )


def check_container(case, both, rng):
    """Chunks of another container than the rows are the same rows."""
    if case.container != "pandas":
        return
    other = ts.ChunkedStudy(
        None,
        [(contain(case.columns, "pandas")[part], both.y[part], both.predicted[part]) for part in both.parts],
        classes=(0, 1),
        progress=False,
    )
    assert other.stress_curves(taus=3).n_rows == len(both.y)


VERBS = (
    check_curves, check_chosen, check_asked_for, check_image, check_mean, check_calibration, check_thresholds,
    check_effect, check_container,
)  # fmt: skip
