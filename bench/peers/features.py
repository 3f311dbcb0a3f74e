"""Checks by running them what docs/comparison.md says of the peers.

    python features.py [PEER…]

Needs the environment of `make compare`. Prints a line for each feature: what the page
says, and "holds", or what happened instead; exits with 1 if anything does not hold.
"""
import contextlib
import importlib.metadata
import importlib.util
import inspect
import io
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
CHECKS = []


def says(peer, sentence):
    """Registers a check, which fails by an exception or by returning False."""
    return lambda f: CHECKS.append((peer, sentence, f)) or f


def there(module):
    """Whether a module can be found."""
    with contextlib.suppress(ModuleNotFoundError):
        return importlib.util.find_spec(module) is not None
    return False


def mentions(module, *words):
    """Whether a file of a package has one of the words; nothing is imported."""
    for d, _, files in os.walk(os.path.dirname(importlib.util.find_spec(module).origin)):
        for f in files:
            if f.endswith(".py"):
                with open(os.path.join(d, f), encoding="utf-8") as source:
                    if any(w in source.read() for w in words):
                        return True
    return False


def commands(distribution):
    """The programs that a package installs."""
    return {e.name for e in importlib.metadata.distribution(distribution).entry_points if e.group == "console_scripts"}


def requires(distribution, name):
    """Whether a package needs another one, extras aside."""
    return any(r.lower().startswith(name) and "extra ==" not in r for r in importlib.metadata.requires(distribution))


SPACE = [{"name": "x", "type": "float", "low": 0, "high": 1, "log": False, "when": []},
         {"name": "k", "type": "cat", "choices": ["a", "b", "c"], "when": []}]


def asked(adapter, *args, n):
    """What an adapter asks for when x is to be small and k to be c, with seed 7."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "adapters", adapter)
    with subprocess.Popen([sys.executable, program, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, bufsize=1, env={"PYTHONHASHSEED": "1", **os.environ}) as peer:
        peer.stdin.write(json.dumps({"problem": {"params": SPACE}, "seed": 7, "n": n}) + "\n")
        lines = [peer.stdout.readline()]
        for _ in range(n):
            lines.append(peer.stdout.readline())
            c = json.loads(lines[-1])
            peer.stdin.write(f"{(c['x'] - 0.3) ** 2 + (c['k'] != 'c')}\n")
        return lines


# So many suggestions that some are the model's, and no more: some models take seconds.
for _peer, _adapter, _n in [("optuna", ["with_optuna.py", "tpe"], 13), ("smac", ["with_smac.py", "hpo"], 13), ("ax", ["with_ax.py"], 8),
                            ("hyperopt", ["with_hyperopt.py"], 23), ("smt", ["with_smt.py"], 9)]:
    says(_peer, "the same seed gives the same suggestions, one after the other (with PYTHONHASHSEED set)")(
        lambda a=_adapter, n=_n: asked(*a, n=n) == asked(*a, n=n))

says("syne-tune", "two runs of its GP with the same seed differ")(
    lambda: asked("with_synetune.py", "gp", n=7) != asked("with_synetune.py", "gp", n=7))
says("hebo", "two runs with the same seed differ, where pymoo is newer than the 0.6.0 that it asks for: that draws from a generator of its own")(
    lambda: asked("with_hebo.py", n=7) != asked("with_hebo.py", n=7))

for _peer, _name, _licence, _commands, _torch in [
        ("optuna", "optuna", "MIT", {"optuna"}, False), ("smac", "smac", "BSD", set(), False),
        ("ax", "ax-platform", "MIT", set(), True), ("hebo", "HEBO", "MIT", set(), True),
        ("syne-tune", "syne-tune", "Apache", set(), False), ("hyperopt", "hyperopt", "BSD", {"hyperopt-mongo-worker"}, False),
        ("smt", "smt", "BSD", set(), False)]:
    def _packaged(name=_name, licence=_licence, programs=_commands, torch=_torch):
        m = importlib.metadata.metadata(name)
        text = " ".join(m.get_all("License", []) + m.get_all("License-Expression", []) + m.get_all("Classifier", []))
        return licence in text and commands(name) == programs and (requires(name, "torch") or requires(name, "botorch")) == torch
    says(_peer, f"licence {_licence}; commands: {', '.join(_commands) or 'none'}; PyTorch {'' if _torch else 'not '}required")(_packaged)


# Optuna


@says("optuna", "TPE, Gaussian process and CMA-ES; forbidden combinations by raising an exception; pictures")
def _():
    import optuna
    from optuna.samplers import CmaEsSampler, GPSampler, TPESampler

    def f(t):
        if t.suggest_float("x", 0, 1) < 0.5:
            raise optuna.TrialPruned
        return t.params["x"]
    study = optuna.create_study(sampler=TPESampler(seed=1))
    study.optimize(f, 8)
    return CmaEsSampler and GPSampler and min(t.params["x"] for t in study.get_trials(states=(optuna.trial.TrialState.COMPLETE,))) >= 0.5 and \
        there("optuna.visualization")


@says("optuna", "floats, integers and choices, no ordered ones")
def _():
    from optuna import distributions as d
    return {n for n in dir(d) if n.endswith("Distribution")} & {"OrdinalDistribution"} == set() and d.IntDistribution(1, 8, log=True)


@says("optuna", "conditions are code; its GP proposes only parameters that every trial had")
def _():
    import optuna
    optuna.logging.disable_default_handler()
    study = optuna.create_study(sampler=optuna.samplers.GPSampler(seed=1, n_startup_trials=3))

    def f(t):
        k = t.suggest_categorical("k", ["a", "b"])
        return t.suggest_float(k, 0, 1)
    study.optimize(f, 8)
    return set(study.sampler.infer_relative_search_space(study, study.trials[-1])) == {"k"}


@says("optuna", "constraints that are measured, in TPE, GP and NSGA-II")
def _():
    from optuna.samplers import GPSampler, NSGAIISampler, TPESampler
    return all("constraints_func" in inspect.signature(s.__init__).parameters for s in (GPSampler, NSGAIISampler, TPESampler))


@says("optuna", "several objectives")
def _():
    import optuna
    study = optuna.create_study(directions=["minimize", "minimize"])
    study.optimize(lambda t: (t.suggest_float("x", 0, 1), -t.params["x"]), 5)
    return len(study.best_trials) == 5


@says("optuna", "ask and tell from a shell, on flat spaces")
def _():
    program = os.path.join(os.path.dirname(sys.executable), "optuna")
    with tempfile.TemporaryDirectory() as d:
        common = [program, "--storage", f"sqlite:///{d}/s.db"]
        subprocess.run([*common, "create-study", "--study-name", "s"], check=True, capture_output=True)
        space = '{"x": {"name": "FloatDistribution", "attributes": {"low": 0, "high": 1}}}'
        asked = subprocess.run([*common, "ask", "--study-name", "s", "--search-space", space], check=True, capture_output=True, text=True)
        subprocess.run([*common, "tell", "--study-name", "s", "--trial-number", "0", "--values", "1.0"], check=True, capture_output=True)
        return '"x"' in asked.stdout or "x" in asked.stdout


@says("optuna", "pruners; databases, journal files and a gRPC proxy; heartbeats for databases; enqueued trials")
def _():
    import optuna
    study = optuna.create_study()
    study.enqueue_trial({"x": 0.25})
    study.optimize(lambda t: t.suggest_float("x", 0, 1), 1)
    from optuna.storages import GrpcStorageProxy, JournalStorage, RDBStorage
    return study.trials[0].params == {"x": 0.25} and optuna.pruners.HyperbandPruner() and GrpcStorageProxy and JournalStorage and \
        "heartbeat_interval" in inspect.signature(RDBStorage.__init__).parameters


# SMAC


@says("smac", "ordered choices, conditions and forbidden combinations by ConfigSpace; priors of parameters")
def _():
    import ConfigSpace as c
    s = c.ConfigurationSpace(seed=1)
    k, x = c.CategoricalHyperparameter("k", ["a", "b"]), c.NormalFloatHyperparameter("x", mu=0, sigma=1, lower=-2, upper=2)
    o = c.OrdinalHyperparameter("o", ["low", "high"])
    s.add(k, x, o)
    s.add(c.EqualsCondition(x, k, "b"))
    s.add(c.ForbiddenAndConjunction(c.ForbiddenEqualsClause(k, "a"), c.ForbiddenEqualsClause(o, "high")))
    return all("x" not in dict(z) and z["o"] == "low" for z in s.sample_configuration(40) if z["k"] == "a")


@says("smac", "cost of an evaluation: expected improvement per second, for algorithm configuration by running time")
def _():
    from smac.acquisition.function import EIPS
    return EIPS


@says("smac", "noise: it repeats over seeds and instances; several objectives; Hyperband; a prior on the optimum")
def _():
    from smac import HyperbandFacade, Scenario
    from smac.acquisition.function import PriorAcquisitionFunction
    p = inspect.signature(Scenario).parameters
    return {"deterministic", "instances", "objectives"} <= set(p) and HyperbandFacade and PriorAcquisitionFunction


@says("smac", "random forest and Gaussian process, inactive values imputed in both; first configurations of one's own; JSON")
def _():
    from smac.initial_design import AbstractInitialDesign
    from smac.model.gaussian_process import GaussianProcess
    from smac.model.random_forest import RandomForest
    from smac.runhistory import RunHistory
    return hasattr(RandomForest, "_impute_inactive") and hasattr(GaussianProcess, "_impute_inactive") and \
        "additional_configs" in inspect.signature(AbstractInitialDesign.__init__).parameters and RunHistory.save


@says("smac", "measured constraints: none")
def _():
    from smac import Scenario
    return not any("constraint" in p for p in inspect.signature(Scenario).parameters)


# Ax


@says("ax", "ordered choices; a tree of conditions under choices; linear constraints of parameters")
def _():
    from ax.api.client import Client
    from ax.api.configs import ChoiceParameterConfig as Choice, RangeParameterConfig as Range
    c = Client()
    c.configure_experiment([
        Choice("k", ["a", "b"], "str", is_ordered=False, dependent_parameters={"a": ["x", "y"], "b": ["o"]}),
        Range("x", (0, 1), "float"), Range("y", (0, 1), "float"), Choice("o", [1, 2, 4], "int", is_ordered=True)])
    c.configure_optimization("-f")
    seen = [p for _ in range(4) for p in c.get_next_trials(1).values()]
    flat = Client()
    flat.configure_experiment([Range("x", (0, 1), "float"), Range("y", (0, 1), "float")], parameter_constraints=["x + y <= 1"])
    return all(("x" in p) == (p["k"] == "a") for p in seen)


@says("ax", "no condition on the range of a number")
def _():
    from ax.api.configs import RangeParameterConfig
    return "dependent_parameters" not in inspect.signature(RangeParameterConfig).parameters


@says("ax", "measured constraints, several objectives, early stopping, JSON and databases")
def _():
    from ax.api.client import Client
    return "outcome_constraints" in inspect.signature(Client.configure_optimization).parameters and \
        all(hasattr(Client, n) for n in ("get_pareto_frontier", "should_stop_trial_early", "save_to_json_file", "load_from_database"))


@says("ax", "noise by a standard error; points of one's own; a torch device; transfer of earlier studies; pictures")
def _():
    from ax.api.client import Client
    from ax.api.types import TOutcome
    c = Client
    return hasattr(c, "attach_trial") and "torch_device" in str(inspect.signature(c.configure_generation_strategy)) and \
        "tuple[float, float]" in str(TOutcome) and there("ax.adapter.transfer_learning") and there("ax.analysis.plotly")


# HEBO


@says("hebo", "a Gaussian process with warping; any points can be told; no GPU, no forbidden combinations, no pruning, no pictures")
def _():
    from hebo.optimizers.hebo import HEBO
    return hasattr(HEBO, "observe") and there("hebo.models.gp.gpy_wgp") and \
        not mentions("hebo.optimizers", "cuda", "forbid", "prune", "pyplot")


@says("hebo", "floats, integers and choices, no ordered ones, no conditions")
def _():
    from hebo.design_space.design_space import DesignSpace
    return not any("ord" in k or "cond" in k for k in DesignSpace().para_types)


@says("hebo", "measured constraints and several objectives, in its general optimizer")
def _():
    from hebo.optimizers.general import GeneralBO
    return {"num_obj", "num_constr"} <= set(inspect.signature(GeneralBO.__init__).parameters)


# Syne Tune


@says("syne-tune", "ordered choices, no conditions")
def _():
    import syne_tune.config_space as c
    return c.ordinal([1, 2, 4]) and not any("cond" in n.lower() for n in dir(c))


@says("syne-tune", "at 0.16 it starts jobs on this machine or simulates them: no cloud back end")
def _():
    return there("syne_tune.backend.local_backend") and not there("syne_tune.backend.sagemaker_backend")


@says("syne-tune", "no constrained and no cost-aware searcher at 0.16")
def _():
    import syne_tune.optimizer.schedulers.searchers as s
    names = [f.lower() for _, _, files in os.walk(os.path.dirname(s.__file__)) for f in files]
    return not any("constrain" in n or "cost" in n for n in names)


@says("syne-tune", "early stopping, transfer of earlier studies, several objectives")
def _():
    return all(there("syne_tune.optimizer.schedulers." + m) for m in ("asha", "transfer_learning", "multiobjective.moasha"))


@says("syne-tune", "GP by BoTorch, BORE, KDE and regularised evolution; first points; no GPU for its models, no forbidden combinations")
def _():
    from syne_tune.optimizer.baselines import BORE, TPE, BOTorch
    return BORE and TPE and BOTorch and there("syne_tune.optimizer.schedulers.searchers.regularized_evolution") and \
        mentions("syne_tune.optimizer.schedulers.searchers", "points_to_evaluate") and \
        not mentions("syne_tune.optimizer.schedulers.searchers", "cuda", "forbidden")


# Hyperopt


@says("hyperopt", "TPE; trials saved to a file; a few plots; no early stopping of a trial, one objective, no forbidden combinations")
def _():
    import hyperopt
    return hyperopt.tpe.suggest and "trials_save_file" in inspect.signature(hyperopt.fmin).parameters and there("hyperopt.plotting") and \
        not mentions("hyperopt", "forbidden", "pareto", "prune")


@says("hyperopt", "conditions are nested choices; no ordered choice")
def _():
    from hyperopt import fmin, hp, rand
    from numpy.random import default_rng
    space = hp.choice("k", [{"k": "a", "x": hp.uniform("x", 0, 1)}, {"k": "b"}])
    seen = []
    with contextlib.redirect_stderr(io.StringIO()):
        fmin(lambda c: seen.append(c) or 0.0, space, algo=rand.suggest, max_evals=20, rstate=default_rng(1), verbose=False)
    return all(("x" in c) == (c["k"] == "a") for c in seen) and not hasattr(hp, "ordinal")


@says("hyperopt", "TPE models a parameter of a branch from the trials that had it")
def _():
    from hyperopt import Trials, fmin, hp, tpe
    from numpy.random import default_rng
    space, trials = hp.choice("k", [{"x": hp.uniform("x", 0, 1)}, {}]), Trials()
    with contextlib.redirect_stderr(io.StringIO()):
        fmin(lambda c: c.get("x", 2.0), space, algo=tpe.suggest, max_evals=30, rstate=default_rng(1), trials=trials, verbose=False)
    (seen,) = {tuple(t["misc"]["vals"]["k"]) + (len(t["misc"]["vals"]["x"]),) for t in trials.trials if t["misc"]["vals"]["k"] == [1]}
    return seen == (1, 0) and len(trials.idxs["x"]) == sum(k == 0 for k in trials.vals["k"])


@says("hyperopt", "distributions of parameters as priors; workers by MongoDB or Spark; points to begin with")
def _():
    import hyperopt
    return hyperopt.hp.lognormal and hyperopt.SparkTrials and there("hyperopt.mongoexp") and "points_to_evaluate" in inspect.signature(hyperopt.fmin).parameters


# SMT


@says("smt", "ordered choices; a parameter is active for values of another; impossible combinations need a further package")
def _():
    from smt.design_space import CategoricalVariable, DesignSpace, FloatVariable, OrdinalVariable
    s = DesignSpace([CategoricalVariable(["a", "b"]), FloatVariable(0, 1), OrdinalVariable(["1", "2"])], seed=1)
    s.declare_decreed_var(decreed_var=1, meta_var=0, meta_value=["b"])
    x, on = s.sample_valid_x(40)
    with contextlib.suppress(RuntimeError):  # which names the package
        s.add_value_constraint(var1=0, value1=["a"], var2=2, value2=["2"])
        return False
    return all(o[1] == (r[0] == 1) for r, o in zip(x, on))


@says("smt", "arc kernels for hierarchical spaces, models of several fidelities")
def _():
    from smt.applications import MFK
    from smt.surrogate_models import MixHrcKernelType
    return MixHrcKernelType.ARC_KERNEL and MFK


@says("smt", "its optimizer takes no measured constraints and one objective")
def _():
    from smt.applications import EGO
    return not any("constr" in k or "obj" in k for k in EGO().options._dict)


@says("smt", "the textbook algorithm: Kriging and expected improvement")
def _():
    from smt.applications import EGO
    o = EGO().options._dict
    return o["criterion"] == "EI" and type(o["surrogate"]).__name__ == "KRG"


@says("smt", "noise estimated or given; first points; gradients; compiled parts")
def _():
    from smt.applications import EGO
    from smt.surrogate_models import GEKPLS, KRG
    files = os.listdir(os.path.dirname(importlib.util.find_spec("smt.surrogate_models").origin))
    return "eval_noise" in KRG().options._dict and "xdoe" in EGO().options._dict and GEKPLS and any(".so" in f or ".pyd" in f for f in files)


def main(peers):
    """Runs the checks of these peers, all if there are none."""
    wrong = 0
    for peer, sentence, f in CHECKS:
        if peers and peer not in peers:
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                ok, why = f(), "no"
        except Exception as e:  # what a peer raises is its affair
            ok, why = False, f"{type(e).__name__}: {e}"
        wrong += not ok
        print(f"{peer}: {sentence}: {'holds' if ok else why}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main(sys.argv[1:])
