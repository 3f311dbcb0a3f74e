package surrogate

import (
	"bohier/internal/kernels"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Coordinates describes the space's coordinates to the kernels.
func Coordinates(s *space.Space) []kernels.Coord {
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

// slopeWidths is the width of every coordinate in which a linear mean has a slope: those
// of numbers; 0: none.
func slopeWidths(s *space.Space) []float64 {
	out := make([]float64, len(s.Coordinates()))
	for k, i := range s.Coordinates() {
		switch p := &s.Params()[i]; {
		case p.Levels() == 0:
			out[k] = 1
		case p.Kind == space.Int:
			out[k] = float64(p.Levels() - 1)
		}
	}
	return out
}

// meanOf is the mean of a study's surrogate where no rule chose one.
func meanOf(st *study.Study) string {
	if st.Surrogate.Mean == "auto" {
		return "constant"
	}
	return st.Surrogate.Mean
}

// NewKernel builds the kernel of the model m with a study's settings. The error is a
// *study.Error with code Usage.
func NewKernel(st *study.Study, m study.ModelSpec) (kernels.Kernel, error) {
	spec := KernelSpec(st, m)
	spec.ActiveDim = st.Space.MostActive(st.Space.Numeric)
	spec.ActiveChoices = st.Space.MostActive(func(i int) bool { return st.Space.Params()[i].Nominal() })
	kernel, err := kernels.New(spec, Coordinates(st.Space))
	if err != nil {
		return nil, study.Errorf(study.Usage, "", "surrogate.kernel: %v", err)
	}
	return kernel, nil
}

// Whole is the kernel of a fit whose part for configurations is kernel: with the terms of a
// warm start and of a fidelity, if the study has them.
func Whole(st *study.Study, kernel kernels.Kernel, m study.ModelSpec) kernels.Kernel {
	if st.WarmStart != nil {
		kernel = TaskKernel(st, kernel, 2)
	}
	if m.Curves() {
		kernel = FidelityKernel(st, kernel, m.Fidelity)
	}
	return kernel
}

// KernelSpec is the kernel of the model m with a study's settings, for any number of parameters
// active at once.
func KernelSpec(st *study.Study, m study.ModelSpec) kernels.Spec {
	spec := st.Surrogate.Kernel
	if spec.Name == "" || spec.Name == "auto" {
		spec.Normalize = false // none that `auto` takes has a graph
	}
	spec.Name, spec.Warp = m.Kernel, m.Warping == study.WarpingOn
	return spec
}

// kernelText is how a model's kernel is printed: its name, or a sum or product as a
// formula.
func kernelText(st *study.Study, m study.ModelSpec) string {
	if s := KernelSpec(st, m); len(s.Parts) > 0 {
		return s.String()
	}
	return m.Kernel
}

// LinearKernel is that of a linear regression on the study's parameters.
func LinearKernel(st *study.Study) (kernels.Kernel, error) {
	return kernels.New(kernels.Spec{Name: "linear", ARD: true, Constant: -1}, Coordinates(st.Space))
}

// TaskKernel extends a kernel on configurations to several studies.
func TaskKernel(st *study.Study, k kernels.Kernel, studies int) kernels.Kernel {
	return kernels.Task(k, len(st.Space.Coordinates()), studies)
}
