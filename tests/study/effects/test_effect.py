"""The verb against scikit-learn's brute force, closed forms, and the table of errors."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestClassifier
from sklearn.inspection import partial_dependence
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import tauscope as ts
from results.effects import samples
from stores import study_in
from tauscope.errors import InputError, InputTypeError, UnknownName


def brute(model, X, name, points, weight=None, method="predict_proba"):
    """Mean answers of scikit-learn with one column set, by its own partial dependence."""
    found = partial_dependence(
        model, X, [name], custom_values={name: np.asarray(points)}, method="brute", response_method=method,
        sample_weight=weight, categorical_features=[name] if X[name].dtype.kind not in "fiu" else None,
    )  # fmt: skip
    return found["average"][0]


def by_definition(model, X, name, value):
    """Positive scores with one column set in every row, by hand."""
    copy = X.copy()
    copy[name] = pd.Series([value] * len(X), index=X.index, dtype=X[name].dtype)
    return model.predict_proba(copy)[:, 1]


@pytest.mark.parametrize("final", [LogisticRegression(max_iter=5000), HistGradientBoostingClassifier(max_iter=5)])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.slow
def test_breast_cancer_is_scikit_learns(final, weighted):
    data = load_breast_cancer(as_frame=True)
    weight = np.random.default_rng(0).uniform(0, 2, len(data.data)) if weighted else None
    model = make_pipeline(StandardScaler(), final).fit(data.data, data.target)
    effect = ts.Study(model, data.data, data.target, sample_weight=weight).effect("mean area", grid=9)
    frame = effect.frame
    assert list(frame) == ["value", "effect", "lower", "upper", "n"]
    expected = brute(model, data.data, "mean area", frame["value"], weight)
    np.testing.assert_allclose(frame["effect"], expected, rtol=0, atol=1e-12)
    assert ((frame["lower"] < frame["effect"]) & (frame["effect"] < frame["upper"])).all()
    assert (frame["n"] == len(data.data)).all()


def test_diabetes_is_scikit_learns():
    data = load_diabetes(as_frame=True)
    model = HistGradientBoostingRegressor(max_iter=5).fit(data.data, data.target)
    effect = ts.Study(model, data.data, data.target).effect("bmi", grid=12)
    expected = brute(model, data.data, "bmi", effect.frame["value"], method="auto")
    np.testing.assert_allclose(effect.frame["effect"], expected, rtol=0, atol=1e-10)
    assert (effect.response, effect.response_kind, effect._classes) == ("prediction", "value", ())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["age", "fare", "rooms", "member", "sex", "port", "grade"])
@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_every_kind_of_column_by_definition(name, container):
    model, X, y = samples.fitted()
    if container == "polars":
        frame = pl.from_pandas(X.assign(grade=X["grade"].astype(str)))

        def asked(rows):
            back = rows.to_pandas()
            grade = pd.Categorical(back["grade"], ["low", "mid", "high"], ordered=True)
            return model.predict_proba(back.assign(grade=grade, member=back["member"].astype(bool)))[:, 1]

        study = ts.Study(asked, frame, y, pos_label="yes")
    else:
        study = ts.Study(model, X, y)
    effect = study.effect(name, grid=7)
    column = X[name]
    original = {str(level): level for level in column.dropna().unique()}
    for point, found in zip(effect.frame["value"], effect.frame["effect"], strict=True):
        missing = point == "missing" or (isinstance(point, float) and np.isnan(point))
        value = (np.nan if name == "age" else None) if missing else original.get(point, point)
        assert found == pytest.approx(by_definition(model, X, name, value).mean(), abs=1e-12)
    assert (effect.frame["value"].isna().any() or "missing" in set(effect.frame["value"])) == column.isna().any()


def test_individual_curves_are_the_rows_own():
    effect = samples.study().effect("rooms")
    model, X, _ = samples.fitted()
    assert effect.ice.shape == (len(X), 4)
    for rooms in (1, 4):
        np.testing.assert_allclose(effect.ice[rooms], by_definition(model, X, "rooms", rooms), atol=1e-12)
    np.testing.assert_allclose(effect.ice.mean(), effect.frame["effect"], atol=1e-12)


@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
@pytest.mark.parametrize("spacing", ["quantile", "equidistant"])
def test_a_line_has_its_slope(kind, spacing):
    study = ts.Study(*samples.line())
    frame = study.effect("a", kind=kind, grid=11, spacing=spacing).frame
    if kind == "cd":  # rows in a window share b no better than chance, so the slope is only near
        assert np.polyfit(frame["value"], frame["effect"], 1)[0] == pytest.approx(2, abs=0.5)
    else:
        np.testing.assert_allclose(np.diff(frame["effect"]) / np.diff(frame["value"]), 2, atol=1e-9)


@pytest.mark.parametrize("option", [{"window": 0.5}, {"n_neighbors": 30}, {}])
def test_conditional_dependence_by_definition(option):
    model, X, y = samples.line()
    frame = ts.Study(model, X, y).effect("a", kind="cd", grid=[-1.0, 0.0, 1.0], **option).frame
    for _, row in frame.iterrows():
        away = (X["a"] - row["value"]).abs()
        width = option.get("window", np.ptp(X["a"]) / 18)
        near = away <= (np.sort(away)[29] if "n_neighbors" in option else width)
        copy = X[near].assign(a=row["value"])
        assert row["effect"] == pytest.approx(model.predict(copy).mean(), abs=1e-10)
        assert row["n"] == near.sum()


def test_window_without_rows_is_said_and_has_no_value():
    effect = ts.Study(*samples.line()).effect("a", kind="cd", grid=[0.0, 50.0])
    assert effect.frame["effect"].isna().tolist() == [False, True]
    assert any("no row near" in note for note in effect.notes)
    assert any("outside the observed values" in note for note in effect.notes)
    assert "outside the observed values" in repr(effect)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
@pytest.mark.parametrize("name", ["fare", "port", ("fare", "age"), ("fare", "sex")])
def test_under_a_stress_it_is_the_same_grid_and_the_same_numbers(kind, name):
    if kind == "ale" and name == ("fare", "sex"):
        return
    study, stress = samples.study(), ts.Mean("fare", tau=0.4)
    weights = study.reweight(stress).weights
    plain, stressed = study.effect(name, kind=kind), study.under(stress).effect(name, kind=kind)
    values = [column for column in plain.frame if column.startswith("value")]
    pd.testing.assert_frame_equal(plain.frame[values], stressed.frame[values])
    moved = plain._computed.reweighted(weights)
    np.testing.assert_allclose(stressed._computed.effect, moved.effect, atol=1e-12, equal_nan=True)
    assert not np.allclose(plain._computed.effect, moved.effect, equal_nan=True)
    assert stressed._weighted
    assert not plain._weighted
    if not isinstance(name, tuple):
        again = plain.under(stress)
        np.testing.assert_allclose(again.frame["moved"], stressed.frame["effect"], atol=1e-12)
        np.testing.assert_allclose(again.after.frame["lower"], stressed.frame["lower"], atol=1e-12)


@pytest.mark.parametrize(("kind", "most"), [("pd", 50), ("ale", 2), ("cd", 50)])
@pytest.mark.slow
def test_model_rows_keep_to_the_floor_and_are_counted(kind, most):
    model, X, y = samples.boosted()
    study = ts.Study(model, X, y)
    before = study.n_model_rows
    effect = study.effect("fare", kind=kind)
    assert study.n_model_rows - before == effect.n_model_rows
    assert 0 < effect.n_model_rows <= most * len(X)
    assert f"{effect.n_model_rows:,}" in effect.method
    effect.bounds(0.1)
    effect.breakdown()
    effect.under(ts.Mean("age", tau=0.3))
    assert study.n_model_rows - before == effect.n_model_rows


def test_known_answers_and_duplicates_are_not_asked_again():
    model, X, y = samples.fitted()
    effect = samples.study().effect("sex")
    assert effect.n_model_rows <= len(X)  # each row's own level is known
    twice = ts.Study(model, pd.concat([X, X], ignore_index=True), np.concatenate([y, y]))
    assert twice.effect("sex").n_model_rows <= len(X)


def test_scores_are_asked_once_a_row():
    seen = []

    class Watched(LogisticRegression):
        def predict_proba(self, X):
            seen.append(len(X))
            return super().predict_proba(X)

        def predict(self, X):
            seen.append(len(X))
            return super().predict(X)

    data = load_breast_cancer()
    model = Watched(max_iter=5000).fit(data.data[:, :3], data.target)
    study = ts.Study(model, data.data[:, :3], data.target)
    seen.clear()
    effect = study.effect(0, grid=5)
    assert sum(seen) == effect.n_model_rows <= 5 * len(data.data)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "predict_proba", "decision_function", "predict"])
@pytest.mark.parametrize("target", [None, "no", "yes"])
def test_responses_of_two_classes(method, target):
    model, X, _ = samples.fitted()
    effect = samples.study().effect("fare", grid=5, response_method=method, target_class=target)
    sign = "yes" if target is None else target
    at = float(effect.frame["value"].iloc[2])
    copy = X.assign(fare=at)
    expected = {
        "decision_function": lambda: model.decision_function(copy) * (1 if sign == "yes" else -1),
        "predict": lambda: model.predict(copy) == sign,
    }.get(method, lambda: model.predict_proba(copy)[:, list(model.classes_).index(sign)])()
    assert effect.frame["effect"].iloc[2] == pytest.approx(np.mean(expected), abs=1e-12)
    assert effect.response_kind == ("value" if method == "decision_function" else "share")
    words = {"decision_function": "score of", "predict": "share predicted"}.get(method, "probability of")
    assert effect.response == f"{words} {sign}"


@pytest.mark.slow
def test_positive_class_that_comes_first():
    model, X, y = samples.fitted()
    first = ts.Study(model, X, y, pos_label="no").effect("fare", grid=5)
    np.testing.assert_allclose(first.frame["effect"], 1 - samples.study().effect("fare", grid=5).frame["effect"])
    signed = ts.Study(model, X, y, pos_label="no", response_method="decision_function").effect("fare", grid=5)
    plain = samples.study(response_method="decision_function").effect("fare", grid=5)
    np.testing.assert_allclose(signed.frame["effect"], -plain.frame["effect"])


def test_several_classes_come_together():
    model, X, y = samples.grades()
    study = ts.Study(model, X, y)
    effect = study.effect("a", grid=6)
    frame = effect.frame
    assert list(frame)[:3] == ["class", "value", "effect"]
    assert list(frame["class"].unique()) == ["x", "y", "z"] == list(effect._classes)
    at = float(frame["value"].iloc[3])
    expected = model.predict_proba(X.assign(a=at)).mean(axis=0)
    np.testing.assert_allclose(frame[frame["value"] == at]["effect"], expected, atol=1e-12)
    one = study.effect("a", grid=6, target_class="z")
    np.testing.assert_allclose(one.frame["effect"], frame[frame["class"] == "z"]["effect"], atol=1e-12)
    assert effect.ice.loc["z"].shape == (150, 6)
    labels = study.effect("a", grid=6, response_method="predict").frame
    np.testing.assert_allclose(labels.groupby("value")["effect"].sum(), 1)


@pytest.mark.parametrize("source", ["labels", "probability", "columns", "score"])
@pytest.mark.slow
def test_functions_are_followed_as_the_study_reads_them(source):
    model, X, y = samples.fitted()
    calls = {
        "labels": model.predict,
        "probability": lambda rows: model.predict_proba(rows)[:, 1],
        "columns": lambda rows: model.predict_proba(rows),
        "score": lambda rows: model.decision_function(rows),
    }
    options = {"response_method": "decision_function"} if source == "score" else {}
    effect = ts.Study(calls[source], X, y, **options).effect("sex")
    own = samples.study().effect(
        "sex", response_method={"labels": "predict", "score": "decision_function"}.get(source, "auto")
    )
    np.testing.assert_allclose(effect.frame["effect"], own.frame["effect"], atol=1e-12)


def test_bootstrap_repeats_with_its_seed():
    first = samples.study().effect("rooms", interval="bootstrap", random_state=3)
    again = samples.study().effect("rooms", interval="bootstrap", random_state=first.random_state)
    pd.testing.assert_frame_equal(first.frame, again.frame)
    assert first.random_state == 3
    assert "bootstrap" in first.interval
    assert samples.study().effect("rooms").random_state is None


def test_confidence_widens_the_interval():
    narrow, wide = (samples.study().effect("rooms", confidence=level).frame for level in (0.5, 0.99))
    assert (wide["upper"] - wide["lower"] > narrow["upper"] - narrow["lower"]).all()


def test_dates_keep_their_type_and_are_dates_again():
    days = pd.Series(pd.date_range("2020-01-01", periods=60, freq="7D"))
    X = pd.DataFrame({"day": days, "b": np.arange(60.0)})

    def model(rows):
        assert rows["day"].dtype == X["day"].dtype
        return (rows["day"] - pd.Timestamp("2020-01-01")).dt.days + rows["b"]

    effect = ts.Study(model, X, np.arange(60.0) / 7).effect("day", grid=5)
    assert effect.frame["value"].iloc[0] == pd.Timestamp("2020-01-01")
    slope = np.diff(effect.frame["effect"]) / (np.diff(effect.frame["value"]) / np.timedelta64(1, "D"))
    np.testing.assert_allclose(slope, 1, atol=1e-9)
    assert effect.breakdown("2020-01-02", "2021-02-01").low == "2020-01-01"
    given = ts.Study(model, X, np.arange(60.0) / 7).effect("day", grid=["2020-01-08", "2020-01-01"])
    assert list(given.frame["value"]) == [pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-08")]
    with pytest.raises(InputError, match="no row has 2020-01-02"):
        ts.Study(model, X, np.arange(60.0) / 7).effect("day", grid=["2020-01-02"])


def test_given_points_levels_and_missing():
    study = samples.study()
    assert list(study.effect("port", grid=["S", "missing"]).frame["value"]) == ["S", "missing"]
    assert list(study.effect("port", grid=["S", None]).frame["value"]) == ["S", "missing"]
    points = study.effect("age", grid=[20, None, 40]).frame["value"]
    assert points.tolist()[:2] == [20, 40]
    assert np.isnan(points.iloc[2])
    assert study.effect("rooms", grid=[1, 2]).frame["value"].dtype == np.int64


def test_many_levels_keep_the_most_frequent_and_say_so():
    X = pd.DataFrame({"name": [f"n{i % 9}" for i in range(30)] + ["n0"] * 9, "b": np.arange(39.0)})
    effect = ts.Study(lambda rows: rows["b"] + (rows["name"] == "n0"), X, X["b"]).effect("name", grid=3)
    assert "n0" in set(effect.frame["value"])
    assert len(effect.frame) == 3
    assert "the 3 most frequent of 9 levels of name" in effect.notes[0]


@pytest.mark.slow
def test_two_features_by_definition():
    model, X, _ = samples.fitted()
    effect = samples.study().effect(["rooms", "sex"])
    assert list(effect.frame)[:3] == ["value_1", "value_2", "effect"]
    for _, row in effect.frame.iterrows():
        copy = X.assign(rooms=row["value_1"], sex=row["value_2"])
        assert row["effect"] == pytest.approx(model.predict_proba(copy)[:, 1].mean(), abs=1e-12)
    grid = samples.study().effect(("fare", "age"), grid=(4, [20.0, 30.0]))
    assert [len(axis) for axis in grid._axes] == [4, 2]
    assert max(len(axis) for axis in samples.study().effect(("fare", "age"))._axes) <= 21


def test_accumulated_effect_keeps_the_order_of_ordered_levels():
    assert list(samples.study().effect("grade", kind="ale").frame["value"]) == ["low", "mid", "high"]
    assert list(samples.study().effect("member", kind="ale").frame["value"]) == ["False", "True"]
    ale = samples.study().effect("port", kind="ale")._computed
    assert float(ale.effect[0] @ ale.mass) == pytest.approx(0, abs=1e-9)


def test_memory_for_curves_can_be_withheld():
    effect = samples.study().effect("rooms", ice_bytes=0)
    np.testing.assert_allclose(effect.frame["effect"], samples.study().effect("rooms").frame["effect"], atol=1e-12)
    for refused in (lambda: effect.bounds(0.1), lambda: effect.ice, effect.breakdown):
        with pytest.raises(InputError, match="individual curves were not kept"):
            refused()


def test_an_interrupt_leaves_what_there_is():
    model, X, y = samples.fitted()
    calls = []

    def interrupted(rows):
        calls.append(len(rows))
        if len(calls) == 5:
            raise KeyboardInterrupt
        return model.predict_proba(rows)[:, 1]

    effect = ts.Study(interrupted, X, y, pos_label="yes", batch_rows=120).effect("rooms", progress=False)
    assert effect.status == "stopped"
    assert effect.message.startswith("stopped after")
    assert effect.message in repr(effect)
    assert 0 < effect.frame["n"].iloc[0] < len(X)


def test_arrays_of_whole_numbers_and_of_objects():
    random = np.random.default_rng(0)
    X = random.integers(0, 6, (80, 3))
    y = (X[:, 0] > 2).astype(int)
    model = RandomForestClassifier(5, random_state=0).fit(X, y)
    effect = ts.Study(model, X, y).effect("x0")
    copy = X.copy()
    copy[:, 0] = 4
    assert effect.frame["effect"].iloc[4] == pytest.approx(model.predict_proba(copy)[:, 1].mean(), abs=1e-12)
    mixed = np.column_stack([X.astype(object), np.where(y, "a", "b").astype(object)])
    found = ts.Study(lambda rows: (rows[:, 3] == "a").astype(float), mixed, y).effect(3)
    assert found.frame["effect"].tolist() == [1.0, 0.0]


@pytest.mark.slow
def test_batches_keep_to_the_studys_size():
    sizes = []
    model, X, y = samples.fitted()

    def asked(rows):
        sizes.append(len(rows))
        return model.predict_proba(rows)[:, 1]

    study = ts.Study(asked, X, y, pos_label="yes", batch_rows=100)
    sizes.clear()
    study.effect("fare", grid=20)
    assert max(sizes) <= 100


def test_errors_of_the_model_say_when_they_came():
    def fragile(rows):
        if (rows["fare"] == rows["fare"].iloc[0]).all() and len(rows) > 1:
            raise ValueError("no variance")
        return np.zeros(len(rows))

    X = samples.fitted()[1]
    study = ts.Study(fragile, X, np.arange(len(X)) / 7, batch_rows=len(X))
    with pytest.raises(ValueError, match="no variance") as caught:
        study.effect("fare", grid=[1.0])
    assert "with values put in" in caught.value.__notes__[0]


@pytest.mark.slow
@pytest.mark.parametrize("store", ["memory", "chunks"])
@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("agee",), UnknownName, "Nearest: 'age'"),
        ((9,), UnknownName, "numbered 0 to 6"),
        ((1.5,), InputTypeError, "name or position"),
        ((("age", "age"),), InputError, "two different"),
        ((("age", "fare", "sex"),), InputError, "two different"),
        ((("age", 1.5),), InputTypeError, "name or position"),
        (("age", {"kind": "pdp"}), InputError, "pd, cd, ale"),
        (("age", {"grid": 1}), InputError, "two points"),
        (("age", {"grid": "ten"}), InputTypeError, "number of points"),
        (("age", {"grid": True}), InputTypeError, "number of points"),
        (("age", {"grid": []}), InputError, "at least one point"),
        (("age", {"grid": ["old"]}), InputTypeError, "takes numbers"),
        (("rooms", {"grid": [1.5]}), InputError, "must fit its type, int64"),
        (("rooms", {"grid": [1, None]}), InputError, "no row has a missing value"),
        (("sex", {"grid": ["femal"]}), UnknownName, "Nearest: 'female'"),
        (("sex", {"grid": ["female", "missing"]}), InputError, "no row has a missing value"),
        ((("age", "fare"), {"grid": [3]}), InputTypeError, "one grid for each"),
        (("age", {"spacing": "log"}), InputError, "quantile, equidistant"),
        (("age", {"interval": "jackknife"}), InputError, "analytic, bootstrap"),
        (("age", {"confidence": 1.0}), InputError, "strictly between"),
        (("age", {"response_method": "score"}), InputError, "must be one of"),
        (("age", {"target_class": "maybe"}), UnknownName, "There is no class 'maybe'"),
        (("age", {"window": 2.0}), InputError, "kind='cd'"),
        (("age", {"kind": "cd", "window": "wide"}), InputTypeError, "half a width"),
        (("age", {"kind": "cd", "window": -1}), InputError, "positive"),
    ],
)
def test_bad_input_says_the_rule_and_the_next_step(store, arguments, error, words):
    name, *options = arguments
    with pytest.raises(error, match=words):
        study_in(store, *samples.fitted()).effect(name, **(options[0] if options else {}))


@pytest.mark.parametrize(
    ("name", "options", "error", "words"),
    [
        ("age", {"kind": "cd", "window": 2.0, "n_neighbors": 3}, InputError, "one of the two"),
        ("age", {"kind": "cd", "n_neighbors": 2.5}, InputTypeError, "a whole number"),
        ("age", {"kind": "cd", "n_neighbors": 0}, InputError, "at least 1"),
        (("sex", "age"), {"kind": "ale"}, InputError, "'sex' holds levels"),
    ],
)
def test_bad_input_of_what_only_rows_in_memory_answer(name, options, error, words):
    with pytest.raises(error, match=words):
        samples.study().effect(name, **options)


@pytest.mark.parametrize("store", ["memory", "chunks"])
@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (np.ones(40), "every observed value is 1"),
        (np.full(40, np.nan), "every value is missing"),
        (["one"] * 40, "every row has 'one'"),
    ],
)
def test_constant_features_have_no_effect(store, column, reason):
    X = pd.DataFrame({"c": column, "b": np.arange(40.0)})
    with pytest.raises(InputError, match=f"at least two different values; 'c': {reason}"):
        study_in(store, lambda rows: rows["b"], X, X["b"]).effect("c")


def test_a_study_of_predictions_has_no_effects():
    X, y = samples.passengers()
    with pytest.raises(InputError, match="Only a study of a model has effects"):
        ts.Study.from_predictions(X, y, y).effect("age")


def test_methods_that_the_model_lacks():
    data = load_breast_cancer()
    model = LinearSVC().fit(StandardScaler().fit_transform(data.data[:, :3]), data.target)
    study = ts.Study(model, data.data[:, :3], data.target)
    assert study.effect(0, grid=3).response == "score of 1"
    with pytest.raises(InputError, match="has no predict_proba"):
        study.effect(0, response_method="predict_proba")
    line = ts.Study(*samples.line())
    with pytest.raises(InputError, match="is a regressor"):
        line.effect("a", response_method="predict_proba")
    with pytest.raises(InputError, match="A regression has no classes"):
        line.effect("a", target_class=1)


@pytest.mark.parametrize("kind", ["pd", "cd"])
@pytest.mark.parametrize("response_method", ["auto", "predict"])
@pytest.mark.slow
def test_intervals_of_probabilities_stay_between_0_and_1(kind, response_method):
    rows = pd.DataFrame({"a": np.linspace(-3, 3, 40), "b": np.cos(np.arange(40))})
    steep = LogisticRegression(C=100).fit(rows, rows["a"] + rows["b"] > 1.5)
    study = ts.Study(steep, rows, rows["a"] + rows["b"] > 1.5)
    effect = study.effect("a", kind=kind, grid=12, response_method=response_method)
    ends = effect.frame[["lower", "effect", "upper"]].dropna()
    assert (ends.to_numpy() >= 0).all()
    assert (ends.to_numpy() <= 1).all()
    assert (ends["lower"] <= ends["effect"]).all()
    assert (ends["effect"] <= ends["upper"]).all()
    assert effect.interval.endswith("the model held fixed (Student t on the logit scale)")
    moved = effect.under(ts.Mean("b", tau=0.5))
    assert ((moved.frame["lower"].dropna() >= 0) & (moved.frame["upper"].dropna() <= 1)).all()
    under = study.under(ts.Mean("b", tau=0.5)).effect("a", kind=kind, grid=12, response_method=response_method)
    assert under.interval.endswith("(Student t on the logit scale), the weights taken as known")


def test_intervals_of_differences_and_values_are_even():
    rows = pd.DataFrame({"a": [0.0, 1, 2], "b": [3.2, 5.1, 4.7]})
    value = ts.Study(lambda rows: rows["b"], rows, rows["b"]).effect("a")
    for effect in (samples.study().effect("fare", kind="ale"), value):
        above, below = effect.frame["upper"] - effect.frame["effect"], effect.frame["effect"] - effect.frame["lower"]
        assert above.to_numpy() == pytest.approx(below.to_numpy())
        assert effect.interval.endswith("(Student t)")
