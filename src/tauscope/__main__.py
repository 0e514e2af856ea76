"""`python -m tauscope doctor`: whether widgets can show here, and the likely cause if not."""

import platform
import sys
from collections.abc import Sequence

from tauscope.doctor.findings import find_causes
from tauscope.doctor.reading import find_places, read_environment, read_requirements, read_versions
from tauscope.doctor.report import describe

USAGE = """usage: python -m tauscope doctor

  doctor  print versions, whether widgets can show here, and the likely cause if not;
          ends with 0 where they can, with 1 where not
"""


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments ask, and return the exit code; 2 for what is not known."""
    if list(arguments) != ["doctor"]:
        known = not arguments or arguments[0] in ("-h", "--help")
        (sys.stdout if known else sys.stderr).write(USAGE)
        return 0 if known else 2
    environment = read_environment(find_places(), read_versions(), read_requirements())
    causes = find_causes(environment)
    sys.stdout.write(describe(environment, causes, platform.python_version()))
    return int(any(cause.blocks for cause in causes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
