"""No row that a model is asked about has two levels of a one-hot column, whichever verb moves its values."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tauscope as ts
from test_verbs import VERBS

pytestmark = pytest.mark.slow

QUIET = {"progress": False}
SEEDED = {"random_state": 0, "progress": False}
FOREST = {"n_estimators": 5, "random_state": 0}
SEARCHES = {
    "greedy": {"n_candidates": 9},
    "gaussian": {"sigma": [0.3, 1.0], "repeats": 2},
    "genetic": {"iterations": 3},
}


def effects_of(study, level, other):
    for kind in ("pd", "cd", "ale"):
        study.effect(level, kind=kind, **QUIET)
    effect = study.effect(level, method="brute", **QUIET)
    effect.by(other)
    effect.under(ts.Mean("age", tau=0.3))
    study.effect(("age", level), grid=4, **QUIET)
    study.where(study.X["age"] > 40).effect(level, **QUIET)


def disturbed(study, level, other):
    if study.X[level].dtype != bool:
        for kind in ("pd", "ale"):
            study.randomize_model(level, kind=kind, repeats=1, **SEEDED)


def attacks_of(study, level, other):
    for method, options in SEARCHES.items():
        if study.X[level].dtype != bool or method == "greedy":
            study.attack("age", method, columns=[level, "income"], grid=4, **SEEDED, **options)
        study.attack(level, method, grid=2, **SEEDED, **options)


def rules_of(study, level, other):
    for row in range(6):
        study.rules(row, **FOREST)
        study.swing_rules(row, **FOREST)
        study.sufficient(row, **FOREST)


def typed_values(study, level, other):
    for row in range(6):
        study.predict_row(row, {level: 1})
    with pytest.raises(ts.InputError, match="one level of a one-hot column"):
        study.predict_row(0, {level: 1, other: 1})
    view = study.boundary(0, **SEEDED).widget()
    view.edits = {level: "True" if study.X[level].dtype == bool else 1.0}
    view._edit_worker.wait()
    view._inspect()
    view._worker.wait()
    assert not view.progress.get("error")


MOVES = {
    "attack": attacks_of,
    "boundaries": lambda study, level, other: study.boundaries(range(6), certify=True, **SEEDED),
    "boundary": lambda study, level, other: [
        study.boundary(row, refine=refine, **SEEDED) for row in range(3) for refine in ("none", "line", "coordinate")
    ],
    "effect": effects_of,
    "effects": lambda study, level, other: [study.effects(kind=kind, **QUIET) for kind in ("pd", "ale")],
    "pooled_boundary": lambda study, level, other: study.pooled_boundary(range(6), **SEEDED),
    "predict_row": typed_values,
    "randomize_model": disturbed,
    "rule_list": lambda study, level, other: study.rule_list(n_rows=40, prove=True, **FOREST),
    "rules": rules_of,
}
READ = ("boundaries", "boundary", "predict_row", "rule_list", "rules")
IN_OTHERS = {
    "effect_by_group": "effect",
    "rules_of_rows": "rules",
    "rules_under": "rules",
    "sufficient_of_rows": "rules",
    "sufficient": "rules",
    "sufficient_under": "rules",
    "swing_rules": "rules",
    "under": "effect",
}
MOVES_NO_VALUE = {
    "calibration", "compare_outcomes", "compare_scenarios", "curves_by_group", "distribution", "equal_shifts",
    "joint_stress",
    "load_scenarios", "metrics_by", "metrics_by_group", "refit_curves", "reweight", "reweight_towards",
    "same_decision", "save_scenarios", "stress_curves", "stress_image", "stress_surface", "threshold_curves",
    "towards", "worst_case",
}  # fmt: skip


def dense(rows):
    return rows.toarray() if sparse.issparse(rows) else np.asarray(rows, dtype=float)


class Asked:
    """A model that keeps the rows it is asked about."""

    def __init__(self, model):
        self.model, self.rows = model, []

    def predict(self, rows):
        self.rows.append(dense(rows))
        return self.model.predict(rows)

    def predict_proba(self, rows):
        self.rows.append(dense(rows))
        return self.model.predict_proba(rows)


def asked_of(model):
    """Keep the rows that an estimator is asked about, and leave it readable."""
    rows = []
    for name in ("predict", "predict_proba"):
        if hasattr(model, name):
            own = getattr(model, name)
            setattr(model, name, lambda X, own=own: rows.append(np.asarray(X, dtype=float)) or own(X))
    model.rows = rows
    return model


def problem(seed):
    """Rows with one-hot columns of some encoding and type, labels, and the columns of each group."""
    random = np.random.default_rng(seed)
    n, dtype = 120, (float, bool, int)[seed % 3]
    levels = {
        name: [f"{name}{sign}{k}" for k in range(2 + int(random.integers(3)))]
        for name, sign in zip("ab", "_=", strict=False)
    }
    coded = {name: random.choice(len(each), n) for name, each in levels.items()}
    X = pd.DataFrame({"age": random.integers(18, 80, n).astype(float), "income": random.normal(size=n).round(3)})
    groups = []
    for name, each in levels.items():
        first = int(name == "b" and len(each) > 2)
        columns = each[first:]
        X[columns] = (coded[name][:, None] == np.arange(first, len(each))).astype(dtype)
        groups.append((columns, first > 0))
    X = X[random.permutation(X.columns)] if seed % 2 else X
    wanted = X["age"] / 30 + X["income"] + (coded["a"] == 1) - (coded["b"] == 0) + random.normal(size=n) > 2
    return X, wanted.astype(int).to_numpy(), groups


MODELS = {
    "wrapped": lambda: RandomForestClassifier(6, max_depth=4, random_state=0),
    "forest": lambda: RandomForestClassifier(6, max_depth=4, random_state=0),
    "linear": lambda: make_pipeline(StandardScaler(), LogisticRegression()),
    "boosting": lambda: GradientBoostingClassifier(n_estimators=5, random_state=0),
    "values": lambda: GradientBoostingRegressor(n_estimators=5, random_state=0),
}


def check_rows(rows, X, groups):
    """Count the rows with two levels of a group; with none, where every row has one."""
    asked = np.concatenate(rows)
    for columns, may_be_none in groups:
        n_levels = asked[:, [X.columns.get_loc(column) for column in columns]].sum(axis=1)
        assert n_levels.max() <= 1
        assert may_be_none or n_levels.min() == 1


def test_every_verb_is_considered():
    assert {*MOVES, *IN_OTHERS, *MOVES_NO_VALUE} == set(VERBS)


@pytest.mark.parametrize("verb", MOVES)
@pytest.mark.parametrize("seed", range(6))
def test_a_row_has_one_level_at_a_time(verb, seed):
    X, y, groups = problem(seed)
    kind = list(MODELS)[seed % 4]
    fitted = MODELS[kind]().fit(X, y)
    model = Asked(fitted) if kind == "wrapped" else asked_of(fitted)
    study = ts.Study(model, X, y)
    if verb == "randomize_model" and kind == "wrapped":
        study = ts.Study(asked_of(fitted), X, y)
    for columns, _may_be_none in groups:
        MOVES[verb](study, columns[-1], columns[0])
    # rows on thresholds, by which what was read of trees is checked, may have no level of a group that always has one
    trees = kind in ("forest", "boosting") and verb in READ
    check_rows(model.rows, X, [(columns, none or trees) for columns, none in groups])


@pytest.mark.parametrize("seed", range(6))
def test_effects_of_a_sum_of_leaves(seed):
    X, y, groups = problem(seed)
    model = asked_of(MODELS["values"]().fit(X, y + X["income"]))
    found = ts.Study(model, X, y + X["income"]).effects(grid=4, **QUIET)
    assert found.feature_names == tuple(X.columns)
    check_rows(model.rows, X, groups)


@pytest.mark.parametrize("seed", range(6))
def test_chunks_answer_as_rows_in_memory_do(seed):
    X, y, groups = problem(seed)
    model = Asked(MODELS["forest"]().fit(X, y))
    study = ts.Study(model, X, y)
    frame = X.assign(y=y)
    chunks = ts.ChunkedStudy(model, [frame[:30], frame[30:]], target="y", progress=False)
    for columns, _ in groups:
        own, summed = (each.effect(columns[0], grid=4, **QUIET) for each in (study, chunks))
        np.testing.assert_allclose(summed.frame["effect"], own.frame["effect"])
        assert own.notes == summed.notes
        summed.by(groups[0][0][0])
    check_rows(model.rows, X, groups)


@pytest.mark.parametrize("seed", range(6))
def test_what_an_effect_of_a_level_is(seed):
    X, y, groups = problem(seed)
    model = MODELS["linear"]().fit(X, y)
    study = ts.Study(model, X, y)
    for columns, may_be_none in groups:
        level, others = columns[0], columns[1:]
        frame = study.effect(level, **QUIET).frame.set_index("value")["effect"].tolist()
        on = X.assign(**{level: 1, **dict.fromkeys(others, 0)}).astype(X.dtypes)
        has = X[level] == 1
        off = X.assign(**{level: 0}).astype(X.dtypes)
        if not may_be_none:
            off = off.assign(**{(other := X[others].sum().idxmax()): np.maximum(off[other], has)})
        expected = [model.predict_proba(rows.astype(X.dtypes))[:, 1].mean() for rows in (off, on)]
        np.testing.assert_allclose(frame, expected)
        note = study.effect(level, **QUIET).notes[0]
        assert note.startswith(f"one-hot columns change together: where {level!r} is set to 1")
        with pytest.raises(ts.InputError, match="levels of one column"):
            study.effect((level, others[0]))
        with pytest.raises(ts.InputError, match=r"one-hot columns|hold levels|holds levels"):
            study.effect(level, kind="dale")
        with pytest.raises(ts.InputError, match="keeps its values"):
            study.attack(level, columns=[others[0]])
        if not may_be_none:
            with pytest.raises(ts.InputError, match="Every row has a level"):
                study.predict_row(int(np.flatnonzero(has)[0]), {level: 0})


def test_values_typed_for_a_sparse_row():
    random = np.random.default_rng(0)
    city = random.integers(3, size=90)
    matrix = sparse.csr_matrix(np.column_stack([np.eye(3)[city], random.poisson(0.5, 90)]))
    model = Asked(LogisticRegression().fit(matrix, city == 1))
    study = ts.Study(model, matrix, city == 1, feature_names=["city_a", "city_b", "city_c", "n"])
    decided = study.predict_row(0, {"n": 4, f"city_{'abc'[(city[0] + 1) % 3]}": 1})
    assert decided.switched_off == (f"city_{'abc'[city[0]]}",)
    with pytest.raises(ts.InputError, match="Every row has a level"):
        study.predict_row(0, {f"city_{'abc'[city[0]]}": 0})
    assert (np.concatenate(model.rows)[:, :3].sum(axis=1) == 1).all()
