package config

// retired says what to write in place of keys, and of words of a key, that older versions
// took: "section.key" or "section.key word" (docs/decisions/0015-what-no-page-needs-goes.md).
var retired = map[string]string{
	"initial.design lhs":        "it is gone: design: random, or halton",
	"fidelity.model decay":      "it is gone: model: auto",
	"fidelity.model freezethaw": "it is gone: model: auto",
	"surrogate.kernel.graph":    "it is gone: give each parameter a graph of its own",
	"surrogate.kernel.distance": "it is gone: a kernel has one distance; add and multiply take kernels over " +
		"parameters",
	"surrogate.kernel.nominal_rho":         "it is gone: leave it out",
	"surrogate.kernel.weights descendants": "it is gone: weights: ancestors",
	"surrogate.kernel.sum":                 "it is gone: name: imparc, or add",
	"surrogate.kernel.name tree":           "it is gone: name: box",
	"surrogate.kernel.name sum":            "it is gone: name: imparc, or add",
	"warm_start.task_kernel":               "it is gone, lap is used: leave it out",
	"surrogate.kernel.laplacian":           "it is gone, the combinatorial one is used: leave it out",
	"surrogate.kernel.steps":               "it is gone with the kernel walk: name: lap",
	"surrogate.kernel.name walk":           "it is gone: name: lap",
	"surrogate.kernel.name cosine":         "it is gone: name: lap",
	"surrogate.kernel.name prodwalk":       "it is gone: name: prodlap",
	"surrogate.kernel.name prodcosine":     "it is gone: name: prodlap",
	"surrogate.kernel.name addwalk":        "it is gone: name: addlap",
	"surrogate.kernel.name addcosine":      "it is gone: name: addlap",
	"acquisition.name ts":                  "it is gone: leave it out",
	"acquisition.pending":                  "it is gone, draws of what pending trials will give count: leave it out",
	"surrogate.inference mcmc":             "it is gone: inference: map",
	"surrogate.kernel.terms":               "it is gone: name: modlap has one fraction",
	"surrogate.kernel.order":               "it is gone: name: modlap has one fraction",
	"surrogate.kernel.power":               "it is gone: name: modlap has one fraction",
	"acquisition.name pi":                  "it is gone: acquisition: logei",
	"acquisition.name logpi":               "it is gone: acquisition: logei",
	"acquisition.name eipu": "it is gone, a cost takes part by itself: leave it out, and declare " +
		"cost: {name: seconds}",
	"acquisition.name cei": "it is gone, constraints take part by themselves: leave it out",
	"surrogate.separate":   "it is gone: a kernel for conditions, such as arc or box",
}
