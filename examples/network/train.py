"""Trains a small network to tell two spirals apart and prints its error on fresh points.

Needs numpy only. A rate at which training diverges gives nan: a failed trial, from which
bohier learns where not to look.
"""
import json
import os

import numpy as np

with open(os.environ["BOHIER_PARAMS"]) as f:
    p = json.load(f)
rng = np.random.default_rng(0)


def spirals(n):
    t = rng.uniform(0.5, 3, n) * np.pi
    side = rng.integers(0, 2, n)
    sign = 2 * side - 1
    x = np.stack([sign * t * np.cos(t), sign * t * np.sin(t)], 1) / 6
    return x + rng.normal(0, 0.03, x.shape), side


act, slope = {"relu": (lambda z: np.maximum(z, 0), lambda a: (a > 0) * 1.0),
              "tanh": (np.tanh, lambda a: 1 - a * a)}[p["activation"]]
sizes = [2] + [p[f"width{k}"] for k in range(1, p["layers"] + 1)] + [1]
weights = [rng.normal(0, np.sqrt(2 / a), (a, b)) for a, b in zip(sizes, sizes[1:])]
weights += [np.zeros(b) for b in sizes[1:]]
n = len(sizes) - 1
first, second = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]


def forward(x):
    layers = [x]
    for k in range(n):
        z = layers[-1] @ weights[k] + weights[n + k]
        layers.append(act(z) if k < n - 1 else 1 / (1 + np.exp(-np.clip(z, -50, 50))))
    return layers


x, y = spirals(400)
with np.errstate(all="ignore"):
    for step in range(1, int(os.environ.get("STEPS", 600)) + 1):
        layers = forward(x)
        delta = (layers[-1] - y[:, None]) / len(x)
        for k in reversed(range(n)):
            gradients = [(k, layers[k].T @ delta + p["decay"] * weights[k]), (n + k, delta.sum(0))]
            if k:
                delta = delta @ weights[k].T * slope(layers[k])
            for j, g in gradients:
                if p["optimizer"] == "sgd":
                    first[j] = p["momentum"] * first[j] - p["rate"] * g
                    weights[j] += first[j]
                else:
                    first[j] = 0.9 * first[j] + 0.1 * g
                    second[j] = 0.999 * second[j] + 0.001 * g * g
                    weights[j] -= p["rate"] * first[j] / (1 - 0.9**step) / (np.sqrt(second[j] / (1 - 0.999**step)) + 1e-8)
    fresh, truth = spirals(2000)
    out = forward(fresh)[-1][:, 0]
if not np.isfinite(out).all():
    print(json.dumps({"fail": "infeasible", "note": "diverged"}))
else:
    print(json.dumps({"error": float(np.mean((out > 0.5) != truth)), "weights": int(sum(w.size for w in weights))}))
