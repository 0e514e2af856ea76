"""Boundaries of sparse rows: those of the same rows dense, within the same rules, at the memory of the matrix."""

import json
import pickle
import tracemalloc
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.preprocessing import OneHotEncoder

import tauscope as ts
from study.boundary.bags import AS_SPARSE, QUIET, WORDS, counted, counts, dense, logistic, study, weights
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.study.rows import choose_rows
from tauscope.views.boundary.answer import answers_wire


def wide(values: pd.Series) -> np.ndarray:
    """Values of all words, 0 where none is given."""
    return values.astype(float).reindex(list(WORDS)).fillna(0.0).to_numpy()


class TestAsDense:
    @pytest.mark.parametrize("model", ["logistic", "bayes"])
    @pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
    @pytest.mark.slow
    def test_one_row_has_the_same_rival_point_and_direction(self, model: str, metric: str):
        b = study(model).boundary(7, metric=metric, **QUIET)
        d = dense(model).boundary(7, metric=metric, **AS_SPARSE, **QUIET)
        assert b.rival_row == d.rival_row
        np.testing.assert_allclose(wide(b.point), wide(d.point), atol=1e-9)
        np.testing.assert_allclose(wide(b.direction), wide(d.direction), atol=1e-6)
        assert b.distance == pytest.approx(d.distance, abs=1e-9)
        assert b.distance_bisected == pytest.approx(d.distance_bisected, abs=1e-9)
        np.testing.assert_allclose(b.diagnostics.to_numpy(), d.diagnostics.to_numpy(), rtol=1e-6)
        np.testing.assert_allclose(b.path["answer"], d.path["answer"], atol=1e-6)

    def test_the_model_is_asked_about_nearly_as_many_rows_and_those_of_the_proof(self):
        b, d = study().boundaries([7], **QUIET), dense().boundaries([7], **AS_SPARSE, **QUIET)
        assert b.n_model_rows == pytest.approx(d.n_model_rows, rel=0.05)  # it halves without the start's answer
        assert (
            study().boundary(7, **QUIET).n_model_rows == study().boundaries([7], paths=True, **QUIET).n_model_rows + 1
        )

    @pytest.mark.slow
    @pytest.mark.parametrize("refine", ["line", "coordinate", "none"])
    def test_many_rows_have(self, refine: str):
        rows = range(12)
        b = study().boundaries(rows, refine=refine, certify=True, **QUIET)
        d = dense().boundaries(rows, refine=refine, certify=True, **AS_SPARSE, **QUIET)
        same = ["row", "rival_row", "status", "predicted", "reached", "n_changed"]
        pd.testing.assert_frame_equal(b.frame[same], d.frame[same])
        np.testing.assert_allclose(b.frame["distance"], d.frame["distance"], atol=1e-9)
        np.testing.assert_allclose(b.points.sparse.to_dense(), d.points[list(b.points)], atol=1e-9)
        np.testing.assert_allclose(b.directions.sparse.to_dense(), d.directions[list(b.directions)], atol=1e-6)
        others = [word for word in WORDS if word not in b.feature_names]
        assert not d.directions[others].to_numpy().any()
        assert b[3].row == 3
        assert len(list(b)) == len(b) == 12

    @pytest.mark.slow
    def test_pooled_boundaries_have_the_same_words_present_and_absent(self):
        rows = study().errors
        b = study().pooled_boundary(rows, **QUIET)
        d = dense().pooled_boundary(rows, **AS_SPARSE, **QUIET)
        assert (b.n_rows, b.towards, b.title) == (d.n_rows, d.towards, d.title)
        ours, theirs = b.frame.set_index("feature"), d.frame.set_index("feature").loc[list(b.frame["feature"])]
        weights = [name for name in ours if name != "n"]
        np.testing.assert_allclose(ours[weights], theirs[weights], atol=1e-6)
        assert ours["lower"].notna().all()
        for name in ("agreement", "wobble", "ess"):
            assert getattr(b, name) == pytest.approx(getattr(d, name), rel=1e-6), name
        assert (theirs["n"] == ours["n"])[theirs["direction"] != 0].all()

    @pytest.mark.slow
    def test_a_stress_weights_the_rows_pooled(self):
        stress = ts.Mean("word 3", tau=0.5)
        rows = np.arange(6)
        b = study().under(stress).pooled_boundary(rows, **QUIET)
        d = dense().under(stress).pooled_boundary(rows, **AS_SPARSE, **QUIET)
        np.testing.assert_allclose(b.weight, d.weight, rtol=1e-9)
        pd.testing.assert_frame_equal(b.frame.head(5), d.frame.head(5), check_exact=False, rtol=1e-5)
        again = study().pooled_boundary(rows, **QUIET).under(stress)
        pd.testing.assert_frame_equal(again.frame, b.frame)

    def test_a_regression_has_them(self):
        X, y = weights()
        line = LinearRegression().fit(X, y)
        b = ts.Study(line, X, y, feature_names=WORDS, progress=False).boundary(7, threshold=0.5, **QUIET)
        d = ts.Study(line, X.toarray(), y, feature_names=WORDS, progress=False)
        d = d.boundary(7, threshold=0.5, **AS_SPARSE, **QUIET)
        assert b.distance == pytest.approx(d.distance, abs=1e-9)
        assert (b.certificate, b.distance_lower) == ("exact", pytest.approx(d.distance_lower, rel=1e-6))

    @pytest.mark.slow
    def test_regions_and_diverse_points_are_measured_against_all_rows(self):
        b = study().boundary(7, n_regions=3, n=3, **QUIET)
        d = dense().boundary(7, n_regions=3, n=3, **AS_SPARSE, **QUIET)
        np.testing.assert_allclose(b.regions_frame["distance"], d.regions_frame["distance"], atol=1e-6)
        columns = ["distance", "n_changed", "nearest", "density"]
        np.testing.assert_allclose(b.diverse_frame[columns], d.diverse_frame[columns], atol=1e-6)


class TestTheModel:
    @pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array, sparse.csc_matrix, sparse.csc_array])
    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    @pytest.mark.slow
    def test_is_asked_in_csr_of_the_same_family_type_and_width(self, container: type, dtype: type):
        X, y = weights()
        given = container(X.astype(dtype))
        seen: set[tuple[type, str, np.dtype, int]] = set()

        def model(rows: object) -> np.ndarray:
            seen.add((type(rows), rows.format, rows.dtype, rows.shape[1]))
            return logistic().predict_proba(rows)

        s = ts.Study(model, given, y, feature_names=WORDS, progress=False)
        assert s.boundary(7, **QUIET).status == "found"
        family = sparse.csr_matrix if issubclass(container, sparse.spmatrix) else sparse.csr_array
        assert seen == {(family, "csr", np.dtype(dtype), len(WORDS))}

    @pytest.mark.slow
    def test_is_asked_by_predict_where_its_answers_tell_other_labels(self):
        X, y = weights()

        class Strict(LogisticRegression):
            """Says spam from 0.9 on, away from the rows studied."""

            def predict(self, rows: sparse.csr_array) -> np.ndarray:
                return (self.predict_proba(rows)[:, 1] > 0.9).astype(int)

        model = Strict().fit(X, y)
        sure = np.flatnonzero(np.abs(model.predict_proba(X)[:, 1] - 0.7) > 0.2)
        s = ts.Study(model, sparse.csr_array(X[sure]), y[sure], feature_names=WORDS, progress=False)
        ham = int(np.flatnonzero(s.predicted == 0)[0])
        b = s.boundary(ham, **QUIET)
        point = sparse.csr_array(wide(b.point)[None])
        assert model.predict(point)[0] == 1
        assert b.certificate == "none"
        assert "its labels are not those of the largest answer" in repr(b)
        both = s.boundaries([ham, ham], certify=True, **QUIET)
        assert list(both.frame["certificate"]) == ["none", "none"]

    def test_budget_holds_for_all_rows_together(self):
        X, y = weights()
        s = ts.Study(logistic().predict_proba, X, y, progress=False)
        for budget in (1, 30, 700):
            found = s.boundaries(range(5), max_model_rows=budget, **QUIET)
            assert found.n_model_rows <= budget
            assert any("ended early" in note for note in found.notes)

    @pytest.mark.parametrize("budget", [1, 2, 300])
    def test_budget_holds_with_the_proof(self, budget: int):
        X, y = weights()
        s = ts.Study(logistic().predict_proba, X, y, progress=False)
        b = s.boundary(7, max_model_rows=budget, **QUIET)
        assert b.n_model_rows <= budget
        assert b.certificate == "exact"

    def test_a_callback_ends_the_search(self):
        asked: list[int] = []

        def stop(done: int, total: int) -> bool:
            asked.append(done)
            return done > 300

        found = study().boundaries(range(20), callback=stop, **QUIET)
        assert asked == sorted(asked)
        assert found.n_model_rows < 1000
        assert len(found) == 20


class TestWhatMoves:
    def test_only_what_is_not_zero_somewhere_is_listed(self):
        b = study().boundary(7, **QUIET)
        table = b.frame[["value", "point", "rival", "direction"]]
        assert (table != 0).any(axis=1).all()
        assert set(b.direction.index) == set(b.frame["feature"])
        assert np.linalg.norm(b.direction) == pytest.approx(1)
        assert b._spec.vertices == "sparse"

    @pytest.mark.slow
    def test_nothing_falls_below_zero_unless_bounds_have_it(self):
        found = study().boundaries(range(20), **QUIET)
        assert (found.points.sparse.to_dense() >= 0).all(axis=None)
        free = {word: (None, None) for word in WORDS}
        found = study().boundaries(range(20), bounds=free, **QUIET)
        assert (found.points.sparse.to_dense() < 0).any(axis=None)

    @pytest.mark.slow
    def test_negative_columns_may_stay_negative(self):
        X, y = weights()
        shifted = sparse.csr_array(-X)
        s = ts.Study(LogisticRegression().fit(shifted, y), shifted, y, feature_names=WORDS, progress=False)
        found = s.boundaries(range(10), **QUIET)
        assert (found.points.sparse.to_dense() <= 0).any(axis=None)
        assert (found.frame["status"] == "found").all()
        assert "0 or above" not in repr(s.boundary(7, **QUIET))

    @pytest.mark.slow
    @pytest.mark.parametrize("refine", ["line", "coordinate"])
    def test_counts_stay_whole(self, refine: str):
        found = counted().boundaries(range(10), refine=refine, **QUIET)
        points = found.points.sparse.to_dense().to_numpy()
        np.testing.assert_array_equal(points, np.round(points))
        assert (points >= 0).all()
        assert (found.frame["status"] == "found").all()
        assert (found.frame["distance"] >= 1).all()

    @pytest.mark.slow
    def test_bools_stay_bools(self):
        bag, y = counts()
        bools = sparse.csr_array(bag > 0)
        model = LogisticRegression().fit(bools.astype(float), y)
        s = ts.Study(lambda rows: model.predict_proba(rows.astype(float)), bools, y, progress=False)
        found = s.boundaries(range(5), refine="coordinate", **QUIET)
        assert np.isin(found.points.sparse.to_dense(), (0, 1)).all()

    def test_groups_change_together(self):
        random = np.random.default_rng(0)
        levels = random.integers(0, [3, 4, 5], size=(200, 3))
        X = sparse.csr_array(OneHotEncoder().fit_transform(levels))
        y = (levels.sum(axis=1) > 4).astype(int)
        s = ts.Study(LogisticRegression().fit(X, y), X, y, progress=False)
        b = s.boundary(3, refine="coordinate", **QUIET)
        names = s.feature_names
        groups = [names[:3], names[3:7], names[7:]]
        assert b._spec.one_hot == tuple(tuple(group) for group in groups)
        for group in groups:
            assert sum(b.point.get(name, 0) for name in group) == 1 or not set(group) & set(b.point.index)
        given = s.boundary(3, one_hot=groups, refine="coordinate", **QUIET)
        pd.testing.assert_series_equal(given.point, b.point)
        assert s.boundary(3, one_hot=None, **QUIET)._spec.one_hot == ()

    def test_constraints_hold(self):
        s = study()
        free = s.boundary(7, **QUIET)
        moved = free.frame["feature"][0]
        fixed = s.boundary(7, fixed=[moved], **QUIET)
        assert fixed.point.get(moved, 0.0) == fixed.value.get(moved, 0.0)
        assert fixed.distance > free.distance
        way = -1 if free.frame["change"][0] > 0 else 1
        turned = s.boundary(7, monotonic_cst={moved: way}, **QUIET)
        assert way * (turned.point.get(moved, 0.0) - turned.value.get(moved, 0.0)) >= 0
        start, point = free.value[moved], free.point[moved]
        halfway = (start + point) / 2
        ends = (min(start, halfway), max(start, halfway))
        bound = s.boundary(7, bounds={moved: ends}, **QUIET)
        assert ends[0] <= bound.point.get(moved, 0.0) <= ends[1]
        assert bound.status == "found"

    def test_all_fixed_is_nothing_to_move(self):
        assert study().boundary(7, fixed=list(WORDS), **QUIET).status == "nothing_to_move"

    def test_no_rival_is_said(self):
        X, _ = weights()
        s = ts.Study(lambda rows: np.zeros(rows.shape[0]), X, classes=(0, 1), progress=False, task="binary")
        b = s.boundary(3, **QUIET)
        assert b.status == "no_rival"
        assert np.isinf(b.distance)
        found = s.boundaries(range(3), **QUIET)
        assert found.directions.isna().all(axis=None)

    def test_farther_rivals_are_tried_where_the_nearest_do_not_stand_the_constraints(self):
        s = study()
        few = s.boundary(7, n_rivals=2, **QUIET)
        fixed = [name for name, change in (few.point - few.value).items() if change]
        b = s.boundary(7, n_rivals=2, fixed=fixed, **QUIET)
        d = dense().boundary(7, n_rivals=2, fixed=fixed, **AS_SPARSE, **QUIET)
        assert (b.status, b.rival_row) == (d.status, d.rival_row)

    def test_blocks_of_rivals_give_the_same_point(self, monkeypatch: pytest.MonkeyPatch):
        whole = study().boundary(7, **QUIET)
        monkeypatch.setattr("tauscope.study.boundary.sparse_search.BLOCK_CELLS", 500)
        parts = study().boundary(7, **QUIET)
        assert parts.rival_row == whole.rival_row
        pd.testing.assert_series_equal(parts.point, whole.point)


class TestNewRows:
    @pytest.mark.slow
    def test_are_taken_sparse_named_or_as_numbers(self):
        s, (X, _) = study(), weights()
        own = s.boundary(7, **QUIET)
        named = {word: value for word, value in own.value.items() if value}
        for row in (X[[7]], named, pd.Series(named), X[[7]].toarray()[0]):
            b = s.boundary(row, **QUIET)
            assert b.row is None
            assert b.distance_bisected == pytest.approx(own.distance_bisected, abs=1e-9)
        both = s.boundaries(X[[7, 8]], **QUIET)
        assert list(both.frame["row"]) == [-1, -1]
        assert both.frame["distance"].notna().all()

    @pytest.mark.slow
    def test_draw_by_their_values_alone_among_others_and_dense(self):
        X, _ = weights()
        new = sparse.csr_array(X[[7, 8, 9]] * 1.01)
        together, as_dense = study().boundaries(new, **QUIET), dense().boundaries(new.toarray(), **AS_SPARSE, **QUIET)
        for i in range(3):
            alone = study().boundary(new[[i]], **QUIET)
            pd.testing.assert_series_equal(alone.direction, together[i].direction)
            np.testing.assert_array_equal(alone.diagnostics, together[i].diagnostics)
            np.testing.assert_allclose(alone.diagnostics.to_numpy(), as_dense[i].diagnostics.to_numpy(), rtol=1e-6)
        keys = choose_rows(study(), new).key
        assert keys is not None
        assert len(set(keys.tolist())) == 3

    @pytest.mark.parametrize(
        ("row", "error", "words"),
        [
            ({"wrod 3": 1.0}, UnknownName, "'word 3'"),
            (sparse.csr_array(np.eye(3)), InputError, "each of the 60 columns; got 3"),
            (sparse.csr_array(np.ones((2, 60))), InputError, "One row is asked about; got 2"),
            ("word 3", InputTypeError, "a position"),
            (240, InputError, "numbered 0 to 239"),
        ],
    )
    def test_errors(self, row: object, error: type[Exception], words: str):
        with pytest.raises(error, match=words):
            study().boundary(row, **QUIET)

    def test_a_fraction_does_not_fit_counts(self):
        with pytest.raises(InputError, match="must fit the matrix' type, int64"):
            counted().boundary({"word 3": 0.5}, **QUIET)


class TestErrors:
    @pytest.mark.parametrize(
        ("options", "error", "words"),
        [
            ({"metric": "gower"}, InputError, "euclidean or manhattan on sparse rows; got 'gower'"),
            ({"vertices": "groups"}, InputError, "are for dense rows"),
            ({"fixed": ["wrod 3"]}, UnknownName, "'word 3'"),
            ({"bounds": {"word 3": (5, 6)}}, InputError, "'word 3' is 0 and must be in"),
            ({"bounds": {"word 3": (6, 5)}}, InputError, "Turn them round"),
            ({"monotonic_cst": {"word 3": 2}}, InputError, "may only increase"),
            ({"one_hot": [["word 3", "word 4"]]}, InputError, "one of them 1 in every row"),
            ({"one_hot": "some"}, InputError, "one_hot must be"),
            ({"one_hot": 3}, InputTypeError, "one_hot must be"),
            ({"target": 2}, UnknownName, "class"),
        ],
    )
    def test_of_options(self, options: dict, error: type[Exception], words: str):
        with pytest.raises(error, match=words):
            study().boundary(int(np.flatnonzero(~weights()[0].toarray()[:, 3].astype(bool))[0]), **QUIET | options)

    def test_a_target_is_another_class(self):
        s = study()
        with pytest.raises(InputError, match="predicted '1' already"):
            s.boundary(int(np.flatnonzero(s.predicted == 1)[0]), target=1, **QUIET)
        b = s.boundary(int(np.flatnonzero(s.predicted == 0)[0]), target=1, **QUIET)
        assert b.reached == "1"


class TestCertificate:
    @pytest.mark.slow
    def test_is_the_models_formula_where_nothing_is_bounded(self):
        s, (X, _) = study(), weights()
        free = {word: (None, None) for word in WORDS}
        found = s.boundaries(range(8), bounds=free, certify=True, **QUIET)
        formula = np.abs(logistic().decision_function(X[:8])) / np.linalg.norm(logistic().coef_)
        np.testing.assert_allclose(found.frame["distance_lower"], formula, rtol=1e-9)
        assert (found.frame["certificate"] == "exact").all()
        assert (found.frame["distance_lower"] <= found.frame["distance"]).all()

    @pytest.mark.slow
    @pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
    def test_is_that_of_dense_rows_over_all_columns(self, metric: str):
        b = study().boundaries(range(8), metric=metric, certify=True, **QUIET)
        d = dense().boundaries(range(8), metric=metric, certify=True, **AS_SPARSE, **QUIET)
        np.testing.assert_allclose(b.frame["distance_lower"], d.frame["distance_lower"], rtol=1e-9)
        assert "within the constraints" in repr(b[0])

    @pytest.mark.parametrize("model", ["logistic", "bayes"])
    def test_nothing_nearer_flips(self, model: str):
        s, (X, _) = study(model), weights()
        b = s.boundary(7, **QUIET)
        assert b.certificate == "exact"
        random = np.random.default_rng(0)
        away = random.normal(size=(2000, len(WORDS)))
        away *= 0.999 * b.distance_lower / np.linalg.norm(away, axis=1, keepdims=True)
        near = sparse.csr_array(np.maximum(X[[7]].toarray() + away, 0))
        assert (s.predict(near).predicted == s.predicted[7]).all()

    @pytest.mark.slow
    def test_of_counts_is_a_bound_and_not_the_distance_itself(self):
        found = counted().boundaries(range(8), certify=True, **QUIET)
        assert (found.frame["certificate"] == "linear relaxation").all()
        assert (found.frame["distance_lower"] > 0).all()
        assert (found.frame["distance_lower"] <= found.frame["distance"]).all()

    @pytest.mark.slow
    def test_several_classes_and_a_target(self):
        X, y = weights()
        three = y + (X[:, [3]].toarray().ravel() > 0)
        s = ts.Study(LogisticRegression().fit(X, three), X, three, feature_names=WORDS, progress=False)
        d = ts.Study(LogisticRegression().fit(X, three), X.toarray(), three, feature_names=WORDS, progress=False)
        rows = np.flatnonzero(s.predicted == 0)[:4]
        for target in (None, 2):
            ours = s.boundaries(rows, target=target, certify=True, **QUIET).frame
            theirs = d.boundaries(rows, target=target, certify=True, **AS_SPARSE, **QUIET).frame
            np.testing.assert_allclose(ours["distance_lower"], theirs["distance_lower"], rtol=1e-9)
            assert list(ours["certificate"]) == list(theirs["certificate"])

    def test_of_a_forest_there_is_none_and_that_is_said(self):
        X, y = weights()
        forest = RandomForestClassifier(5, random_state=0).fit(X, y)
        b = ts.Study(forest, X, y, feature_names=WORDS, progress=False).boundary(7, **QUIET)
        assert (b.certificate, b.distance_lower) == ("none", 0)
        assert "nothing is proved about nearer points: RandomForestClassifier is no linear model" in repr(b)


class TestResult:
    def test_says_its_units(self):
        b = study().boundary(7, **QUIET)
        assert "at a distance of" in b.sentence
        assert "standard deviations" not in repr(b)
        assert "distances are in the matrix' own units" in b.notes
        assert json.loads(json.dumps(b._document()))["metric"] == "euclidean"

    @pytest.mark.parametrize("kind", ["changes", "path"])
    def test_is_drawn(self, kind: str):
        words = json.dumps(study().boundary(7, **QUIET).chart(kind).to_dict())
        assert "standard deviations" not in words

    @pytest.mark.slow
    def test_many_are_drawn_and_listed(self):
        found = study().boundaries(range(4), **QUIET)
        assert "in the features' own units" in json.dumps(found.chart().to_dict())
        assert len(found._document()["records"]) == 4
        assert study().pooled_boundary(range(4), **QUIET).chart().to_dict()["layer"]

    def test_pickles_and_answers_the_same(self):
        for found in (study().boundary(7, **QUIET), study().boundaries(range(4), **QUIET)):
            again = pickle.loads(pickle.dumps(found))
            pd.testing.assert_frame_equal(again.frame, found.frame)

    def test_widget_searches_again_with_what_is_locked(self):
        b = study().boundary(7, **QUIET)
        moved = b.frame["feature"][0]
        again = study()._boundary_from(7, replace(b._spec, fixed=(moved,)), progress=False)
        assert again.point.get(moved, 0.0) == b.value[moved]
        assert answers_wire(again, "").message["answers"][0]["fixed"] == [moved]
        answer = b.widget().answer["answers"][0]
        assert {feature["name"] for feature in answer["features"]} <= set(b.frame["feature"])
        assert answer["unit"] == ""


@pytest.mark.slow
def test_memory_is_that_of_the_matrix_and_a_block():
    n, p, stored = 400, 100_000, 20
    random = np.random.default_rng(0)
    common, rare = random.integers(0, 50, (n, 5)), random.integers(50, p, (n, stored - 5))
    indices = np.sort(np.concatenate([common, rare], axis=1), axis=1).ravel()
    X = sparse.csr_array((random.random(n * stored) + 0.1, indices, np.arange(0, n * stored + 1, stored)), shape=(n, p))
    X.sum_duplicates()
    y = (X[:, np.arange(25)].sum(axis=1) > X[:, np.arange(25, 50)].sum(axis=1)).astype(int)
    model = LogisticRegression(max_iter=10).fit(X, y)
    dense_bytes = 8 * n * p
    tracemalloc.start()
    s = ts.Study(model, X, y, progress=False)
    s.boundaries(range(2), n_rivals=20, certify=True, progress=False, random_state=0, n_samples=50)
    s.stress_curves(features=["x3"], progress=False)
    repr(s)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < dense_bytes / 5
