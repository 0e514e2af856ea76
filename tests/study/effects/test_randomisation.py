"""The verb against copies of the model disturbed by hand, and modules that are put back as they were."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tauscope as ts
from results.effects import samples
from tauscope.effects import disturb_layers, disturb_parameters, mlp_layers, mlp_with_layers, resample_rows
from tauscope.errors import InputError, InputTypeError

RANDOM = np.random.default_rng(0)
X = pd.DataFrame(RANDOM.normal(size=(160, 3)), columns=list("abc")).assign(two=np.arange(160) % 2)
Y = np.where(X["a"] + X["b"] * X["c"] > 0, "up", "down")
VALUES = X["a"] - X["b"].to_numpy() ** 2


pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def network():
    return make_pipeline(StandardScaler(), MLPClassifier((6, 5), max_iter=40, random_state=0)).fit(X, Y)


def seeds(seed, repeat):
    return int(np.random.SeedSequence([seed, repeat]).generate_state(1)[0])


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_layers_are_disturbed_last_to_first(network, weighted):
    weight = np.random.default_rng(1).uniform(0.5, 2, len(X)) if weighted else None
    study = ts.Study(network, X, Y, sample_weight=weight)
    found = study.randomize_model(["a"], sigma=(0.2, 1.0), repeats=2, grid=5, n_rows=None, random_state=7)
    assert found.steps == ("layer 3, the last", "layers 2 to 3", "all 3 layers")
    assert found.method == "layers"
    points = np.linspace(X["a"].min(), X["a"].max(), 5)

    def curve(model):
        return np.array([np.average(model.predict_proba(X.assign(a=point))[:, 1], weights=weight) for point in points])

    frame = found.frame
    assert len(frame) == 2 * 3 * 2
    assert found.original_score == pytest.approx(np.average(network.predict(X) == Y, weights=weight))
    for repeat in range(2):
        for sigma in (0.2, 1.0):
            layers = disturb_layers(mlp_layers(network[-1]), sigma=sigma, random_state=seeds(7, repeat))
            for step, disturbed in zip(found.steps, layers, strict=True):
                other = make_pipeline(network[0], mlp_with_layers(network[-1], disturbed))
                row = frame[(frame["sigma"] == sigma) & (frame["step"] == step) & (frame["repeat"] == repeat)].iloc[0]
                assert row["change"] == pytest.approx(np.abs(curve(other) - curve(network)).mean(), abs=1e-12)
                assert row["score"] == pytest.approx(np.average(other.predict(X) == Y, weights=weight))
                assert row["change"] <= row["bound"]


@pytest.mark.slow
def test_every_kind_beside_the_others(network):
    found = ts.Study(network, X, Y).randomize_model(
        kind=["pd", "cd", "ale", "dale"], sigma=0.3, repeats=2, n_rows=100, random_state=0
    )
    assert found.feature_names == ("a", "b", "c")
    summary = found.summary
    assert summary["kind"].tolist() == ["pd"] * 3 + ["cd"] * 3 + ["ale"] * 3 + ["dale"] * 3
    assert summary["n_layers"].tolist() == [1, 2, 3] * 4
    assert (summary["repeats"] == 2).all()
    assert (summary["change"] > 0).all()
    assert found.frame["change"].notna().all()
    assert "curves on 100 of 160 rows" in found.notes[0]


@pytest.mark.slow
def test_noise_may_saturate_a_network_but_the_model_itself_must_be_smooth():
    steep = MLPClassifier((8, 8), random_state=0, max_iter=40).fit(10 * X[["a", "b", "c"]], Y)
    study = ts.Study(steep, 10 * X[["a", "b", "c"]], Y)
    found = study.randomize_model(["a"], kind="dale", sigma=10, repeats=1, n_rows=60, random_state=0)
    assert found.status == "complete"
    assert np.isfinite(found.frame["change"]).all()
    trees = ts.Study(RandomForestClassifier(5, random_state=0).fit(X, Y), X, Y)
    with pytest.raises(InputError, match="need a smooth model"):
        trees.randomize_model(["a"], kind="dale", repeats=1, n_rows=60, random_state=0)


@pytest.mark.slow
def test_a_network_inside_a_search_and_a_regression():
    search = GridSearchCV(MLPClassifier((4,), max_iter=20, random_state=0), {"alpha": [1e-4]}, cv=2).fit(X, Y)
    found = ts.Study(search, X, Y).randomize_model(["a"], sigma=1.0, repeats=1, grid=3, random_state=0)
    assert found.steps == ("layer 2, the last", "all 2 layers")
    assert (found.frame["change"] > 0).all()
    line = MLPRegressor(hidden_layer_sizes=(4,), max_iter=20, random_state=0).fit(X, VALUES)
    study = ts.Study(line, X, VALUES, sample_weight=np.linspace(0.5, 1.5, len(X)))
    found = study.randomize_model(["a"], sigma=1.0, repeats=1, grid=3, random_state=0)
    assert found.score_name == "R²"
    assert found.original_score == pytest.approx(line.score(X, VALUES, sample_weight=np.linspace(0.5, 1.5, len(X))))
    assert "R²" in repr(found)
    blind = ts.Study(line, X).randomize_model(["a"], sigma=1.0, repeats=1, grid=3, random_state=0)
    assert np.isnan(blind.original_score)
    assert blind.score_name == ""


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.slow
def test_a_model_without_layers_is_fitted_anew(weighted):
    weight = np.random.default_rng(1).uniform(0.5, 2, len(X)) if weighted else None
    forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, Y)
    found = ts.Study(forest, X, Y, sample_weight=weight).randomize_model(
        ["a", "b"], repeats=3, grid=4, n_rows=None, random_state=2
    )
    assert found.method == "refit"
    codes = (Y == "up").astype(int)
    rows = resample_rows(len(X), codes, sample_weight=weight, random_state=seeds(2, 1))
    other = clone(forest).fit(X.iloc[rows], Y[rows])
    left = np.setdiff1d(np.arange(len(X)), rows)
    row = found.frame[(found.frame["repeat"] == 1) & (found.frame["feature"] == "b")].iloc[0]
    grid = np.linspace(X["b"].min(), X["b"].max(), 4)
    apart = [
        np.average(other.predict_proba(X.assign(b=point))[:, 1] - forest.predict_proba(X.assign(b=point))[:, 1],
                   weights=weight)
        for point in grid
    ]  # fmt: skip
    assert row["change"] == pytest.approx(np.abs(apart).mean(), abs=1e-12)
    mass = None if weight is None else weight[left]
    assert row["score"] == pytest.approx(np.average(other.predict(X.iloc[left]) == Y[left], weights=mass))
    assert "scored on the rows each draw left out" in found.notes[-1]
    assert found.summary["n_layers"].tolist() == [0]
    line = LinearRegression().fit(X, VALUES)
    assert (
        ts.Study(line, X, VALUES).randomize_model(["a"], repeats=2, grid=3, random_state=0).score_name.startswith("R²")
    )


def test_refits_can_be_asked_for_of_a_network(network):
    found = ts.Study(network, X, Y).randomize_model(["a"], method="refit", repeats=1, grid=3, random_state=0)
    assert found.method == "refit"


class Tensor:
    """As much of a torch tensor as is asked of one."""

    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.float32)

    data = property(lambda self: self)

    def detach(self):
        return self

    cpu = detach

    def numpy(self):
        return self.values

    def new_tensor(self, values):
        return Tensor(values)

    def copy_(self, other):
        self.values[...] = other.values


class Module:
    """Two layers, named as torch names those of a Sequential."""

    def __init__(self):
        random = np.random.default_rng(3)
        self.layers = {"0": (random.normal(size=(3, 4)), random.normal(size=4)), "2": (random.normal(size=(4, 1)),)}
        self.layers = {name: tuple(Tensor(one) for one in group) for name, group in self.layers.items()}

    def named_parameters(self):
        for name, group in self.layers.items():
            for kind, tensor in zip(("weight", "bias"), group, strict=False):
                yield f"{name}.{kind}", tensor

    def __call__(self, rows):
        (weight, bias), (last,) = (tuple(one.values for one in group) for group in self.layers.values())
        return 1 / (1 + np.exp(-np.tanh(rows @ weight + bias) @ last))[:, 0]


class Broken(Module):
    """A module that fails once its last layer is disturbed."""

    def __init__(self):
        super().__init__()
        self.last = self.layers["2"][0].values.copy()

    def __call__(self, rows):
        if not np.array_equal(self.layers["2"][0].values, self.last):
            raise RuntimeError("broken")
        return super().__call__(rows)


def test_a_module_is_disturbed_and_put_back():
    module = Module()
    before = [tensor.values.copy() for _, tensor in module.named_parameters()]
    rows = X[["a", "b", "c"]].to_numpy()
    study = ts.Study(module, rows, Y, pos_label="up")
    found = study.randomize_model([0], module=module, sigma=0.5, repeats=2, grid=4, n_rows=None, random_state=1)
    assert found.steps == ("layer 2, the last (2)", "all 2 layers (0)")
    after = [tensor.values for _, tensor in module.named_parameters()]
    assert all(np.array_equal(one, two) for one, two in zip(before, after, strict=True))

    groups = [tuple(np.float64(one) for one in before[:2]), (np.float64(before[2]),)]
    *_, every = disturb_parameters(groups, sigma=0.5, random_state=seeds(1, 0))
    other = Module()
    for (_, tensor), values in zip(other.named_parameters(), [*every[0], *every[1]], strict=True):
        tensor.values[...] = values
    points = np.linspace(rows[:, 0].min(), rows[:, 0].max(), 4)
    apart = []
    for point in points:
        copy = rows.copy()
        copy[:, 0] = point
        apart.append(np.mean(other(copy)) - np.mean(module(copy)))
    row = found.frame[(found.frame["step"] == found.steps[1]) & (found.frame["repeat"] == 0)].iloc[0]
    assert row["change"] == pytest.approx(np.abs(apart).mean(), rel=1e-6)
    assert ts.Study(module, rows, Y, pos_label="up").randomize_model([0], repeats=1, sigma=0.1).steps == found.steps


def test_a_module_is_put_back_when_it_fails():
    module = Broken()
    rows = X[["a", "b", "c"]].to_numpy()
    study = ts.Study(module, rows, Y, pos_label="up")
    with pytest.raises(RuntimeError, match="broken"):
        study.randomize_model([0], module=module, sigma=0.5, repeats=1)
    assert np.array_equal(module.layers["2"][0].values, module.last)


def test_several_classes():
    model, rows, y = samples.grades()
    found = ts.Study(model, rows, y).randomize_model(["a"], repeats=2, grid=3, random_state=0)
    assert found.frame["class"].unique().tolist() == ["x", "y", "z"]
    one = ts.Study(model, rows, y).randomize_model(["a"], repeats=2, grid=3, random_state=0, target_class="y")
    assert "class" not in one.frame
    labels = ts.Study(model, rows, y).randomize_model(["a"], repeats=1, grid=3, response_method="predict")
    assert labels.response == "share predicted each class"


def test_stopping(network):
    seen = []

    def stop(done, total):
        seen.append((done, total))
        return done == 2

    study = ts.Study(network, X, Y)
    found = study.randomize_model(["a"], sigma=0.2, repeats=3, grid=3, callback=stop, random_state=0)
    assert seen == [(1, 9), (2, 9)]
    assert (found.status, found.message) == ("stopped", "stopped after 2 of 9 models: run it again for all")
    assert len(found.frame) == 2
    assert found.message in repr(found)

    left = [1_000]

    def asked(rows):
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        return module(rows)

    module = Module()
    interrupted = ts.Study(asked, X[["a", "b", "c"]].to_numpy(), Y, pos_label="up")
    left[0] = 6
    found = interrupted.randomize_model([0], module=module, sigma=0.2, repeats=3, grid=3, random_state=0)
    assert found.status == "stopped"
    assert found.message.startswith("stopped after")
    left[0] = 1
    with pytest.raises(KeyboardInterrupt):
        interrupted.randomize_model([0], module=module, sigma=0.2, repeats=3, grid=3, random_state=0)


@pytest.mark.slow
def test_words_charts_and_files(network, tmp_path):
    layers = ts.Study(network, X, Y).randomize_model(kind=["pd", "ale"], sigma=0.3, repeats=2, random_state=0)
    refits = ts.Study(LogisticRegression().fit(X, Y), X, Y).randomize_model(repeats=2, random_state=0)
    assert "layers 2 to 3: moved" in repr(layers)
    assert "accuracy on the rows left out" in repr(refits)
    layers.save(tmp_path / "0.html")
    for number, found in enumerate((layers, refits)):
        assert len(found.chart().to_dict()["concat"]) == len(found.kinds) + 1
        for ending in ("csv", "json"):
            found.save(tmp_path / f"{number}.{ending}")
        document = json.loads((tmp_path / f"{number}.json").read_text())["summary"]
        assert document["schema"] == "tauscope.randomized_model"
        assert len(document["records"]) == len(found.frame)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"kind": "shap"}, InputError, "one or several of pd, cd, ale, dale"),
        ({"kind": []}, InputError, "one or several"),
        ({"sigma": 0}, InputError, "sigma must be positive"),
        ({"sigma": []}, InputError, "sigma must be positive"),
        ({"repeats": 0}, InputError, "repeats must be a number of draws"),
        ({"grid": 1}, InputError, "grid must be a number of points"),
        ({"n_rows": 0}, InputError, "n_rows must be a number of rows"),
        ({"method": "weights"}, InputError, "method must be one of auto, layers, refit"),
        ({"method": "layers"}, InputTypeError, "LogisticRegression has none"),
        ({"method": "refit", "module": Module()}, InputError, "takes no module"),
        ({"module": "net"}, InputTypeError, "must be a torch module"),
        ({"features": ["sex"]}, InputError, "'sex' holds levels"),
    ],
)
@pytest.mark.slow
def test_what_is_refused(options, error, words):
    with pytest.raises(error, match=words):
        samples.study().randomize_model(**options)


def test_what_cannot_be_fitted_anew_or_has_no_numbers():
    model, rows, y = samples.fitted()
    with pytest.raises(InputError, match="this study has none"):
        ts.Study(model, rows).randomize_model()
    with pytest.raises(InputTypeError, match="needs a scikit-learn estimator"):
        ts.Study(lambda X: np.zeros(len(X)), rows, y, pos_label="yes").randomize_model(method="refit")
    sexes = ts.Study(lambda X: (X["sex"] == "male").to_numpy(float), rows[["sex", "member"]], y, pos_label="yes")
    with pytest.raises(InputError, match="No column of numbers takes 3"):
        sexes.randomize_model(module=Module())
    none = type("Empty", (), {"named_parameters": lambda self: iter(())})()
    with pytest.raises(InputError, match="no parameters"):
        sexes.randomize_model(module=none)
