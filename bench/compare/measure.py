"""Running a command and what it cost.

Keep the calling process small: Linux counts its memory at the fork among the
peak of the child.
"""

import os
import subprocess
import time
from dataclasses import dataclass

ENV = dict(os.environ, OPENBLAS_NUM_THREADS="1")


@dataclass
class Cost:
    """CPU seconds (all threads, user and system), wall seconds, peak megabytes."""

    cpu: float
    wall: float
    mb: float
    out: str


def run(argv, cwd=None, stdin=None):
    """Run a command to its end; it must exit with 0."""
    start = time.perf_counter()
    p = subprocess.Popen(argv, cwd=cwd, env=ENV, text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL)
    if stdin:
        p.stdin.write(stdin)
        p.stdin.close()
    out = p.stdout.read()
    err = p.stderr.read()
    _, status, use = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, argv))}: exit {p.returncode}\n{err}")
    return Cost(use.ru_utime + use.ru_stime, time.perf_counter() - start, use.ru_maxrss / 1024, out)
