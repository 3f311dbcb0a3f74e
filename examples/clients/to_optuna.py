"""Adds the complete trials of the study in this directory to a study of Optuna, sqlite:///study.db."""

import json, subprocess
import optuna, yaml
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

def bohier(*words):
    return subprocess.run(["bohier", *words], check=True, stdout=subprocess.PIPE, text=True).stdout

def distribution(p):
    kind = {"float": FloatDistribution, "int": IntDistribution}.get(p.get("type"))
    if kind:
        return kind(p["low"], p["high"], log=p.get("scale") == "log")
    return CategoricalDistribution([True, False] if p.get("type") == "bool" else p.get("values", [p.get("value")]))

file = yaml.safe_load(bohier("check", "--print"))
objectives = file.get("objectives") or [file["objective"]]
space = {name: distribution(p) for name, p in file["space"].items()}
study = optuna.create_study(storage="sqlite:///study.db", directions=[o["direction"] for o in objectives])
for t in map(json.loads, bohier("export", "jsonl").splitlines()):
    if t["state"] == "complete" and not t.get("outside"):
        study.add_trial(optuna.trial.create_trial(
            params=t["params"], distributions={name: space[name] for name in t["params"]},
            values=[t["values"][o["name"]] for o in objectives], user_attrs=t.get("metrics") or {}))
