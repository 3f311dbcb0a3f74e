"""CMA-ES of package cma on the flat unit cube: choices and integers by rounding, logarithms
as declared; it restarts where it converges (Hansen 2016)."""
import math
import sys
import warnings

warnings.simplefilter("ignore")
import cma

from peer import conditional, hello, n, objectives, params, seed, typed, value

if objectives > 1:
    sys.exit("CMA-ES takes one objective")
hello("cma", cma.__version__, "flat" if conditional else "native")


def decode(p, u):
    if p["type"] in ("cat", "ord"):
        return p["choices"][min(int(u * len(p["choices"])), len(p["choices"]) - 1)]
    if p["type"] == "int" and not p["log"]:
        return min(int(p["low"] + u * (p["high"] - p["low"] + 1)), int(p["high"]))
    if p["log"]:
        return typed(p, p["low"] * (p["high"] / p["low"]) ** u)
    return typed(p, p["low"] + u * (p["high"] - p["low"]))


def f(u):
    y = value({p["name"]: decode(p, v) for p, v in zip(params, u)})
    return y if math.isfinite(y) else 1e300


d = max(2, len(params))  # cma takes no single number; the second is not used
while True:  # value ends the program
    cma.fmin2(f, [0.5] * d, 0.25, {"bounds": [0, 1], "seed": seed, "verbose": -9, "maxfevals": n})
    seed += 1
