package policy

import (
	"slices"

	"bohier/internal/space"
	"bohier/internal/study"
)

// ObjectiveModel is the model of a study's objective. Under `transform: auto` that is the power
// transform, which the rule model.choice compares with another.
func ObjectiveModel(st *study.Study) study.ModelSpec {
	s := study.ModelSpec{Kernel: kernelName(st), Transform: st.Objective().Transform}
	switch {
	case s.Transform == "auto" && st.Policy.Plain:
		s.Transform = "none"
	case s.Transform == "auto":
		s.Transform, s.Winsorise = "power", true
	}
	// Exponents that the study sets warp the axes, too.
	on := st.Surrogate.Warping == "true" || st.Surrogate.Warping == "auto" && st.Surrogate.Sets("warp.")
	if on && st.WarmStart == nil {
		s.Warping = study.WarpingOn
	}
	s.Fidelity = fidelityModel(st)
	return s
}

// OutcomeModel is the model of outcomes beside the objective.
func OutcomeModel(st *study.Study) study.ModelSpec {
	return study.ModelSpec{Kernel: plainKernelName(st), Warping: ObjectiveModel(st).Warping}
}

// kernelName is the kernel of a study's surrogate: the one it names, or for `auto` the one whose hyperparameters it
// sets, or the first that suits the space, which the rule model.choice compares with another.
func kernelName(st *study.Study) string {
	if !namesKernel(st) && st.Surrogate.Sets("effects.") {
		return "effects"
	}
	hasLevels := func(p space.Parameter) bool { return p.Levels() > 0 }
	if !namesKernel(st) && !conditional(st.Space) && !slices.ContainsFunc(st.Space.Params(), hasLevels) {
		return "matern52"
	}
	return plainKernelName(st)
}

func namesKernel(st *study.Study) bool {
	return !slices.Contains([]string{"", "auto"}, st.Surrogate.Kernel.Name)
}

// plainKernelName is the kernel of outcomes beside the objective.
func plainKernelName(st *study.Study) string {
	if namesKernel(st) {
		return st.Surrogate.Kernel.Name
	}
	return "box"
}

// fidelityModel is how a study's model of the objective sees resources.
func fidelityModel(st *study.Study) string {
	switch f := &st.Fidelity; {
	case f.Model == "auto" && f.MeasuresOne():
		return "final"
	case f.Model != "auto":
		return f.Model
	case st.Surrogate.OfCurves() != "":
		return st.Surrogate.OfCurves()
	case f.Averaged():
		return "crossval"
	}
	return "curve"
}

// conditional reports whether any parameter has a condition.
func conditional(s *space.Space) bool {
	return slices.ContainsFunc(s.Params(), func(p space.Parameter) bool { return p.Condition != nil })
}

// Acquisition is the acquisition function a study uses when it names none.
func Acquisition(st *study.Study) string {
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

// LogAcquisition is the logarithmic form of an acquisition function, for products.
func LogAcquisition(name string) (string, error) {
	switch name {
	case "ei", "logei":
		return "logei", nil
	case "logehvi", "parego":
		return name, nil
	}
	return "", study.Errorf(study.Usage, "use logei, or leave acquisition.name out",
		"acquisition.name: %s does not multiply with constraints, costs or priors", name)
}

// Design is the initial design of a study that names none: stratified by branch where there are conditions; random
// elsewhere, because points that keep their distance, and choices that do not repeat, teach the surrogate little about
// lengthscales and similarities (bench/notes).
func Design(st *study.Study) string {
	if name := st.Initial.Design; name != "" && name != "auto" {
		return name
	}
	if conditional(st.Space) {
		return "halton"
	}
	return "random"
}

// numbersForMiddle are the numbers from which on a design ends in their middle. The more numbers
// there are, the nearer is the middle to the best configuration than a random point is; of fewer
// the middle gains nothing (bench/notes/initial-design.md).
const numbersForMiddle = 5

// InMiddle reports whether point k of the initial design, counted from 0, is moved to the middle of the space: the last
// point is where there are no conditions and the study leaves the design open.
func InMiddle(st *study.Study, k int) bool {
	auto := st.Initial.Design == "" || st.Initial.Design == "auto"
	return k == InitialCount(st)-1 && auto && !st.Policy.Plain && !conditional(st.Space) &&
		slopes(st.Space) >= numbersForMiddle
}

// How many trials the initial design has: a point for each branch where manyFirst suffice for that, and fewFirst at
// least. The surrogate chooses better than a design does from the seventh trial on (bench/notes/initial-design.md).
const (
	fewFirst  = 6
	manyFirst = 12
)

// InitialCount is how many trials a study gathers before the surrogate takes over. It depends on the budget only where
// that is so small that the design would take more than half of it.
func InitialCount(st *study.Study) int {
	if st.Initial.Count > 0 {
		return st.Initial.Count
	}
	n := fewFirst
	if !st.Space.HasBranches(manyFirst + 1) {
		n = max(n, len(st.Space.Branches()))
	}
	if b := st.Budget.Trials; b > 0 {
		n = min(n, max(2, b/(2*st.Replicates.Times())))
	}
	return n
}
