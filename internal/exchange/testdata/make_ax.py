"""Makes ax.json: an experiment as Ax's AxClient.save_to_json_file writes it.

Run in this directory: python make_ax.py.
"""
import json, pathlib, platform
from importlib.metadata import version

from ax.service.ax_client import AxClient
from ax.service.utils.instantiation import ObjectiveProperties

client = AxClient(random_seed=6, verbose_logging=False)
client.create_experiment(
    name="cake",
    parameters=[
        {"name": "lr", "type": "range", "bounds": [1e-5, 0.1], "log_scale": True, "value_type": "float"},
        {"name": "layers", "type": "range", "bounds": [1, 8], "value_type": "int"},
        {"name": "width", "type": "range", "bounds": [1, 8], "value_type": "int"},
        {"name": "activation", "type": "choice", "values": ["relu", "tanh", "gelu"], "is_ordered": False},
        {"name": "batch", "type": "choice", "values": [16, 32, 64], "is_ordered": True},
        {"name": "norm", "type": "choice", "values": [True, False], "is_ordered": True},
        {"name": "version", "type": "fixed", "value": "v2"},
    ],
    parameter_constraints=["layers <= width", "layers + width <= 12"],
    objectives={"loss": ObjectiveProperties(minimize=True)},
    outcome_constraints=["latency <= 40.0"],
)
for n in range(8):
    p, index = client.get_next_trial()
    if n == 4:
        client.log_trial_failure(index)
        continue
    if n == 6:
        client.abandon_trial(index)
        continue
    if n == 7:
        continue  # running
    loss = abs(p["lr"] - 0.01) * 10 + p["layers"] / 10 + (p["activation"] == "tanh") * 0.2
    client.complete_trial(index, raw_data={"loss": (loss, 0.01), "latency": (5.0 * p["layers"] + p["batch"] / 8, 0.0)})
client.save_to_json_file("ax.json")
# one object a line would be unreadable in a diff
data = json.load(open("ax.json"))
for key in ("generation_strategy",):  # state of the sampler: large, and of no interest here
    data[key] = None
json.dump(data, open("ax.json", "w"), indent=1)
pathlib.Path("ax.txt").write_text(
    f"ax-platform {version('ax-platform')} botorch {version('botorch')} python {platform.python_version()}\n")
