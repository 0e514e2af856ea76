"""The options of sufficient sets and rules in one record, changed with `replace`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from tauscope.rules.min_rows import MinRows
from tauscope.rules.proofs.proof import BUDGET
from tauscope.weights.seeds import RandomState

Explained = Literal["predictions", "labels"]
Probability = Literal["auto", "projected", "substituted"]
Groups = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class RulesSpec:
    """The options of `Study.sufficient` and `Study.rules`, which document each.

    Those of a result are as the study read them: features by name, the seed; t stays as it was given.

    Attributes
    ----------
    pi : float
    t : "q95"-like str, float, or pair of floats
    n_features : int
    features : sequence of names or positions, or None
    groups : mapping of names to columns, sequence of sequences, or None
        Of a result by name; empty where there are none.
    min_rows : int, "paper" or None
    search : {"exhaustive", "greedy"}
    probability : {"auto", "projected", "substituted"}
    explained : {"predictions", "labels"}
    n_estimators : int
    held_out : float
    random_state : int, Generator or None
    max_rules : int
    proof_budget : int
    n_drawn : int
    """

    pi: float = 0.95
    t: Any = "q95"
    n_features: int = 10
    features: str | int | Sequence[str | int] | None = None
    groups: Any = None
    min_rows: MinRows = None
    search: Literal["exhaustive", "greedy"] = "exhaustive"
    probability: Probability = "auto"
    explained: Explained = "predictions"
    n_estimators: int = 20
    held_out: float = 0.25
    random_state: RandomState = 0
    max_rules: int = 5
    proof_budget: int = BUDGET
    n_drawn: int = 10_000


class ForestOptions(TypedDict, total=False):
    """The options of the forest and its probabilities, as keywords of verbs; `Study.sufficient` documents them."""

    t: Any
    groups: Any
    min_rows: MinRows
    explained: Explained
    n_estimators: int
    held_out: float
    random_state: RandomState


class SufficientOptions(ForestOptions, total=False):
    """All options that `Study.sufficient` documents, as keywords of the verbs that stand on it."""

    pi: float
    n_features: int
    features: str | int | Sequence[str | int] | None
    search: Literal["exhaustive", "greedy"]
    probability: Probability


class RulesOptions(SufficientOptions, total=False):
    """These, and those of proofs that `Study.rules` documents."""

    proof_budget: int
    n_drawn: int


@dataclass(frozen=True, eq=False)
class RuleListSpec:
    """The options of `Study.rule_list`, which documents each; those of a result are as the study read them.

    Attributes
    ----------
    rules : RulesSpec
        Of each rule; its `max_rules` is not used.
    share : float
    max_rules : int or None
    n_rows : int
    prove : bool
    """

    rules: RulesSpec
    share: float = 0.9
    max_rules: int | None = None
    n_rows: int = 300
    prove: bool = False


@dataclass(frozen=True)
class ForestInfo:
    """The forest that sufficient sets are read from.

    Attributes
    ----------
    own : bool
        Whether it is the study's model itself, and not one that imitates it.
    n_trees, n_rows, n_held_out : int
        Rows it was fitted on, and rows kept from it.
    min_rows : int
        Fewest rows of a projected cell.
    fidelity : float
        Share of held-out rows that it decides as the explained; of a regression R². Of out-of-bag rows where none are
        held out; NaN where there are none of these either.
    of_held_out : bool
        Whether the fidelity is that of held-out rows.
    task : {"binary", "multiclass", "regression"}
    explained : {"predictions", "labels"}
    nbytes : int
        Memory of its packed rows.
    n_sampled, sampled_from : int
        Where its rows are of a sample: rows of the sample, and those it was drawn from; else both 0.
    weighted : bool
        Whether rows count by the study's weights.
    by_class : tuple of (str, float, int)
        Of classes, in their order: the share of the rows that the model decides so which the forest decides alike, by
        the trees that were not fitted on each row, and how many they are; empty where it is the model itself.
    """

    own: bool
    n_trees: int
    n_rows: int
    n_held_out: int
    min_rows: int
    fidelity: float
    of_held_out: bool
    task: str
    explained: Explained
    nbytes: int
    n_sampled: int = 0
    sampled_from: int = 0
    weighted: bool = False
    by_class: tuple[tuple[str, float, int], ...] = ()
