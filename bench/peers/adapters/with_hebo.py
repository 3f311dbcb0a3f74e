"""HEBO, on the flat space: it has no conditions."""
import importlib.metadata

import numpy as np
import torch
from hebo.design_space.design_space import DesignSpace
from hebo.optimizers.hebo import HEBO

from peer import conditional, hello, n, params, seed, typed, value

hello("hebo", importlib.metadata.version("HEBO"), "flat" if conditional else "native")
np.random.seed(seed)
torch.manual_seed(seed)
space = []
for p in params:
    if p["type"] in ("cat", "ord"):
        space.append({"name": p["name"], "type": "cat", "categories": [str(c) for c in p["choices"]]})
    else:
        kind = {("float", False): "num", ("float", True): "pow", ("int", False): "int", ("int", True): "pow_int"}[p["type"], p["log"]]
        space.append({"name": p["name"], "type": kind, "lb": p["low"], "ub": p["high"], **({"base": 10} if kind == "pow" else {})})
optimizer = HEBO(DesignSpace().parse(space), scramble_seed=seed)
by_name = {p["name"]: p for p in params}
for _ in range(n):
    rows = optimizer.suggest(n_suggestions=1)
    y = value({k: typed(by_name[k], rows.iloc[0][k]) for k in by_name})
    optimizer.observe(rows, np.array([[y]]))
