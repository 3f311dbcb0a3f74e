package config

import "strings"

// examples show every key in a line of a study file that loads once objective and space
// are there, too. «value|wrong» are a value of the key and one that is refused, by which the
// reference finds the error.
var examples = map[string]string{
	"version":                "version: «1|3»",
	"name":                   "name: «tuning-2|[a]»",
	"context":                "context: «compiler 14.2|[a]»",
	"objective":              "objective: «{name: loss, direction: minimize}|loss»",
	"objective.name":         "objective: {name: «val_loss|{}», direction: minimize}",
	"objective.direction":    "objective: {name: loss, direction: «minimize|smaller»}",
	"objective.target":       "objective: {name: loss, direction: minimize, target: «0.01|low»}",
	"objective.transform":    "objective: {name: loss, direction: minimize, transform: «log|ln»}",
	"objective.noise":        "objective: {name: loss, direction: minimize, noise: «0.05|-0.05»}",
	"objectives":             "objectives: «[{name: loss, direction: minimize}, {name: speed, direction: maximize}]|[loss, speed]»",
	"objectives.name":        "objectives: [{name: «loss|{}», direction: minimize}, {name: speed, direction: maximize}]",
	"objectives.direction":   "objectives: [{name: loss, direction: «minimize|down»}, {name: speed, direction: maximize}]",
	"objectives.target":      "objectives: [{name: loss, direction: minimize, target: «0.1|low»}, {name: speed, direction: maximize}]",
	"objectives.reference":   "objectives: [{name: loss, direction: minimize, reference: «2|worst»}, {name: speed, direction: maximize}]",
	"objectives.noise":       "objectives: [{name: loss, direction: minimize, noise: «none|small»}, {name: speed, direction: maximize}]",
	"objectives.transform":   "objectives: [{name: loss, direction: minimize, transform: «power|root»}, {name: speed, direction: maximize}]",
	"constraints":            `constraints: [«"latency_ms <= 200"|"latency_ms = 200"»]`,
	"cost":                   "cost: «seconds|[seconds]»",
	"cost.name":              "cost: {name: «duration|[a]»}",
	"cost.model":             "cost: {name: seconds, model: «linear|guessed»}",
	"cost.exponent":          "cost: {name: seconds, exponent: «0.5|-1»}",
	"space":                  "space: «{lr: {type: float, low: 1e-5, high: 1, scale: log}, act: [relu, tanh]}|[lr, act]»",
	"space.*":                "space: {act: «[relu, gelu, tanh]|relu»}",
	"space.*.type":           "space: {n: {type: «int|integer», low: 1, high: 8}}",
	"space.*.low":            "space: {lr: {type: float, low: «1e-5|2», high: 1}}",
	"space.*.high":           "space: {lr: {type: float, low: 0, high: «1|.inf»}}",
	"space.*.scale":          "space: {lr: {type: float, low: 1e-5, high: 1, scale: «log|logarithmic»}}",
	"space.*.log":            "space: {lr: {type: float, low: 1e-5, high: 1, log: «true|1»}}",
	"space.*.step":           "space: {t: {type: float, low: 20, high: 80, step: «5|0»}}",
	"space.*.precision":      "space: {c: {type: float, low: 1, high: 100, precision: «2|0»}}",
	"space.*.discrete":       "space: {layers: {type: int, low: 1, high: 5, discrete: «true|2»}}",
	"space.*.values":         "space: {opt: {type: categorical, values: «[sgd, adam, null]|[sgd, sgd]»}}",
	"space.*.positions":      "space: {size: {type: ordinal, values: [s, m, xl], positions: «[1, 2, 4]|[1, 4, 2]»}}",
	"space.*.graph":          "space: {day: {type: categorical, values: [mo, tu, we], graph: «cycle|circle»}}",
	"space.*.graph.edges":    "space: {site: {type: categorical, values: [a, b, c], graph: {edges: «[[a, b], [b, c]]|[[a, d]]»}}}",
	"space.*.graph.weights":  "space: {site: {type: categorical, values: [a, b, c], graph: {edges: [[a, b], [b, c]], weights: «[1, 0.5]|[1]»}}}",
	"space.*.graph.groups":   "space: {net: {type: categorical, values: [vgg, resnet, vit], graph: {groups: «{cnn: [vgg, resnet], other: [vit]}|{cnn: [vgg, alexnet]}»}}}",
	"space.*.value":          "space: {seed: {value: «42|.nan»}, act: [relu, tanh]}",
	"space.*.default":        "space: {lr: {type: float, low: 1e-5, high: 1, default: «0.01|3»}}",
	"space.*.active_if":      `space: {opt: [sgd, adam], momentum: {type: float, low: 0, high: 1, active_if: «opt == sgd|opt = sgd»}}`,
	"space.*.prior":          "space: {lr: {type: float, low: 0, high: 1, prior: «{mode: 0.1}|0.1»}}",
	"space.*.prior.mode":     "space: {lr: {type: float, low: 0, high: 1, prior: {mode: «0.1|2»}}}",
	"space.*.prior.strength": "space: {lr: {type: float, low: 0, high: 1, prior: {mode: 0.1, strength: «strong|very»}}}",
	"forbidden":              `space: {opt: [sgd, adam], lr: {type: float, low: 0, high: 1}}§forbidden: [«opt == sgd and lr > 0.2|opt == sgd and rate > 0.2»]`,
	"require":                `space: {a: {type: int, low: 1, high: 9}, b: {type: int, low: 1, high: 9}}§require: [«"a <= b and a * b % 4 == 0"|"a <="»]`,
	"condition.any":          "space: {k: [u, v], n: {type: int, low: 1, high: 9}, x: {type: float, low: 0, high: 1, active_if: {any: «[{k: u}, {n: {gt: 5}}]|{k: u}»}}}",
	"condition.all":          "space: {k: [u, v], n: {type: int, low: 1, high: 9}, x: {type: float, low: 0, high: 1, active_if: {all: «[{k: u}, {n: {gt: 5}}]|k»}}}",
	"condition.not":          "space: {k: [u, v], x: {type: float, low: 0, high: 1, active_if: {not: «{k: u}|{k: w}»}}}",
	"condition.*.lt":         "space: {n: {type: int, low: 1, high: 9}, x: {type: float, low: 0, high: 1, active_if: {n: {lt: «5|many»}}}}",
	"condition.*.le":         "space: {n: {type: int, low: 1, high: 9}, x: {type: float, low: 0, high: 1, active_if: {n: {le: «5|many»}}}}",
	"condition.*.gt":         "space: {n: {type: int, low: 1, high: 9}, x: {type: float, low: 0, high: 1, active_if: {n: {gt: «5|9»}}}}",
	"condition.*.ge":         "space: {n: {type: int, low: 1, high: 9}, x: {type: float, low: 0, high: 1, active_if: {n: {ge: «5|10»}}}}",
	"condition.*.eq":         "space: {k: [u, v], x: {type: float, low: 0, high: 1, active_if: {k: {eq: «u|w»}}}}",
	"condition.*.ne":         "space: {k: [u, v], x: {type: float, low: 0, high: 1, active_if: {k: {ne: «u|w»}}}}",
	"condition.*.in":         "space: {k: [u, v, w], x: {type: float, low: 0, high: 1, active_if: {k: {in: «[u, v]|u»}}}}",
	"condition.*.not_in":     "space: {k: [u, v, w], x: {type: float, low: 0, high: 1, active_if: {k: {not_in: «[u]|[z]»}}}}",

	"initial":        "initial: «{count: 8}|8»",
	"initial.points": "initial: {points: «[{x: 0.1}, {x: 0.9}]|[{x: 2}]»}",
	"initial.design": "initial: {design: «lhs|grid»}",
	"initial.count":  "initial: {count: «10|-1»}",

	"surrogate":                                   "surrogate: «{kernel: arc}|arc»",
	"surrogate.kernel":                            "surrogate: {kernel: «matern52|matern»}",
	"surrogate.kernel.name":                       "surrogate: {kernel: {name: «arc|arcs»}}",
	"surrogate.kernel.sum":                        "surrogate: {kernel: {sum: «[arc, imp]|[arc]»}}",
	"surrogate.kernel.add":                        "surrogate: {kernel: {add: «[matern52, linear]|matern52»}}",
	"surrogate.kernel.multiply":                   "surrogate: {kernel: {multiply: «[matern52, se]|[matern52]»}}",
	"surrogate.kernel.over":                       "space: {x: {type: float, low: 0, high: 1}, y: {type: float, low: 0, high: 1}}§surrogate: {kernel: {add: [{name: se, over: «[x]|[z]»}, {name: linear, over: [y]}]}}",
	"surrogate.kernel.base":                       "surrogate: {kernel: {name: imparc, base: «matern32|matern»}}",
	"surrogate.kernel.combine":                    "surrogate: {kernel: {name: arc, combine: «product|times»}}",
	"surrogate.kernel.distance":                   "surrogate: {kernel: {name: imparc, distance: «{x: imp}|{z: imp}»}}",
	"surrogate.kernel.always_active":              "surrogate: {kernel: {name: arc, always_active: «same|yes»}}",
	"surrogate.kernel.weights":                    "surrogate: {kernel: {name: arc, weights: «ancestors|parents»}}",
	"surrogate.kernel.nominal_rho":                "surrogate: {kernel: {name: arc, nominal_rho: «true|0.5»}}",
	"surrogate.kernel.constant":                   "surrogate: {kernel: {name: const, constant: «-0.5|low»}}",
	"surrogate.kernel.ard":                        "surrogate: {kernel: {name: matern52, ard: «false|2»}}",
	"surrogate.kernel.embedding":                  "surrogate: {kernel: {name: hmodlap, embedding: «arc|box2»}}",
	"surrogate.kernel.terms":                      "surrogate: {kernel: {name: modlap, terms: «[{weight: 1}, {weight: 0.5, order: 2}]|2»}}",
	"surrogate.kernel.terms.weight":               "surrogate: {kernel: {name: modlap, terms: [{weight: 1}, {weight: «0.5|0»}]}}",
	"surrogate.kernel.terms.power":                "surrogate: {kernel: {name: modlap, terms: [{power: «1|3»}]}}",
	"surrogate.kernel.terms.order":                "surrogate: {kernel: {name: modlap, terms: [{order: «2|0»}]}}",
	"surrogate.kernel.order":                      "surrogate: {kernel: {name: modlap, order: «3|0»}}",
	"surrogate.kernel.power":                      "surrogate: {kernel: {name: modlap, power: «1|2.5»}}",
	"surrogate.kernel.normalize":                  "surrogate: {kernel: {name: hmodlap, normalize: «true|2»}}",
	"surrogate.hyperparameters":                   "surrogate: {hyperparameters: «{fixed: {noise: 0.01}}|noise»}",
	"surrogate.hyperparameters.fixed":             "surrogate: {hyperparameters: {fixed: «{noise: 0.01}|{nois: 0.01}»}}",
	"surrogate.hyperparameters.initial":           "surrogate: {hyperparameters: {initial: «{noise: 0.01}|{noise: small}»}}",
	"surrogate.hyperparameters.bounds":            "surrogate: {hyperparameters: {bounds: «{noise: [1e-6, 0.1]}|{noise: [0.1, 1e-6]}»}}",
	"surrogate.hyperparameters.prior":             "surrogate: {hyperparameters: {prior: «{noise: {lognormal: [-8, 3]}}|{noise: 0.1}»}}",
	"surrogate.hyperparameters.prior.*.lognormal": "surrogate: {hyperparameters: {prior: {noise: {lognormal: «[-8, 3]|[-8]»}}}}",
	"surrogate.hyperparameters.prior.*.normal":    "surrogate: {hyperparameters: {prior: {mean: {normal: «[0, 1]|[0, -1]»}}}}",
	"surrogate.hyperparameters.prior.*.uniform":   "surrogate: {hyperparameters: {prior: {noise: {uniform: «[0, 0.1]|[0.1, 0]»}}}}",
	"surrogate.form":                              "surrogate: {form: «kriging|krige»}",
	"surrogate.nugget":                            "surrogate: {form: kriging, nugget: «0.001|-1»}",
	"surrogate.reinterpolate":                     "surrogate: {form: kriging, reinterpolate: «true|2»}",
	"surrogate.mean":                              "surrogate: {mean: «linear|quadratic»}",
	"surrogate.inference":                         "surrogate: {inference: «mle|bayes»}",
	"surrogate.fit":                               "surrogate: {fit: «{starts: 5}|5»}",
	"surrogate.fit.optimizer":                     "surrogate: {fit: {optimizer: «direct|adam»}}",
	"surrogate.fit.starts":                        "surrogate: {fit: {starts: «20|0»}}",
	"surrogate.fit.evaluations":                   "surrogate: {fit: {evaluations: «1000|-1»}}",
	"surrogate.warping":                           "surrogate: {warping: «auto|maybe»}",
	"surrogate.separate":                          "surrogate: {separate: «true|2»}",
	"acquisition":                                 "acquisition: «ei|improvement»",
	"acquisition.name":                            "acquisition: {name: «lcb|ucb»}",
	"acquisition.kappa":                           "acquisition: {name: lcb, kappa: «3|0»}",
	"acquisition.pending":                         "acquisition: {pending: «liar|ignore»}",
	"acquisition.search":                          "acquisition: {search: «{starts: 40}|40»}",
	"acquisition.search.optimizer":                "acquisition: {search: {optimizer: «de|ga»}}",
	"acquisition.search.candidates":               "acquisition: {search: {candidates: «5000|0»}}",
	"acquisition.search.starts":                   "acquisition: {search: {starts: «40|0»}}",
	"policy":                                      "policy: «plain|none»",
	"policy.name":                                 "policy: {name: «default|simple»}",
	"policy.without":                              "policy: {without: «[region.branch]|[branch]»}",
	"warm_start":                                  "warm_start: «{journals: [earlier.journal.jsonl]}|earlier.journal.jsonl»",
	"warm_start.journals":                         "warm_start: {journals: «[earlier.journal.jsonl]|earlier.journal.jsonl»}",
	"warm_start.task_kernel":                      "warm_start: {journals: [earlier.journal.jsonl], task_kernel: «matern52|se»}",
	"stop":                                        "stop: «{regret: 0.01}|0.01»",
	"stop.regret":                                 "stop: {regret: «0.01|0»}",
	"replicates":                                  "replicates: «3|often»",
	"replicates.share":                            "replicates: {share: «0.5|0»}",
	"replicates.most":                             "replicates: {most: «4|1»}",
	"stop.hypervolume":                            "objectives: [{name: a, direction: minimize}, {name: b, direction: minimize}]§stop: {hypervolume: «{gain: 0.02}|0.02»}",
	"stop.hypervolume.gain":                       "objectives: [{name: a, direction: minimize}, {name: b, direction: minimize}]§stop: {hypervolume: {gain: «0.02|0»}}",
	"stop.hypervolume.trials":                     "objectives: [{name: a, direction: minimize}, {name: b, direction: minimize}]§stop: {hypervolume: {trials: «30|0»}}",
	"fidelity":                                    "fidelity: «{name: epochs, low: 1, high: 27}|epochs»",
	"fidelity.name":                               "fidelity: {name: «epochs|x», low: 1, high: 27}",
	"fidelity.low":                                "fidelity: {name: epochs, low: «1|0», high: 27}",
	"fidelity.high":                               "fidelity: {name: epochs, low: 1, high: «27|0.5»}",
	"fidelity.eta":                                "fidelity: {name: epochs, low: 1, high: 27, eta: «2|1»}",
	"fidelity.unit":                               "fidelity: {name: hours, low: 0.5, high: 8, unit: «0.5|0»}",
	"fidelity.levels":                             "fidelity: {name: epochs, levels: «[2, 10, 50]|[50, 10]»}",
	"fidelity.kind":                               "fidelity: {name: folds, low: 2, high: 10, kind: «folds|cv»}",
	"fidelity.resume":                             "fidelity: {name: epochs, low: 1, high: 27, resume: «true|2»}",
	"fidelity.scheduler":                          "fidelity: {name: epochs, low: 1, high: 27, scheduler: «median|bohb»}",
	"fidelity.start":                              "fidelity: {name: epochs, low: 1, high: 27, start: «low|high»}",
	"fidelity.probes":                             "fidelity: {name: epochs, low: 1, high: 27, probes: «5|30»}",
	"fidelity.model":                              "fidelity: {name: epochs, low: 1, high: 27, model: «curve|linear»}",
	"fidelity.acquire_at":                         "fidelity: {name: epochs, low: 1, high: 27, acquire_at: «full|end»}",
	"fidelity.use":                                "fidelity: {name: epochs, low: 1, high: 27, use: «levels|last»}",
	"fidelity.checkpoints":                        "fidelity: {name: epochs, low: 1, high: 27, checkpoints: «prune|delete»}",
	"budget":                                      "budget: «{trials: 60}|60»",
	"budget.trials":                               "budget: {trials: «60|many»}",
	"budget.failures":                             "budget: {trials: 60, failures: «50|-1»}",
	"budget.fail_fast":                            "budget: {fail_fast: «off|0»}",
	"budget.resource":                             "fidelity: {name: epochs, low: 1, high: 27}§budget: {resource: «540|0»}",
	"budget.wall":                                 "budget: {wall: «3h50m|30 minutes»}",
	"seed":                                        "seed: «7|-7»",
	"journal":                                     "journal: «tuning.jsonl|../tuning.jsonl»",
	"run":                                         "run: «{command: [./train, \"--x={x}\"]}|./train»",
	"run.command":                                 "run: {command: «[./train, \"--x={x}\"]|[./train, \"--y={y}\"]»}",
	"run.shell":                                   "run: {shell: «./train --x \"$BOHIER_P_X\"|[./train]»}",
	"run.submit":                                  "run: {submit: «[sbatch, --parsable, job.sh]|sbatch job.sh», find: [squeue, -h, -n, \"{job}\"], cancel: [scancel, -n, \"{job}\"], result_file: \"{dir}/result.json\"}",
	"run.find":                                    "run: {submit: [sbatch, --parsable, job.sh], find: «[squeue, -h, -n, \"{job}\"]|squeue», cancel: [scancel, -n, \"{job}\"], result_file: \"{dir}/result.json\"}",
	"run.cancel":                                  "run: {submit: [sbatch, --parsable, job.sh], find: [squeue, -h, -n, \"{job}\"], cancel: «[scancel, -n, \"{job}\"]|scancel», result_file: \"{dir}/result.json\"}",
	"run.job":                                     "run: {submit: [sbatch, job.sh], find: [squeue, -h, -n, \"{job}\"], cancel: [scancel, -n, \"{job}\"], job: «\"tune-{run}-{id}\"|tune», result_file: \"{dir}/result.json\"}",
	"run.every":                                   "run: {submit: [sbatch, job.sh], find: [squeue, -h, -n, \"{job}\"], cancel: [scancel, -n, \"{job}\"], every: «1m|0.1s», result_file: \"{dir}/result.json\"}",
	"run.timeout":                                 "run: {command: [./train], timeout: «30m|30 minutes»}",
	"run.grace":                                   "run: {command: [./train], grace: «30s|soon»}",
	"run.timeout_means":                           "run: {command: [./train], timeout: 30m, timeout_means: «infeasible|failure»}",
	"run.stop":                                    "run: {command: [./train], stop: «file|kill»}§fidelity: {name: epochs, low: 1, high: 27}",
	"run.parallel":                                "run: {command: [./train], parallel: «4|0»}",
	"run.retries":                                 "run: {command: [./train], retries: «2|-1»}",
	"run.result_file":                             "run: {command: [./train], result_file: «\"results/{id}.json\"|[a]»}",
	"run.result":                                  "run: {command: [./train], result: «metrics.loss|[metrics, loss]»}",
	"run.result_regex":                            "run: {command: [./train], result_regex: «'accuracy: ([0-9.]+)'|'accuracy: [0-9.]+'»}",
	"run.lost":                                    "run: {command: [./train], lost: «1h|1m»}",
	"run.pass":                                    "run: {command: [./train], pass: «[PGPASSWORD]|PGPASSWORD»}",
}

// example is a key's example as lines of a study file, and the same with the value that
// is refused; § ends a line.
func (k *key) example() (shown, wrong string) {
	before, value, after := k.parts()
	right, refused, _ := strings.Cut(value, "|")
	return before + right + after, before + refused + after
}

// refused is that value.
func (k *key) refused() string {
	_, value, _ := k.parts()
	_, refused, _ := strings.Cut(value, "|")
	return refused
}

func (k *key) parts() (before, value, after string) {
	before, rest, _ := strings.Cut(strings.ReplaceAll(examples[k.path], "§", "\n"), "«")
	value, after, _ = strings.Cut(rest, "»")
	return before, value, after
}

// around is a study that an example is a part of.
func around(part string) string {
	whole := part + "\n"
	if !strings.HasPrefix(part, "objective") {
		whole += "objective: {name: loss, direction: minimize}\n"
	}
	if !strings.HasPrefix(part, "space") {
		whole += "space: {x: {type: float, low: 0, high: 1}}\n"
	}
	return whole
}
