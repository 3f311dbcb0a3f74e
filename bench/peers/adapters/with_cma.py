"""CMA-ES of package cma on the flat unit cube: choices and integers by rounding, logarithms
as declared; it restarts where it converges (Hansen 2016)."""
import math
import sys
import warnings

warnings.simplefilter("ignore")
import cma

from peer import conditional, from_unit, hello, n, objectives, params, seed, value

if objectives > 1:
    sys.exit("CMA-ES takes one objective")
hello("cma", cma.__version__, "flat" if conditional else "native")


def f(u):
    y = value({p["name"]: from_unit(p, v) for p, v in zip(params, u)})
    return y if math.isfinite(y) else 1e300


d = max(2, len(params))  # cma takes no single number; the second is not used
while True:  # value ends the program
    cma.fmin2(f, [0.5] * d, 0.25, {"bounds": [0, 1], "seed": seed, "verbose": -9, "maxfevals": n})
    seed += 1
