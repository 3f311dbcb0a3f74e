package suggest

import (
	"errors"
	"fmt"

	"bohier/internal/gp"
	"bohier/internal/policy"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// CheckKernel tells what in a study's kernel settings does not fit together or to
// its space.
func CheckKernel(st *study.Study) error {
	return surrogate.KernelSpec(st, policy.ObjectiveModel(st)).Check(surrogate.Coordinates(st.Space))
}

// CheckHyper tells what in a study's hyperparameter settings its kernel does not
// accept: names, and values out of range.
func CheckHyper(st *study.Study) error {
	if st.Several() {
		for k := range st.Objectives {
			err := CheckHyper(st.For(k))
			if e := new(study.Error); errors.As(err, &e) && e.Hint != "" {
				told := *e
				told.Hint += fmt.Sprintf("; of one objective alone as %q", st.Objectives[0].Name+"/noise")
				return &told
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	m := policy.ObjectiveModel(st)
	kernel, err := surrogate.NewKernel(st, m)
	if err != nil {
		return err
	}
	if st.WarmStart != nil {
		kernel = surrogate.TaskKernel(st, kernel, 2)
	}
	if m.Curves() {
		kernel = surrogate.FidelityKernel(st, kernel, m.Fidelity)
	}
	_, err = surrogate.Override(gp.Params(kernel, nil), st.Surrogate.Hyper, st.Objective.Direction.Sign())
	return err
}

// CheckAcquisition reports whether a study's acquisition function goes with what
// else the study asks for.
func CheckAcquisition(st *study.Study) error {
	if len(st.Constraints) == 0 && (st.Cost == nil || st.Cost.Exponent == 0) && !st.Space.HasPriors() {
		return nil
	}
	_, err := policy.LogAcquisition(policy.Acquisition(st))
	return err
}
