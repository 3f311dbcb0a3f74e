"""Makes the study of Optuna with n trials and prints its search space.

usage: fill.py URL N
"""

import json
import sys

import optuna
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution, distribution_to_json

import task

if __name__ == "__main__":
    url, n = sys.argv[1], int(sys.argv[2])
    space = {k: FloatDistribution(lo, hi, log=log) for k, (lo, hi, log) in task.FLOATS.items()}
    space |= {k: IntDistribution(lo, hi, log=log) for k, (lo, hi, log) in task.INTS.items()}
    space |= {k: CategoricalDistribution(v) for k, v in task.CHOICES.items()}
    study = optuna.create_study(study_name="s", storage=url)
    study.add_trials([optuna.trial.create_trial(params=p, distributions=space, value=v) for p, v in task.trials(n)])
    print(json.dumps({k: json.loads(distribution_to_json(d)) for k, d in space.items()}))
