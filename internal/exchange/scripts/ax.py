"""Print an experiment of Ax as JSON lines: the study with its space, then an arm a line.

    python3 ax.py ax.json > experiment.jsonl

ax.json is what AxClient.save_to_json_file writes, or an experiment. These commands read the
lines: bohier init --from ax:experiment.jsonl, bohier import ax:experiment.jsonl and bohier
add --json experiment.jsonl.
"""
import datetime
import json
import math
import re
import sys

STATES = {"COMPLETED": "complete", "EARLY_STOPPED": "complete", "FAILED": "failed"}
SIGNS = {"LEQ": "<=", "GEQ": ">="}
RESERVED = ("and", "or", "not", "in", "any", "all", "active")


def word(text):
    """A value as the conditions of a study file have it."""
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text) and text not in RESERVED
    return text if plain else json.dumps(text, ensure_ascii=False)


def named(parameter):
    return word(re.sub(r"""["'`\\={}]""", "_", parameter))


def distribution(p, notes):
    """A parameter in the form of Optuna, whose choices may be ordered."""
    kind, name = p["__type"].removesuffix("Parameter"), p["name"]
    if kind in ("Fixed", "Choice"):
        choices = [p["value"]] if kind == "Fixed" else p["values"]
        return {"name": "CategoricalDistribution",
                "attributes": {"choices": choices, "ordered": bool(p.get("is_ordered"))}}
    if kind != "Range":
        sys.exit(f"{json.dumps(p['__type'])} is not a parameter that can be converted")
    if p.get("digits") is not None:
        notes.append(f"{name} is rounded to {p['digits']} digits by Ax, which is left out: write step: or precision:")
    if p.get("is_fidelity"):
        notes.append(f"{name} is a fidelity in Ax and a parameter here")
    attributes = {"low": p["lower"], "high": p["upper"], "log": bool(p.get("log_scale")),
                  "logit_scale": bool(p.get("logit_scale"))}
    return {"name": "IntDistribution" if p["parameter_type"]["name"] == "INT" else "FloatDistribution",
            "attributes": attributes}


def requirement(c):
    """A constraint of order, of a sum, or a linear one."""
    if c.get("lower_name"):
        return f"{named(c['lower_name'])} <= {named(c['upper_name'])}"
    terms = [named(name) for name in c.get("parameter_names") or []]
    sign = ">=" if terms and c.get("is_upper_bound") is False else "<="
    terms += [named(n) if w == 1 else f"{w!r} * {named(n)}" for n, w in (c.get("constraint_dict") or {}).items()]
    return f"{' + '.join(terms)} {sign} {c['bound']!r}"


def absolute(bounds, notes):
    """Name, sign and bound of outcomes; a bound that is relative to the status quo is none."""
    for b in bounds or []:
        name, sign, bound = b["metric"]["name"], SIGNS[b["op"]["name"]], b["bound"]
        if b.get("relative"):
            notes.append(f"the constraint {name} {sign} {bound} % relative to the status quo is left out: "
                         "write its bound as a number")
        else:
            yield name, sign, bound


def declared(experiment, goals):
    """What the experiment says of the space; the objectives get their thresholds."""
    space, notes, config = {}, [], experiment.get("optimization_config") or {}
    parameters = experiment["search_space"]["parameters"]
    for p in parameters:
        space[p["name"]] = distribution(p, notes)
    for p in parameters:
        for value, names in (p.get("dependents") or {}).items():
            for name in names:
                when = f"{named(p['name'])} == {word(value)}"
                space[name]["active_if"] = " and ".join(filter(None, (space[name].get("active_if"), when)))
    constraints = [f"{named(name)} {sign} {bound!r}"
                   for name, sign, bound in absolute(config.get("outcome_constraints"), notes)]
    for name, _, bound in absolute(config.get("objective_thresholds"), notes):
        of = [o for o in goals if o["name"] == name]
        for o in of:
            o["reference"] = bound
        if not of:
            notes.append(f"the threshold of {name} is left out: it is no objective")
    read = ("__type", "objective", "outcome_constraints", "objective_thresholds")
    left = [key for key, value in config.items() if value and key not in read]
    left += [key for key in ("status_quo", "tracking_metrics") if experiment.get(key)]
    return {"space": space, "constraints": constraints,
            "require": [requirement(c) for c in experiment["search_space"].get("parameter_constraints") or []],
            "space_notes": notes + [f"{key} is left out" for key in left]}


def objectives(o):
    if not o.get("metric"):
        return [one for part in o.get("objectives") or [] for one in objectives(part.get("objective") or part)]
    minimize = o.get("minimize")
    if minimize is None:
        minimize = o["metric"].get("lower_is_better")
    return [{"name": o["metric"]["name"], "direction": "minimize" if minimize else "maximize"}]


def moment(value):
    return datetime.datetime.fromisoformat(value["value"]) if value else None


def measure(line, data, names):
    """Take over an arm's newest values: {"value": [[time, {"df": table by columns, as text}], …]}."""
    line["values"] = values = {}
    errors = {}
    for entry in (data or {}).get("value", []):
        table = json.loads(entry[1]["df"]["value"])
        for row, metric in table["metric_name"].items():
            value, error = table["mean"].get(row), table.get("sem", {}).get(row)
            if table["arm_name"][row] == line["name"] and value is not None and not math.isnan(value):
                values[metric] = value
                if error and error > 0 and metric in names:
                    errors[metric] = error
    if errors:
        line["stderr"] = errors if len(names) > 1 else errors[names[0]]


def arms(trial):
    structs = trial.get("generator_run_structs") or []
    for run in [*structs, trial.get("generator_run") or {}]:
        yield from run.get("generator_run", run).get("arms", [])


def lines(experiment, names):
    for number, trial in sorted(experiment["trials"].items(), key=lambda item: int(item[0])):
        status, begun, ended = trial["status"]["name"], moment(trial.get("time_run_started")), moment(trial.get("time_completed"))
        for arm in arms(trial):
            line = {"name": arm["name"], "params": dict(sorted(arm["parameters"].items())), "why": status.lower(),
                    "state": STATES.get(status, "pending")}
            if begun and ended and begun <= ended:
                line["duration"] = (ended - begun).total_seconds()
            if line["state"] == "complete":
                measure(line, experiment.get("data_by_trial", {}).get(number), names)
            yield line


def main(file):
    with open(file, encoding="utf-8-sig") as f:
        client = json.load(f)
    experiment = client.get("experiment") or client
    if not experiment.get("search_space"):
        sys.exit("there is no search space of Ax in it: give what AxClient.save_to_json_file writes")
    goals = objectives((experiment.get("optimization_config") or {}).get("objective") or {})
    head = {"import": "ax", "study": experiment.get("name") or "", "objectives": goals, **declared(experiment, goals)}
    for row in [head, *lines(experiment, [o["name"] for o in goals])]:
        print(json.dumps(row))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1])
    except (AttributeError, LookupError, TypeError, ValueError) as e:
        sys.exit(f"this is not JSON of Ax: {e!r}")
