"""Print an experiment of Ax as JSON lines: the study with its space, then an arm a line.

    python3 ax.py ax.json > experiment.jsonl

ax.json is what AxClient.save_to_json_file writes, or an experiment. These commands read the
lines: bohier init --from ax:experiment.jsonl, bohier import ax:experiment.jsonl and bohier
add --json experiment.jsonl.
"""
import datetime
import json
import math
import sys

STATES = {"COMPLETED": "complete", "EARLY_STOPPED": "complete", "FAILED": "failed"}


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
    declared = ("optimization_config", "search_space", "status_quo", "tracking_metrics")
    goals = objectives((experiment.get("optimization_config") or {}).get("objective") or {})
    head = {"import": "ax", "study": experiment.get("name") or "", "objectives": goals,
            "space": {key: experiment.get(key) for key in declared}}
    for row in [head, *lines(experiment, [o["name"] for o in goals])]:
        print(json.dumps(row))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1])
    except (AttributeError, LookupError, TypeError, ValueError) as e:
        sys.exit(f"this is not JSON of Ax: {e!r}")
