"""What the doctor says, as text."""

from tauscope.doctor.environment import Environment
from tauscope.doctor.findings import Finding


def describe(environment: Environment, causes: tuple[Finding, ...], python_version: str) -> str:
    """Return versions, whether widgets can show, and what is found, as lines of text."""
    versions = {"Python": f"{python_version}  ({environment.python})", **environment.versions}
    width = max(map(len, versions))
    lines = ["Versions", *(f"  {name:{width}}  {version}" for name, version in versions.items()), ""]
    blocking = [cause for cause in causes if cause.blocks]
    others = [cause for cause in causes if not cause.blocks]
    lines.append(_headline(environment, bool(blocking)))
    for cause in blocking:
        lines += _described(cause)
    if others:
        lines += ["", "Also:", *(line for cause in others for line in _described(cause))]
    return "\n".join(lines) + "\n"


def _headline(environment: Environment, blocked: bool) -> str:
    if blocked:
        return "Widgets cannot show here. The likely cause comes first:"
    if environment.host is None:
        return "Widgets can show here, as far as can be seen from this Python."
    return f"Widgets can show here: in the Jupyter of {environment.host.prefix}."


def _described(cause: Finding) -> list[str]:
    return [f"- {cause.says}", f"  Next: {cause.next_step}."]
