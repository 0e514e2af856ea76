import numpy as np
import pytest

from effects.models import Counting, data
from tauscope.effects import (
    AttackTarget,
    BatchOptions,
    GeneticSearch,
    TotalVariation,
    Window,
    custom_grid,
    exact_distance,
    gaussian_attack,
    genetic_attack,
    greedy_attack,
    histogram_distance,
    partial_dependence,
)
from tauscope.errors import InputError

X = data(200, 4)
WEIGHTS = np.random.default_rng(1).exponential(size=len(X))


def model(rows):
    return 1 / (1 + np.exp(-(rows[:, 0] + 2 * rows[:, 1] - rows[:, 2] * rows[:, 3])))


def point(predict=model, **options):
    return AttackTarget(predict, X, 0, 0.4, (1, 2), **options)


def curve(rows, weights=None):
    copy = rows.copy()
    copy[:, 0] = 0.4
    return np.average(model(copy), weights=weights)


def perturbed(attack, rows=X):
    copy = rows.copy()
    copy[np.ix_(attack.rows, attack.columns)] = attack.values
    return copy


ATTACKS = {
    "gaussian": lambda p: gaussian_attack(p, [0.3], repeats=1, random_state=0)[0],
    "greedy": lambda p: greedy_attack(p, "high", budget=0.3, n_candidates=12, random_state=0),
    "published": lambda p: genetic_attack(p, "high", GeneticSearch(population=12, iterations=6), random_state=0),
    "sparse": lambda p: genetic_attack(
        p, 0.1, GeneticSearch(12, 6, mutated_rows=0.2, keep_elites=True, keep_best=True), random_state=0
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_what_every_attack_reports(name, weights):
    counted = Counting(model)
    target = point(counted, sample_weight=weights, output_range=(0, 1))
    found = ATTACKS[name](target)
    moved = perturbed(found)
    assert found.before == pytest.approx(curve(X, weights))
    assert found.after == pytest.approx(curve(moved, weights))
    assert found.columns == (1, 2)
    assert np.array_equal(moved[:, [0, 3]], X[:, [0, 3]])
    w = np.ones(200) if weights is None else weights
    assert found.histogram_tv == pytest.approx(
        histogram_distance(X[:, 1:3], moved[:, 1:3], weight_before=w, weight_after=w)
    )
    assert found.exact_tv == pytest.approx(exact_distance(X[:, 1:], moved[:, 1:], weight_before=w, weight_after=w))
    assert found.changed == pytest.approx(w[np.any(moved != X, axis=1)].sum() / w.sum())
    assert found.exact_tv <= found.changed + 1e-12
    assert np.allclose(found.summary[0, :, 0], X[:, 1:3].mean(axis=0))
    assert np.allclose(found.summary[1, :, 1], moved[:, 1:3].std(axis=0))
    assert np.allclose(found.summary[1, :, 2:], np.stack([moved[:, 1:3].min(0), moved[:, 1:3].max(0)], axis=1))
    paper, oscillation, sharp, coupled = found.verdicts
    change = found.after - found.before
    assert paper.half_width == pytest.approx(2 * found.histogram_tv)
    assert not paper.certified
    assert oscillation.half_width == pytest.approx(found.exact_tv)
    still, after = X.copy(), moved.copy()
    still[:, 0] = after[:, 0] = 0.4
    assert coupled.half_width == pytest.approx(np.average(np.abs(model(after) - model(still)), weights=w))
    band = TotalVariation(found.exact_tv).means(model(still)[:, None], w, (0, 1))
    assert [sharp.lower, sharp.upper] == pytest.approx([band[0][0] - found.before, band[1][0] - found.before])
    assert sharp.half_width == max(-sharp.lower, sharp.upper) <= oscillation.half_width + 1e-12
    for verdict in found.verdicts:
        assert verdict is sharp or verdict.lower == -verdict.upper
        assert verdict.holds == (verdict.lower - 1e-8 <= change <= verdict.upper + 1e-8)
        assert verdict.holds or not verdict.certified
    assert found.n_model_rows == counted.rows - 200
    assert found.seed == 0
    assert found.status in ("complete", "converged")


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_are_repeatable(name):
    assert np.array_equal(ATTACKS[name](point()).values, ATTACKS[name](point()).values)


def test_observed_range_where_none_is_known():
    found = ATTACKS["greedy"](point(lambda rows: 50 * model(rows)))
    answers = 50 * model(np.column_stack([np.full(200, 0.4), X[:, 1:]]))
    assert found.verdicts[0].half_width == pytest.approx(2 * answers.max() * found.histogram_tv)
    assert all(verdict.holds for verdict in found.verdicts if verdict.certified)


def test_noise_once_and_accumulated():
    target = point(clip=False)
    once = gaussian_attack(target, [0.1, 0.2], repeats=2, random_state=4)
    assert [attack.method for attack in once] == ["gaussian, sigma 0.1"] * 2 + ["gaussian, sigma 0.2"] * 2
    draws = [(attack.values - X[:, 1:3]) / X[:, 1:3].std(axis=0) for attack in once]
    assert np.allclose(draws[0] / 0.1, draws[2] / 0.2)
    assert not np.allclose(draws[0], draws[1])
    assert draws[0].std() == pytest.approx(0.1, rel=0.1)
    added = gaussian_attack(target, [0.1, 0.2], repeats=2, accumulate=True, random_state=4)
    assert np.allclose(added[-1].values - X[:, 1:3], sum(attack.values - X[:, 1:3] for attack in once))
    assert "accumulated" in added[0].method
    absolute = gaussian_attack(target, [0.1], repeats=1, relative=False, random_state=4)
    assert np.allclose((absolute[0].values - X[:, 1:3]) / 0.1, draws[0] / 0.1)
    assert len(gaussian_attack(target)) == 25


def test_values_stay_allowed():
    rounded = X.copy()
    rounded[:, 1] = np.round(2 * X[:, 1])
    rounded[::9, 2] = np.nan
    target = AttackTarget(
        lambda rows: np.nan_to_num(rows[:, 2]) + rows[:, 1], rounded, 0, 0.4, (1, 2), whole=frozenset({1})
    )
    for found in (gaussian_attack(target, [3.0], repeats=1, random_state=0)[0], ATTACKS["published"](target)):
        assert np.all(found.values[:, 0] == np.round(found.values[:, 0]))
        assert np.array_equal(np.isnan(found.values[:, 1]), np.isnan(rounded[:, 2]))
        assert np.nanmin(found.values[:, 1]) >= np.nanmin(rounded[:, 2])
        assert np.nanmax(found.values, axis=0) == pytest.approx(np.nanmax(found.values, axis=0).clip(max=[8, 9]))
        assert found.values[:, 0].max() <= rounded[:, 1].max()
        assert np.isnan(found.histogram_tv)
        assert not found.verdicts[0].holds or np.isnan(found.verdicts[0].half_width)
    wild = AttackTarget(lambda rows: rows[:, 1], X, 0, 0.4, (1,), clip=False)
    assert gaussian_attack(wild, [3.0], repeats=1, random_state=0)[0].values.max() > X[:, 1].max()


def test_greedy_is_the_best_of_its_candidates():
    found = greedy_attack(point(), "high", n_candidates=15, random_state=0)
    distinct = np.unique(X[:, 1:3], axis=0)
    candidates = distinct[np.sort(np.random.default_rng(0).permutation(200)[:15])]
    answers = []
    for candidate in [None, *candidates]:
        rows = X.copy()
        rows[:, 0] = 0.4
        if candidate is not None:
            rows[:, 1:3] = candidate
        answers.append(model(rows))
    assert found.after == pytest.approx(np.max(answers, axis=0).mean())
    assert found.history[-1] == pytest.approx(found.after)
    assert np.all(np.diff(found.history) >= 0)
    low = greedy_attack(point(), "low", n_candidates=15, random_state=0)
    assert low.after == pytest.approx(np.min(answers, axis=0).mean())


@pytest.mark.parametrize("budget", [0.05, 0.3])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_a_budget_is_kept_and_its_certificate_holds(budget, weights):
    found = greedy_attack(point(sample_weight=weights), "high", budget=budget, random_state=0)
    assert found.exact_tv <= found.changed + 1e-12 <= budget + 1e-9
    effect = partial_dependence(model, X, (0,), (custom_grid([0.4], X[:, 0]),), sample_weight=weights)
    base = np.ones(200) if weights is None else weights
    lower, upper = TotalVariation(budget).means(effect.ice[0], base, (0.0, 1.0))
    assert lower[0] <= found.after <= upper[0]


def test_a_number_is_approached_and_not_passed():
    for aim in (0.55, 0.2):
        found = greedy_attack(point(), aim, random_state=0)
        assert abs(found.after - aim) < 0.02
        assert (found.after - aim) * (found.before - aim) >= -1e-12
    there = greedy_attack(point(), float(point().before @ np.full(200, 1 / 200)), random_state=0)
    assert there.changed == 0


def test_conditional_dependence_is_attacked_on_its_rows():
    found = greedy_attack(point(window=Window(0.5)), "high", random_state=0)
    near = np.abs(X[:, 0] - 0.4) <= 0.5
    assert np.array_equal(found.rows, np.flatnonzero(near))
    assert found.before == pytest.approx(curve(X[near]))
    assert found.after == pytest.approx(curve(perturbed(found)[near]))
    levels = X.copy()
    levels[:, 0] = np.arange(200) % 3
    target = AttackTarget(model, levels, 0, 1.0, (1,), window=Window(), categorical=True)
    assert np.array_equal(target.rows, np.flatnonzero(levels[:, 0] == 1))


def test_the_search_keeps_what_it_finds_only_if_told():
    small = {"population": 12, "iterations": 25, "sigma": 0.5}
    kept = genetic_attack(point(), "high", GeneticSearch(keep_elites=True, keep_best=True, **small), random_state=1)
    assert np.all(np.diff(kept.history) >= 0)
    assert kept.after == pytest.approx(kept.history[-1])
    assert kept.after > kept.before
    lost = genetic_attack(point(), "high", GeneticSearch(**small), random_state=1)
    assert lost.after == pytest.approx(lost.history[-1])
    assert np.any(np.diff(lost.history) < 0)


def test_the_search_stops_when_it_stands_still_or_is_told():
    still = genetic_attack(point(lambda rows: 0 * rows[:, 0]), "high", GeneticSearch(12, patience=4), random_state=0)
    assert (still.status, still.n_done, still.n_total) == ("converged", 5, 200)
    asked = []

    def progress(done, total):
        asked.append((done, total))
        return done == 3

    told = genetic_attack(point(batches=BatchOptions(progress=progress)), "low", GeneticSearch(12), random_state=0)
    assert (told.status, told.n_done, told.n_total) == ("stopped", 3, 200)
    assert asked == [(1, 200), (2, 200), (3, 200)]
    assert len(told.history) == 3
    noisy = gaussian_attack(point(batches=BatchOptions(progress=lambda done, total: done == 2)), random_state=0)
    assert len(noisy) == 2


def test_the_named_searches():
    published = GeneticSearch.published()
    assert (published.population, published.iterations, published.elites) == (100, 200, 2)
    assert not published.keep_elites
    assert GeneticSearch.sparse().keep_best
    few = genetic_attack(point(batches=BatchOptions(progress=lambda *_: True)), random_state=0)
    assert few.n_model_rows == 200 * (100 + 150 + 1)
    no_crossing = genetic_attack(point(), "high", GeneticSearch(12, 2, crossover=0.0, elites=0), random_state=0)
    assert no_crossing.n_model_rows == 200 * (12 * 3 + 1)


def test_batches_do_not_change_the_search():
    small = GeneticSearch(8, 3)
    whole = genetic_attack(point(), "high", small, random_state=0)
    parts = genetic_attack(point(batches=BatchOptions(batch_rows=30)), "high", small, random_state=0)
    assert np.allclose(whole.values, parts.values)


def test_other_responses():
    both = lambda rows: np.column_stack([1 - model(rows), model(rows)])  # noqa: E731
    assert greedy_attack(point(both, output=1), random_state=0).after == pytest.approx(
        greedy_attack(point(), random_state=0).after
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: AttackTarget(model, X, 0, 0.4, ()), "at least one column"),
        (lambda: AttackTarget(model, X, 0, 0.4, (0,)), "columns must differ"),
        (lambda: AttackTarget(model, X, 0, 99.0, (1,), window=Window(1)), "no row with weight is near 99"),
        (lambda: AttackTarget(model, X, 0, 0.4, (1,), output=3), "output must be one of 0 … 0"),
        (
            lambda: AttackTarget(lambda r: r[:, 0], np.column_stack([X[:, 0], np.full(200, np.nan)]), 0, 0.4, (1,)),
            "without any value",
        ),
        (lambda: gaussian_attack(point(), []), "sigmas must be"),
        (lambda: gaussian_attack(point(), [0.0]), "sigmas must be"),
        (lambda: gaussian_attack(point(), repeats=0), "repeats must be"),
        (lambda: greedy_attack(point(), budget=0), "budget must lie"),
        (lambda: greedy_attack(point(), n_candidates=0), "n_candidates must be"),
        (lambda: greedy_attack(point(), "up"), "aim must be"),
        (lambda: genetic_attack(point(), np.nan), "aim must be"),
        (lambda: GeneticSearch(population=2), "population must be"),
        (lambda: GeneticSearch(elites=101), "elites must be"),
        (lambda: GeneticSearch(sigma=0), "sigma must be"),
        (lambda: GeneticSearch(mutated=1.5), "mutated must lie"),
    ],
)
def test_bad_requests_are_said(call, message):
    with pytest.raises(InputError, match=message):
        call()
