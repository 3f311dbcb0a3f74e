"""Makes studies with very many trials below DIR: one, two and three objectives, and a fidelity
with a constraint; all with costs and metrics. Then measures commands in each.

usage: large.py BOHIER DIR N
"""

import json
import os
import random
import subprocess
import sys

bohier, top, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
SPACE = """space:
  x: {type: float, low: 0, high: 1}
  y: {type: float, low: 0, high: 1}
  k: [a, b, c]
  z: {type: int, low: 1, high: 50, active_if: {k: [a, b]}}
"""
STUDIES = {
    "one": "objective: {name: f, direction: minimize}\n",
    "two": "objectives: [{name: f, direction: minimize}, {name: g, direction: maximize}]\n",
    "three": "objectives: [{name: f, direction: minimize}, {name: g, direction: maximize}, {name: h, direction: minimize}]\n",
    "fidelity": "objective: {name: f, direction: minimize}\nfidelity: {name: epochs, low: 1, high: 9, scheduler: asha}\nconstraints: ['mem <= 0.8']\n",
}


def trial(r, name):
    p = {"x": r.random(), "y": r.random(), "k": r.choice("abc")}
    if p["k"] != "c":
        p["z"] = r.randint(1, 50)
    f = (p["x"] - 0.3) ** 2 + p["y"] ** 2 + p.get("z", 0) / 100
    v = {"f": f}
    if name in ("two", "three"):
        v["g"] = -((p["x"] - 0.8) ** 2 + (p["y"] - 0.6) ** 2)
    if name == "three":
        v["h"] = abs(p["x"] + p["y"] - 1)
    t = {"params": p, "values": v, "cost": 1 + r.random(), "accuracy": r.random(), "host": f"n{r.randrange(9)}"}
    if name == "fidelity":
        v["mem"] = r.random()
        last = r.choice([1, 3, 9, 9])
        t["resource"] = last
        t["curve"] = [[e, f + 1 / e] for e in (1, 3, 9) if e < last]
    return t


def measured(name, *args):
    """CPU seconds and peak memory of one command."""
    p = subprocess.Popen([bohier, *args], cwd=os.path.join(top, name), stdout=open(os.devnull, "wb"), stderr=subprocess.DEVNULL)
    _, code, usage = os.wait4(p.pid, 0)
    print(f"{name:9} {' '.join(args):24} exit {code >> 8} {usage.ru_utime + usage.ru_stime:6.2f} CPU s {usage.ru_maxrss >> 10:5} MB", flush=True)


for name, text in STUDIES.items():
    d = os.path.join(top, name)
    os.makedirs(d, exist_ok=True)
    with open(d + "/bohier.yaml", "w") as out:
        out.write(text + SPACE)
    r = random.Random(1)
    with open(d + "/trials.jsonl", "w") as out:
        for _ in range(n):
            out.write(json.dumps(trial(r, name)) + "\n")
    with open(d + "/more.jsonl", "w") as out:
        for _ in range(n // 5):
            out.write(json.dumps(trial(r, name)) + "\n")
    for verb in ("add -q --json trials.jsonl", "status", "best", "trials", "trials -o yaml", "show 77", "report", "plot slice",
                 "export jsonl", "export csv", "check", "suggest", "journal verify", "journal replay --verify",
                 "add -q --json more.jsonl"):
        measured(name, *verb.split())
