"""Generated cases: odd columns with odd weights in the containers people have; and what every question is held to."""

import os
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

from hostile.columns import KINDS, NUMBERS
from tauscope.errors import TauscopeError

NAMES = ("a", "b", "c", "d")


@dataclass
class Case:
    """Columns as generated, and what they are handed over in."""

    seed: int
    kinds: tuple
    container: str
    columns: dict
    X: object
    weight: object

    def __str__(self):
        return f"seed {self.seed}: {', '.join(self.kinds)} in {self.container}"


CONTAINERS = ("numpy", "pandas", "polars", "pyarrow", "sparse")


def make_case(seed, containers=CONTAINERS, fewest=1):
    rng = np.random.default_rng(seed)
    n = int(rng.choice([2, 5, 12, 40, 60]))
    container = str(rng.choice(containers))
    known = list(NUMBERS if container in ("numpy", "sparse") else KINDS)
    kinds = tuple(map(str, rng.choice(known, size=rng.integers(fewest, 4), replace=False)))
    columns = {name: KINDS[kind](rng, n) for name, kind in zip(NAMES, kinds, strict=False)}
    weight = [None, rng.uniform(0.1, 3, size=n), (rng.random(n) < 0.7) + 0.0, 10.0 ** rng.uniform(-6, 6, size=n)]
    return Case(seed, kinds, container, columns, contain(columns, container), weight[int(rng.integers(4))])


def contain(columns, container):
    if container == "numpy":
        return np.column_stack([np.asarray(values, float) for values in columns.values()])
    if container == "sparse":
        return sparse.csr_array(contain(columns, "numpy"))
    frame = pd.DataFrame(columns)
    if container == "pandas":
        return frame
    # what those libraries cannot hold themselves is not ours to refuse
    mixed = [name for name in frame if frame[name].dtype == object and frame[name].dropna().map(type).nunique() > 1]
    frame = frame.astype(dict.fromkeys(mixed, str))
    return pl.from_pandas(frame) if container == "polars" else pa.Table.from_pandas(frame)


def snapshot(X):
    if sparse.issparse(X):
        return X.toarray().tobytes()
    if isinstance(X, np.ndarray):
        return X.tobytes()
    return (X if isinstance(X, pd.DataFrame) else X.to_pandas()).astype(str).to_csv()


def blocks(studies):
    """Give the seeds of so many studies in blocks of ten; of HOSTILE_CASES, where that is set, from HOSTILE_SEED on."""
    studies = int(os.environ.get("HOSTILE_CASES", studies))
    first = int(os.environ.get("HOSTILE_SEED", "0"))
    return [range(start, min(start + 10, first + studies)) for start in range(first, first + studies, 10)]


def run(topic, seeds):
    """Ask all verbs of a topic about a study of each seed; at least one must answer, and none may change the rows."""
    answered = 0
    for seed in seeds:
        case, rng = topic.make_case(seed), np.random.default_rng([seed, 1])
        before = snapshot(case.X)
        study = ask(topic.study_of, case, rng)
        if study is not None:
            answered += sum(ask(verb, case, study, rng) is not None for verb in topic.VERBS)
        assert snapshot(case.X) == before, f"the rows were changed: {case}"
    assert answered > 0


def ask(verb, case, *given):
    """Give what a verb answers, or True; None where it refuses with an error of ours. Nothing else may happen."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            answer = verb(case, *given)
        except TauscopeError:
            return None
        except Exception as error:
            error.add_note(f"{verb.__name__}, {case}")
            raise
    return True if answer is None else answer


def numbers_of(case, name):
    kind = dict(zip(case.columns, case.kinds, strict=True))[name]
    return np.asarray(case.columns[name], float) if kind in NUMBERS else None


def base_of(case, n):
    return np.ones(n) if case.weight is None else case.weight / case.weight.mean()
