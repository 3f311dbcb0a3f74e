"""Prints the error of a support vector machine on the folds after --from, up to --to."""
import argparse
import json

from sklearn.datasets import load_digits
from sklearn.model_selection import KFold
from sklearn.svm import SVC

p = argparse.ArgumentParser()
for name, kind in [("C", float), ("gamma", float), ("from", int), ("to", int)]:
    p.add_argument("--" + name, type=kind, dest=name.replace("from", "start"))
a = p.parse_args()

x, y = load_digits(return_X_y=True)
splits = list(KFold(9, shuffle=True, random_state=0).split(x))  # the same for every trial
for fold in range(a.start, a.to):
    train, valid = splits[fold]
    model = SVC(C=a.C, gamma=a.gamma).fit(x[train] / 16, y[train])
    print(json.dumps({"folds": fold + 1, "error": 1 - model.score(x[valid] / 16, y[valid])}), flush=True)
