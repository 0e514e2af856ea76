"""Boundaries and rules of generated rows: what is found is asked of the model again, what is not is said."""

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import tauscope as ts
from hostile.cases import make_case as make_any_case
from hostile.models import answers


def make_case(seed):
    return make_any_case(seed, ("numpy", "pandas"), fewest=2)


def study_of(case, rng):
    """Give a study of a function of the rows, a forest of numbers, or a pipeline that takes levels."""
    y = np.arange(len(next(iter(case.columns.values())))) % 2
    if rng.random() < 0.5 or {"nothing", "durations", "dates"} & set(case.kinds):
        return ts.Study(lambda X: (answers(X) > 0.2).astype(int), case.X, y, sample_weight=case.weight, progress=False)
    if case.container == "numpy":
        finite = np.clip(np.nan_to_num(case.X), -1e30, 1e30)
        model = RandomForestClassifier(3, max_depth=3, random_state=0).fit(finite, y)
        return ts.Study(model, finite, y, sample_weight=case.weight, progress=False)
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    chosen = make_column_selector(dtype_exclude=np.number)
    taken = pd.DataFrame(case.X).astype({name: str for name in case.X.select_dtypes(exclude="number")})
    model = make_pipeline(
        make_column_transformer((encoder, chosen), remainder="passthrough"),
        HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=2, random_state=0),
    ).fit(taken, y)
    return ts.Study(model, taken, y, sample_weight=case.weight, progress=False)


def check_boundary(case, study, rng):
    row = int(rng.integers(study.n_rows))
    found = study.boundary(row, max_model_rows=800, progress=False)
    assert (found.status == "found") == np.isfinite(found.distance)
    assert not found.distance_lower > found.distance * (1 + 1e-6)
    if found.status == "found":
        decided = study.predict_row(row, found.point.to_dict())
        own = study.predict_row(row, {})
        assert decided.label != own.label, "the point found is decided as the row"


def check_boundaries(case, study, rng):
    rows = sorted({0, study.n_rows - 1})
    frame = study.boundaries(rows=rows, max_model_rows=500, progress=False).frame
    assert len(frame) >= 1


def check_pooled(case, study, rng):
    study.pooled_boundary(rows=range(min(4, study.n_rows)), max_model_rows=500, progress=False)


def check_sufficient(case, study, rng):
    frame = study.sufficient(int(rng.integers(study.n_rows))).frame
    assert frame.sdp.dropna().between(0, 1 + 1e-9).all()


def check_rules(case, study, rng):
    rules = study.rules(int(rng.integers(study.n_rows)))
    for rule in rules:
        assert 0 <= rule.training.coverage <= 1 + 1e-9
        assert 0 <= rule.sdp_min <= rule.sdp + 1e-9 <= 1 + 2e-9


def check_rule_list(case, study, rng):
    found = study.rule_list()
    assert len(found.predict(study.X)) == study.n_rows


def check_swing(case, study, rng):
    study.swing_rules(int(rng.integers(study.n_rows)))


VERBS = (
    check_boundary, check_boundaries, check_pooled, check_sufficient, check_rules, check_rule_list, check_swing,
)  # fmt: skip
