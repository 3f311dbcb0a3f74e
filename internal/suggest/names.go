package suggest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// Names lists the names that a study file may use, in the order messages list them.
func Names() map[string][]string {
	return map[string][]string{
		"kernels":      append([]string{"auto"}, kernels.Names()...),
		"bases":        kernels.Bases(),
		"acquisitions": append(acq.Names(), acq.JointNames()...),
		"designs":      append([]string{"auto"}, space.Designs()...),
		"rules":        policy.RuleNames(),
	}
}

// Check returns the contradictions of a study, with the key of the study file at fault.
func Check(st *study.Study) (key string, err error) {
	kernel := surrogate.KernelSpec(st, policy.ObjectiveModel(st))
	if err := kernel.Check(surrogate.Coordinates(st.Space)); err != nil {
		return "surrogate.kernel", err
	}
	if st.Surrogate.Form == "kriging" {
		k, err := kernels.New(kernel, surrogate.Coordinates(st.Space))
		if err == nil && slices.ContainsFunc(k.Params(), func(p kernels.Param) bool { return p.Variance }) {
			return "surrogate.form", study.Errorf(study.Usage, "write form: gp, or choose another kernel",
				"form kriging has one variance, and the components of %s have one each", cmp.Or(kernel.Name, "the kernel"))
		}
	}
	if err := checkHyper(st); err != nil {
		return "surrogate.hyperparameters", err
	}
	return "acquisition.name", checkAcquisition(st)
}

// known is the error of a recorded plan, perhaps none, that names a method or a rule which this program does not have.
func known(p *study.Plan) error {
	if p == nil {
		return nil
	}
	missing, names := "", Names()
	check := func(what, name string, known ...string) {
		if !slices.Contains(known, name) {
			missing = "the " + what + " " + name
		}
	}
	check("acquisition function", p.Acquisition, names["acquisitions"]...)
	for _, o := range slices.Concat(p.Objectives, []study.ObjectivePlan{{Model: p.Model}}) {
		check("kernel", o.Model.Spec.Kernel, append(kernels.Names(), "")...)
	}
	for _, r := range p.Rules {
		check("rule", r.Name, names["rules"]...)
	}
	if missing == "" {
		return nil
	}
	return study.Errorf(study.Mismatch, "use the version of bohier that made the suggestion",
		"the recorded plan of the suggestion names %s, which this bohier does not know", missing)
}

// checkHyper rejects hyperparameter settings that the study's kernel does not accept: names, and values out of range.
func checkHyper(st *study.Study) error {
	for k := range st.Objectives {
		one := st.For(k)
		m, h := policy.ObjectiveModel(one), one.Surrogate.Hyper
		spec := surrogate.KernelSpec(one, m)
		if !h.Sets("") && !spec.HasConstant() {
			continue
		}
		kernel, err := kernels.New(spec, surrogate.Coordinates(one.Space))
		if err != nil {
			return err
		}
		whole := surrogate.Whole(one, kernel, m)
		params := gp.Params(whole, nil)
		set, err := surrogate.Override(params, h, one.Objective().Direction.Sign())
		err = cmp.Or(surrogate.CheckNames(params, h), err)
		if h.Fixed = nil; one.Surrogate.Form == "kriging" { // computes signal, noise and a mean that is not fixed
			err = cmp.Or(err, surrogate.CheckNames(whole.Params(), h))
		}
		if e := new(study.Error); one.Among != nil && errors.As(err, &e) && e.Hint != "" {
			told := *e
			told.Hint += fmt.Sprintf("; of one objective alone as %q", st.Objectives[0].Name+"/noise")
			return &told
		}
		if err == nil {
			err = checkFinite(one, m, whole, set)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkFinite rejects a constant, or a value of a hyperparameter, with which the covariances of a kernel overflow or
// vanish. Weights may have any value: they are in units of observations.
func checkFinite(st *study.Study, m study.ModelSpec, k kernels.Kernel, set []kernels.Param) error {
	more := []kernels.Coord{{Levels: 2}} // the study
	if m.Curves() {
		more = make([]kernels.Coord, 2) // resource and trial
	}
	coords := append(surrogate.Coordinates(st.Space), more...)
	theta := lists.Of(k.Params(), func(p kernels.Param) float64 { return p.Init })
	if !kernels.Finite(k, coords, theta) {
		return study.Errorf(study.Usage, "write a smaller constant", "surrogate.kernel: constant makes covariances overflow")
	}
	for i, p := range k.Params() {
		if p.Variance || set[i].Init == p.Init {
			continue
		}
		if theta[i] = set[i].Init; !kernels.Finite(k, coords, theta) {
			return study.Errorf(study.Usage, fmt.Sprintf("write a value nearer to %.3g", p.Init),
				"surrogate.hyperparameters: %s: covariances overflow or vanish with %v", p.Name, theta[i])
		}
	}
	return nil
}

// checkAcquisition reports whether a study's acquisition function fits the other settings of the study.
func checkAcquisition(st *study.Study) error {
	if len(st.Constraints) == 0 && (st.Cost == nil || st.Cost.Exponent == 0) && !st.Space.HasPriors() {
		return nil
	}
	_, err := policy.LogAcquisition(policy.Acquisition(st))
	return err
}
