package config

import "bohier/internal/study"

// Options tell the package what the program around it can do.
type Options struct {
	// The valid names, in the order messages list them. Nil accepts the names of
	// the study file's own format.
	Kernels      []string // surrogate.kernel.name, .distance, .sum
	Bases        []string // surrogate.kernel.base
	Acquisitions []string // acquisition.name
	Designs      []string // initial.design

	// Kernel tells what in surrogate.kernel does not fit together or to the space;
	// nil: nobody is asked.
	Kernel func(*study.Study) error

	// Acquisition tells why acquisition.name does not go with the rest of the
	// study; nil: nobody is asked.
	Acquisition func(*study.Study) error

	// Unavailable refuses keys, or single values of keys, that the format knows
	// and the program does not do yet: "constraints", "surrogate.inference=mcmc",
	// "space.*.prior" (* stands for every parameter). The value is the message;
	// it should say "not available yet", and an empty one does.
	Unavailable map[string]string

	// Defaults overrides the default of a key, by path: "objective.transform".
	Defaults map[string]string
}

// The names of the format, for callers that pass none.
var (
	allKernels = []string{"auto", "matern52", "matern32", "se", "rq", "arc", "ico", "icocor", "imp", "imparc",
		"box", "const", "flat", "modlap", "moddif", "modnn", "modkernel", "prodlap", "proddif", "addlap", "adddif",
		"hmodlap", "mix"}
	allBases        = []string{"se", "exp", "matern32", "matern52", "rq"}
	allAcquisitions = []string{"ei", "logei", "pi", "lcb", "ts", "eipu", "cei"}
	allDesigns      = []string{"auto", "halton", "lhs", "random", "sobol"}
)

// or is names, or all where names is nil.
func or(names, all []string) []string {
	if names == nil {
		return all
	}
	return names
}
