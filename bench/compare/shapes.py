"""What a command costs by the shape of the space: parameters, branches, depth, clauses, defaults.

    python3 bench/compare/shapes.py bin/bohier                # the shapes below
    python3 bench/compare/shapes.py bin/bohier bohier.yaml …  # the spaces of study files

CPU seconds of a process: of `status` beside no trials, of one random point, of suggestions one
after the other from so many random trials on (median and most), and its peak megabytes.
"""

import argparse
import hashlib
import json
import re
import statistics
import tempfile
from pathlib import Path

from measure import run


def flat(floats=0, ints=0, choices=0, bools=0):
    """Lines of parameters that are always active."""
    lines = [f"  f{i}: {{type: float, low: 0, high: 1, default: 0.3}}" for i in range(floats)]
    lines += [f"  i{i}: {{type: int, low: 0, high: {10 if i % 2 else 1000}, default: 5}}" for i in range(ints)]
    lines += [f"  c{i}: {{type: categorical, values: [u, v, w], default: u}}" for i in range(choices)]
    return lines + [f"  b{i}: {{type: bool, default: false}}" for i in range(bools)]


def tree(roots, ways, each, depth):
    """Lines of choices of so many ways, each of which has parameters of its own and, but for the
    deepest, another choice."""
    lines = []

    def grow(name, level, when):
        ways_of = ", ".join(f"w{k}" for k in range(ways))
        lines.append(f"  {name}: {{type: categorical, values: [{ways_of}], default: w0{when}}}")
        for k in range(ways):
            on = f", active_if: {{{name}: w{k}}}"
            lines.extend(f"  {name}{k}x{i}: {{type: float, low: 0, high: 1, default: 0.5{on}}}" for i in range(each))
            if k == 0 and level < depth:
                grow(f"{name}{k}s", level + 1, on)

    for r in range(roots):
        grow(f"r{r}", 1, "")
    return lines


def study(lines, clauses=0, defaults=True):
    text = "objective: {name: t, direction: minimize}\nspace:\n" + "\n".join(lines) + "\n"
    if clauses:
        text += "forbidden:\n" + "".join(f"  - r{k % 6} == w{k % 3} and r{(k + 1 + k // 6) % 6} == w1\n" for k in range(clauses))
    return text if defaults else re.sub(r", default: [\w.]+", "", text)


SHAPES = {  # name: study file
    "10 mixed": study(flat(4, 3, 2, 1)),
    "100 floats": study(flat(100)),
    "300 floats": study(flat(300)),
    "300 ints": study(flat(0, 300)),
    "300 mixed": study(flat(100, 100, 50, 50)),
    "300 mixed without defaults": study(flat(100, 100, 50, 50), defaults=False),
    "2 choices of 3 with 3 parameters a way": study(tree(2, 3, 3, 1)),
    "4 choices of 3 with 3 parameters a way": study(tree(4, 3, 3, 1)),
    "6 choices of 3 with 3 parameters a way": study(tree(6, 3, 3, 1)),
    "the same without defaults": study(tree(6, 3, 3, 1), defaults=False),
    "the same with 16 clauses": study(tree(6, 3, 3, 1), clauses=16),
    "4 choices of 3, 3 deep, 3 parameters a way": study(tree(4, 3, 3, 3)),
    # one property after the other
    **{f"{n} floats": study(flat(n)) for n in (50, 200, 400, 800)},
    **{f"{n} choices of 3": study(tree(n, 3, 3, 1)) for n in (2, 4, 6, 8)},
    **{f"4 choices of 3, {n} deep": study(tree(4, 3, 3, n)) for n in (2, 4)},
    "6 choices of 3 with 64 clauses": study(tree(6, 3, 3, 1), clauses=64),
}


def chance(*of):
    return int(hashlib.md5(" ".join(map(str, of)).encode()).hexdigest()[:8], 16) / 2**32


def value(params):
    """An objective in which few parameters matter much."""
    total = 0
    for name, v in params.items():
        far = chance(name, v) if isinstance(v, (bool, str)) else abs(v) / (1 + abs(v)) - chance(name)
        total += chance("weight", name) ** 3 * far * far
    return total


def measure(binary, text, trials, count):
    """Costs of status, of a random point, and of suggestions; how many branches there are."""
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        name = re.search(r"^objective:.*name: ([\w.]+)", text, re.M).group(1)
        drawn = text + f"\ninitial: {{count: {trials}, design: random}}\n"
        (at / "drawn.yaml").write_text(drawn)
        point = ["suggest", "-q", "-c", "drawn.yaml", "--journal", "drawn.jsonl", "-o", "jsonl", "-n"]
        one = run([binary, *point, "1"], cwd=at)
        rest = run([binary, *point, str(trials - 1)], cwd=at)
        told = [json.loads(line)["params"] for line in (one.out + rest.out).splitlines()]
        (at / "bohier.yaml").write_text(text)
        start = run([binary, "status"], cwd=at)
        lines = "".join(json.dumps({"params": p, "values": {name: value(p)}}) + "\n" for p in told)
        run([binary, "add", "--json", "-"], cwd=at, stdin=lines)
        costs = []
        for _ in range(count):
            costs.append(run([binary, "suggest", "-q"], cwd=at))
            s = json.loads(costs[-1].out)
            run([binary, "observe", s["id"], repr(value(s["params"]))], cwd=at)
        check = json.loads(run([binary, "check", "-o", "json"], cwd=at).out)
        return check, start, one, costs


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("bohier", type=Path)
    p.add_argument("files", nargs="*", type=Path)
    p.add_argument("--only", default="", help="of the shapes, those whose names have this")
    p.add_argument("--trials", type=int, default=100)
    p.add_argument("--suggestions", type=int, default=5)
    a = p.parse_args()
    shapes = {f.parent.name + "/" + f.name: f.read_text() for f in a.files} or SHAPES
    print(f"| space | parameters | branches | `status` | a random point | a suggestion at {a.trials} trials | MB |")
    print("|---|---|---|---|---|---|---|")
    for name, text in shapes.items():
        if a.only not in name:
            continue
        check, start, one, costs = measure(a.bohier.resolve(), text, a.trials, a.suggestions)
        cpu = [c.cpu for c in costs]
        print(f"| {name} | {check['parameters']} | {check['branches']} | {start.cpu:.3f} | {one.cpu:.3f} | {statistics.median(cpu):.2f} (most {max(cpu):.2f}) | {max(c.mb for c in costs):.0f} |", flush=True)


main()
