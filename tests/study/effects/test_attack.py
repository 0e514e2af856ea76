"""The verb against its definition: rows perturbed by hand, the curve recomputed, bounds that hold."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tauscope as ts
from results.effects import samples
from tauscope.errors import InputError, InputTypeError, UnknownName

OPTIONS = {
    "greedy": {"budget": 0.2, "n_candidates": 20},
    "gaussian": {"sigma": (0.1, 0.5), "repeats": 2},
    "genetic": {"population": 10, "iterations": 6},
}


def mean_answer(model, X, name, value, weight=None):
    copy = X.copy()
    copy[name] = value
    return np.average(model.predict_proba(copy)[:, 1], weights=weight)


@pytest.mark.slow
@pytest.mark.parametrize("method", OPTIONS)
@pytest.mark.parametrize("weighted", [False, True])
def test_after_is_the_curve_of_the_perturbed_rows(method, weighted):
    model, X, y = samples.fitted()
    weight = np.random.default_rng(5).uniform(0.2, 2, len(X)) if weighted else None
    study = ts.Study(model, X, y, sample_weight=weight)
    found = study.attack("age", method, columns=["fare", "rooms"], random_state=0, grid=5, **OPTIONS[method])
    value = found.before.frame["value"][found._place]
    moved = found.perturbed_rows()
    kept = [name for name in X if name not in ("fare", "rooms")]
    pd.testing.assert_frame_equal(moved[kept], X[kept])
    assert (moved.dtypes == X.dtypes).all()
    assert found.attack.before == pytest.approx(mean_answer(model, X, "age", value, weight), abs=1e-12)
    assert found.attack.after == pytest.approx(mean_answer(model, moved, "age", value, weight), abs=1e-12)
    for _, point in found.curve.iterrows():
        if np.isnan(point["value"]):
            continue
        assert point["before"] == pytest.approx(mean_answer(model, X, "age", point["value"], weight), abs=1e-12)
        assert point["after"] == pytest.approx(mean_answer(model, moved, "age", point["value"], weight), abs=1e-12)
    curve = found.curve
    assert (curve["change"].abs() <= curve["certified"] + 1e-12).all()
    verdicts = found.verdicts
    assert list(verdicts["status"]) == ["estimated", "certified", "certified", "certified"]
    assert verdicts["holds"][verdicts["status"] == "certified"].all()
    assert ((verdicts["lower"] < 0) & (verdicts["upper"] > 0)).all()
    assert repr(found).count("  certified for this change, ") == 3
    assert "  certified, " not in repr(found)
    assert study.n_model_rows >= found.n_model_rows > 0


@pytest.mark.slow
def test_one_row_for_each_attack_and_the_strongest_shown():
    found = samples.study().attack("age", "gaussian", columns=["fare"], random_state=3, sigma=(0.1, 1.0), repeats=3)
    frame = found.frame
    assert frame["sigma"].tolist() == [0.1] * 3 + [1.0] * 3
    assert frame["repeat"].tolist() == [0, 1, 2] * 2
    assert abs(frame["change"][found.strongest]) == frame["change"].abs().max()
    assert found.random_state == 3
    assert len(samples.study().attack("age", "gaussian", columns=[1], sigma=0.2, repeats=1).frame) == 1


@pytest.mark.slow
def test_a_search_goes_where_it_aims():
    study = samples.study()
    options = {"columns": ["fare"], "random_state": 0, "budget": 0.5}
    up, down = (study.attack("age", aim=aim, **options).attack for aim in ("high", "low"))
    assert down.after < down.before < up.after
    near = study.attack("age", aim=up.before + 0.02, **options)
    assert up.before < near.attack.after <= up.before + 0.02 + 1e-12
    sparse = study.attack("age", "genetic", columns=["fare"], random_state=0, population=8, iterations=4)
    assert sparse.attack.after >= sparse.attack.before
    published = study.attack(
        "age", "genetic", columns=["fare"], random_state=0, search="published", population=8, iterations=4
    )
    assert len(published.attack.history) == 4


def test_a_search_that_finds_nothing_says_so():
    X = pd.DataFrame({"a": np.arange(50.0), "b": np.arange(50.0) % 7, "c": np.ones(50) * np.arange(50) % 3})
    found = ts.Study(lambda rows: rows["a"] / 50, X, X["a"] / 50).attack("a", columns=["b"], random_state=0)
    assert not found.moved_towards_aim
    assert found.sentence == "no change of b was found that moves the curve at 24 towards high"


def test_the_columns_are_by_default_those_that_matter():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(700, 5)), columns=list("abcde"))
    study = ts.Study(lambda rows: rows["a"] + 3 * rows["d"] + 2 * rows["b"] + 0.1 * rows["e"], X)
    found = study.attack("a", random_state=0)
    assert found.columns == ("d", "b")
    assert "500 rows" in found.notes[0]
    assert ts.Study(lambda rows: rows["a"] + rows["b"], X[["a", "b"]]).attack("a", random_state=0).columns == ("b",)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd"])
def test_levels_missing_values_and_kinds(kind):
    study = samples.study()
    found = study.attack("port", at="Q", kind=kind, columns=["sex", "age"], random_state=0)
    assert found.at == "Q"
    assert set(found.perturbed_rows()["sex"]) <= {"female", "male"}
    assert found.summary["mean_after"].isna().tolist() == [True, False]
    assert study.attack("port", random_state=0, columns=["fare"]).at == "S"
    lacking = study.attack(
        "age", at=None, columns=["fare"], kind=kind, random_state=0, window=5.0 if kind == "cd" else None
    )
    assert np.isnan(lacking.before.frame["value"]).sum() == 1
    if kind == "cd":
        assert lacking.attack.rows.size < 240


def test_polars_rows_stay_polars():
    frame = pl.DataFrame({"a": np.arange(40.0), "b": np.arange(40) % 5})
    found = ts.Study(lambda rows: rows["a"].to_numpy() + rows["b"].to_numpy(), frame).attack("a", random_state=0)
    moved = found.perturbed_rows()
    assert isinstance(moved, pl.DataFrame)
    assert moved["b"].dtype == frame["b"].dtype


def test_one_of_several_classes():
    model, X, y = samples.grades()
    study = ts.Study(model, X, y)
    with pytest.raises(InputError, match="curve of one class; there are 'x', 'y', 'z'"):
        study.attack("a")
    assert study.attack("a", target_class="z", random_state=0).before._classes == ("z",)


@pytest.mark.slow
def test_known_range_and_unclipped_noise():
    study = samples.study()
    known = study.attack("age", columns=["fare"], output_range=(0, 1), random_state=0)
    assert known.frame["oscillation_bound"][0] == pytest.approx(known.attack.exact_tv)
    options = {"columns": ["fare"], "sigma": 3.0, "repeats": 1, "random_state": 0}
    wild = study.attack("age", "gaussian", clip=False, **options).summary
    assert wild["highest_after"][0] > wild["highest_before"][0]
    assert study.attack("age", "gaussian", **options).summary["highest_after"][0] <= wild["highest_before"][0]
    unit = study.attack(
        "age", "gaussian", columns=["fare"], sigma=(1.0, 1.0), repeats=2, relative=False, accumulate=True
    )
    assert len(unit.attacks) == 4


@pytest.mark.parametrize("method", OPTIONS)
@pytest.mark.slow
def test_a_callback_stops_it_with_what_it_has(method):
    seen = []

    def stop(done, total):
        seen.append((done, total))
        return total < 200 and done == 2

    options = {"gaussian": {"repeats": 5}, "greedy": {}, "genetic": {"population": 6, "iterations": 50}}[method]
    found = samples.study().attack("age", method, columns=["fare"], callback=stop, random_state=0, **options)
    assert seen[-1][0] == 2
    if method == "gaussian":
        assert len(found.attacks) == 2
    else:
        assert found.status == "stopped"
        assert found.message.startswith("stopped after 2 of")
        assert found.message in repr(found)


@pytest.mark.parametrize("method", OPTIONS)
def test_an_interrupt_leaves_the_best_so_far(method):
    model, X, y = samples.line()
    left = [10_000]

    def asked(rows):
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        return model.predict(rows)

    study = ts.Study(asked, X, y)
    study.effect("a", grid=20)
    left[0] = 5
    options = {"gaussian": {}, "greedy": {}, "genetic": {"population": 6, "iterations": 50}}[method]
    found = study.attack("a", method, columns=["b"], random_state=0, **options)
    assert len(found.attacks) < 25
    assert method == "gaussian" or (found.status == "stopped" and found.message.startswith("stopped after"))


@pytest.mark.slow
def test_words_charts_and_files(tmp_path):
    found = samples.study().attack("age", random_state=0)
    text = repr(found)
    assert "attacked by greedy search" in text
    assert "estimated, the paper's, 2 B times the histogram distance" in text
    chart = found.chart().to_dict()
    (records,) = chart["datasets"].values()
    assert [record["marked"] for record in records].index(True) == found._place
    samples.study().attack("sex", columns=["fare"], random_state=0).chart().to_dict()
    for ending in ("csv", "json", "html"):
        found.save(tmp_path / f"attack.{ending}")
    document = json.loads((tmp_path / "attack.json").read_text())["summary"]
    assert document["schema"] == "tauscope.effect_attack"
    assert document["random_state"] == 0
    assert len(document["curve"]) == len(found.curve)
    lacking = samples.study().attack("fare", "gaussian", columns=["age"], sigma=0.1, repeats=1)
    assert "unknown, a perturbed column has missing values" in repr(lacking)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"method": "annealing"}, InputError, "method must be one of gaussian, greedy, genetic; got 'annealing'"),
        ({"kind": "ale"}, InputError, "partial or conditional dependence"),
        ({"method": "gaussian", "aim": "low"}, InputTypeError, "takes accumulate, relative, repeats, sigma; got aim"),
        ({"columns": ["age"]}, InputError, "own feature keeps its values"),
        ({"columns": []}, InputError, "each once and at least one"),
        ({"columns": ["fare", "fare"]}, InputError, "each once"),
        ({"columns": ["fair"]}, UnknownName, "fare"),
        ({"columns": 1.5}, InputTypeError, "names or positions"),
        ({"columns": ["sex"], "method": "gaussian"}, InputError, "'sex' holds levels"),
        ({"at": [30, 40]}, InputTypeError, "one value, not several"),
        ({"method": "genetic", "search": "simulated"}, InputError, "search must be one of published, sparse"),
        ({"budget": 0.0}, InputError, "budget must lie in"),
        ({"aim": "sideways"}, InputError, "aim must be 'high', 'low' or a finite number"),
    ],
)
@pytest.mark.slow
def test_what_is_refused(options, error, words):
    with pytest.raises(error, match=words):
        samples.study().attack("age", **options)


def test_no_numbers_to_perturb():
    _, X, y = samples.fitted()
    study = ts.Study(lambda rows: (rows["sex"] == "male").to_numpy(dtype=float), X[["fare", "sex"]], y, pos_label="yes")
    with pytest.raises(InputError, match="no column of numbers besides 'fare'"):
        study.attack("fare")
    assert study.attack("fare", columns=["sex"], random_state=0).moved_towards_aim


def test_noise_leaves_levels_of_one_hot_columns_alone():
    random = np.random.default_rng(0)
    city = pd.get_dummies(pd.Series(random.choice(list("abcd"), 80)), prefix="city", drop_first=True, dtype=float)
    X = pd.concat([pd.DataFrame({"age": random.normal(size=80), "fare": random.normal(size=80)}), city], axis=1)

    def model(rows):
        return rows["age"].to_numpy() + 9 * rows["city_b"].to_numpy() + 0.1 * rows["fare"].to_numpy()

    found = ts.Study(model, X, model(X)).attack("age", "gaussian", random_state=0, grid=5, sigma=0.5, repeats=2)
    assert found.perturbed_rows()[list(city)].equals(city)
