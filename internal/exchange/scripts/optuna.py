"""Print an Optuna study as JSON lines: the study with its space, then a trial a line.

    python3 optuna.py STORAGE [STUDY] > study.jsonl

STORAGE is a URL such as sqlite:///study.db, an SQLite database or a journal file; or the CSV
of trials_dataframe(), which has values and no space, and needs no Optuna. These
commands read the lines: bohier init --from optuna:study.jsonl, bohier import
optuna:study.jsonl and bohier add --json study.jsonl.
"""
import os
import sys

here = os.path.dirname(os.path.abspath(sys.argv[0]))  # where this file may hide the module
sys.path = [p for p in sys.path if os.path.abspath(p) != here]

import csv
import datetime
import json

OURS = "bohier:"  # attributes of `bohier export optuna`
STATES = {"COMPLETE": "complete", "FAIL": "failed"}


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return None


def table(file):
    """The CSV of trials_dataframe(), whose cells pandas wrote: True, False, and nothing for None."""
    with open(file, newline="", encoding="utf-8-sig") as f:
        first = f.readline()
        f.seek(0)
        rows = list(csv.DictReader(f, delimiter=max(",;\t", key=first.count)))
    if not rows:
        sys.exit("the table has no rows")
    values = [c for c in rows[0] if c == "value" or c.startswith("values_")]
    names = [c.removeprefix("values_") for c in values]
    head = {"import": "optuna", "study": "trials_dataframe", "texts": True,
            "objectives": [{"name": "" if n == "value" or n.isdigit() else n} for n in names]}
    lines = []
    for row in rows:
        state = row.get("state", "COMPLETE")  # attrs= may have chosen other columns
        line = {"name": row["number"], "state": STATES.get(state, "pending"), "params": {}, "metrics": {},
                "why": "failed" if state == "FAIL" else state.lower()}
        for column, cell in row.items():
            if column.startswith("params_"):
                line["params"][column.removeprefix("params_")] = cell.lower() if cell in ("True", "False") else cell
            elif column.startswith("user_attrs_") and cell:
                line["metrics"][column.removeprefix("user_attrs_")] = cell if number(cell) is None else number(cell)
        if state == "COMPLETE":
            line["scores"] = [number(row[c]) for c in values]
        if row.get("datetime_start") and row.get("datetime_complete"):
            begun, ended = map(datetime.datetime.fromisoformat, (row["datetime_start"], row["datetime_complete"]))
            line["duration"] = (ended - begun).total_seconds()
        lines.append(line)
    return [head, *lines]


def storage(place):
    import optuna

    if "://" in place and not place.startswith("sqlite:///"):
        return place
    path = place.removeprefix("sqlite:///")
    file = path.removeprefix("file:").split("?")[0]
    if not os.path.isfile(file):
        sys.exit(f"there is no file {file}")
    with open(file, "rb") as f:
        if f.read(16).startswith(b"SQLite format 3"):
            return place if path.startswith("file:") else f"sqlite:///file:{path}?mode=ro&uri=true"
    try:
        from optuna.storages.journal import JournalFileBackend
    except ImportError:  # before Optuna 4
        from optuna.storages import JournalFileStorage as JournalFileBackend
    return optuna.storages.JournalStorage(JournalFileBackend(file))


def load(place, name):
    import optuna

    where = storage(place)
    names = optuna.study.get_all_study_names(where)
    if not names:
        sys.exit("there is no study in it")
    if not name and len(names) > 1:
        listed = ", ".join(json.dumps(n, ensure_ascii=False) for n in names[:10])
        sys.exit(f"there are {len(names)} studies in it; choose with --study NAME: {listed}")
    if name and name not in names:
        sys.exit(f"there is no study {json.dumps(name, ensure_ascii=False)} in it")
    return optuna.load_study(study_name=name or names[0], storage=where)


def widen(space, differ, name, distribution):
    """Add a distribution to the space: the widest range where those of trials differ."""
    from optuna.distributions import distribution_to_json

    new = json.loads(distribution_to_json(distribution))
    old = space.setdefault(name, new)["attributes"]
    new = new["attributes"]
    if "low" in old and "low" in new and (new["low"], new["high"]) != (old["low"], old["high"]):
        old["low"], old["high"] = min(old["low"], new["low"]), max(old["high"], new["high"])
        differ.add(name)


def flat(name, value, into, left):
    if isinstance(value, dict):
        for k, v in value.items():
            flat(f"{name}.{k}", v, into, left)
    elif isinstance(value, (int, float, str)):
        into[name] = value
    elif value is not None:
        left.add(name)


def line(study, objectives, trial, left):
    state = trial.state.name
    out = {"name": str(trial.number), "state": STATES.get(state, "pending"), "params": trial.params, "values": {}, "metrics": {}}
    if out["state"] == "pending":
        out["why"] = state.lower()
    if state == "COMPLETE":
        out["values"] = dict(zip(objectives, trial.values))
    if trial.duration is not None:
        out["duration"] = trial.duration.total_seconds()
    for name, value in trial.user_attrs.items():
        own = name.removeprefix(OURS)
        if own == name:
            flat(name, value, out["metrics"], left)
        elif own in ("cost", "stderr", "duration", "note"):
            out[own] = value
        elif own.startswith("stderr."):
            out.setdefault("stderr", {})[own[len("stderr."):]] = value
        elif own.startswith("value."):
            out["values"][own[len("value."):]] = value
    return out


def study_lines(place, name):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = load(place, name)
    names = study.metric_names or ["objective"] + [f"objective_{k}" for k in range(1, len(study.directions))]
    space, differ, lines, reported = {}, set(), [], 0
    left = {name for name in study.user_attrs if not name.startswith(OURS)}
    for trial in study.get_trials(deepcopy=False):
        reported += len(trial.intermediate_values)
        for p, distribution in trial.distributions.items():
            widen(space, differ, p, distribution)
        left.update(name for name in trial.system_attrs if name.startswith("constraint"))
        lines.append(line(study, names, trial, left))
    notes = [f"{reported} intermediate values left out"] if reported else []
    if left:
        notes.append("attributes left out, neither numbers nor texts of a trial: " + ", ".join(sorted(left)))
    head = {
        "import": "optuna",
        "study": study.study_name,
        "objectives": [{"name": n, "direction": d.name.lower()} for n, d in zip(names, study.directions)],
        "space": space,
        "file": study.user_attrs.get(OURS + "study"),
        "notes": notes,
        "space_notes": [f"{p} has ranges that differ between trials, the widest of which is taken" for p in sorted(differ)],
    }
    return [head, *lines]


def is_table(place):
    if not os.path.isfile(place):
        return False
    with open(place, "rb") as f:
        first = f.readline(1 << 16)
    return b"number" in first and b"params_" in first


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    place, name = sys.argv[1], "".join(sys.argv[2:])
    for row in table(place) if is_table(place) else study_lines(place, name):
        print(json.dumps(row))
