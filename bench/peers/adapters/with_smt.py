"""SMT's efficient global optimization on mixed spaces, hierarchical where conditions have
the form it takes (values of a choice or of an integer, one level deep); else on the flat space."""
import importlib.metadata

import numpy as np
from smt.applications import EGO
from smt.applications.mixed_integer import MixedIntegerSamplingMethod
from smt.design_space import (CategoricalVariable, DesignSpace, FloatVariable, IntegerVariable, OrdinalVariable)
from smt.sampling_methods import LHS
from smt.surrogate_models import KRG, MixIntKernelType

from peer import conditional, hello, n, params, seed, typed, value

index = {p["name"]: i for i, p in enumerate(params)}
decreed = {p["name"] for p in params if p["when"]}
native = all(len(p["when"]) <= 1 and all(c["op"] == "in" and c["name"] not in decreed for c in p["when"]) for p in params)
hello("smt", importlib.metadata.version("smt"), "native" if native or not conditional else "flat")


def variable(p):
    if p["type"] == "cat":
        return CategoricalVariable([str(c) for c in p["choices"]])
    if p["type"] == "ord":
        return OrdinalVariable([str(c) for c in p["choices"]])
    if p["type"] == "int":
        return IntegerVariable(int(p["low"]), int(p["high"]))
    low, high = (np.log(p["low"]), np.log(p["high"])) if p["log"] else (p["low"], p["high"])
    return FloatVariable(low, high)


space = DesignSpace([variable(p) for p in params], seed=seed)
for p in params if native else []:
    for c in p["when"]:
        space.declare_decreed_var(decreed_var=index[p["name"]], meta_var=index[c["name"]], meta_value=[str(v) for v in c["value"]])


def f(x, **_):  # of conditional spaces also what is active, which correct_get_acting tells too
    out = []
    for row, on in zip(*space.correct_get_acting(np.atleast_2d(x))):
        config = {}
        for i, p in enumerate(params):
            if p["type"] in ("cat", "ord"):
                v = p["choices"][int(row[i])]
            else:
                v = typed(p, np.exp(row[i]) if p["log"] and p["type"] == "float" else row[i])
            if on[i] or not native:
                config[p["name"]] = v
        out.append([value(config)])
    return np.array(out)


start = min(n, max(5, len(params) + 1))
first = MixedIntegerSamplingMethod(LHS, space, criterion="ese", seed=seed)(start)
model = KRG(design_space=space, categorical_kernel=MixIntKernelType.GOWER, print_global=False)
EGO(n_iter=n - start + 1, criterion="EI", xdoe=first, surrogate=model, seed=seed).optimize(fun=f)
