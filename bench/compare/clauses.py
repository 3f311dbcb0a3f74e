"""Measures commands on study files with very many constraints on inputs, of several forms.

usage: clauses.py BOHIER DIR N
"""

import os
import random
import subprocess
import sys

bohier, top, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
rng = random.Random(1)
FLOATS = [f"  x{p}: {{type: float, low: 0, high: 1}}" for p in range(20)]
INTS = [f"  i{p}: {{type: int, low: 0, high: 100}}" for p in range(20)]
CHOICES = [f"  p{p}: [{', '.join(f'v{k}' for k in range(30))}]" for p in range(40)]


def two(text, low, high):
    """Constraints on two of 20 numbers with a bound drawn between low and high."""
    for _ in range(n):
        a, b = rng.sample(range(20), 2)
        yield text.format(a=a, b=b, v=round(rng.uniform(low, high), 6))


def several(k, values):
    """Constraints on values of k of the choices."""
    for _ in range(n):
        yield "{" + ", ".join(f"p{a}: v{rng.randrange(values)}" for a in rng.sample(range(40), k)) + "}"


def pairs(text):
    """Constraints on two values of two of the choices."""
    for _ in range(n):
        a, b = rng.sample(range(40), 2)
        yield text.format(a=a, v=rng.randrange(30), b=b, w=rng.randrange(30))


FORMS = {
    "pairs": (CHOICES, "forbidden", pairs("{{p{a}: v{v}, p{b}: v{w}}}")),
    "alternatives": (CHOICES, "require", pairs("'p{a} != v{v} or p{b} != v{w}'")),
    "triples": (CHOICES, "forbidden", several(3, 10)),
    "fours": ([f"  p{p}: [{', '.join(f'v{k}' for k in range(5))}]" for p in range(40)], "forbidden", several(4, 5)),
    "implications": (CHOICES, "require", pairs("'p{a} != v{v} or p{b} in [v{w}, v1, v2, v3, v4, v5, v6, v7, v8, v9]'")),
    "bounds": (CHOICES + FLOATS, "require", (f"'p{rng.randrange(40)} != v{rng.randrange(30)} or {x[1:-1]}'"
                                             for x in two("'x{a} <= {v}'", 0.5, 0.75))),
    "sums": (FLOATS, "require", two("'x{a} + x{b} <= {v}'", 1.5, 2)),
    "close sums": (FLOATS, "require", two("'x{a} + x{b} <= {v}'", 0.6, 1.1)),
    "products": (INTS, "require", two("'i{a} * i{b} <= {v}'", 1000, 3000)),
    "remainders": (INTS, "require", two("'i{a} % 7 != 1 or i{b} <= {v}'", 90, 100)),
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
