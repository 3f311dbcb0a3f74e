"""Makes the files of Optuna: optuna.log (journal), optuna.db (SQLite), optuna.csv (trials_dataframe).

Run in a directory of its own: python make_optuna.py. Made with the versions it prints into
optuna.txt. The study has conditional parameters, every kind of distribution and a trial
in each state.
"""
import optuna, os, platform, sys

optuna.logging.set_verbosity(optuna.logging.ERROR)


def objective(trial):
    n = trial.number
    model = trial.suggest_categorical("model", ["svm", "forest"])
    x = trial.suggest_float("x", -1.0, 2.0)
    q = trial.suggest_float("q", 0.0, 1.0, step=0.1)
    flag = trial.suggest_categorical("flag", [True, False])
    depth = trial.suggest_categorical("depth", [None, 3, 7.5, "auto"])
    loss = (x - 0.3) ** 2 + q / 10 + 0.01 * flag + (0.02 if depth is None else 0)
    if model == "svm":
        c = trial.suggest_float("svm:C", 1e-3, 1e3, log=True)
        loss += abs(c - 1) / 1000
    else:
        loss += trial.suggest_int("trees", 10, 200, step=10) / 1000
        loss += trial.suggest_int("leaf", 1, 64, log=True) / 100
    trial.set_user_attr("seconds", 1.5 + n)
    trial.set_user_attr("host", "host-%d" % (n % 2))
    trial.report(loss + 0.5, 1)
    trial.report(loss + 0.1, 2)
    if n == 5:
        raise optuna.TrialPruned()
    if n == 7:
        raise ValueError("out of memory")
    return loss


def fill(study):
    study.set_user_attr("owner", "lab 3")
    study.optimize(objective, n_trials=12, catch=(ValueError,))
    study.enqueue_trial({"model": "svm", "x": 0.5})  # waiting
    study.enqueue_trial({"model": "forest", "x": 0.25})
    study.ask()  # running


def storages():
    for name in ("optuna.log", "optuna.db"):
        if os.path.exists(name):
            os.remove(name)
    journal = optuna.storages.journal.JournalFileBackend("optuna.log")
    return {
        "log": optuna.storages.JournalStorage(journal),
        "db": optuna.storages.RDBStorage("sqlite:///optuna.db"),
    }


for kind, storage in storages().items():
    study = optuna.create_study(
        study_name="forest or svm", storage=storage, direction="minimize",
        sampler=optuna.samplers.TPESampler(seed=1))
    fill(study)
    if kind == "log":
        study.trials_dataframe().to_csv("optuna.csv", index=False)
        # A second study, to be named: two objectives.
        other = optuna.create_study(
            study_name="two", storage=storage, directions=["minimize", "maximize"],
            sampler=optuna.samplers.RandomSampler(seed=2))
        other.set_metric_names(["loss", "accuracy"])
        other.optimize(lambda t: (t.suggest_float("x", 0, 1), 1 - t.params["x"] ** 2), n_trials=3)

with open("optuna.txt", "w") as f:
    import sqlalchemy, pandas
    print("optuna", optuna.__version__, "sqlalchemy", sqlalchemy.__version__,
          "pandas", pandas.__version__, "python", platform.python_version(), file=f)
