"""Every sentence with a claim that a view, chart or result can show, what it claims, and the test that would fail."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from architecture.tree import ROOT, nodes

CLAIMING = re.compile(
    r"\b(certified|surviv\w*|exactly|at most|as known|no weights|cannot be weighted|no such population|nor a proof|"
    r"can be read|read the interval|chance in drawing|chance in growing|could have|any reweighting|"
    r"these rows' weight|elsewhere|determined|proved|whatever|hangs on|decide it|decide the|carries the|"
    r"[Nn]o such change|[Nn]o point nearer|as little as|is held fixed|can answer otherwise|and reached)\b"
)
"""Words with which a sentence promises something."""
NOT_A_CLAIM = re.compile(
    r"got |must |set elsewhere|ts-elsewhere|A chart carries|A page without a kernel|total variation at most|"
    r"growing at most|at most one|nothing is proved"
)
"""Errors, limits of what is drawn, and distances that other numbers follow from."""


class Claim(NamedTuple):
    """What stands on screen, what it says, and what it rests on: the name of a test in `tests/`."""

    words: str
    says: str
    rests_on: str


RULE = "stress/test_reliability.py::test_reliable_cells_cover"
BALLS = "effects/bounds/test_balls.py::test_no_reweighting_leaves_its_band"
BREAKDOWN = "results/effects/test_effect.py::test_breakdown_is_attained"
ATTACK = "effects/attacks/test_attacks.py::test_a_budget_is_kept_and_its_certificate_holds"
SHIFT = "results/effects/test_effect.py::test_under_a_stress_beside_its_bounds"
HULL = "stress/joint/test_feasibility.py::test_just_inside_the_range_is_solved_and_just_outside_refused"
DETERMINED = "stress/joint/test_estimates.py::test_what_the_constraints_fix_is_determined"
DOUBT = "stress/column/test_target.py::test_an_end_is_in_doubt_where_the_level_might_be_another"

RULE_PROOF = "study/rules/test_rules.py::test_nothing_drawn_in_a_proved_rule_is_answered_otherwise"
DRAWN = "study/rules/test_rules.py::test_a_rule_that_others_overturn_is_refuted_by_a_row_of_the_model_s"
PROOF = "study/boundary/test_boundary.py::test_nothing_nearer_than_the_lower_end_of_a_forest_flips_it"

CLOSEST = "stress/joint/test_projection.py::test_agrees_with_the_primal_definition"

CLAIMS = (
    Claim("of the weight at most", "the end of τ is no further", "results/stress/test_harm.py::"
          "test_what_cannot_be_moved_so_far_says_how_far_it_can"),
    Claim("the number and its interval can be read", "the interval covers at its level, by sample", RULE),
    Claim("read the interval", "the interval covers, the number is loose", RULE),
    Claim("hangs on a few rows", "the end of τ moves with the sample", DOUBT),
    Claim("carries the weight", "fewer than three degrees of freedom are left", RULE),
    Claim("decide it", "the tail of weights or squares is too heavy for a standard error", RULE),
    Claim("decide the width of the interval", "fewer than ten degrees of freedom are left", RULE),
    Claim("determined by the constraints", "every reweighting that meets them gives this number", DETERMINED),
    Claim("chance in drawing rows) lies above", "other rows keep the decision with probability π, of either class",
          "study/rules/test_substituted.py::"
          "test_the_promise_holds_for_both_classes_on_rows_that_nothing_was_searched_on"),
    Claim("chance in drawing these", "the interval is for other rows of the same population", RULE),
    Claim("wide: read the interval", "the pale stretch has intervals that cover", RULE),
    Claim("Band alone: wide, read the interval", "the same in a chart", RULE),
    Claim("is exactly", "a target in units stays fixed for other rows", "stress/joint/test_influence.py::"
          "test_targets_in_units_have_no_error_and_the_others_that_of_the_rows"),
    Claim("rows cannot be weighted ", "the targets lie outside of the hull of the rows", HULL),
    Claim("no such population on these rows", "the same", HULL),
    Claim("no weights were found, nor a proof that there are none", "a search that found nothing",
          "stress/joint/test_projection.py::test_too_few_passes_are_confessed"),
    Claim("is the same whatever the weights", "a column without spread", "stress/joint/test_feasibility.py::"
          "test_a_constant_column_can_only_stay"),
    Claim("certified for this change", "no attack of these answers and distance goes further, on either side", ATTACK),
    Claim("certified for these rows", "the largest difference of answers, row by row", "study/effects/"
          "test_comparison.py::test_the_bound_is_the_largest_difference_on_the_rows"),
    Claim("Filled: certified for", "no reweighting within the distance leaves the band", BALLS),
    Claim("certified band at most", "the same, its width", BALLS),
    Claim("of the certified band", "the same", BALLS),
    Claim(", and reached", "some reweighting goes to the edge of the band",
          "effects/bounds/test_effect_bounds.py::test_the_band_of_partial_dependence_is_attained_point_by_point"),
    Claim("certified ", "no reweighting within the distance leaves the band", BALLS),
    Claim("the paper's at most", "the bound of the theorems", "effects/bounds/test_effect_bounds.py::"
          "test_published_bounds_by_hand"),
    Claim("where any reweighting this far can take it", "the band at the stress's own distance", SHIFT),
    Claim("could have moved it by", "the band at the stress's own distance", SHIFT),
    Claim("the stress's own distance, exactly", "total variation computed from the weights", SHIFT),
    Claim("at most;", "the largest change of the curve", SHIFT),
    Claim("survives any reweighting", "below that distance no weights turn the direction", BREAKDOWN),
    Claim("chance in drawing the held-out rows", "the interval of a precision covers at its level",
          "rules/test_rule.py::test_the_interval_of_a_precision_covers"),
    Claim("chance in growing the trees", "a forest of many more trees answers within them",
          "rules/test_sufficient_intervals.py::test_it_covers_the_answer_of_a_large_forest"),
    Claim("Proved: the model never answers otherwise", "no row of the rule's box is decided otherwise", RULE_PROOF),
    Claim("Whether other values can overturn it is not proved", "rows drawn inside were asked about", DRAWN),
    Claim(" can flip it (proved)", "no point within that distance, or the constraints, is decided otherwise", PROOF),
    Claim("these rows' weight", "the share of weight that has to move, rounded down",
          "results/test_formatting.py::test_a_safe_share_is_never_rounded_up"),
    Claim("weights taken as known", "the interval of a weighted curve leaves out that the weights are estimated",
          "study/effects/test_effect.py::test_intervals_of_probabilities_stay_between_0_and_1"),
    Claim("apart", "the largest and the mean difference of two curves", "study/effects/test_comparison.py::"
          "test_the_bound_is_the_largest_difference_on_the_rows"),
    Claim("as little as", "no weights that meet the constraints are closer", CLOSEST),
    Claim("what other rows drawn alike could have given", "the interval covers at its level, by sample", RULE),
    Claim("the interval named beside it, for other rows drawn alike", "the interval of an effect covers",
          "effects/curves/test_intervals.py::test_intervals_of_shares_cover"),
    Claim("no such change moves the curve out of the band", "no reweighting leaves it, nor do replaced rows", BALLS),
    Claim("No such change moves the curve out of the band", "no reweighting leaves it, nor do replaced rows", BALLS),
    Claim("no point nearer than this distance", "nothing nearer than the lower end flips it", PROOF),
    Claim("whether the model can answer otherwise", "a proof says that it cannot, a row that it does", RULE_PROOF),
    Claim("to the pixel's extreme", "where τ leads for a pixel that is mostly one value",
          "results/stress/test_image.py::test_notes_of_one_pixel"),
)  # fmt: skip


def page_strings(file: Path) -> Iterator[str]:
    """Every literal of a TypeScript file."""
    code = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", file.read_text(), flags=re.DOTALL)
    yield from (match[0] for match in re.finditer(r'"[^"\n]*"|`[^`]*`', code))


def python_strings(file: Path) -> Iterator[str]:
    """Every literal of a Python file that is no docstring."""
    tree = nodes(file)
    bare = {node.value for node in tree if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for node in tree:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in bare:
            yield node.value


@cache
def shown_claims() -> list[tuple[str, str]]:
    """Return file and text of all that promises something."""
    source = ROOT / "src" / "tauscope"
    python = [file for room in ("results", "views", "figures", "sharing") for file in (source / room).rglob("*.py")]
    page = [file for room in ("views", "solve", "marks") for file in (ROOT / "js" / "src" / room).rglob("*.ts")]
    texts = [(file, text) for file in python for text in python_strings(file)]
    texts += [(file, text) for file in page for text in page_strings(file)]
    return [
        (str(file.relative_to(ROOT)), text)
        for file, text in texts
        if " " in text.strip('"` ') and CLAIMING.search(text) and not NOT_A_CLAIM.search(text)
    ]


def test_what_is_claimed_is_listed() -> None:
    new = [f"{file}: {text}" for file, text in shown_claims() if not any(one.words in text for one in CLAIMS)]
    assert not new, "sentences that nothing stands behind:\n" + "\n".join(new)


def test_what_is_listed_is_shown() -> None:
    texts = [text for _, text in shown_claims()]
    assert [one.words for one in CLAIMS if not any(one.words in text for text in texts)] == []


def test_what_a_claim_rests_on_is_there() -> None:
    for claim in CLAIMS:
        file, _, name = claim.rests_on.partition("::")
        path = ROOT / "tests" / file
        assert path.exists(), claim
        assert f"def {name}(" in path.read_text(), claim
