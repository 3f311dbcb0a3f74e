"""Optuna: tpe | group (multivariate, grouped) | gp. The first two work on conditions as
they are, by asking only for what is active; the GP sampler needs a flat space."""
import sys

import optuna

from peer import active, conditional, hello, n, objectives, params, seed, typed, value

optuna.logging.set_verbosity(optuna.logging.ERROR)
kind = sys.argv[1]
flat = kind == "gp" and conditional
hello("optuna-" + kind, optuna.__version__, "flat" if flat else "native")
sampler = {
    "tpe": lambda: optuna.samplers.TPESampler(seed=seed),
    "group": lambda: optuna.samplers.TPESampler(seed=seed, multivariate=True, group=True),
    "gp": lambda: optuna.samplers.GPSampler(seed=seed),
}[kind]()
study = optuna.create_study(sampler=sampler, directions=["minimize"] * objectives)


def suggest(trial, p):
    if p["type"] in ("cat", "ord"):
        return trial.suggest_categorical(p["name"], [str(c) for c in p["choices"]])
    if p["type"] == "int":
        return trial.suggest_int(p["name"], int(p["low"]), int(p["high"]), log=p["log"])
    return trial.suggest_float(p["name"], p["low"], p["high"], log=p["log"])


for _ in range(n):
    trial, config = study.ask(), {}
    for p in params:
        if flat or active(p, config):
            config[p["name"]] = typed(p, suggest(trial, p))
    study.tell(trial, value(config))
