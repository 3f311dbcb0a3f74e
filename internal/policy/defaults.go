package policy

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
)

// kernelName is the kernel of a study's surrogate: the one it names, or for `auto` the
// first that suits the space, which the rule model.kernel compares with another.
func kernelName(st *study.Study) string {
	hasLevels := func(p space.Parameter) bool { return p.Levels() > 0 }
	if !namesKernel(st) && !conditional(st.Space) && !slices.ContainsFunc(st.Space.Params(), hasLevels) {
		return "matern52"
	}
	return plainKernelName(st)
}

func namesKernel(st *study.Study) bool {
	return !slices.Contains([]string{"", "auto"}, st.Surrogate.Kernel.Name)
}

// takesWarping reports whether `auto` compares warped axes: where there are any to warp, and
// the study's other settings leave room for it. Beside curves it is about their ends, and
// with earlier studies it was not measured.
func takesWarping(st *study.Study) bool {
	return st.Surrogate.Warping == "auto" && st.WarmStart == nil && (!modelsCurves(st) || modelsEnds(st)) && !setsHyper(st) &&
		slices.ContainsFunc(st.Space.Coordinates(), st.Space.Numeric)
}

// setsHyper reports whether the study says what hyperparameters are, or may be.
func setsHyper(st *study.Study) bool {
	h := st.Surrogate.Hyper
	return len(h.Initial)+len(h.Fixed)+len(h.Bounds)+len(h.Prior) > 0
}

// fewChoices active at once: of more, effects model what trials tell of each by itself.
const fewChoices = 3

// mostPooled trials are modelled by effects for the number of choices alone: the kernel takes
// twice as long, and more trials were not measured.
const mostPooled = 200

// conditional reports whether any parameter has a condition.
func conditional(s *space.Space) bool {
	return slices.ContainsFunc(s.Params(), func(p space.Parameter) bool { return p.Condition != nil })
}

// freeChoices is how many choices without an order are active at once, of those that no
// condition mentions: others decide which parameters there are, so that what trials with
// one value of them tell of another depends on all the rest.
func freeChoices(s *space.Space) int {
	mentioned := map[int]bool{}
	for i := range s.Params() {
		for _, k := range s.Parents(i) {
			mentioned[k] = true
		}
	}
	return s.MostActive(func(i int) bool { return s.Params()[i].Nominal() && !mentioned[i] })
}

// takesEffects reports whether `auto` may take the kernel effects: where there are choices
// without an order, and more than fewChoices of them where parameters have conditions, and
// the study's other settings leave room for it. It has weights of its components, which the
// Kriging form cannot estimate, other hyperparameters than box, and no distances of parameters
// to choose or combine. With resources or earlier studies it was not measured.
func takesEffects(st *study.Study) bool {
	choices, k := freeChoices(st.Space), st.Surrogate.Kernel
	return !namesKernel(st) && choices > 0 && (choices > fewChoices || !conditional(st.Space)) && !setsHyper(st) &&
		st.Surrogate.Form != "kriging" && st.Fidelity == nil && st.WarmStart == nil &&
		len(k.Distance) == 0 && cmp.Or(k.Combine, "joint") == "joint" && cmp.Or(k.AlwaysActive, "plain") == "plain"
}

// plainKernelName is the kernel of outcomes beside the objective.
func plainKernelName(st *study.Study) string {
	if namesKernel(st) {
		return st.Surrogate.Kernel.Name
	}
	return "box"
}

// Design is the initial design of a study that names none: stratified by branch
// where there are conditions; random elsewhere, because points that keep their
// distance, and choices that do not repeat, teach the surrogate little about
// lengthscales and similarities (docs/benchmarks.md).
func Design(st *study.Study) string {
	if name := st.Initial.Design; name != "" && name != "auto" {
		return name
	}
	if conditional(st.Space) {
		return "halton"
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

// InitialCount is how many trials a study gathers before the surrogate takes over. It
// depends on the budget only where that is so small that the design would take more
// than half of it.
func InitialCount(st *study.Study) int {
	if st.Initial.Count > 0 {
		return st.Initial.Count
	}
	n := min(max(fewFirst, len(st.Space.Branches())), manyFirst)
	if b := st.Budget.Trials; b > 0 {
		n = min(n, max(2, b/(2*st.Replicates.Times())))
	}
	return n
}

// OutcomeModel is what models outcomes beside the objective.
func OutcomeModel(st *study.Study) study.ModelSpec {
	return study.ModelSpec{Kernel: plainKernelName(st), Warping: ObjectiveModel(st).Warping}
}

// warps reports whether a study's axes are warped in any case: where it says so, and
// where it leaves the choice open but sets the exponents.
func warps(st *study.Study) bool {
	h := st.Surrogate.Hyper
	names := slices.Concat(slices.Collect(maps.Keys(h.Fixed)), slices.Collect(maps.Keys(h.Initial)),
		slices.Collect(maps.Keys(h.Bounds)), slices.Collect(maps.Keys(h.Prior)))
	exponent := func(name string) bool { return strings.HasPrefix(name, "warp.") }
	on := st.Surrogate.Warping == "true" || st.Surrogate.Warping == "auto" && slices.ContainsFunc(names, exponent)
	return on && st.WarmStart == nil
}
