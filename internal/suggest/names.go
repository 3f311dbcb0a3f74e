package suggest

import (
	"slices"

	"bohier/internal/acq"
	"bohier/internal/kernels"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Vocabulary lists the names a study file may use, in the order messages list them.
type Vocabulary struct {
	Kernels, Bases, Acquisitions, Designs, Rules, PastRules []string
}

// Names is what this program knows, for the checks and messages of study files.
func Names() Vocabulary {
	return Vocabulary{
		Kernels:      append([]string{"auto"}, kernels.Names()...),
		Bases:        kernels.Bases(),
		Acquisitions: append(acq.Names(), acq.JointNames()...),
		Designs:      append([]string{"auto"}, space.Designs()...),
		Rules:        policy.RuleNames(),
		PastRules:    policy.PastRules(),
	}
}

// known is the error of a recorded plan, perhaps none, that names a method or a rule
// which this program does not have.
func known(p *study.Plan) error {
	if p == nil {
		return nil
	}
	missing, names := "", Names()
	if !slices.Contains(names.Acquisitions, p.Acquisition) {
		missing = "the acquisition function " + p.Acquisition
	}
	specs := []study.ModelSpec{p.Model.Spec}
	for _, o := range p.Objectives {
		specs = append(specs, o.Model.Spec)
	}
	for _, m := range specs {
		if m.Kernel != "" && !slices.Contains(kernels.Names(), m.Kernel) {
			missing = "the kernel " + m.Kernel
		}
	}
	for _, r := range p.Rules {
		if !slices.Contains(names.Rules, r.Name) && !slices.Contains(names.PastRules, r.Name) {
			missing = "the rule " + r.Name
		}
	}
	if missing == "" {
		return nil
	}
	return study.Errorf(study.Mismatch, "use the version of bohier that made the suggestion",
		"the recorded plan of the suggestion names %s, which this bohier does not know", missing)
}
