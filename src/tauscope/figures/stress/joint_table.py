"""The metrics of a joint stress where no script runs: a table, without Altair."""

from collections.abc import Mapping

from tauscope.errors import TauscopeError
from tauscope.figures.still import html_table
from tauscope.results.formatting import number, share
from tauscope.results.stress.joint import JointHold, JointStress
from tauscope.results.stress.numbers.joint_answer import MetricEstimate


def joint_stress_table(result: JointStress, taus: Mapping[str, float] | None = None, hold: JointHold = "none") -> str:
    """Write every metric as it is and, where something is moved, as it becomes.

    Parameters
    ----------
    result : JointStress
    taus, hold
        The stress, as in `JointStress.at`; nothing moved by default.

    Returns
    -------
    str
        HTML; every word from the data is escaped. A stress that cannot be met is said in words.
    """
    interval = f"{100 * result.confidence:g} % interval"
    heads, after = ["metric", "as it is", interval], []
    rows = [
        [metric.label, *_cells(metric.kind, one)] for metric, one in zip(result.metrics, result.unstressed, strict=True)
    ]
    moved = {name: tau for name, tau in (taus or {}).items() if tau}
    if moved:
        after = [f"Moved: {', '.join(f'{name} to τ = {number(tau)}' for name, tau in moved.items())}."]
        try:
            answer = result._answer(moved, hold)
        except TauscopeError as error:
            after.append(str(error))
        else:
            heads += ["moved", interval]
            rows = [
                [*row, *_cells(metric.kind, one)]
                for row, metric, one in zip(rows, result.metrics, answer.estimates, strict=True)
            ]
            after.append(f"Effective rows {number(answer.ess)}, total variation {number(answer.tv)}: {answer.message}.")
    return html_table(result._caption, heads, rows, after)


def _cells(kind: str, one: MetricEstimate) -> list[str]:
    write = share if kind == "share" else number
    return [write(one.value), f"{write(one.lower)} – {write(one.upper)}"]
