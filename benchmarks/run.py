"""Run the benchmarks and print one table: `python benchmarks/run.py [case ...]`, all cases without a name."""

import argparse
import platform
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec

import boundary_counterfactuals
import boundary_detection
import boundary_levels
import boundary_paths
import boundary_points
import bundle_size
import coverage
import dask_speed
import effect_coverage
import effects_speed
import groups_speed
import import_time
import jobs_speed
import joint_latency
import joint_speed
import linked_latency
import metrics_speed
import rules_authors
import rules_discovery
import rules_engine
import rules_formal
import rules_precision
import slider_latency
import stress_accuracy
import stress_images
import stress_memory
import stress_speed
import towards_accuracy
import towards_balance
import workspace_latency
from peer import ETHIK
from report import Row, machine, store, table


def cases(rounds: int | None) -> dict[str, Callable[[], list[Row]]]:
    """Every case by name, in the order of the table."""
    by_name = {cell.name: cell for cell in stress_speed.CELLS}
    speed = {f"stress-{name}": partial(stress_speed.measure, cell, rounds) for name, cell in by_name.items()}
    return speed | {
        "stress-same-metrics": partial(stress_speed.measure_rates, by_name["p10-n1e6"], rounds),
        "stress-two-jobs": partial(stress_speed.measure_two_jobs, by_name["p100-n1e4"], rounds),
        "stress-memory": stress_memory.measure,
        "stress-accuracy": stress_accuracy.measure,
        "stress-joint": joint_speed.measure,
        "towards": towards_balance.measure,
        "towards-accuracy": towards_accuracy.measure,
        "stress-metrics": partial(metrics_speed.measure, rounds),
        "stress-auc": partial(metrics_speed.measure_ranks, rounds),
        "stress-groups": partial(groups_speed.measure, rounds),
        "stress-groups-chunked": partial(groups_speed.measure_chunked, rounds),
        "stress-groups-thresholds": partial(groups_speed.measure_thresholds, rounds),
        "dask": dask_speed.measure,
        "jobs": partial(jobs_speed.measure, rounds),
        "stress-images": partial(stress_images.measure, rounds),
        "stress-images-streamed": stress_images.measure_streamed,
        "stress-coverage": coverage.measure,
        "effects-coverage": effect_coverage.measure,
        "effects-boosting-n1e4": partial(effects_speed.measure, "boosting", 10_000, rounds=rounds),
        "effects-forest-n1e4": partial(effects_speed.measure, "forest", 10_000, rounds=rounds),
        "effects-boosting-n1e5": partial(effects_speed.measure, "boosting", 100_000, features=1, rounds=rounds),
        "effects-trees-boosting": partial(effects_speed.measure_trees, "boosted values", 100_000, 30.0),
        "effects-trees-lightgbm": partial(effects_speed.measure_trees, "LightGBM values", 100_000, 8.0),
        "effects-trees-xgboost": partial(effects_speed.measure_trees, "XGBoost values", 100_000, 8.0),
        "effects-trees-forest": partial(effects_speed.measure_trees, "forest", 10_000, 5.0),
        "boundary-detection-forest": partial(boundary_detection.measure, "forest", rounds),
        "boundary-detection-network": partial(boundary_detection.measure, "network", rounds),
        "boundary-levels": partial(boundary_levels.measure, rounds),
        "boundary-points": boundary_points.measure,
        "boundary-paths-cancer": partial(boundary_paths.measure, "breast cancer"),
        "boundary-paths-adult": partial(boundary_paths.measure, "adult"),
        "boundary-counterfactuals-adult": partial(boundary_counterfactuals.measure, "adult", "forest"),
        "boundary-counterfactuals-german": partial(boundary_counterfactuals.measure, "german credit", "network"),
        "rules-n1e4": partial(rules_engine.measure, rules_engine.SMALL, rounds),
        "rules-n1e5": partial(rules_engine.measure, rules_engine.LARGE, rounds),
        "rules-adult": rules_precision.measure,
        "rules-authors": rules_authors.measure,
        "rules-discovery": rules_discovery.measure,
        "rules-formal": rules_formal.measure,
        "slider": slider_latency.measure,
        "joint-slider": joint_latency.measure,
        "linked-slider": linked_latency.measure,
        "workspace": workspace_latency.measure,
        "bundle": bundle_size.measure,
        "import": import_time.measure,
    }


def versions() -> str:
    """Name what our side ran on."""
    names = ("numpy", "scipy", "pandas", "anywidget", "jupyterlab")
    found = ", ".join(f"{name} {version(name)}" for name in names)
    return f"Python {platform.python_version()}, {found}; peer {', '.join(ETHIK.requirements)}"


def main() -> None:
    """Measure the cases named, print their table, keep it in results/."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", nargs="*", help="names as --list prints them; all without one")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    parser.add_argument("--rounds", type=int, help="runs of each side in the speed cases")
    wanted = parser.parse_args()
    known = cases(wanted.rounds)
    if wanted.list:
        print("\n".join(known))
        return
    unknown = [name for name in wanted.case if name not in known]
    if unknown:
        parser.error(f"unknown case {', '.join(unknown)}; there are {', '.join(known)}")
    if find_spec("tauscope") is None:
        parser.error("tauscope is not installed in this environment; `make bench` runs the one that has it")
    foot = [machine(), versions()]
    rows: list[Row] = []
    try:
        for name in wanted.case or known:
            print(f"… {name}", flush=True)
            rows += known[name]()
    except KeyboardInterrupt:
        print("stopped; the table has the cases that were done")
    foot.append(f"load at the end {machine().rsplit('load ', 1)[1]}")
    print("\n" + table(rows) + "\n\n" + "\n".join(foot))
    print(f"kept in benchmarks/results/{store(rows, foot).name}")


if __name__ == "__main__":
    main()
