"""Print a run history of SMAC as JSON lines: the study, then a configuration a line.

    python3 smac.py runhistory.json > runs.jsonl

The runs of a configuration are one measurement: the mean over instances and seeds at its
greatest budget. configspace.json beside the file is the space. These commands read the
lines: bohier init --from smac:runs.jsonl, bohier import smac:runs.jsonl and bohier add
--json runs.jsonl.
"""
import json
import math
import os
import statistics
import sys

FIELDS = ("config_id", "instance", "seed", "budget", "cost", "time", "status")
STATES = ("running", "success", "crashed", "timeout", "memory out")  # numbers of SMAC 2
NAMES = {"RUNNING": "running", "SUCCESS": "success", "TIMEOUT": "timeout", "MEMOUT": "memory out", "CAPPED": "capped",
         "ABORT": "aborted"}


def is_state(value):
    return isinstance(value, dict) or isinstance(value, int) and value <= 7


def read(run):
    """A run is a mapping (SMAC from 2.3), a list (before), or two lists (SMAC 1), the first of which may have no budget."""
    if isinstance(run, dict):
        return run
    if len(run) == 2:
        key, value = run
        run = [*key, *[None] * (4 - len(key)), *value]
    if len(run) > 7 and is_state(run[7]) and not is_state(run[6]):  # with the processor time
        run[6] = run[7]
    return dict(zip(FIELDS, run))


def state(run):
    status = run["status"]
    if isinstance(status, int):
        return STATES[status] if 0 <= status < len(STATES) else "crashed"
    return NAMES.get(status.get("__enum__", "").removeprefix("StatusType."), "crashed")


def name(k):
    """What objective k, which has no name, is called in a study file."""
    return f"objective_{k}" if k else "objective"


def number(value):
    return math.nan if value is None else float(value)


def measure(line, runs, notes):
    budgets = {r["budget"] for r in runs if r.get("budget") is not None}
    if len(budgets) > 1:
        notes.setdefault("measured at several budgets, of which the greatest counts", []).append(line["name"])
    runs = [r for r in runs if r.get("budget") is None or r["budget"] == max(budgets)]
    for r in runs:
        line["why"] = state(r)
        if line["why"] != "success":
            line["state"] = "pending" if line["why"] == "running" else "failed"
            return
    costs = [r["cost"] if isinstance(r["cost"], list) else [r["cost"]] for r in runs]
    objectives = [[number(v) for v in values] for values in zip(*costs)]
    line["values"] = {name(k): statistics.fmean(values) for k, values in enumerate(objectives)}
    line["duration"] = sum(r["time"] for r in runs)
    if len(runs) > 1:
        line["stderr"] = statistics.stdev(objectives[0]) / math.sqrt(len(runs))
        note = "measured several times, of which the mean and its standard error count"
        notes.setdefault(note, []).append(line["name"])
    if budgets:
        line["metrics"] = {"budget": max(budgets)}


def said(note, names):
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f"{len(names)} configuration{'s' * (len(names) > 1)} {note}: {shown}"


def main(file):
    with open(file, encoding="utf-8-sig") as f:
        history = json.load(f)
    if "configs" not in history:
        sys.exit("there are no configurations in it: give runhistory.json")
    runs, notes, lines = {}, {}, []
    for run in map(read, history["data"]):
        runs.setdefault(run["config_id"], []).append(run)
    for config, of in runs.items():
        line = {"name": str(config), "params": dict(sorted(history["configs"][str(config)].items()))}
        measure(line, of, notes)
        lines.append(line)
    objectives = max((len(line.get("values", [])) for line in lines), default=1) or 1
    head = {"import": "smac", "form": "configspace", "objectives": [{"name": name(k), "direction": "minimize"} for k in range(objectives)],
            "notes": [said(*note) for note in notes.items()]}
    space = os.path.join(os.path.dirname(file), "configspace.json")
    if os.path.isfile(space):
        with open(space, encoding="utf-8-sig") as f:
            head["space"] = f.read()
    for row in [head, *lines]:
        print(json.dumps(row))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1])
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as e:
        sys.exit(f"this is no run history of SMAC: {e!r}")
