"""Makes wandb-api.csv: the table that the script of Weights & Biases' guide "Export
project data to CSV" writes.

Run anywhere: python make_wandb.py. The runs are logged by wandb offline; the guide's
loop over api.runs() needs an account, so here it goes over the run objects themselves,
whose config and summary are what the server would have kept.
"""
import os, pathlib, platform, tempfile
from importlib.metadata import version

os.environ.update(WANDB_MODE="offline", WANDB_SILENT="true")
import pandas as pd
import wandb

here = pathlib.Path(__file__).parent
summary_list, config_list, name_list = [], [], []
with tempfile.TemporaryDirectory() as tmp:
    for i in range(4):
        config = {"optimizer": {"name": "sgd", "momentum": 0.9} if i % 2 else {"name": "adam"},
                  "lr": 10.0 ** -(i + 1), "layers": i + 1, "augment": i > 1, "crop": None}
        run = wandb.init(project="fixture", dir=tmp, name=f"sweet-sweep-{i}", config=config)
        for step in range(3):
            run.log({"loss": 1 / (1 + step + i), "accuracy": 0.5 + step / 10})
        if i == 3:
            run.log({"loss": float("nan")})
        run.summary["note"] = 'it\'s "fine"'
        # the guide's loop
        summary_list.append(run.summary._as_dict())
        config_list.append({k: v for k, v in run.config.items() if not k.startswith("_")})
        name_list.append(run.name)
        run.finish()

runs_df = pd.DataFrame({"summary": summary_list, "config": config_list, "name": name_list})
runs_df.to_csv(here / "wandb-api.csv")
(here / "wandb-api.txt").write_text(
    f"wandb {version('wandb')} pandas {version('pandas')} python {platform.python_version()}\n")
