"""What the adapters share: the task, the conversation with the driver, activity.

A parameter is a dict with name, type (float, int, cat, ord), low, high, log or choices,
and when, a list of {name, op: in | gt | ge, value} that all have to hold.
"""
import json
import sys

_out = sys.stdout
sys.stdout = sys.stderr  # what optimizers print is not for the driver
_task = json.loads(sys.stdin.readline())
params = _task["problem"]["params"]
seed = _task["seed"]
n = _task["n"]
objectives = _task.get("objectives", 1)
conditional = any(p["when"] for p in params)


def hello(peer, version, space):
    """Tells the driver who answers and whether conditions are declared: native or flat."""
    print(json.dumps({"peer": peer, "version": version, "space": space}), file=_out, flush=True)


def value(config):
    """Evaluates a configuration, a dict by name of Python numbers and text: a number, or
    a list of them where there are several objectives; ends the program after the n-th."""
    value.asked = getattr(value, "asked", 0) + 1
    print(json.dumps(config), file=_out, flush=True)
    line = sys.stdin.readline()
    if not line or value.asked > n:
        sys.exit(0)
    values = [float(v) for v in line.split()]
    return values if objectives > 1 else values[0]


def active(p, config):
    """Tells whether parameter p is active in a configuration of the parameters before it."""
    for c in p["when"]:
        v = config.get(c["name"])
        if v is None:
            return False
        if not {"in": lambda: str(v) in [str(a) for a in c["value"]], "gt": lambda: float(v) > c["value"],
                "ge": lambda: float(v) >= c["value"]}[c["op"]]():
            return False
    return True


def from_unit(p, u):
    """The value of parameter p at a coordinate u in [0, 1]; each choice and integer has an equal part."""
    if p["type"] in ("cat", "ord"):
        return p["choices"][min(int(u * len(p["choices"])), len(p["choices"]) - 1)]
    if p["log"]:
        return typed(p, p["low"] * (p["high"] / p["low"]) ** u)
    if p["type"] == "int":
        return min(int(p["low"] + u * (p["high"] - p["low"] + 1)), int(p["high"]))
    return typed(p, p["low"] + u * (p["high"] - p["low"]))


def typed(p, v):
    """A value as the driver takes it: an int, a float within the range, one of the choices."""
    if p["type"] in ("cat", "ord"):
        return next(c for c in p["choices"] if str(c) == str(v))
    if p["type"] == "int":
        return int(round(float(v)))
    return min(max(float(v), p["low"]), p["high"])
