"""One JSON object a line between the benchmark and the two processes it compares."""

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
SINGLE_THREAD = dict.fromkeys(THREAD_VARIABLES, "1")


def timed(work: Callable[[], object]) -> dict[str, float]:
    """Run once; wall and processor seconds of this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


def peak_growth(work: Callable[[], object]) -> dict[str, float]:
    """Run once; bytes by which the peak of resident memory rises above what is resident before."""
    before = _resident()
    work()
    return {"growth": float(peak() - before), "before": float(before)}


def peak() -> int:
    """Most bytes this process has had resident."""
    status = Path("/proc/self/status")
    if status.exists():  # getrusage starts a child from its parent's peak, this from its own
        high = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(high.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _resident() -> int:
    """Resident bytes now, where /proc has them; else the peak so far, which `growth` then counts from."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return peak()
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def serve(commands: dict[str, Callable[..., Any]]) -> None:
    """Answer `{"do": name, ...arguments}` with the JSON of what `commands[name]` returns.

    What libraries print goes to the error stream; the answers have the output stream to themselves.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for line in sys.stdin:
        request = json.loads(line)
        answer = commands[request.pop("do")](**request)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
