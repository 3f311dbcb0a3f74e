"""Prints the cross-validated error of one configuration, which bohier gives as JSON."""
import json
import os

from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

with open(os.environ["BOHIER_PARAMS"]) as f:
    p = json.load(f)  # only what is active
model = {
    "forest": lambda: RandomForestClassifier(p["trees"], max_depth=p["depth"], max_features=p["features"], random_state=0),
    "svm": lambda: SVC(kernel=p["kernel"], C=p["C"], gamma=p.get("gamma", "scale"), degree=p.get("degree", 3)),
    "knn": lambda: KNeighborsClassifier(p["neighbors"], weights=p["weights"]),
    "logistic": lambda: LogisticRegression(C=p["C"], max_iter=500),
}[p["model"]]()
x, y = load_digits(return_X_y=True)
scores = cross_val_score(make_pipeline(StandardScaler(), model), x, y, cv=3)
print(json.dumps({"error": 1 - scores.mean(), "stderr": scores.std() / len(scores) ** 0.5, "worst_fold": 1 - scores.min()}))
