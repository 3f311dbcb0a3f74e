"""Measures commands on study files with very many constraints on inputs, of several forms.

usage: clauses.py BOHIER DIR N
"""

import os
import random
import subprocess
import sys

bohier, top, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
rng = random.Random(1)
CHOICES = [f"  p{p}: [{', '.join(f'v{k}' for k in range(30))}]" for p in range(40)]


def pairs(text):
    """Constraints on two values of two of the choices."""
    for _ in range(n):
        a, b = rng.sample(range(40), 2)
        yield text.format(a=a, v=rng.randrange(30), b=b, w=rng.randrange(30))


FORMS = {
    "pairs": (CHOICES, "forbidden", pairs("{{p{a}: v{v}, p{b}: v{w}}}")),
    "alternatives": (CHOICES, "require", pairs("'p{a} != v{v} or p{b} != v{w}'")),
    "sums": ([f"  x{p}: {{type: float, low: 0, high: 1}}" for p in range(20)], "require",
             ("'x%d + x%d <= %.6f'" % (*rng.sample(range(20), 2), 1.5 + rng.random() / 2) for _ in range(n))),
    "repeated": (["  p0: [a, b, c]", "  p1: [a, b, c]"], "forbidden", ["{p0: a, p1: b}"] * n),
    "one": ([f"  x: {{type: int, low: 0, high: {2 * n}}}"], "forbidden", (f"{{x: {2 * i}}}" for i in range(n))),
    "unsatisfiable": ([f"  x: {{type: int, low: 0, high: {n - 1}}}"], "forbidden", (f"{{x: {i}}}" for i in range(n))),
}

os.makedirs(top, exist_ok=True)
for form, (space, key, clauses) in FORMS.items():
    file = os.path.join(top, f"{form}.yaml")
    with open(file, "w") as out:
        lines = ["objective: {name: f, direction: minimize}", "space:", *space, f"{key}:", *(f"  - {c}" for c in clauses)]
        out.write("\n".join(lines) + "\n")
    for verb in (["check"], ["status"], ["suggest", "--dry-run"]):
        p = subprocess.Popen([bohier, *verb, "-c", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, code, usage = os.wait4(p.pid, 0)
        print(f"{form:13} {verb[0]:8} exit {os.waitstatus_to_exitcode(code)} {usage.ru_utime + usage.ru_stime:6.2f} CPU s", flush=True)
