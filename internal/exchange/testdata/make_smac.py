"""Makes smac/: runhistory.json and configspace.json as SMAC writes them.

Run in this directory: python make_smac.py. A conditional space, a forbidden clause, and
a run that crashes.
"""
import json, pathlib, platform, tempfile
from importlib.metadata import version

import smac
from ConfigSpace import (AndConjunction, Categorical, ConfigurationSpace, Constant, EqualsCondition, Float,
                         ForbiddenAndConjunction, ForbiddenEqualsClause, GreaterThanCondition,
                         InCondition, Integer, OrdinalHyperparameter)


def space():
    cs = ConfigurationSpace(seed=3, name="svm or forest")
    model = Categorical("model", ["svm", "forest", "knn"])
    kernel = Categorical("kernel", ["linear", "rbf"])
    c = Float("C", (1e-3, 1e3), log=True)
    gamma = Float("gamma", (1e-4, 1.0), log=True)
    trees = Integer("trees", (10, 200))
    leaf = OrdinalHyperparameter("leaf", ["small", "medium", "large"])
    cs.add(model, kernel, c, gamma, trees, leaf, Constant("solver", "v2"))
    cs.add(EqualsCondition(kernel, model, "svm"), EqualsCondition(c, model, "svm"),
           AndConjunction(EqualsCondition(gamma, kernel, "rbf"), GreaterThanCondition(gamma, c, 0.01)),
           EqualsCondition(trees, model, "forest"), InCondition(leaf, model, ["forest", "knn"]))
    cs.add(ForbiddenAndConjunction(ForbiddenEqualsClause(model, "knn"), ForbiddenEqualsClause(leaf, "large")))
    return cs


def train(config, seed: int = 0):
    if config["model"] == "forest" and config["trees"] > 100:
        raise MemoryError("too large")
    cost = {"svm": 0.1, "forest": 0.2, "knn": 0.4}[config["model"]]
    return cost + 0.001 * config.get("C", 0.0) ** 0.5 + config.get("gamma", 0.0) / 10 + config.get("trees", 0) / 1e4


with tempfile.TemporaryDirectory() as tmp:
    scenario = smac.Scenario(space(), name="fixture", output_directory=pathlib.Path(tmp), n_trials=16, deterministic=True, seed=4, crash_cost=10.0)
    facade = smac.HyperparameterOptimizationFacade(scenario, train, overwrite=True, logging_level=50)
    facade.optimize()
    for name in ("runhistory.json", "configspace.json"):
        found = next(pathlib.Path(tmp).rglob(name))
        data = json.loads(found.read_text())
        for run in data.get("data", []):
            run["additional_info"].pop("traceback", None)  # it names paths of the machine
        (pathlib.Path("smac") / name).write_text(json.dumps(data, indent=1))

pathlib.Path("smac/versions.txt").write_text(
    f"smac {version('smac')} ConfigSpace {version('ConfigSpace')} python {platform.python_version()}\n")
