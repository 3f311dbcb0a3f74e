"""Serves the problems of Oh, Gavves and Welling 2021 that train models.

    learn.py DATA nusvr|xgboost

reads a configuration a line, a JSON object, and answers with its value a line. DATA is
the directory that holds boston/boston_house_prices.csv or boston_house_prices.csv.
"""
import json
import os
import signal
import sys
import warnings

import numpy as np


def nusvr(data):
    """Mean over five splits 70 : 30 of the test error of NuSVR on standardised inputs."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import NuSVR

    path = os.path.join(data, "boston", "boston_house_prices.csv")
    if not os.path.exists(path):
        path = os.path.join(data, "boston_house_prices.csv")
    table = np.genfromtxt(path, delimiter=",", skip_header=2)
    x, y = table[:, :-1], table[:, -1]

    def value(c):
        errors = []
        for split in range(5):
            order = np.arange(len(y))
            np.random.RandomState(split**2).shuffle(order)
            cut = int(0.7 * len(y))
            train, test = order[:cut], order[cut:]
            model = make_pipeline(StandardScaler(), NuSVR(
                kernel=c["kernel"], gamma=c["gamma"], shrinking=c["shrinking"] == "on",
                C=c["C"], tol=c["tol"], nu=c["nu"], max_iter=10**6))
            model.fit(x[train], y[train])
            errors.append(np.mean((model.predict(x[test]) - y[test]) ** 2) ** 0.5)
        return float(np.mean(errors))

    return value


def xgboost(_):
    """Least test error in 50 rounds on scikit-learn's digits, split 70 : 30 by class."""
    import xgboost as xgb
    from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    train = np.concatenate([np.nonzero(y == k)[0][: int(0.7 * np.sum(y == k))] for k in range(10)])
    test = np.setdiff1d(np.arange(len(y)), train)
    a, b = xgb.DMatrix(x[train], label=y[train]), xgb.DMatrix(x[test], label=y[test])

    def value(c):
        log = {}
        params = dict(c, max_depth=int(c["max_depth"]), num_class=10, eval_metric="merror", verbosity=0, nthread=1)
        xgb.train(params, a, num_boost_round=50, evals=[(b, "test")], evals_result=log, verbose_eval=False)
        return min(log["test"]["merror"])

    return value


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks closes the input in the end
    warnings.filterwarnings("ignore")
    f = {"nusvr": nusvr, "xgboost": xgboost}[sys.argv[2]](sys.argv[1])
    for line in sys.stdin:
        print(repr(f(json.loads(line))), flush=True)
