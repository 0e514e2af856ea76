"""Rules as a small HTML table, for pages that show no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tauscope.results.rules.text import condition_words, proof_sentence, share_sentence
from tauscope.words import escape

if TYPE_CHECKING:
    from tauscope.results.rules.rules import Rules


def rules_table(result: Rules) -> str:
    """Write each rule with whom it covers and how it is known.

    Parameters
    ----------
    result : Rules

    Returns
    -------
    str
        HTML; every word from the data is escaped.
    """
    alone = "".join(f"<p>{escape(str(one))}</p>" for one in result.distributions)
    if not len(result):
        return f"<p>{escape(f'{result._caption}. {result.explanation.message}')}</p>{alone}"
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("if", "then", "held by rows", "known"))
    lines = "".join(
        f'<tr><th scope="row">{escape(condition_words(rule) or "always")}</th><td>{escape(rule.answer)}</td>'
        f"<td>{escape(share_sentence(rule))}</td><td>{escape(proof_sentence(rule.proof))}</td></tr>"
        for rule in result
    )
    head = f"<caption>{escape(result._caption)}</caption><thead><tr>{heads}</tr></thead>"
    return f"<table>{head}<tbody>{lines}</tbody></table>{alone}"
