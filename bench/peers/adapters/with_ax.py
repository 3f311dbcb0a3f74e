"""Ax: its default strategy (Sobol points, then BoTorch), on the flat space: its
hierarchical spaces take neither conditions on numbers nor more than one parent."""
import importlib.metadata
import logging

from ax.api.client import Client
from ax.api.configs import ChoiceParameterConfig, RangeParameterConfig

from peer import conditional, hello, n, params, seed, typed, value

logging.getLogger("ax").setLevel(logging.CRITICAL)
hello("ax", importlib.metadata.version("ax-platform"), "flat" if conditional else "native")
client = Client(random_seed=seed)
space = []
for p in params:
    if p["type"] in ("cat", "ord"):
        space.append(ChoiceParameterConfig(name=p["name"], values=[str(c) for c in p["choices"]],
                                           parameter_type="str", is_ordered=p["type"] == "ord"))
    else:
        low, high = (int(p["low"]), int(p["high"])) if p["type"] == "int" else (p["low"], p["high"])
        space.append(RangeParameterConfig(name=p["name"], parameter_type=p["type"], bounds=(low, high),
                                          scaling="log" if p["log"] else "linear"))
client.configure_experiment(parameters=space)
client.configure_optimization(objective="-y")
by_name = {p["name"]: p for p in params}
for _ in range(n):
    for index, config in client.get_next_trials(max_trials=1).items():
        y = value({k: typed(by_name[k], v) for k, v in config.items()})
        client.complete_trial(trial_index=index, raw_data={"y": y})
