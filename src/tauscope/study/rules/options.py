"""The options of the rules' verbs: read from keywords, checked, and given to the engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tauscope.data.sparse import check_dense
from tauscope.errors import InputError, UnknownName
from tauscope.results.rules.spec import RulesOptions
from tauscope.rules.sufficient import SearchOptions
from tauscope.study.rules.groups import read_groups
from tauscope.study.rules.table import feature_names
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.results.rules.spec import Groups, RulesSpec
    from tauscope.study.base import StudyBase

RULES_OPTIONS = RulesOptions.__optional_keys__


def check_names(options: Mapping[str, Any], *own: str, known: frozenset[str] = RULES_OPTIONS) -> None:
    """Refuse keywords that are no option of a verb.

    Parameters
    ----------
    options : mapping
        By name.
    *own : str
        The verb's own options, which a name may have been meant for too.
    known : frozenset of str
        The others it takes.

    Raises
    ------
    UnknownName
        With the nearest ones.
    """
    for name in options:
        if name not in known:
            raise UnknownName.among("option", name, sorted({*known, *own}))


def settle_spec(study: StudyBase, spec: RulesSpec) -> RulesSpec:
    """Check the options that no engine checks, and write them as they were read."""
    check_dense(study._columns, "Sufficient values and rules take")
    if not 0 <= spec.held_out < 1:
        raise InputError(f"held_out must lie in [0, 1), a share of the rows; got {spec.held_out!r}.")
    if spec.explained not in ("predictions", "labels"):
        raise InputError(f"explained must be 'predictions' or 'labels'; got {spec.explained!r}.")
    if spec.search not in ("exhaustive", "greedy"):
        raise InputError(f"search must be 'exhaustive' or 'greedy'; got {spec.search!r}.")
    if spec.probability not in ("auto", "projected", "substituted"):
        raise InputError(f"probability must be 'auto', 'projected' or 'substituted'; got {spec.probability!r}.")
    if spec.probability == "substituted" and spec.explained == "labels":
        raise InputError(
            "probability='substituted' asks the model about rows with other values, and no labels are known of these; "
            "got explained='labels'. Leave one of them out."
        )
    groups = read_groups(study, spec.groups)
    features: Any = spec.features
    if isinstance(features, str) or not isinstance(features, Iterable | None):  # one name or position, of NumPy too
        features = [features]
    several = cast("Iterable[Any] | None", features)
    names = None if several is None else tuple(_name(study, groups, feature) for feature in several)
    return replace(spec, features=names, groups=groups, random_state=seed_of(spec.random_state))


def search_options(study: StudyBase, spec: RulesSpec) -> SearchOptions:
    """Write the options for the engine."""
    names = feature_names(study, spec.groups)
    settled: Any = spec.features  # a tuple of names by now
    features = None if settled is None else tuple(names.index(str(one)) for one in settled)
    n_features = min(spec.n_features, len(names))
    return SearchOptions(spec.pi, n_features, features=features, search=spec.search, min_rows=spec.min_rows)


def check_counts(spec: RulesSpec) -> None:
    """Check the options that are counts."""
    limits = (("max_rules", spec.max_rules, 1), ("proof_budget", spec.proof_budget, 0), ("n_drawn", spec.n_drawn, 0))
    for name, value, least in limits:
        if value < least:
            raise InputError(f"{name} must be at least {least}; got {value!r}.")


def _name(study: StudyBase, groups: Groups, feature: Any) -> str:
    columns, names = study.feature_names, feature_names(study, groups)
    if isinstance(feature, int | np.integer) and not isinstance(feature, bool):
        if not 0 <= feature < len(columns):
            raise UnknownName(f"Features go from 0 to {len(columns) - 1}; got {feature}.")
        feature = columns[int(cast(int, feature))]
    if feature in names:
        return str(feature)
    own = [name for name, grouped in groups.items() if feature in grouped]
    if not own:
        raise UnknownName.among("feature", str(feature), names)
    return own[0]
