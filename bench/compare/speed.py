"""Whole-process costs side by side: medians of interleaved pairs.

Called by bench/compare/speed, which builds what is measured.
"""

import argparse
import math
import re
import shutil
import statistics
import sys
from pathlib import Path

from measure import run
from studies import Bohier, Optuna

WARM_UP = 8  # suggestions until every surrogate that takes turns has been fitted


def parse():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--bohier", required=True, type=Path, help="the program")
    p.add_argument("--gp-test", required=True, type=Path, help="test binary of internal/gp")
    p.add_argument("--work", required=True, type=Path, help="a folder to work in; emptied")
    p.add_argument("--pairs", type=int, default=7)
    p.add_argument("--trials", type=lambda s: [int(v) for v in s.split(",")], help="sizes of studies, between commas")
    p.add_argument("--scale", action="store_true", help="only bohier, at 200 to 5,000 trials")
    return p.parse_args()


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def pairs(n, ours, theirs):
    """n pairs of costs, taken in turns."""
    out = []
    for k in range(n):
        a = ours() if k % 2 else None
        b = theirs()
        out.append((a or ours(), b))
    return out


def ratio(costs, of):
    return statistics.median(of(a) / of(b) for a, b in costs)


def med(costs, of):
    return statistics.median(of(c) for c in costs)


def cpu(c):
    return c.cpu


def mb(c):
    return c.mb


def report(what, costs, must, stretch, of=cpu, unit="ms", factor=1000):
    ours, theirs = med([a for a, _ in costs], of), med([b for _, b in costs], of)
    row(what, f"{ours * factor:.3g} {unit}", f"{theirs * factor:.3g} {unit}", f"{ratio(costs, of):.3g}", must, stretch)
    return ours


def suggestions(o, at):
    """Suggestions against asks at each number of trials."""
    cost = {}
    targets = {100: (0.15, 0.06), 200: (0.30, 0.12), 1000: (1.5, 0.7)}
    memory = {200: (0.3, 0.2), 1000: (0.7, 0.5)}
    for n in at:
        ours = Bohier(o.bohier, o.work / f"bohier-{n}", n - WARM_UP)
        for _ in range(WARM_UP):
            ours.ask()
        theirs = Optuna(o.work / f"optuna-{n}", n)
        costs = pairs(o.pairs, ours.ask, theirs.ask)
        cost[n] = report(f"`suggest` / `optuna ask`, {n} trials", costs, *targets.get(n, ("", "")))
        report(f"peak memory of the same, {n} trials", costs, *memory.get(n, ("", "")), of=mb, unit="MB", factor=1)
    if 200 in cost and 1000 in cost:
        row("growth exponent of `suggest`, 200 → 1000 trials", "", "", f"{math.log(cost[1000] / cost[200]) / math.log(5):.2f}", 2.9, 2.0)


def likelihoods(o):
    """Likelihood and gradient: the same process with many and with few
    repetitions, so that start-up falls out."""
    script = Path(__file__).with_name("likelihood.py")
    for n, reps, must, stretch in ((200, 300, 1.0, 0.4), (1000, 15, 2.2, 0.7)):
        def each(argv):
            def cost():
                few, many = run(argv(1)), run(argv(1 + reps))
                many.cpu = (many.cpu - few.cpu) / reps
                return many
            return cost
        # A benchmark of k iterations is preceded by one of 1, both times.
        ours = each(lambda k: [o.gp_test, "-test.run", "^$", "-test.bench", f"LikelihoodGradient/n={n}$", "-test.benchtime", f"{k}x"])
        theirs = each(lambda k: [sys.executable, script, str(n), str(k)])
        report(f"likelihood + gradient / numpy, n = {n}", pairs(o.pairs, ours, theirs), must, stretch)
    out = run([o.gp_test, "-test.run", "^$", "-test.bench", "^BenchmarkFit$/^warm$"]).out
    for n, evals in re.findall(r"warm/n=(\d+).*?([\d.]+) evaluations", out):
        row(f"likelihood evaluations of a warm refit, n = {n}", f"{float(evals):.0f}", "", "", 40, 25)


def startup(o):
    optuna = Path(sys.prefix) / "bin" / "optuna"
    costs = pairs(max(o.pairs, 15), lambda: run([o.bohier, "version"]), lambda: run([optuna, "--version"]))
    report("`bohier version` / `optuna --version`", costs, 0.02, 0.01)
    wall = min(a.wall for a, _ in costs)
    row("start of the binary, the shortest of 15", f"{wall * 1000:.3g} ms", "", "", "10 ms", "")
    row("size of the binary", f"{o.bohier.stat().st_size / 1e6:.1f} MB", "", "", "15 MB", "")


def scale(o):
    """Suggestions of bohier alone, up to 5,000 trials. The last columns are one
    more suggestion while four trials are pending."""
    row("trials", "CPU s", "wall s", "peak MB", "exponent of CPU time", "4 pending: CPU s", "peak MB")
    row(*["---"] * 7)
    last = None
    for n in o.trials or (200, 500, 1000, 2000, 3500, 5000):
        study = Bohier(o.bohier, o.work / f"scale-{n}", n - WARM_UP)
        for _ in range(WARM_UP):
            study.ask()
        costs = [study.ask() for _ in range(o.pairs)]
        c = med(costs, cpu)
        growth = f"{math.log(c / last[1]) / math.log(n / last[0]):.2f}" if last else ""
        last = (n, c)
        busy = study.ask_pending(4)
        row(n, f"{c:.2f}", f"{med(costs, lambda c: c.wall):.2f}", f"{max(c.mb for c in costs):.0f}", growth, f"{busy.cpu:.2f}", f"{busy.mb:.0f}")


def main():
    o = parse()
    shutil.rmtree(o.work, ignore_errors=True)
    if o.scale:
        return scale(o)
    row("", "bohier", "other", "ratio", "must", "stretch")
    row(*["---"] * 6)
    startup(o)
    likelihoods(o)
    suggestions(o, o.trials or [100, 200, 1000])


if __name__ == "__main__":
    main()
