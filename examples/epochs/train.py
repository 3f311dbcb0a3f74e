"""Trains a network up to --epochs, from the checkpoint on, and prints the error after each."""
import argparse
import json
import os
import pickle

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

p = argparse.ArgumentParser()
for name, kind in [("lr", float), ("momentum", float), ("decay", float), ("width", int), ("epochs", int)]:
    p.add_argument("--" + name, type=kind)
a = p.parse_args()

x, y = load_digits(return_X_y=True)
x, x_valid, y, y_valid = train_test_split(x / 16, y, test_size=0.3, random_state=0)
path = os.path.join(os.environ["BOHIER_CHECKPOINT"], "network")
if os.path.exists(path):
    with open(path, "rb") as f:
        epoch, net = pickle.load(f)
else:
    epoch, net = 0, MLPClassifier((a.width,), solver="sgd", learning_rate_init=a.lr, momentum=a.momentum, alpha=a.decay, random_state=0)
while epoch < a.epochs:
    net.partial_fit(x, y, classes=range(10))
    epoch += 1
    with open(path + ".new", "wb") as f:  # renamed, so that a kill leaves the old one whole
        pickle.dump((epoch, net), f)
    os.replace(path + ".new", path)
    print(json.dumps({"epochs": epoch, "error": 1 - net.score(x_valid, y_valid)}), flush=True)
print(json.dumps({"epochs": epoch, "error": 1 - net.score(x_valid, y_valid)}))  # also if it was killed after the last checkpoint
