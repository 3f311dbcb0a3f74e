"""Studies of several objectives: bohier beside Optuna, SMAC, Ax (BoTorch) and random search.

    python bench/compare/objectives.py --bohier bin/bohier -o bin/objectives.jsonl

Every run is a line of the file of -o; runs that are there are not repeated. The
table has the median over seeds of the normalised hypervolume regret
(HV* - HV) / (HV* - mean HV of 10 random configurations), at half and at all of the
budget, and the CPU seconds of a run. Hypervolumes are of all evaluated points, with
one reference point for each problem that no optimizer is told. HV* is exact.
"""

import argparse
import json
import math
import os
import random
import resource
import statistics
import subprocess
import tempfile
import time

# A parameter is (name, kind, low, high) or (name, values), with the model it needs, if any.


def vlmop2(p):
    x, y, s = p["x"], p["y"], 1 / math.sqrt(2)
    return [1 - math.exp(-((x - s) ** 2) - (y - s) ** 2), 1 - math.exp(-((x + s) ** 2) - (y + s) ** 2)]


def zdt_g(p):
    shift = {"a": 0.3, "b": 0.0, "c": 0.6, "d": 1.0}[p["c"]]
    return 1 + 9 / 5 * (p["x2"] + p["x3"] + p["i1"] / 10 + p["i2"] / 10 + shift)


def zdt1(p):
    g = zdt_g(p)
    return [p["x1"], g * (1 - math.sqrt(p["x1"] / g))]


def zdt2(p):
    g = zdt_g(p)
    return [p["x1"], g * (1 - (p["x1"] / g) ** 2)]


def dtlz2(m):
    def f(p):
        x = [p[f"x{k}"] for k in range(1, 7)]
        g = 1 + sum((v - 0.5) ** 2 for v in x[m - 1 :])
        out = []
        for j in range(m):
            v = g
            for k in range(m - 1 - j):
                v *= math.cos(x[k] * math.pi / 2)
            if j > 0:
                v *= math.sin(x[m - 1 - j] * math.pi / 2)
            out.append(v)
        return out

    return f


def cond(p):
    """Each of three models, with 2, 3 and 4 parameters, owns a third of the front."""
    k = "abc".index(p["model"])
    f1 = (k + p[f"{p['model']}1"]) / 3
    off = sum((p[f"{p['model']}{j}"] - 0.2 * (j + k)) ** 2 for j in range(2, 3 + k))
    return [f1, (1 - f1) ** 2 + off]


FLOATS = [(f"x{k}", "float", 0, 1) for k in range(1, 7)]
MIXED = FLOATS[:3] + [("i1", "int", 0, 10), ("i2", "int", 0, 10), ("c", list("abcd"))]
MODELS = [("model", list("abc"))] + [(f"{m}{j}", "float", 0, 1, m) for k, m in enumerate("abc") for j in range(1, 3 + k)]

PROBLEMS = {  # parameters, function, objectives, budget, reference, HV*
    "vlmop2": ([("x", "float", -2, 2), ("y", "float", -2, 2)], vlmop2, 2, 40, 1.0, 0.3421155931198939),
    "zdt1_mixed": (MIXED, zdt1, 2, 80, 1.1, 0.8766666666666666),
    "zdt2_mixed": (MIXED, zdt2, 2, 80, 1.1, 0.5433333333333333),
    "dtlz2_2": (FLOATS, dtlz2(2), 2, 80, 1.1, 0.4246018366025517),
    "dtlz2_3": (FLOATS, dtlz2(3), 3, 80, 1.1, 0.8074012244017011),
    "dtlz2_4": (FLOATS, dtlz2(4), 4, 80, 1.1, 1.1556748624659576),
    "cond_tradeoff": (MODELS, cond, 2, 80, 1.1, 1.1 - 1 / 3 + 0.11),
}


def volume(points, ref):
    """Hypervolume by slices of the last objective."""
    points = [p for p in points if all(v < ref for v in p)]
    if not points:
        return 0.0
    if len(points[0]) == 1:
        return ref - min(p[0] for p in points)
    points.sort(key=lambda p: p[-1])
    total, cut = 0.0, sorted({p[-1] for p in points}) + [ref]
    for low, high in zip(cut, cut[1:]):
        total += (high - low) * volume(front([p[:-1] for p in points if p[-1] <= low]), ref)
    return total


def front(points):
    points = sorted(set(map(tuple, points)))
    return [p for p in points if not any(q != p and all(a <= b for a, b in zip(q, p)) for q in points)]


def study_file(name):
    params, _, m, budget, _, _ = PROBLEMS[name]
    lines = ["objectives:"] + [f"  - {{name: f{j}, direction: minimize}}" for j in range(m)] + ["space:"]
    for p in params:
        if len(p) == 2:
            lines.append(f"  {p[0]}: [{', '.join(p[1])}]")
        else:
            needs = f", active_if: {{model: {p[4]}}}" if len(p) == 5 else ""
            lines.append(f"  {p[0]}: {{type: {p[1]}, low: {p[2]}, high: {p[3]}{needs}}}")
    return "\n".join(lines + [f"budget: {{trials: {budget}}}", ""])


def run_bohier(name, seed, evaluate, binary):
    with tempfile.TemporaryDirectory() as place:
        with open(f"{place}/bohier.yaml", "w") as f:
            f.write(study_file(name) + f"seed: {seed}\n")

        def call(*args):
            return subprocess.run([binary, *args], cwd=place, check=True, capture_output=True, text=True).stdout

        for _ in range(PROBLEMS[name][3]):
            s = json.loads(call("suggest", "-o", "json"))
            values = evaluate(s["params"])
            call("observe", s["id"], *[f"f{j}={v!r}" for j, v in enumerate(values)])


def draw(params, suggest):
    chosen = {}
    for p in params:
        if len(p) < 5 or chosen["model"] == p[4]:
            chosen[p[0]] = suggest(p)
    return chosen


def run_random(name, seed, evaluate, _):
    r = random.Random(seed)

    def one(p):
        if len(p) == 2:
            return r.choice(p[1])
        return r.randint(p[2], p[3]) if p[1] == "int" else r.uniform(p[2], p[3])

    for _ in range(PROBLEMS[name][3]):
        evaluate(draw(PROBLEMS[name][0], one))


def run_optuna(sampler):
    def run(name, seed, evaluate, _):
        import warnings

        import optuna

        warnings.simplefilter("ignore")
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        params, _, m, budget, _, _ = PROBLEMS[name]
        samplers = {"nsga2": optuna.samplers.NSGAIISampler, "tpe": optuna.samplers.TPESampler, "gp": optuna.samplers.GPSampler}
        study = optuna.create_study(directions=["minimize"] * m, sampler=samplers[sampler](seed=seed))

        def objective(trial):
            def one(p):
                if len(p) == 2:
                    return trial.suggest_categorical(p[0], p[1])
                ask = trial.suggest_int if p[1] == "int" else trial.suggest_float
                return ask(p[0], p[2], p[3])

            return evaluate(draw(params, one))

        study.optimize(objective, n_trials=budget)

    return run


def run_smac(name, seed, evaluate, _):
    """ParEGO of SMAC."""
    from ConfigSpace import Categorical, ConfigurationSpace, EqualsCondition, Float, Integer
    from smac import HyperparameterOptimizationFacade, Scenario
    from smac.multi_objective.parego import ParEGO

    params, _, m, budget, _, _ = PROBLEMS[name]
    space, made = ConfigurationSpace(seed=seed), {}
    for p in params:
        if len(p) == 2:
            made[p[0]] = Categorical(p[0], p[1])
        else:
            made[p[0]] = (Integer if p[1] == "int" else Float)(p[0], (p[2], p[3]))
        space.add(made[p[0]])
    for p in params:
        if len(p) == 5:
            space.add(EqualsCondition(made[p[0]], made["model"], p[4]))
    with tempfile.TemporaryDirectory() as place:
        names = [f"f{j}" for j in range(m)]
        scenario = Scenario(space, objectives=names, n_trials=budget, seed=seed, deterministic=True, output_directory=place)

        def target(config, seed=0):
            return dict(zip(names, evaluate(dict(config))))

        smac = HyperparameterOptimizationFacade(scenario, target, multi_objective_algorithm=ParEGO(scenario), overwrite=True, logging_level=50)
        smac.optimize()


def run_ax(name, seed, evaluate, _):
    """Ax, which takes BoTorch's qLogNEHVI for several objectives. It has no conditions here:
    parameters of other branches are suggested and left out."""
    import logging

    from ax.api.client import Client
    from ax.api.configs import ChoiceParameterConfig, RangeParameterConfig

    logging.disable(logging.CRITICAL)
    params, _, m, budget, _, _ = PROBLEMS[name]
    client = Client(random_seed=seed)

    def config(p):
        if len(p) == 2:
            return ChoiceParameterConfig(name=p[0], parameter_type="str", values=list(p[1]), is_ordered=False)
        return RangeParameterConfig(name=p[0], parameter_type=p[1], bounds=(p[2], p[3]))

    client.configure_experiment(parameters=[config(p) for p in params])
    client.configure_optimization(objective=", ".join(f"-f{j}" for j in range(m)))
    for _ in range(budget):
        for number, given in client.get_next_trials(max_trials=1).items():
            values = evaluate(draw(params, lambda p: given[p[0]]))
            client.complete_trial(trial_index=number, raw_data={f"f{j}": v for j, v in enumerate(values)})


OPTIMIZERS = {
    "bohier": run_bohier,
    "random": run_random,
    "optuna-nsga2": run_optuna("nsga2"),
    "optuna-tpe": run_optuna("tpe"),
    "optuna-gp": run_optuna("gp"),
    "smac-parego": run_smac,
    "ax-qlognehvi": run_ax,
}


def run(name, who, seed, binary):
    _, f, _, budget, ref, _ = PROBLEMS[name]
    points = []

    def evaluate(params):
        values = [float(v) for v in f(params)]
        points.append(values)
        return values

    before = sum(sum(resource.getrusage(w)[:2]) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    OPTIMIZERS[who](name, seed, evaluate, binary)
    after = sum(sum(resource.getrusage(w)[:2]) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    at = {n: volume(front(points[:n]), ref) for n in (10, budget // 4, budget // 2, budget)}
    return {"problem": name, "optimizer": who, "seed": seed, "volume": at, "cpu": round(after - before, 2)}


def table(rows):
    print("\n| problem | optimizer | seeds | NHR at half | NHR at the end | CPU s |\n|---|---|---|---|---|---|")
    for name, (_, _, _, budget, _, best) in PROBLEMS.items():
        start = [r["volume"]["10"] for r in rows if r["problem"] == name and r["optimizer"] == "random"]
        if not start:
            continue
        scale = best - statistics.mean(start)
        for who in OPTIMIZERS:
            own = [r for r in rows if r["problem"] == name and r["optimizer"] == who]
            if own:
                half, end = ([max(1e-4, (best - r["volume"][str(n)]) / scale) for r in own] for n in (budget // 2, budget))
                print(f"| {name} | {who} | {len(own)} | {statistics.median(half):.4f} | {statistics.median(end):.4f} | "
                      f"{statistics.mean(r['cpu'] for r in own):.1f} |")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--bohier", default="bin/bohier")
    a.add_argument("-o", default="bin/objectives.jsonl")
    a.add_argument("--problems", default=",".join(PROBLEMS))
    a.add_argument("--optimizers", default=",".join(OPTIMIZERS))
    a.add_argument("--seeds", type=int, default=10)
    a = a.parse_args()
    rows, missing = [], set()
    if os.path.exists(a.o):
        with open(a.o) as f:
            rows = [json.loads(line) for line in f]
    known = {(r["problem"], r["optimizer"], r["seed"]) for r in rows}
    binary = os.path.abspath(a.bohier)
    for seed in range(1, a.seeds + 1):
        for name in a.problems.split(","):
            for who in a.optimizers.split(","):
                if (name, who, seed) in known or who in missing:
                    continue
                began = time.time()
                try:
                    r = run(name, who, seed, binary)
                except ImportError as e:
                    print(f"{who} is left out: {e}", flush=True)
                    missing.add(who)
                    continue
                except Exception as e:  # a peer that gives up is no reason to stop
                    print(f"{name} {who} seed {seed}: {type(e).__name__}: {str(e)[:200]}", flush=True)
                    continue
                rows.append(json.loads(json.dumps(r)))
                with open(a.o, "a") as f:
                    f.write(json.dumps(r) + "\n")
                print(f"{name} {who} seed {seed}: {r['volume'][max(r['volume'])]:.4f}, {time.time() - began:.0f} s", flush=True)
    table(rows)


if __name__ == "__main__":
    main()
