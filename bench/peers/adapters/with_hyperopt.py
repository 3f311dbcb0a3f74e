"""Hyperopt's TPE, on the flat space (its nested choices cannot express conditions on
numbers or on several parents)."""
import importlib.metadata

import numpy as np
from hyperopt import STATUS_OK, Trials, fmin, hp, tpe

from peer import conditional, hello, n, params, seed, typed, value

hello("hyperopt", importlib.metadata.version("hyperopt"), "flat" if conditional else "native")
space = {}
for p in params:
    name = p["name"]
    if p["type"] in ("cat", "ord"):
        space[name] = hp.choice(name, [str(c) for c in p["choices"]])
    elif p["type"] == "int":
        if p["log"]:
            space[name] = hp.qloguniform(name, np.log(max(p["low"] - 0.5, 0.5)), np.log(p["high"] + 0.499), 1)
        else:
            space[name] = hp.randint(name, int(p["low"]), int(p["high"]) + 1)
    elif p["log"]:
        space[name] = hp.loguniform(name, np.log(p["low"]), np.log(p["high"]))
    else:
        space[name] = hp.uniform(name, p["low"], p["high"])
by_name = {p["name"]: p for p in params}


def f(config):
    return {"loss": value({k: typed(by_name[k], v) for k, v in config.items()}), "status": STATUS_OK}


fmin(f, space, algo=tpe.suggest, max_evals=n, trials=Trials(), rstate=np.random.default_rng(seed), show_progressbar=False)
