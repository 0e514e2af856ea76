"""The boundary near one row: what a person types, and what must hold of the answer whatever the model and container."""

import pickle
import re
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import tauscope as ts
from study.boundary.cases import (
    LEVELS,
    NUMBERS,
    QUIET,
    above,
    cancer,
    flowers,
    forest,
    logistic,
    mixed,
    people,
    plane,
    progression,
)
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.results.boundary.spec import BoundaryOptions, BoundarySpec


def decided(study: ts.Study, values: pd.Series) -> object:
    """What the model says of the values by feature, in the types of the study's frame."""
    row = pd.DataFrame([values.to_dict()], columns=study.X.columns)
    return study.predict(row.astype(study.X.dtypes.to_dict())).predicted[0]


class TestNumbers:
    @pytest.mark.slow
    def test_the_point_is_decided_otherwise_and_the_row_is_not(self):
        for study in (logistic(), forest()):
            b = study.boundary(17, **QUIET)
            assert b.status == "found"
            assert (b.predicted, b.reached) == ("malignant", "benign")
            assert decided(study, b.point) != decided(study, b.value)
            assert study.predicted[b.rival_row] != study.predicted[17]
            pd.testing.assert_series_equal(
                b.rival.astype(float), study.X.iloc[b.rival_row], check_names=False, check_exact=True
            )

    def test_distances_are_in_standard_deviations_of_the_rows(self):
        study = logistic()
        b = study.boundary(3, **QUIET)
        change = (b.point - b.value) / study.X.std(ddof=0)
        assert b.distance == pytest.approx(np.linalg.norm(change.astype(float)), rel=1e-9)
        assert b.distance <= b.distance_bisected

    def test_of_a_linear_model_it_is_nearly_the_distance_to_the_plane(self):
        study = logistic()
        b = study.boundary(17, **QUIET | {"n_samples": 1000})
        scaler, model = study._model.model.steps[0][1], study._model.model.steps[1][1]
        margin = model.decision_function(scaler.transform(study.X.iloc[[17]]))[0]
        exact = abs(margin) / np.linalg.norm(model.coef_)
        assert exact - 1e-9 <= b.distance <= 1.02 * exact
        normal = -np.sign(margin) * model.coef_[0] / np.linalg.norm(model.coef_)
        assert b.direction @ normal > 0.98

    @pytest.mark.slow
    def test_a_row_in_a_frame_a_series_a_dict_or_an_array_is_a_row(self):
        study = logistic()
        row = study.X.iloc[17] * 1.01
        results = [
            study.boundary(given, **QUIET)
            for given in (
                row,
                row.to_frame().T,
                row.to_dict(),
                row.to_numpy(),
                row[::-1],
                pl.DataFrame([row.to_dict()]),
            )
        ]
        assert {b.row for b in results} == {None}
        assert len({b.distance for b in results}) == 1
        assert "The row given" in repr(results[0])

    @pytest.mark.slow
    def test_arrays_and_frames_of_both_kinds_give_the_same(self):
        X, y = cancer()
        model = LogisticRegression(max_iter=5000).fit(X.to_numpy(), y)
        by_name = LogisticRegression(max_iter=5000).fit(X, y)
        studies = (
            ts.Study(model, X.to_numpy(), y, progress=False),
            ts.Study(by_name, X, y, progress=False),
            ts.Study(lambda rows: model.predict_proba(rows.to_numpy()), pl.from_pandas(X), y, progress=False),
        )
        distances = [study.boundary(5, **QUIET).distance for study in studies]
        assert distances == pytest.approx([distances[0]] * 3, rel=1e-9)

    @pytest.mark.slow
    def test_the_same_seed_gives_the_same_and_the_seed_is_kept(self):
        b = logistic().boundary(2, progress=False, n_samples=100)
        again = logistic()._boundary_from(2, b._spec, progress=False)
        assert b.random_state == again.random_state == b._spec.random_state
        pd.testing.assert_frame_equal(b.frame, again.frame, check_exact=True)

    @pytest.mark.slow
    def test_rows_are_counted_and_those_of_the_study_are_free(self):
        study = forest()
        before = study.n_model_rows
        b = study.boundary(0, **QUIET)
        assert study.n_model_rows - before == b.n_model_rows > 0


class TestOptions:
    @pytest.mark.parametrize(
        "options",
        [
            {"refine": "none"},
            {"refine": "coordinate"},
            {"vertices": "axis"},
            {"vertices": "sparse"},
            {"vertices": "groups", "groups": [["a", "b"], ["c"]]},
            {"vertices": "groups", "groups": np.array([0, 0, 1])},
            {"vertices": "groups", "groups": {"both": ["a", "b"], "c": ["c"]}},
            {"radius": 2.0},
            {"explainer": "pls"},
            {"explainer": "logistic_pls"},
            {"explainer": "lasso", "n_features": 1},
            {"fitted_on": "labels"},
            {"fitted_on": "probabilities"},
            {"metric": "manhattan"},
            {"metric": "gower"},
            {"n_rivals": 3},
            {"path_step": 0.01},
            {"tolerance": 1e-3},
            {"target": True},
        ],
        ids=str,
    )
    @pytest.mark.slow
    def test_each_finds_a_point_that_is_decided_otherwise(self, options):
        X = plane(c=np.random.default_rng(1).normal(size=200))
        model = LogisticRegression().fit(X, above(X))
        study = ts.Study(model, X, above(X), progress=False)
        row = int(np.flatnonzero(~study.predicted.astype(bool))[0])
        b = study.boundary(row, **QUIET | options)
        assert b.status == "found"
        assert decided(study, b.point) != study.predicted[row]
        assert np.linalg.norm(b.direction) == pytest.approx(1)

    def test_refine_none_is_the_bisected_point(self):
        b = logistic().boundary(17, **QUIET, refine="none")
        assert b.distance == b.distance_bisected

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("model", "refine"),
        [
            (DecisionTreeClassifier(max_depth=4), "coordinate"),
            (HistGradientBoostingClassifier(max_iter=20), "coordinate"),
            (BaggingClassifier(DecisionTreeClassifier(max_depth=4), 5), "coordinate"),
            (AdaBoostClassifier(n_estimators=5), "coordinate"),
            (VotingClassifier([("a", DecisionTreeClassifier()), ("b", KNeighborsClassifier())]), "coordinate"),
            (StackingClassifier([("a", DecisionTreeClassifier())], LogisticRegression()), "coordinate"),
            (CalibratedClassifierCV(RandomForestClassifier(5, max_depth=3), cv=2), "coordinate"),
            (GridSearchCV(make_pipeline(StandardScaler(), KNeighborsClassifier()), {}, cv=2), "coordinate"),
            (OneVsRestClassifier(DecisionTreeClassifier()), "coordinate"),
            (KNeighborsClassifier(weights="distance"), "line"),
            (BaggingClassifier(LogisticRegression(), 2), "line"),
            (VotingClassifier([("a", DecisionTreeClassifier()), ("b", LogisticRegression())], voting="soft"), "line"),
            (StackingClassifier([("a", DecisionTreeClassifier())], LogisticRegression(), passthrough=True), "line"),
            (CalibratedClassifierCV(LogisticRegression(), cv=2), "line"),
        ],
        ids=lambda value: value if isinstance(value, str) else type(value).__name__,
    )
    def test_the_default_is_the_nearest_where_answers_are_flat_between_jumps(self, model, refine):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(150, 4))
        y = (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int)
        study = ts.Study(model.fit(X, y), X, y, progress=False)
        default, line, coordinate = (
            study.boundaries(range(6), **QUIET, **options, paths=False).frame["distance"].to_numpy()
            for options in ({}, {"refine": "line"}, {"refine": "coordinate"})
        )
        assert np.array_equal(default, {"line": line, "coordinate": coordinate}[refine])
        assert (coordinate <= line).all()

    @pytest.mark.slow
    def test_coordinate_changes_few_features_of_a_forest(self):
        few = forest().boundaries([17, 18, 22], **QUIET, refine="coordinate").frame["n_changed"]
        many = forest().boundaries([17, 18, 22], **QUIET, refine="line").frame["n_changed"]
        assert (few < many).all()

    @pytest.mark.slow
    @pytest.mark.parametrize("radius", ["tuned", 1.0, 1e-3])
    @pytest.mark.parametrize("vertices", ["distant", "axis", "sparse"])
    @pytest.mark.parametrize("fitted_on", ["probabilities", "labels"])
    def test_lasso_keeps_so_many_features(self, radius, vertices, fitted_on):
        options = {"radius": radius, "vertices": vertices, "fitted_on": fitted_on, "explainer": "lasso"}
        for study, row, n in ((logistic(), 0, 3), (logistic(), 17, 1), (mixed(), 3, 1)):
            b = study.boundary(row, **QUIET, **options, n_features=n)
            assert 1 <= np.count_nonzero(b.direction) <= n

    @pytest.mark.slow
    @pytest.mark.parametrize("radius", ["tuned", 0.5, 3.0])
    @pytest.mark.parametrize("n", [1, 2])
    def test_lasso_keeps_so_many_features_of_many_rows_of_regions_and_of_sparse_rows(self, radius, n):
        options = {**QUIET, "explainer": "lasso", "n_features": n, "radius": radius}
        rng = np.random.default_rng(n)
        words = sparse.random(120, 40, density=0.2, format="csr", random_state=n)
        spam = words @ rng.normal(size=40) > 0
        studies = [forest(), mixed(), flowers(), ts.Study(LogisticRegression().fit(words, spam), words, spam)]
        for study in studies:
            directions = np.asarray(study.boundaries(range(3), **options, paths=False).directions)
            assert 1 <= np.count_nonzero(directions, axis=1).max() <= n
        for region in forest().boundary(17, **options, n_regions=3).regions:
            assert np.count_nonzero(region.direction) <= n

    def test_lasso_keeps_so_many_groups(self):
        groups = [list(range(first, first + 5)) for first in range(0, 30, 5)]
        b = logistic().boundary(17, **QUIET, explainer="lasso", n_features=2, vertices="groups", groups=groups)
        assert b.direction.to_numpy().reshape(6, 5).any(axis=1).sum() <= 2

    @pytest.mark.slow
    @pytest.mark.parametrize("explainer", ["pls", "logistic_pls"])
    def test_pls_has_a_projection_and_ridge_has_none(self, explainer):
        b = logistic().boundary(17, **QUIET, explainer=explainer)
        assert list(b.projection.columns) == ["first", "second", "label"]
        assert set(b.projection["label"]) == {"malignant", "benign"}
        assert logistic().boundary(17, **QUIET).projection is None

    def test_the_path_has_the_step_asked_for(self):
        b = logistic().boundary(17, **QUIET, path_step=0.1)
        assert len(b.path) == 101
        assert b.path["length"].iloc[[0, 1, -1]].tolist() == pytest.approx([0, 0.1, 10])
        assert b.path["label"].iloc[0] == "malignant"
        assert b.path["answer"].iloc[0] > 0.5 > b.path["answer"].iloc[-1]

    @pytest.mark.slow
    def test_the_budget_is_kept_and_said(self):
        study = forest()
        b = study.boundary(17, **QUIET, max_model_rows=30)
        assert b.n_model_rows <= 31
        assert b.status == "budget" or b.notes
        assert "max_model_rows" in " ".join((b.message, *b.notes))

    @pytest.mark.slow
    def test_a_callback_ends_the_search_with_what_is_known(self):
        calls = []
        b = forest().boundary(17, **QUIET, callback=lambda done, total: calls.append((done, total)) or len(calls) > 3)
        assert len(calls) >= 4
        assert b.n_model_rows < forest().boundary(17, **QUIET).n_model_rows
        assert "ended early" in " ".join(b.notes)

    def test_the_record_the_keywords_and_the_signature_have_the_same_names(self):
        import inspect

        named = {item.name for item in fields(BoundarySpec)}
        signature = set(inspect.signature(ts.Study.boundary).parameters)
        assert named == set(BoundaryOptions.__annotations__)
        assert named == signature - {"self", "row", "progress", "callback", "encode", "decode", "attributes"}
        defaults = {
            name: item.default
            for name, item in inspect.signature(ts.Study.boundary).parameters.items()
            if name in named
        }
        assert defaults == {item.name: item.default for item in fields(BoundarySpec)}

    @pytest.mark.slow
    def test_the_record_of_a_result_is_as_it_was_read(self):
        spec = mixed().boundary(0, **QUIET, fixed=[0], bounds={"hours-per-week": (0, 99)})._spec
        assert spec.fixed == ("age",)
        assert spec.metric == "gower"
        assert replace(spec, fixed=()).bounds == {"hours-per-week": (0, 99)}


class TestSeveralAnswers:
    @pytest.mark.slow
    def test_regions_lie_apart_and_are_decided_otherwise(self):
        X = plane(400)
        y = np.abs(X["a"]) > 0.8
        model = RandomForestClassifier(10, random_state=0).fit(X, y)
        study = ts.Study(model, X, y, progress=False)
        row = int(np.abs(X["a"]).idxmin())
        b = study.boundary(row, **QUIET, n_regions=3)
        assert 2 <= len(b.regions) <= 3
        table = b.regions_frame
        assert table["distance"].is_monotonic_increasing
        assert table["share"].sum() <= 1 + 1e-9
        assert (table["a"] > 0).any()
        assert (table["a"] < 0).any()
        assert model.predict(table[["a", "b"]]).all()
        assert study.boundary(row, **QUIET).n_model_rows < b.n_model_rows
        assert set(table["reached"]) == {"True"}

    @pytest.mark.slow
    def test_diverse_points_differ_and_are_decided_otherwise(self):
        study = mixed()
        b = study.boundary(0, **QUIET, n=4, fixed=["sex"])
        table = b.diverse_frame
        assert 2 <= len(table) <= 4
        assert (table["sex"] == b.value["sex"]).all()
        assert len(table[[*NUMBERS, *LEVELS]].astype(str).drop_duplicates()) == len(table)
        points = table[list(study.X.columns)].astype(study.X.dtypes.to_dict())
        assert set(np.array(study.classes)[study.predict(points).predicted]) == {b.reached}
        assert (table["n_changed"] >= 1).all()
        assert (table[["nearest", "density"]] > 0).all(axis=None)

    def test_without_either_the_tables_are_empty(self):
        b = logistic().boundary(17, **QUIET)
        assert b.regions_frame.empty
        assert b.diverse_frame.empty

    def test_rows_asked_for_a_proof_are_counted(self):
        class Counting(LogisticRegression):
            """A model that counts what it and its copies are asked; predict asks decision_function."""

            def decision_function(self, X):
                asked.append(len(X))
                return super().decision_function(X)

        X, asked = plane(), []
        model = Counting().fit(X, above(X))
        study = ts.Study(model, X, above(X), response_method="decision_function", progress=False)
        before = study.n_model_rows
        assert before == sum(asked)
        one, several = study.boundary(17, **QUIET), study.boundaries([17, 3], **QUIET, certify=True)
        assert one.certificate == "exact"
        assert one.n_model_rows + several.n_model_rows == study.n_model_rows - before
        assert study.n_model_rows == sum(asked)

    @pytest.mark.slow
    def test_the_budget_is_for_all_of_it(self):
        b = forest().boundary(17, **QUIET, n=3, n_regions=2, max_model_rows=900)
        assert b.n_model_rows <= 905


class TestProof:
    def test_of_a_linear_model_the_lower_end_is_the_distance(self):
        study = logistic()
        b = study.boundary(17, **QUIET)
        scaler, model = study._model.model.steps[0][1], study._model.model.steps[1][1]
        margin = model.decision_function(scaler.transform(study.X.iloc[[17]]))[0]
        assert b.certificate == "exact"
        assert b.distance_lower == pytest.approx(abs(margin) / np.linalg.norm(model.coef_), rel=1e-9)
        assert b.distance_lower <= b.distance
        assert "can flip it (proved)" in repr(b)

    @pytest.mark.slow
    def test_nothing_nearer_than_the_lower_end_of_a_forest_flips_it(self):
        study = forest()
        b = study.boundary(17, **QUIET)
        assert b.certificate == "trees: boxes"
        assert 0 < b.distance_lower <= b.distance
        scale = study.X.std(ddof=0).to_numpy()
        random = np.random.default_rng(0)
        steps = random.normal(size=(4000, 30)) * (random.random((4000, 30)) < 0.2)
        steps *= b.distance_lower / np.maximum(np.linalg.norm(steps, axis=1, keepdims=True), 1e-12)
        points = pd.DataFrame(b.value.to_numpy(float) + steps * scale, columns=study.X.columns)
        assert set(study.predict(points).predicted) == {study.predicted[17]}

    def test_of_a_regression_it_is_the_distance_to_the_threshold(self):
        study = progression()
        b = study.boundary(0, threshold=150, **QUIET)
        coef = study._model.model.coef_ * study.X.std(ddof=0)
        assert b.certificate == "exact"
        assert b.distance_lower == pytest.approx((study.predicted[0] - 150) / np.linalg.norm(coef), rel=1e-9)

    @pytest.mark.slow
    def test_it_is_within_the_constraints(self):
        b = logistic().boundary(17, **QUIET, fixed=["worst texture"])
        assert b.distance_lower > logistic().boundary(17, **QUIET).distance_lower
        assert "within the constraints can flip it (proved)" in repr(b)

    def test_where_no_change_can_flip_it_that_is_proved(self):
        study = logistic()
        row = study.X.iloc[17]
        b = study.boundary(17, **QUIET, bounds={name: (value * 0.999, value * 1.001) for name, value in row.items()})
        assert b.status == "none_within_constraints"
        assert np.isinf(b.distance_lower)
        assert "nothing within the constraints can flip it (proved)" in repr(b)
        random = np.random.default_rng(0)
        near = pd.DataFrame(row.to_numpy() * random.uniform(0.999, 1.001, (500, 30)), columns=study.X.columns)
        assert set(study.predict(near).predicted) == {study.predicted[17]}

    @pytest.mark.slow
    def test_where_nothing_is_proved_the_reason_is_a_note(self):
        X = plane()
        for study, words in (
            (mixed(), "not a column of numbers"),
            (ts.Study(lambda rows: above(rows), X, above(X), progress=False), "no parameters"),
        ):
            b = study.boundary(1, **QUIET)
            assert (b.certificate, b.distance_lower) == ("none", 0.0)
            assert words in b.notes[-1]
            assert "proved)" not in repr(b)

    def test_labels_that_do_not_follow_from_answers_are_not_certified(self):
        X = plane()

        class Cautious(LogisticRegression):
            def predict(self, X):
                return self.predict_proba(X)[:, 1] > 0.8

        study = ts.Study(Cautious().fit(X, above(X)), X, above(X), progress=False)
        b = study.boundary(0, **QUIET)
        assert b.certificate == "none"
        assert "not those of the largest answer" in b.notes[-1]

    @pytest.mark.slow
    def test_a_positive_class_that_comes_first_is_certified_alike(self):
        X, y = cancer()
        flipped = ts.Study(logistic()._model.model, X, y, pos_label="benign", progress=False)
        assert flipped.boundary(17, **QUIET).distance_lower == logistic().boundary(17, **QUIET).distance_lower


class TestModels:
    def test_labels_alone_do(self):
        X = plane()
        study = ts.Study(lambda rows: above(rows), X, above(X), progress=False)
        b = study.boundary(0, **QUIET)
        assert b.status == "found"
        assert b._numbers.answer == "label"
        assert set(b.path["answer"]) <= {0.0, 1.0}
        with pytest.raises(InputError, match="fitted_on='probabilities' needs"):
            study.boundary(0, **QUIET, fitted_on="probabilities")

    def test_a_decision_function_is_followed_where_there_are_no_probabilities(self):
        X = plane()
        study = ts.Study(SVC().fit(X, above(X)), X, above(X), progress=False)
        b = study.boundary(0, **QUIET)
        assert b._numbers.answer == "score"
        assert decided(study, b.point) != study.predicted[0]

    def test_labels_that_are_not_those_of_the_largest_probability_are_asked_for(self):
        X = plane()

        class Cautious(LogisticRegression):
            def predict(self, X):
                return self.predict_proba(X)[:, 1] > 0.8

        study = ts.Study(Cautious().fit(X, above(X)), X, above(X), progress=False)
        row = int(np.flatnonzero(study.predicted == 0)[0])
        b = study.boundary(row, **QUIET)
        assert study._model.model.predict_proba(b.point.to_frame().T.astype(float))[0, 1] > 0.8 - 1e-6

    def test_labels_that_part_from_probabilities_between_the_rows_are_noticed(self):
        X = pd.DataFrame({"a": np.linspace(-3, 3, 41), "b": np.tile([0.0, 1.0, 2.0], 14)[:41]})
        y = X["a"] > 0.5

        class Parted:
            classes_ = np.array([False, True])
            n_calls = 0

            def predict(self, X):
                return X["a"].to_numpy() > 0.55

            def predict_proba(self, X):
                p = 1 / (1 + np.exp(-20 * (X["a"].to_numpy() - 0.5)))
                return np.column_stack([1 - p, p])

        study = ts.Study(Parted(), X, y, progress=False)
        b = study.boundary(0, **QUIET)
        assert b.status == "found"
        assert b.point["a"] > 0.55

    def test_several_classes_and_one_of_them(self):
        study = flowers()
        any_other = study.boundary(0, **QUIET)
        chosen = study.boundary(0, **QUIET, target="virginica")
        assert any_other.reached == "versicolor"
        assert chosen.reached == "virginica"
        assert study.classes[decided(study, chosen.point)] == "virginica"
        assert chosen.distance > any_other.distance
        assert re.search(r"5\d rows are predicted otherwise", " ".join(chosen.notes))

    @pytest.mark.slow
    def test_a_positive_class_that_comes_first_changes_nothing(self):
        X, y = cancer()
        model = logistic()._model.model
        flipped = ts.Study(model, X, y, pos_label="benign", progress=False)
        assert flipped.classes == ("malignant", "benign")
        assert flipped.boundary(17, **QUIET).distance == logistic().boundary(17, **QUIET).distance
        scores = ts.Study(model, X, y, pos_label="benign", response_method="decision_function", progress=False)
        b = scores.boundary(17, **QUIET)
        assert (b.predicted, b.reached) == ("malignant", "benign")
        assert b.path["answer"].iloc[0] > 0

    def test_a_regression_crosses_a_threshold(self):
        study = progression()
        b = study.boundary(0, threshold=150, **QUIET)
        assert (b.predicted, b.reached) == ("above 150", "up to 150")
        assert decided(study, b.value) > 150 >= decided(study, b.point)
        coef = study._model.model.coef_ * study.X.std(ddof=0)
        exact = (study.predicted[0] - 150) / np.linalg.norm(coef)
        assert exact <= b.distance <= 1.02 * exact
        assert b.path["answer"].iloc[0] == pytest.approx(study.predicted[0] - 150)

    def test_a_model_that_answers_differently_for_the_same_row_is_called_so(self):
        X = plane()
        random = np.random.default_rng(5)
        y = above(X)
        said = iter(range(10**9))

        def restless(rows):
            p = np.clip(above(rows) * 0.8 + 0.1, 0, 1)
            return 1 - p if next(said) else p

        study = ts.Study(restless, X, y, task="binary", progress=False)
        b = study.boundary(0, **QUIET)
        assert random is not None
        assert b.reliability in (None, "unreliable")
        assert b.status != "found" or "differently" in b.reasons[0]


class TestConstraints:
    @pytest.mark.slow
    def test_constraints_hold_at_the_point(self):
        study = mixed()
        options = {
            "fixed": ["sex", "marital-status"],
            "bounds": {"hours-per-week": (1, 99), "workclass": sorted(people()["workclass"].dropna().unique())},
            "monotonic_cst": {"age": 1, "education-num": 1, "capital-gain": 0},
        }
        bs = study.boundaries(range(60), **QUIET, **options)
        assert (bs.frame["status"] == "found").sum() > 30
        for b in bs:
            if b.status == "found":
                assert b.point["sex"] == b.value["sex"]
                assert b.point["marital-status"] == b.value["marital-status"]
                assert b.value["age"] is None or b.point["age"] >= b.value["age"]
                assert b.point["education-num"] >= b.value["education-num"]
                assert all(float(b.point[name]).is_integer() for name in NUMBERS if b.point[name] is not None)

    @pytest.mark.slow
    def test_what_is_missing_stays_missing_and_nothing_else_does(self):
        study = mixed()
        bs = study.boundaries(study.X["age"].isna().to_numpy(), **QUIET)
        found = bs.points[bs.frame["status"].to_numpy() == "found"]
        assert len(found)
        assert found["age"].isna().all()
        other = study.boundaries([1, 2, 3], **QUIET).points
        assert other[["age", "sex"]].notna().all(axis=None)

    @pytest.mark.slow
    def test_levels_are_levels_of_the_rows_and_columns_that_sum_to_one_stay_so(self):
        study = mixed()
        b = study.boundary(
            3, **QUIET, bounds={"workclass": ["Private"]} if study.X["workclass"][3] == "Private" else None
        )
        assert {b.point[name] for name in LEVELS} <= set(pd.unique(study.X[LEVELS].to_numpy().ravel()))
        X = pd.get_dummies(people()[["age", "hours-per-week", "marital-status", "sex"]].dropna(), dtype=int)
        y = people().loc[X.index, "income"]
        dummies = ts.Study(RandomForestClassifier(10, random_state=0).fit(X, y), X, y, progress=False)
        bs = dummies.boundaries(range(40), **QUIET)
        married = [name for name in X.columns if name.startswith("marital")]
        assert tuple(married) in bs._spec.one_hot
        points = bs.points[bs.frame["status"].to_numpy() == "found"]
        assert points[married].isin([0, 1]).all(axis=None)
        assert (points[married].sum(axis=1) == 1).all()

    def test_nothing_to_move_is_a_status(self):
        b = logistic().boundary(17, **QUIET, fixed=list(logistic().feature_names))
        assert (b.status, b.reached, b.reliability) == ("nothing_to_move", None, None)
        assert np.isinf(b.distance)
        assert "leave nothing to move" in repr(b)
        assert b.point.isna().all()

    def test_none_within_the_constraints_is_a_status(self):
        X = plane()
        study = ts.Study(lambda rows: above(rows), X, above(X), progress=False)
        row = int(np.flatnonzero(X["a"] + X["b"] < -2)[0])
        near = {name: (float(X[name][row]) - 0.01, float(X[name][row]) + 0.01) for name in X.columns}
        b = study.boundary(row, **QUIET, bounds=near)
        assert b.status == "none_within_constraints"
        assert "brought within the constraints" in b.message

    def test_one_class_only_is_a_status(self):
        X = plane()
        study = ts.Study(lambda rows: np.full(len(rows), 0.2), X, above(X), progress=False)
        b = study.boundary(0, **QUIET)
        assert b.status == "no_rival"
        assert "no row is predicted otherwise" in b.message


class TestBadInput:
    @pytest.mark.parametrize(
        ("options", "error", "words"),
        [
            ({"fixed": ["mean radiu"]}, UnknownName, "no column 'mean radiu'"),
            ({"bounds": {"mean radius": (0, 1)}}, InputError, "must hold what a row has already"),
            ({"bounds": {"mean radius": (9, 1)}}, InputError, r"must be \(lowest, highest\)"),
            ({"bounds": {"mean radius": 5}}, InputTypeError, "None for an open end"),
            ({"bounds": {"mean radius": ("a", 1)}}, InputTypeError, "are numbers"),
            ({"bounds": [("mean radius", 0, 1)]}, InputTypeError, "must be a mapping"),
            ({"monotonic_cst": {"mean radius": 2}}, InputError, "takes 1"),
            ({"vertices": "groups", "groups": [["mean radius"]]}, InputError, "every column once"),
            ({"vertices": "groups", "groups": np.zeros(3, dtype=int)}, InputError, "one group number a column"),
            ({"vertices": "groups", "groups": "all"}, InputTypeError, "lists of columns"),
            ({"vertices": "groups"}, InputError, "there are no groups"),
            ({"groups": [[0]]}, InputError, "groups are for vertices"),
            ({"n_rivals": 0}, InputError, "at least 1"),
            ({"n_rivals": 2.5}, InputTypeError, "whole number"),
            ({"max_model_rows": 0}, InputError, "at least 1"),
            ({"radius": "wide"}, InputError, "'tuned' or a number"),
            ({"radius": -1}, InputError, "above 0"),
            ({"radius": None}, InputTypeError, "number above 0"),
            ({"radius": 1e308}, InputError, "at most 1,000,000; got 1e"),
            ({"radius": 10**400}, InputError, "at most 1,000,000; got 1000"),
            ({"path_step": 1e308}, InputError, "at most 1,000,000"),
            ({"tolerance": float("inf")}, InputError, "finite"),
            ({"explainer": "tree"}, InputError, "must be one of ridge, pls, logistic_pls, lasso"),
            ({"n_features": 3}, InputError, "explainer='lasso'"),
            ({"explainer": "logistic_pls", "fitted_on": "probabilities"}, InputError, "is fitted on labels"),
            ({"metric": "cosine"}, InputError, "one of euclidean"),
            ({"metric": "jaccard"}, InputError, "columns of 0 and 1"),
            ({"one_hot": "some"}, InputError, "'auto', None or groups"),
            ({"whole": "no"}, InputError, "whole must be 'auto' or None"),
            ({"whole": False}, InputTypeError, "whole must be 'auto' or None"),
            ({"one_hot": [["mean radius", "mean area"]]}, InputError, "one of them 1 in every row"),
            ({"target": "unheard"}, UnknownName, "no class 'unheard'"),
            ({"target": "malignant"}, InputError, "predicted 'malignant' already"),
            ({"threshold": 1.0}, InputError, "for a regression"),
        ],
        ids=str,
    )
    def test_the_message_has_rule_value_and_next_step(self, options, error, words):
        with pytest.raises(error, match=words):
            logistic().boundary(17, **QUIET | options)

    @pytest.mark.parametrize(
        ("row", "error", "words"),
        [
            (9999, InputError, "numbered 0 to 568; got 9999"),
            (-1, InputError, "got -1"),
            (True, InputTypeError, "position among"),
            ("first", InputTypeError, "position among"),
            (None, InputTypeError, "position among"),
            ({"mean radius": 1.0}, InputError, "have all columns"),
            ({"radius": 1.0}, UnknownName, "no column 'radius'"),
            ([1.0, 2.0], InputError, "each of the 30 columns; got 2"),
        ],
        ids=str,
    )
    def test_rows_that_are_none(self, row, error, words):
        with pytest.raises(error, match=words):
            logistic().boundary(row, **QUIET)

    def test_several_rows_are_for_boundaries(self):
        with pytest.raises(InputError, match="Give one; `boundaries`"):
            logistic().boundary(logistic().X.iloc[:2], **QUIET)

    def test_values_that_the_columns_cannot_hold(self):
        row = mixed().X.iloc[1].to_dict()
        for change, error, words in (
            ({"sex": "Neither"}, UnknownName, "no level of 'sex' 'Neither'"),
            ({"sex": 1}, UnknownName, "no level of 'sex' '1'"),
            ({"sex": None}, InputError, "no row has a missing value"),
            ({"age": "old"}, InputTypeError, "holds numbers; got 'old'"),
            ({"age": np.inf}, InputError, "must be finite"),
            ({"hours-per-week": 1.5}, InputError, "must fit its type"),
        ):
            with pytest.raises(error, match=words):
                mixed().boundary(row | change, **QUIET)

    def test_constraints_that_do_not_fit_the_column(self):
        for options, error, words in (
            ({"monotonic_cst": {"sex": 1}}, InputError, "have no order"),
            ({"bounds": {"sex": (0, 1)}}, UnknownName, "no level of 'sex' '0'"),
            ({"bounds": {"sex": "Male"}}, InputTypeError, "list of the levels"),
            ({"bounds": {"sex": []}}, InputError, "must hold what a row has"),
            ({"metric": "euclidean"}, InputError, "Use metric='gower'"),
        ):
            with pytest.raises(error, match=words):
                mixed().boundary(1, **QUIET, **options)

    def test_a_regression_needs_its_threshold_and_has_no_target(self):
        for options, error, words in (
            ({}, InputError, "Give threshold="),
            ({"threshold": "high"}, InputTypeError, "must be a number"),
            ({"threshold": np.nan}, InputError, "must be finite"),
            ({"threshold": 150, "target": 1}, InputError, "two sides"),
        ):
            with pytest.raises(error, match=words):
                progression().boundary(0, **QUIET, **options)

    def test_predictions_alone_have_no_boundary(self):
        study = ts.Study.from_predictions(plane(), above(plane()), above(plane()))
        with pytest.raises(InputError, match="Only a study of a model has boundaries"):
            study.boundary(0)


class TestWhatIsKept:
    @pytest.mark.slow
    def test_it_pickles_without_the_model_and_reads_the_same(self):
        b = forest().boundary(17, **QUIET)
        again = pickle.loads(pickle.dumps(b))
        assert repr(again) == repr(b)
        pd.testing.assert_frame_equal(again.frame, b.frame, check_exact=True)
        assert not again.source._has_model
        assert again.with_source(forest()).source._has_model

    def test_under_a_stress_the_boundary_of_a_row_is_the_same(self):
        study = logistic()
        b = study.under(ts.Mean("mean radius", tau=0.5)).boundary(17, **QUIET)
        pd.testing.assert_frame_equal(b.frame, study.boundary(17, **QUIET).frame, check_exact=True)

    def test_dates_and_constant_columns_stay_with_a_note(self):
        X = plane(when=pd.date_range("2020-01-01", periods=200), same=np.ones(200))
        study = ts.Study(lambda rows: above(rows), X, above(X), progress=False)
        b = study.boundary(0, **QUIET)
        assert b.point["when"] == X["when"][0]
        assert (b.point["same"], b.direction["same"], b.direction["when"]) == (1.0, 0.0, 0.0)
        assert "when" in b.notes[0]
        assert "same" in b.notes[1]
        with pytest.raises(InputError, match="its type takes only values"):
            study.boundary(0, **QUIET, bounds={"when": (2020, 2021)})

    def test_whole_numbers_of_small_types_stay_within_them(self):
        data = load_iris()
        X = (10 * data.data).astype(np.uint8)
        study = ts.Study(DecisionTreeClassifier(random_state=0).fit(X, data.target), X, data.target, progress=False)
        bs = study.boundaries(range(0, 150, 10), **QUIET)
        points = bs.points.to_numpy()
        assert (points == np.round(points)).all()
        assert ((points >= 0) & (points <= 255)).all()
