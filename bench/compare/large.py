"""Makes studies with very many trials below DIR: one, two and three objectives, and a fidelity
with a constraint; all with costs and metrics. Then measures commands in each.

usage: large.py BOHIER DIR N [STUDY...]
"""

import json
import os
import random
import re
import shlex
import shutil
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


def measured(name, command, words):
    """CPU seconds and peak memory of one command with its words filled in; what comes after < is its
    standard input."""
    args, _, given = command.partition(" < ")
    at = os.path.join(top, name)
    p = subprocess.Popen([bohier, *shlex.split(" ".join(words.get(word, word) for word in args.split()))], cwd=at, stdin=open(os.path.join(at, given or "bohier.yaml")),
                         stdout=open(os.devnull, "wb"), stderr=subprocess.DEVNULL)
    _, code, usage = os.wait4(p.pid, 0)
    seconds, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10
    print(f"{name:9} {args:44} exit {code >> 8:3} {seconds:6.2f} CPU s {megabytes:5} MB"
          f"{'  beyond the aim' if seconds > 3 or megabytes > 300 else ''}", flush=True)


# Every verb. T1 and T2 are pending trials, V is a result; exit 2 where a study is of another kind.
COMMANDS = """add -q --json trials.jsonl
status; status -o json; best; best -o json; trials; trials -o json; trials -o csv; trials --sort x
show 77; show 77 -o json; check; doctor
suggest; suggest -n 2; model; model -o json; explain; explain T1; verdict T1
predict --points points.jsonl; score points.jsonl; score points.jsonl --pick 5
report; report -o json; report -o html
plot convergence; plot convergence --x cost; plot slice x --objective f; plot contour x y --objective f; plot parallel
plot importance; plot calibration; plot curves; plot pareto; plot hypervolume
export jsonl; export csv; export csv --long
journal verify; journal cat; journal replay --verify; journal copy bohier.journal.jsonl copy.jsonl
enqueue x=0.5 y=0.5 k=c; return T1; observe T1 V; abandon T2; observe --replicate 6 V; observe --replace 5 V
suggest --fix k=c; suggest --deadline 1s; suggest -n 10; run -n 2 -- echo V; serve --stdio < requests.jsonl
add -q --json more.jsonl; journal merge ../more/bohier.journal.jsonl
journal archive old.jsonl; journal merge old.jsonl; journal repair"""
REQUESTS = ["status", "best", "suggest", "explain", "model"]

for name in sys.argv[4:] or STUDIES:
    d = os.path.join(top, name)
    os.makedirs(d, exist_ok=True)
    with open(d + "/bohier.yaml", "w") as out:
        out.write(STUDIES[name] + SPACE)
    r = random.Random(1)
    with open(d + "/trials.jsonl", "w") as out:
        for _ in range(n):
            out.write(json.dumps(trial(r, name)) + "\n")
    with open(d + "/more.jsonl", "w") as out:
        for _ in range(n // 5):
            out.write(json.dumps(trial(r, name)) + "\n")
    with open(d + "/points.jsonl", "w") as out:
        for _ in range(50):
            out.write(json.dumps(trial(r, name)["params"]) + "\n")
    with open(d + "/requests.jsonl", "w") as out:
        for verb in REQUESTS:
            out.write(json.dumps({"verb": verb}) + "\n")
    other = os.path.join(top, "more")
    shutil.rmtree(other, ignore_errors=True)
    os.makedirs(other)
    shutil.copy(d + "/bohier.yaml", other)
    subprocess.run([bohier, "add", "-q", "--json", d + "/more.jsonl"], cwd=other, stdout=subprocess.DEVNULL, check=True)
    words = {"T1": str(n + 1), "T2": str(n + 2), "V": " ".join(f"{k}={v:.3}" for k, v in trial(r, name)["values"].items())}
    for command in re.split("; |\n", COMMANDS):
        measured(name, command, words)
