"""`python -m benchmarks` from the repository's top: the same as `python benchmarks/run.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from run import main

main()
