"""SMAC3: hpo (random forest, its facade for hyperparameters) | bb (Gaussian process, its
facade for black boxes). Conditions are declared in ConfigSpace."""
import importlib.metadata
import sys
import tempfile

from ConfigSpace import (AndConjunction, Categorical, ConfigurationSpace, EqualsCondition, Float, GreaterThanCondition,
                         InCondition, Integer, OrConjunction)
from smac import BlackBoxFacade, HyperparameterOptimizationFacade, Scenario
from smac.runhistory.dataclasses import TrialValue

from peer import hello, n, objectives, params, seed, typed, value

kind = sys.argv[1]
hello("smac-" + kind, importlib.metadata.version("smac"), "native")
space = ConfigurationSpace(seed=seed)
made = {}
for p in params:
    if p["type"] in ("cat", "ord"):
        q = Categorical(p["name"], [str(c) for c in p["choices"]], ordered=p["type"] == "ord")
    elif p["type"] == "int":
        q = Integer(p["name"], (int(p["low"]), int(p["high"])), log=p["log"])
    else:
        q = Float(p["name"], (p["low"], p["high"]), log=p["log"])
    made[p["name"]] = q
    space.add(q)


def condition(p, c):
    child, parent = made[p["name"]], made[c["name"]]
    if c["op"] == "in":
        return InCondition(child, parent, [str(v) for v in c["value"]])
    bound = int(c["value"]) if "Integer" in type(parent).__name__ else c["value"]
    if c["op"] == "gt":
        return GreaterThanCondition(child, parent, bound)
    if "Integer" in type(parent).__name__ and bound > parent.lower:
        return GreaterThanCondition(child, parent, bound - 1)
    return OrConjunction(GreaterThanCondition(child, parent, bound), EqualsCondition(child, parent, bound))


for p in params:
    conditions = [condition(p, c) for c in p["when"]]
    if conditions:
        space.add(conditions[0] if len(conditions) == 1 else AndConjunction(*conditions))

facade = {"hpo": HyperparameterOptimizationFacade, "bb": BlackBoxFacade}[kind]
names = ["f", "g"][:objectives]
scenario = Scenario(space, objectives=names if objectives > 1 else "cost", deterministic=True, n_trials=n, seed=seed, output_directory=tempfile.mkdtemp())
optimizer = facade(scenario, lambda config, seed=0: 0.0, logging_level=50)
by_name = {p["name"]: p for p in params}
for _ in range(n):
    info = optimizer.ask()
    y = value({k: typed(by_name[k], v) for k, v in dict(info.config).items()})
    optimizer.tell(info, TrialValue(cost=y))
