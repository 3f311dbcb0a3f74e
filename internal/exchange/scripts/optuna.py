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
import decimal
import json
import math
import re

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
    if names == ["value"] or all(map(str.isdigit, names)):  # as in a study file without names
        names = [f"objective_{k}" if k else "objective" for k in range(len(values))]
    head = {"import": "optuna", "study": "trials_dataframe", "texts": True, "objectives": [{"name": n} for n in names]}
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
            line["values"] = {n: number(row[c]) for n, c in zip(names, values)}
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


# A space of Optuna is a program; its conditions show in which trials have a parameter. A
# condition is taken for certain where so good an explanation is seldom chance.
MAX_CHANCE = 0.05  # that labels at random are explained as well
MIN_RATIO = 10  # between the chances of the best explanation and of the next
RESERVED = ("and", "or", "not", "in", "any", "all", "active")


def word(value):
    """A name or value as the conditions of a study file have it."""
    text = value if isinstance(value, str) else json.dumps(value)
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text) and text not in RESERVED
    return text if plain else json.dumps(text, ensure_ascii=False)


def by_choice(choices, active):
    """Explain by the values of a choice with which a parameter is active: a condition, and what it leaves open."""
    key = {json.dumps(c): word(c) for c in choices}
    words = [key[k] for k in key if active.get(k)]
    unseen = [key[k] for k in key if k not in active]
    condition = f" == {words[0]}" if len(words) == 1 else f" in [{', '.join(words)}]"
    return condition if words else "", "no trial has " + " or ".join(unseen) if unseen else ""


def by_threshold(whole, active):
    """Explain by a bound of a number."""
    values = {here: [float(k) for k in active if active[k] == here] for here in (True, False)}
    below, above, sign = max(values[False]), min(values[True]), ">="
    if max(values[True]) < min(values[False]):
        below, above, sign = max(values[True]), min(values[False]), "<="
    if not below < above:
        return "", ""
    is_open = "" if whole and above - below == 1 else f"no trial is between {below:.15g} and {above:.15g}"
    return f" {sign} {shortest(below, above, sign):.15g}", is_open


def shortest(below, above, sign):
    """The bound between two numbers that has the fewest digits, as near as it can be to the active side."""
    for digits in range(1, 18):
        rounding = decimal.ROUND_FLOOR if sign == ">=" else decimal.ROUND_CEILING
        bound = float(decimal.Context(digits, rounding).create_decimal_from_float(above if sign == ">=" else below))
        if below < bound <= above if sign == ">=" else below <= bound < above:
            return bound
    raise ValueError("two equal numbers")


def explanations(earlier, space, seen, name):
    """Explain by an earlier parameter where name is active: the least likely by chance first."""
    found = []
    for parent in earlier:
        having = [(json.dumps(t[parent]), name in t) for t in seen if parent in t]
        active, number = dict(having), sum(here for _, here in having)
        told = len(set(having)) == len(active) and not any(name in t for t in seen if parent not in t)
        if not told or number in (0, len(having)):
            continue
        kind, attributes = space[parent]["name"], space[parent]["attributes"]
        if kind == "CategoricalDistribution":
            (condition, is_open), ways = by_choice(attributes["choices"], active), len(active) * math.log(2)
        else:  # ways to place a bound among the values seen
            (condition, is_open), ways = by_threshold(kind.startswith("Int"), active), math.log(2 * (len(active) - 1))
        if condition:
            chance = math.exp(ways - math.log(math.comb(len(having), number)))
            found.append((chance, word(re.sub(r"""["'`\\={}]""", "_", parent)) + condition, is_open))
    return sorted(found, key=lambda e: e[0])


def infer_conditions(space, seen):
    """Add to the space the conditions that trials show: active_if where it is certain, perhaps where it is not."""
    names, notes = list(space), []
    for i, name in enumerate(names):
        if all(name in t for t in seen):
            continue
        found = explanations(names[:i], space, seen, name)
        if found and found[0][0] <= MAX_CHANCE and (len(found) == 1 or found[1][0] >= MIN_RATIO * found[0][0]):
            _, space[name]["active_if"], space[name]["perhaps"] = found[0]
            trials = f"{len(seen)} trial{'s' * (len(seen) > 1)}"
            notes.append(f"{name} has active_if: {found[0][1]}, inferred from {trials}")
            continue
        space[name]["perhaps"] = ", or ".join(f"active_if: {condition}" for _, condition, _ in found[:3])
        why = "it is not certain which: choose one of the conditions beside it"
        notes.append(f"{name} is missing from some trials, and "
                     + (why if found else "no earlier parameter explains which: write its active_if"))
    return notes


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
        flat(name, value, out["metrics"], left)
    return out


def study_lines(place, name):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = load(place, name)
    names = study.metric_names or ["objective"] + [f"objective_{k}" for k in range(1, len(study.directions))]
    space, differ, lines, reported = {}, set(), [], 0
    left = set(study.user_attrs)
    for trial in study.get_trials(deepcopy=False):
        reported += len(trial.intermediate_values)
        for p, distribution in trial.distributions.items():
            widen(space, differ, p, distribution)
        left.update(name for name in trial.system_attrs if name.startswith("constraint"))
        lines.append(line(study, names, trial, left))
    # others may have ended before their last parameter
    conditions = infer_conditions(space, [x["params"] for x in lines if x["state"] == "complete" and x["params"]])
    notes = [f"{reported} intermediate values left out"] if reported else []
    if left:
        notes.append("attributes left out, neither numbers nor texts of a trial: " + ", ".join(sorted(left)))
    head = {
        "import": "optuna",
        "study": study.study_name,
        "objectives": [{"name": n, "direction": d.name.lower()} for n, d in zip(names, study.directions)],
        "notes": notes,
        "space_notes": [f"{p} has ranges that differ between trials, the widest of which is taken" for p in sorted(differ)]
        + conditions,
        **({"space": space} if space else {}),
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
    try:
        for row in table(place) if is_table(place) else study_lines(place, name):
            print(json.dumps(row))
    except Exception as e:  # of Optuna, its databases and its files
        sys.exit(f"optuna cannot read it: {str(e).splitlines()[0] if str(e) else repr(e)}")
