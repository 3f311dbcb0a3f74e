"""Print a run history of SMAC as JSON lines: the study, then a configuration a line.

    python3 smac.py runhistory.json > runs.jsonl

The runs of a configuration are one measurement: the mean over instances and seeds at its
greatest budget. configspace.json beside the file is the space; given alone it is a study
without trials. These commands read the lines: bohier init --from smac:runs.jsonl, bohier
import smac:runs.jsonl and bohier add --json runs.jsonl.
"""
import json
import math
import os
import re
import statistics
import sys

FIELDS = ("config_id", "instance", "seed", "budget", "cost", "time", "status")
STATES = ("running", "success", "crashed", "timeout", "memory out")  # numbers of SMAC 2
NAMES = {"RUNNING": "running", "SUCCESS": "success", "TIMEOUT": "timeout", "MEMOUT": "memory out", "CAPPED": "capped",
         "ABORT": "aborted"}


RESERVED = ("and", "or", "not", "in", "any", "all", "active")
# Clauses of ConfigSpace (format 0.4; versions before and after 1.0), and keys of parameters that are read or say nothing.
SIGNS = {"EQ": "==", "NEQ": "!=", "LT": "<", "GT": ">", "EQUALS": "==", "LESS": "<", "GREATER": ">",
         "RELATION_LT": "<", "RELATION_LE": "<=", "RELATION_EQ": "==", "RELATION_GT": ">", "RELATION_GE": ">=",
         "CLAUSE_LT": "<", "CLAUSE_LE": "<=", "CLAUSE_GT": ">", "CLAUSE_GE": ">="}
READ = ("type", "name", "choices", "sequence", "value", "default_value", "default", "lower", "upper", "mu", "sigma",
        "log", "q", "alpha", "beta")


def word(text):
    """A value as the conditions of a study file have it."""
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text) and text not in RESERVED
    return text if plain else json.dumps(text, ensure_ascii=False)


def distribution(p, notes):
    """A parameter in the form of Optuna, with a default and the mode of a prior."""
    name, kind = p["name"], p["type"]
    for key in p:
        if p[key] and key not in READ:
            notes.append(f"{name}: {key} is left out")
    numeric = re.fullmatch("(uniform|normal|beta)_(float|int)", kind)
    if numeric:
        out = number(p, *numeric.groups(), notes)
    elif kind not in ("constant", "unparametrized", "categorical", "ordinal"):
        sys.exit(f"{json.dumps(kind)} is not a type that can be converted")
    else:
        choices = [p["value"]] if "value" in p else p.get("choices") or p.get("sequence") or []
        out = {"name": "CategoricalDistribution", "attributes": {"choices": choices, "ordered": kind == "ordinal"}}
    default = p.get("default_value", p.get("default"))
    return out if default is None else {**out, "default": default}


def number(p, family, kind, notes):
    out, name = {"name": {"float": "FloatDistribution", "int": "IntDistribution"}[kind]}, p["name"]
    low, high, mean = p.get("lower"), p.get("upper"), p.get("mu")
    if low is None and family == "normal":
        if p.get("log"):
            sys.exit(f"{name} has a normal distribution without bounds: give it lower and upper")
        low, high = mean - 3 * p["sigma"], mean + 3 * p["sigma"]
        low, high = (math.ceil(low), math.floor(high)) if kind == "int" else (float(f"{v:.14g}") for v in (low, high))
        out["prior"] = math.floor(mean) if kind == "int" else mean
        notes.append(f"the normal distribution of {name} becomes its mean ± 3 standard deviations, with the mean as prior")
    elif family == "normal" and kind == "float" and not p.get("log") and not p.get("q") and low <= mean <= high:
        out["prior"] = mean
        notes.append(f"the normal distribution of {name} becomes its bounds, with the mean as prior")
    elif family != "uniform":
        notes.append(f"the {family} distribution of {name} becomes its bounds")
    return {**out, "attributes": {"low": low, "high": high, "log": bool(p.get("log")), "step": p.get("q")}}


def clause(c, numbers):
    """A condition or a forbidden clause in the language of conditions."""
    kind = c["type"]

    def named(name):
        if name not in numbers:
            sys.exit(f"{json.dumps(name)} is not a hyperparameter")
        return word(re.sub(r"""["'`\\={}]""", "_", name))

    def value(v):
        text = v if isinstance(v, str) else json.dumps(v)
        return text if numbers[name] else word(text)

    if kind in ("AND", "OR"):
        parts = c.get("conditions") or c["clauses"]
        texts = [clause(part, numbers) for part in parts]
        return f" {kind.lower()} ".join(f"({t})" if part["type"] in ("AND", "OR") else t for part, t in zip(parts, texts))
    if kind != "IN" and c.get("lambda", kind) not in SIGNS:
        sys.exit(f"the relation {json.dumps(c.get('lambda', kind))} cannot be converted")
    if kind.startswith("RELATION"):
        return f"{named(c['left'])} {SIGNS[c.get('lambda', kind)]} {named(c['right'])}"
    name = c.get("parent") or c["name"]
    if kind == "IN":
        return f"{named(name)} in [{', '.join(map(value, c['values']))}]"
    return f"{named(name)} {SIGNS[kind]} {value(c['value'])}"


def declared(configspace):
    """What the JSON of ConfigSpace says."""
    space, notes, parameters = {}, [], configspace["hyperparameters"]
    for p in parameters:
        space[p["name"]] = distribution(p, notes)
    numbers = {p["name"]: space[p["name"]]["name"] != "CategoricalDistribution" for p in parameters}
    for c in configspace.get("conditions") or []:
        if c["child"] not in space:
            sys.exit(f"{json.dumps(c['child'])} is not a hyperparameter")
        child, when = space[c["child"]], clause(c, numbers)
        child["active_if"] = f"({child['active_if']}) and ({when})" if "active_if" in child else when
    return {"study": configspace.get("name") or "", "space": space, "space_notes": notes,
            "forbidden": [clause(c, numbers) for c in configspace.get("forbiddens") or []]}


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


def measured(value):
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
    objectives = [[measured(v) for v in values] for values in zip(*costs)]
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
    head = {"import": "smac", "form": "configspace"}
    if "hyperparameters" in history:
        print(json.dumps({**head, **declared(history)}))
        return
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
    head.update(objectives=[{"name": name(k), "direction": "minimize"} for k in range(objectives)],
                notes=[said(*note) for note in notes.items()])
    space = os.path.join(os.path.dirname(file), "configspace.json")
    if os.path.isfile(space):
        with open(space, encoding="utf-8-sig") as f:
            head.update(declared(json.load(f)))
    for row in [head, *lines]:
        print(json.dumps(row))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1])
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as e:
        sys.exit(f"this is no run history of SMAC and no space of ConfigSpace: {e!r}")
