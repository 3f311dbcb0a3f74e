"""Studies of several objectives: bohier beside Optuna, SMAC, Ax (BoTorch) and random search.

    python bench/compare/objectives.py --bohier bin/bohier -o bin/objectives.jsonl
    python bench/compare/objectives.py --noise 0.05 -o bin/noisy-objectives.jsonl
    python bench/compare/objectives.py --problems yahpo_xgb --yahpo "python DIR/yahpo.py"
    python bench/compare/objectives.py --bounds
    python bench/compare/objectives.py --optimizers bohier --study "policy: {without: [xi.floor]}" -o without.jsonl --versus with.jsonl

Every run is a line of the file of -o; runs that are there are not repeated. The
table has the median over seeds of the normalised hypervolume regret
(HV* - HV) / (HV* - mean HV of 10 random configurations), at half and at all of the
budget, and the CPU seconds of a run. Hypervolumes are of all feasible points that were
evaluated, with one reference point for each problem that no optimizer is told; with
--noise of their true values, and beside it that of the front which the optimizer
recommends (bohier: `best`; others: the front of the values they were told). HV* is
exact, or that of all runs together where no number is given. yahpo_xgb is the
validation error and the training time of xgboost on credit-g, by the surrogate of
YAHPO Gym, which a program serves: "CMD spec", "CMD serve NAME all". --bounds prints the
least NHR that as many points as half and all of a budget can have, where the front of
two objectives is known: all of them on it, at the best places. --versus prints the
difference of log10 NHR to the runs of another file with the same problem, optimizer and
seed, the mean and its standard error. The problems of MORE (fronts.py) run when named.
"""

import argparse
import json
import math
import os
import random
import resource
import statistics
import shlex
import subprocess
import tempfile
import time

from fronts import MORE, PROBLEMS, Problem, conditions, front, volume, yahpo


def study_file(problem):
    lines = ["objectives:"] + [f"  - {{name: f{j}, direction: minimize}}" for j in range(problem.m)]
    if problem.constraints:
        lines.append("constraints: [" + ", ".join(f'"c{j} <= 0"' for j in range(problem.constraints)) + "]")
    lines.append("space:")
    for p in problem.params:
        needs = conditions(p)
        needs = f", active_if: {{{needs[0]}: [{', '.join(needs[1])}]}}" if needs else ""
        if isinstance(p[1], list):
            lines.append(f"  {p[0]}: {{type: categorical, values: [{', '.join(p[1])}]{needs}}}")
        else:
            scale = ", scale: log" if p[1].startswith("log") else ""
            lines.append(f"  {p[0]}: {{type: {p[1].removeprefix('log')}, low: {p[2]}, high: {p[3]}{scale}{needs}}}")
    return "\n".join(lines + [f"budget: {{trials: {problem.budget}}}", ""])


def run_bohier(problem, seed, evaluate, options):
    """Returns the numbers of the trials that it recommends, from 0."""
    with tempfile.TemporaryDirectory() as place:
        with open(f"{place}/bohier.yaml", "w") as f:
            f.write(study_file(problem) + f"seed: {seed}\n{options.study}\n")

        with subprocess.Popen([options.bohier, "-q", "serve", "--stdio"], cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as served:

            def call(verb, **request):
                served.stdin.write(json.dumps({"verb": verb, **request}) + "\n")
                served.stdin.flush()
                return json.loads(served.stdout.readline())

            for _ in range(problem.budget):
                s = call("suggest")["result"]
                call("observe", trial=s["id"], values=dict(zip(problem.names, evaluate(s["params"]))))
            best = call("best", number=0)
        return [t["trial"] - 1 for t in best.get("result") or []]  # of none, none is feasible


def draw(params, suggest):
    chosen = {}
    for p in params:
        needs = conditions(p)
        if not needs or chosen.get(needs[0]) in needs[1]:
            chosen[p[0]] = suggest(p)
    return chosen


def run_random(problem, seed, evaluate, _):
    r = random.Random(seed)

    def one(p):
        if isinstance(p[1], list):
            return r.choice(p[1])
        if p[1].startswith("log"):
            v = math.exp(r.uniform(math.log(p[2]), math.log(p[3])))
            return round(v) if p[1] == "logint" else v
        return r.randint(p[2], p[3]) if p[1] == "int" else r.uniform(p[2], p[3])

    for _ in range(problem.budget):
        evaluate(draw(problem.params, one))


def run_optuna(sampler):
    def run(problem, seed, evaluate, _):
        import warnings

        import optuna

        warnings.simplefilter("ignore")
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        samplers = {"nsga2": optuna.samplers.NSGAIISampler, "tpe": optuna.samplers.TPESampler, "gp": optuna.samplers.GPSampler}
        more = {"constraints_func": lambda t: t.user_attrs["c"]} if problem.constraints else {}
        study = optuna.create_study(directions=["minimize"] * problem.m, sampler=samplers[sampler](seed=seed, **more))

        def objective(trial):
            def one(p):
                if isinstance(p[1], list):
                    return trial.suggest_categorical(p[0], p[1])
                ask = trial.suggest_int if p[1].endswith("int") else trial.suggest_float
                return ask(p[0], p[2], p[3], log=p[1].startswith("log"))

            values = evaluate(draw(problem.params, one))
            trial.set_user_attr("c", values[problem.m :])
            return values[: problem.m]

        study.optimize(objective, n_trials=problem.budget)

    return run


def run_smac(problem, seed, evaluate, _):
    """ParEGO of SMAC, which knows no constraints: what violates one has the values of the reference point."""
    from ConfigSpace import Categorical, ConfigurationSpace, Float, InCondition, Integer
    from smac import HyperparameterOptimizationFacade, Scenario
    from smac.multi_objective.parego import ParEGO

    space, made = ConfigurationSpace(seed=seed), {}
    for p in problem.params:
        if isinstance(p[1], list):
            made[p[0]] = Categorical(p[0], p[1])
        else:
            made[p[0]] = (Integer if p[1].endswith("int") else Float)(p[0], (p[2], p[3]), log=p[1].startswith("log"))
        space.add(made[p[0]])
    for p in problem.params:
        if needs := conditions(p):
            space.add(InCondition(made[p[0]], made[needs[0]], needs[1]))
    with tempfile.TemporaryDirectory() as place:
        names = problem.names[: problem.m]
        scenario = Scenario(space, objectives=names, n_trials=problem.budget, seed=seed, deterministic=True, output_directory=place)

        def target(config, seed=0):
            values = evaluate(dict(config))
            feasible = all(v <= 0 for v in values[problem.m :])
            return dict(zip(names, values if feasible else problem.ref))

        smac = HyperparameterOptimizationFacade(scenario, target, multi_objective_algorithm=ParEGO(scenario), overwrite=True, logging_level=50)
        smac.optimize()


def run_ax(problem, seed, evaluate, _):
    """Ax, which takes BoTorch's qLogNEHVI for several objectives. It has no conditions here:
    parameters of other branches are suggested and left out."""
    import logging

    from ax.api.client import Client
    from ax.api.configs import ChoiceParameterConfig, RangeParameterConfig

    logging.disable(logging.CRITICAL)
    client = Client(random_seed=seed)

    def config(p):
        if isinstance(p[1], list):
            return ChoiceParameterConfig(name=p[0], parameter_type="str", values=list(p[1]), is_ordered=False)
        scaling = "log" if p[1].startswith("log") else "linear"
        return RangeParameterConfig(name=p[0], parameter_type=p[1].removeprefix("log"), bounds=(p[2], p[3]), scaling=scaling)

    client.configure_experiment(parameters=[config(p) for p in problem.params])
    client.configure_optimization(
        objective=", ".join(f"-f{j}" for j in range(problem.m)), outcome_constraints=[f"c{j} <= 0" for j in range(problem.constraints)])
    for _ in range(problem.budget):
        for number, given in client.get_next_trials(max_trials=1).items():
            values = evaluate(draw(problem.params, lambda p: given[p[0]]))
            client.complete_trial(trial_index=number, raw_data=dict(zip(problem.names, values)))


OPTIMIZERS = {
    "bohier": run_bohier,
    "random": run_random,
    "optuna-nsga2": run_optuna("nsga2"),
    "optuna-tpe": run_optuna("tpe"),
    "optuna-gp": run_optuna("gp"),
    "smac-parego": run_smac,
    "ax-qlognehvi": run_ax,
}


def run(name, who, seed, options):
    problem, luck = PROBLEMS[name], random.Random(seed)
    points, told = [], []  # objectives of the feasible; None for the others

    def evaluate(params):
        true = [float(v) for v in problem.f(params)]
        seen = [v + (options.noise * luck.gauss(0, 1) if j < problem.m else 0) for j, v in enumerate(true)]
        feasible = all(v <= 0 for v in true[problem.m :])
        points.append(true[: problem.m] if feasible else None)
        told.append(seen[: problem.m] if feasible else None)
        return seen

    before = sum(sum(resource.getrusage(w)[:2]) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    chosen = OPTIMIZERS[who](problem, seed, evaluate, options)
    after = sum(sum(resource.getrusage(w)[:2]) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    if chosen is None:
        best = set(front([p for p in told if p]))
        chosen = [k for k, p in enumerate(told) if p and tuple(p) in best]
    found = [front([p for p in points[:n] if p]) for n in (10, problem.budget // 4, problem.budget // 2, problem.budget)]
    return {"problem": name, "optimizer": who, "seed": seed, "cpu": round(after - before, 2), "front": found[-1],
            "volume": [volume(list(f), problem.ref) for f in found],
            "recommended": volume(front([points[k] for k in chosen if points[k]]), problem.ref)}


# Fronts of two objectives, f1 by f0 in [0, 1] or both by t in [0, 1].
FRONTS = {
    "vlmop2": lambda t: (1 - math.exp(-4 * (t - 1) ** 2), 1 - math.exp(-4 * t * t)),
    "zdt1_mixed": lambda t: (t, 1 - math.sqrt(t)),
    "zdt2_mixed": lambda t: (t, 1 - t * t),
    "dtlz2_2": lambda t: (math.sin(t * math.pi / 2), math.cos(t * math.pi / 2)),
    "cond_tradeoff": lambda t: (t, (1 - t) ** 2),
}


def bounds():
    """Prints the least NHR of n points: dynamic programming over 801 places on the front."""
    for name, curve in FRONTS.items():
        problem, luck = PROBLEMS[name], random.Random(1)
        start = []

        def tell(params):
            start[-1].append(tuple(problem.f(params)))

        for _ in range(2000):
            start.append([])
            run_random(Problem(problem.params, problem.f, problem.m, 10, 0, None), luck.random(), tell, None)
        start = statistics.mean(volume(front(points), problem.ref) for points in start)
        places = sorted(curve(k / 800) for k in range(801))
        x, y = zip(*places)
        ref, cells, best = problem.ref[0], [], [(problem.ref[0] - a) * (problem.ref[1] - b) for a, b in places]
        for n in range(2, problem.budget + 1):
            best = [max((best[i] + (ref - x[j]) * (y[i] - y[j]) for i in range(j)), default=best[j]) for j in range(len(places))]
            if n in (problem.budget // 2, problem.budget):
                cells.append(f"{(problem.best - max(best)) / (problem.best - start):.4f}")
        print(f"{name}: NHR of at least {cells[0]} with {problem.budget // 2} points, {cells[1]} with {problem.budget}", flush=True)


def table(rows, noise):
    last = " recommended |" if noise else ""
    print(f"\n| problem | optimizer | seeds | NHR at half | NHR at the end |{last} CPU s |\n|---|---|---|---|---|---|" + "---|" * bool(noise))
    for name, problem in PROBLEMS.items():
        here = [r for r in rows if r["problem"] == name]
        start = [r["volume"][0] for r in here if r["optimizer"] == "random"]
        if not start:
            continue
        best = problem.best or volume(front([p for r in here for p in r["front"]]), problem.ref)
        scale = best - statistics.mean(start)
        for who in OPTIMIZERS:
            own = [r for r in here if r["optimizer"] == who]
            if own:
                nhr = lambda values: f"{statistics.median(max(1e-4, (best - v) / scale) for v in values):.4f}"
                cells = [nhr(r["volume"][2] for r in own), nhr(r["volume"][3] for r in own)]
                if noise:
                    cells.append(nhr(r["recommended"] for r in own))
                print(f"| {name} | {who} | {len(own)} | {' | '.join(cells)} | {statistics.mean(r['cpu'] for r in own):.1f} |")


def versus(rows, others):
    """Prints how much larger log10 NHR is than in the runs of another file, at half and at the end."""
    base = {(r["problem"], r["optimizer"], r["seed"]): r["volume"] for r in others}
    found = {}
    for r in rows:
        if other := base.get((r["problem"], r["optimizer"], r["seed"])):
            found.setdefault(r["problem"], []).append((r["volume"], other))
    print("\n| problem | pairs | at half | at the end |\n|---|---|---|---|")
    logs = {"all": []}
    for name, pairs in found.items():
        top = max(v[3] for pair in pairs for v in pair)  # of a front that nobody knows: a little more than was found
        best = PROBLEMS[name].best or top + 0.02 * (top - statistics.mean(other[0] for _, other in pairs))
        lack = lambda v: math.log10(max(1e-9, best - v))
        logs[name] = [[lack(v[k]) - lack(other[k]) for k in (2, 3)] for v, other in pairs]
        logs["all"] += logs[name]
    for name, diffs in sorted(logs.items()) if found else ():
        cells = [f"{statistics.mean(d):+.2f} ± {statistics.stdev(d) / len(d) ** 0.5 if len(d) > 1 else math.nan:.2f}" for d in zip(*diffs)]
        print(f"| {name} | {len(diffs)} | {' | '.join(cells)} |")


def read(file):
    with open(file) as f:
        return [json.loads(line) for line in f]


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--bohier", default="bin/bohier")
    a.add_argument("-o", default="bin/objectives.jsonl")
    a.add_argument("--problems")
    a.add_argument("--optimizers", default=",".join(OPTIMIZERS))
    a.add_argument("--seeds", type=int, default=10)
    a.add_argument("--noise", type=float, default=0, help="standard deviation of normal noise on every objective")
    a.add_argument("--yahpo", help="command of the program that serves yahpo_xgb, which is left out without it")
    a.add_argument("--bounds", action="store_true", help="print what can be reached instead")
    a.add_argument("--study", default="", help="lines to add to bohier's study files")
    a.add_argument("--versus", help="file of runs to compare with")
    a = a.parse_args()
    if a.bounds:
        bounds()
        return
    if a.yahpo:
        yahpo(shlex.split(a.yahpo))
    rows, missing = read(a.o) if os.path.exists(a.o) else [], set()
    known = {(r["problem"], r["optimizer"], r["seed"]) for r in rows}
    a.bohier = os.path.abspath(a.bohier)
    problems = a.problems.split(",") if a.problems else list(PROBLEMS)
    PROBLEMS.update(MORE)
    for seed in range(1, a.seeds + 1):
        for name in problems:
            for who in a.optimizers.split(","):
                if (name, who, seed) in known or who in missing:
                    continue
                began = time.time()
                try:
                    r = run(name, who, seed, a)
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
                print(f"{name} {who} seed {seed}: {r['volume'][-1]:.4f}, {time.time() - began:.0f} s", flush=True)
    table(rows, a.noise)
    if a.versus:
        versus(rows, read(a.versus))


if __name__ == "__main__":
    main()
