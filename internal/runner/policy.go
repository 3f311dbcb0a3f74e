package runner

import (
	"math"

	"bohier/internal/kernels"
	"bohier/internal/space"
	"bohier/internal/study"
)

// kernelNames are the kernels a study's surrogate chooses from: the one it
// names, or for `auto` those that suit the space, the most trusted first. No one
// kernel wins everywhere (Zaefferer & Horn 2018); which does here, observations
// left out decide (see recipe).
func kernelNames(st *study.Study) []string {
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
	if st.Acquisition.Name != "" {
		return st.Acquisition.Name
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

// initialCount is how many trials a study gathers before the surrogate takes
// over: max(5, min(2·d + 2, 0.2·budget)) with d the most parameters that are
// active together.
func initialCount(st *study.Study) int {
	if st.Initial.Count > 0 {
		return st.Initial.Count
	}
	n := 2*mostActive(st.Space) + 2
	if b := st.Budget.Trials; b > 0 {
		n = min(n, int(math.Ceil(0.2*float64(b))))
	}
	return max(5, n)
}

func mostActive(s *space.Space) int {
	unconditional, most := 0, 0
	for i := range s.Params() {
		if s.Params()[i].Kind != space.Constant && !s.Conditional(i) {
			unconditional++
		}
	}
	for _, b := range s.Branches() {
		n := 0
		for i, on := range b {
			if on && s.Params()[i].Kind != space.Constant {
				n++
			}
		}
		most = max(most, n)
	}
	return max(most, unconditional)
}

// coords describes the space's coordinates to the kernels.
func coords(s *space.Space) []kernels.Coord {
	out := make([]kernels.Coord, 0, s.Len())
	for _, i := range s.Coordinates() {
		p := &s.Params()[i]
		c := kernels.Coord{Name: p.Name, Levels: p.Levels(), Conditional: s.Conditional(i)}
		if ordered := p.Kind == space.Ordinal || p.Kind == space.Int && p.Discrete; ordered {
			c.Positions = s.LevelPositions(i)
		}
		if len(p.Graph.Edges) > 0 {
			c.Graph = &kernels.Graph{Edges: make([]kernels.Edge, len(p.Graph.Edges))}
			for k, e := range p.Graph.Edges {
				c.Graph.Edges[k] = kernels.Edge(e)
			}
		}
		for _, a := range s.Ancestors(i) {
			if k := s.CoordOf(a); k >= 0 {
				c.Ancestors = append(c.Ancestors, k)
			}
		}
		out = append(out, c)
	}
	return out
}

// CheckKernel tells what in a study's kernel settings does not fit together or to
// its space.
func CheckKernel(st *study.Study) error {
	for _, name := range kernelNames(st) {
		if err := kernelSpec(st, name).Check(coords(st.Space)); err != nil {
			return err
		}
	}
	return nil
}

// newKernel builds a kernel with a study's settings.
func newKernel(st *study.Study, name string) (kernels.Kernel, error) {
	kernel, err := kernels.New(kernelSpec(st, name), coords(st.Space))
	if err != nil {
		return nil, study.Errorf(study.Usage, "", "surrogate.kernel: %v", err)
	}
	return kernel, nil
}

func kernelSpec(st *study.Study, name string) kernels.Spec {
	k := st.Surrogate.Kernel
	spec := kernels.Spec{
		Name: name, Base: k.Base, Combine: k.Combine, Sum: k.Sum, Distance: k.Distance,
		AlwaysActive: k.AlwaysActive, Weights: k.Weights, NominalRho: k.NominalRho,
		Constant: k.Constant, ARD: k.ARD, Embedding: k.Embedding, Normalize: k.Normalize,
		Warp: warps(st), ActiveDim: st.Space.ActiveDim(),
	}
	if k.Name == "" || k.Name == "auto" {
		// A unit diagonal keeps the signal variance apart from the graphs' β:
		// with many choices k(x, x) spans orders of magnitude otherwise.
		spec.Normalize = name == "hmodlap" || name == "mix"
	}
	for _, t := range k.Terms {
		spec.Terms = append(spec.Terms, kernels.Term(t))
	}
	return spec
}
