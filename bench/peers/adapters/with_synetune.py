"""Syne Tune's searchers asked one at a time: gp (BoTorch) | bore | tpe, on
the flat space: its searchers take no conditions."""
import importlib.metadata
import sys

from syne_tune.config_space import choice, loguniform, lograndint, ordinal, randint, uniform
from syne_tune.optimizer.baselines import BORE, TPE, BOTorch

from peer import conditional, hello, n, params, seed, typed, value

kind = sys.argv[1]
hello("synetune-" + kind, importlib.metadata.version("syne-tune"), "flat" if conditional else "native")


def domain(p):
    if p["type"] == "cat":
        return choice([str(c) for c in p["choices"]])
    if p["type"] == "ord":
        return ordinal([str(c) for c in p["choices"]])
    if p["type"] == "int":
        return (lograndint if p["log"] else randint)(int(p["low"]), int(p["high"]))
    return (loguniform if p["log"] else uniform)(p["low"], p["high"])


class Trial:
    def __init__(self, trial_id, config):
        self.trial_id, self.config = trial_id, config


scheduler = {"gp": BOTorch, "bore": BORE, "tpe": TPE}[kind](
    {p["name"]: domain(p) for p in params}, metric="y", random_seed=seed)
by_name = {p["name"]: p for p in params}
for k in range(n):
    config = scheduler.suggest().config
    y = value({name: typed(by_name[name], config[name]) for name in by_name})
    trial = Trial(k, config)
    scheduler.on_trial_add(trial)
    scheduler.on_trial_complete(trial, {"y": y})
