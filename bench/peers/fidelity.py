"""Other optimisers that judge trials before their end, on the problems of bench/cmd/curves,
whose lines of results these are too: cat them together for curves -summary.

    python fidelity.py -out peers.jsonl -seeds 3 [-spec FILE -serve "COMMAND"] [-problems a,b] [-peers optuna_median,…]

Every epoch is reported as it passes; a trial that is taken up again is charged for what is
new. Optuna's pruners are what its documentation shows, SMAC's is its multi-fidelity facade;
of Syne Tune's schedulers 0.16 has those named here (MOBSTER, HyperTune and DyHPO are gone)."""
import argparse
import json
import math
import os
import subprocess
import tempfile
import time

FULL, BEST = 52, (0.2, 0.25, 0.3, 0.2)


def bowl(x, a):
    return sum(4 * (v - c) ** 2 + (1 - math.cos(4 * math.pi * (v - c))) / 4 for v, c in zip(x, a))


def synthetic(name):
    """The function of that name in bench/cmd/curves/problem.go, with its parameters and optimum."""
    def f(p, r):
        x = [p["x%d" % k] for k in range(1, 5)]
        e = 1 - (r / FULL) ** 8
        if name == "fid_same":
            return bowl(x, BEST) + 2 * 0.9 ** r
        if name == "fid_cross":
            return bowl(x, BEST) + 3 * x[0] * 0.93 ** r - 1.5 * x[0]
        if name == "fid_noise":
            return (1 - e) * bowl(x, BEST) + 4 * e * math.modf(1000 * sum(math.sqrt(q) * v for q, v in zip((2, 3, 5, 7), x)))[0]
        return (1 - e) * bowl(x, BEST) + e * (1 + sum(4 * (v - 1 + a) ** 2 for v, a in zip(x, BEST)))
    optimum = {"fid_same": 2 * 0.9 ** FULL, "fid_cross": -0.30801}.get(name, 0)
    return [{"name": "x%d" % k, "type": "float", "low": 0, "high": 1, "log": False} for k in range(1, 5)], optimum, f


def served(problem, command):
    server = subprocess.Popen(command.split() + [problem["name"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def f(p, r):
        server.stdin.write(json.dumps(dict(p, epoch=r)) + "\n")
        server.stdin.flush()
        return float(server.stdout.readline())
    return problem["params"], problem["f_opt"], f


class Spent(Exception):
    """The units of a study are used."""


class Meter:
    """Counts epochs and keeps the best value at full resource."""

    def __init__(self, f, units):
        self.f, self.units, self.spent, self.steps, self.reached = f, units, 0, [], {}

    def train(self, key, p, to):
        """The values of configuration key at every epoch up to `to` that it has not had."""
        for r in range(self.reached.get(key, 0) + 1, to + 1):
            self.spent += 1
            v = self.f(p, r)
            if r == FULL and (not self.steps or v < self.steps[-1][1]):
                self.steps.append([self.spent, v])
            self.reached[key] = r
            yield r, v
            if self.spent >= self.units:
                raise Spent


def optuna_with(pruner):
    def run(params, meter, seed):
        import optuna
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        pruners = {"median": optuna.pruners.MedianPruner, "halving": optuna.pruners.SuccessiveHalvingPruner,
                   "hyperband": lambda: optuna.pruners.HyperbandPruner(min_resource=1, max_resource=FULL), "none": optuna.pruners.NopPruner}
        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed), pruner=pruners[pruner]())

        def objective(trial):
            p = {q["name"]: (trial.suggest_int if q["type"] == "int" else trial.suggest_float)(q["name"], q["low"], q["high"], log=q["log"]) for q in params}
            for r, v in meter.train(trial.number, p, FULL):
                trial.report(v, r)
                if trial.should_prune():
                    raise optuna.TrialPruned
            return v
        study.optimize(objective)
    return run


def smac(params, meter, seed):
    import ConfigSpace as cs
    from smac import MultiFidelityFacade, Scenario
    from smac.runhistory import TrialValue
    space = cs.ConfigurationSpace(seed=seed)
    for q in params:
        kind = cs.UniformIntegerHyperparameter if q["type"] == "int" else cs.UniformFloatHyperparameter
        space.add(kind(q["name"], q["low"], q["high"], log=q["log"]))
    with tempfile.TemporaryDirectory() as directory:
        scenario = Scenario(space, deterministic=True, n_trials=100000, min_budget=1, max_budget=FULL, seed=seed, output_directory=directory)
        facade = MultiFidelityFacade(scenario, lambda config, seed=0, budget=0: 0.0, overwrite=True, logging_level=40)
        values = {}
        while True:
            info = facade.ask()
            to, p = round(info.budget), dict(info.config)
            p = {k: v.item() if hasattr(v, "item") else v for k, v in p.items()}
            key = json.dumps(p, sort_keys=True)
            for r, v in meter.train(key, p, to):
                values[key, r] = v
            facade.tell(info, TrialValue(cost=values[key, to]))


def syne_tune(name):
    def run(params, meter, seed):
        import datetime
        from syne_tune import config_space as cs
        from syne_tune.backend.trial_status import Trial
        from syne_tune.optimizer import baselines
        from syne_tune.optimizer.scheduler import SchedulerDecision
        kinds = {("float", False): cs.uniform, ("float", True): cs.loguniform, ("int", False): cs.randint, ("int", True): cs.lograndint}
        space = {q["name"]: kinds[q["type"], bool(q["log"])](q["low"], q["high"]) for q in params}
        scheduler = getattr(baselines, name)(space, metric="f", time_attr="epoch", max_t=FULL, do_minimize=True, random_seed=seed)
        for key in range(10 ** 6):
            trial = Trial(trial_id=key, config=scheduler.suggest().config, creation_time=datetime.datetime.now())
            scheduler.on_trial_add(trial)
            for r, v in meter.train(key, trial.config, FULL):
                result = {"f": v, "epoch": r}
                if r == FULL:
                    scheduler.on_trial_complete(trial, result)
                elif scheduler.on_trial_result(trial, result) != SchedulerDecision.CONTINUE:
                    scheduler.on_trial_remove(trial)
                    break
    return run


PEERS = {"optuna_" + k: optuna_with(k) for k in ("median", "halving", "hyperband", "none")} | {"smac_hyperband": smac} | {
    "synetune_" + n.lower(): syne_tune(n) for n in ("ASHA", "BOHB")}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("-spec")
    a.add_argument("-serve")
    a.add_argument("-problems", default="fid_same,fid_opposite,fid_noise,fid_cross")
    a.add_argument("-peers", default=",".join(PEERS))
    a.add_argument("-seeds", type=int, default=3)
    a.add_argument("-units", type=int, default=2600)
    a.add_argument("-out", required=True)
    a = a.parse_args()
    known = {p["name"]: p for p in json.load(open(a.spec))} if a.spec else {}
    have = set()
    if os.path.exists(a.out):
        have = {(r["mode"], r["problem"], r["seed"]) for r in map(json.loads, open(a.out))}
    for seed in range(1, a.seeds + 1):
        for name in a.problems.split(","):
            for peer in a.peers.split(","):
                if (peer, name, seed) in have:
                    continue
                params, optimum, f = served(known[name], a.serve) if name in known else synthetic(name)
                meter, began = Meter(f, a.units), time.time()
                try:
                    PEERS[peer](params, meter, seed)
                except Spent:
                    pass
                line = {"mode": peer, "problem": name, "seed": seed, "optimum": optimum, "steps": meter.steps,
                        "trials": len(meter.reached), "seconds": time.time() - began}
                with open(a.out, "a") as out:
                    out.write(json.dumps(line) + "\n")


main()
