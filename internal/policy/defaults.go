package policy

import (
	"bohier/internal/gp"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// KernelNames are the kernels a study's surrogate chooses from: the one it
// names, or for `auto` those that suit the space, the most trusted first. No one
// Kernel wins everywhere (Zaefferer & Horn 2018); which does here, observations
// left out decide (model.champion).
func KernelNames(st *study.Study) []string {
	if name := st.Surrogate.Kernel.Name; name != "" && name != "auto" {
		return []string{name}
	}
	s := st.Space
	for i := range s.Params() {
		if s.Conditional(i) || s.Params()[i].Levels() > 0 {
			// The kriging form has no place for the weights of mix; in a warm start
			// mix looked at choices that were bad before (docs/benchmarks.md).
			if st.Surrogate.Form == "kriging" || st.WarmStart != nil {
				return []string{"box", "hmodlap"}
			}
			return []string{"box", "mix", "hmodlap"}
		}
	}
	return []string{"matern52"}
}

// plainKernelName is the kernel of outcomes beside the objective.
func plainKernelName(st *study.Study) string {
	if name := st.Surrogate.Kernel.Name; name != "" && name != "auto" {
		return name
	}
	return "box"
}

// headName is the acquisition function a study uses when it names none.
func headName(st *study.Study) string {
	switch n := len(st.Objectives); {
	case st.Acquisition.Name != "":
		return st.Acquisition.Name
	case n > 3:
		return "parego"
	case n > 1:
		return "logehvi"
	}
	return "logei"
}

// design is the initial design of a study that names none: stratified by branch
// where there are conditions; random elsewhere, because points that keep their
// distance, and choices that do not repeat, teach the surrogate little about
// lengthscales and similarities (docs/benchmarks.md).
func design(st *study.Study) string {
	if name := st.Initial.Design; name != "" && name != "auto" {
		return name
	}
	for i := range st.Space.Params() {
		if st.Space.Conditional(i) {
			return "halton"
		}
	}
	return "random"
}

// How many trials the initial design has: a point for each branch, fewFirst at least and
// manyFirst at most. The surrogate chooses better than a design does from the sixth trial
// on, on every kind of problem measured (docs/benchmarks.md).
const (
	fewFirst  = 6
	manyFirst = 12
)

// initialCount is how many trials a study gathers before the surrogate takes over. It
// depends on the budget only where that is so small that the design would take more
// than half of it.
func initialCount(st *study.Study) int {
	if st.Initial.Count > 0 {
		return st.Initial.Count
	}
	n := min(max(fewFirst, len(st.Space.Branches())), manyFirst)
	if b := st.Budget.Trials; b > 0 {
		n = min(n, max(2, b/2))
	}
	return n
}

// InitialCount is how many trials a study gathers before the surrogate takes over.
func InitialCount(st *study.Study) int { return initialCount(st) }

// CheckKernel tells what in a study's kernel settings does not fit together or to
// its space.
func CheckKernel(st *study.Study) error {
	for _, name := range KernelNames(st) {
		if err := surrogate.KernelSpec(st, name, surrogate.Warps(st)).Check(surrogate.Coordinates(st.Space)); err != nil {
			return err
		}
	}
	return nil
}

// CheckHyper tells what in a study's hyperparameter settings no kernel that it may
// use accepts: names, and values out of range. Its error is that of the first kernel.
func CheckHyper(st *study.Study) error {
	var first error
	for _, name := range KernelNames(st) {
		kernel, err := surrogate.NewKernel(st, name, surrogate.Warps(st))
		if err != nil {
			return err
		}
		if st.WarmStart != nil {
			kernel = surrogate.TaskKernel(st, kernel, 2)
		}
		if _, err = surrogate.Override(gp.Params(kernel, nil), st.Surrogate.Hyper, st.Objective.Direction.Sign()); err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}
