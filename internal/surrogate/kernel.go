package surrogate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"bohier/internal/kernels"
	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Coordinates describes the space's coordinates to the kernels.
func Coordinates(s *space.Space) []kernels.Coord {
	out := make([]kernels.Coord, 0, s.Len())
	for _, i := range s.Coordinates() {
		p := &s.Params()[i]
		c := kernels.Coord{Name: p.Name, Levels: p.Levels(), Decades: p.Decades(), Conditional: s.Conditional(i),
			Positions: s.LevelPositions(i), Graph: p.Graph}
		for _, a := range s.Ancestors(i) {
			if k := s.CoordOf(a); k >= 0 {
				c.Ancestors = append(c.Ancestors, k)
			}
		}
		out = append(out, c)
	}
	return out
}

// slopeWidths is the width of every coordinate in which a linear mean has a slope: those of numbers; 0: none.
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

// NewKernel builds the kernel of the model m with a study's settings. The error is a *study.Error with code Usage.
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

// KernelSpec is the kernel of the model m with a study's settings, for any number of parameters active at once.
func KernelSpec(st *study.Study, m study.ModelSpec) kernels.Spec {
	spec := st.Surrogate.Kernel
	if spec.Name == "" || spec.Name == "auto" {
		spec.Normalize = false // none that `auto` takes has a graph
	}
	spec.Name, spec.Warp, spec.WarpDecades = m.Kernel, m.Warping == study.WarpingOn, m.Warping == study.WarpingLog
	return spec
}

// TaskKernel extends a kernel on configurations to several studies.
func TaskKernel(st *study.Study, k kernels.Kernel, studies int) kernels.Kernel {
	return kernels.Task(k, len(st.Space.Coordinates()), studies)
}

// Override applies the study's hyperparameter settings to the declarations: bounds, priors, initial and fixed values,
// each in the order of their names (see matching). Settings of hyperparameters that are missing here do nothing.
func Override(params []kernels.Param, h study.Hyper, sign float64) ([]kernels.Param, error) {
	out := slices.Clone(params)
	return out, cmp.Or(
		each(out, h.Bounds, func(p *kernels.Param, b [2]float64) error { return setBounds(p, b, sign) }),
		each(out, h.Prior, func(p *kernels.Param, d study.Density) error { return setPrior(p, d, sign) }),
		each(out, h.Initial, func(p *kernels.Param, v float64) error { return setStart(p, v, sign, false) }),
		each(out, h.Fixed, func(p *kernels.Param, v float64) error { return setStart(p, v, sign, true) }),
	)
}

// each applies settings to the hyperparameters that their names match.
func each[V any](params []kernels.Param, settings map[string]V, set func(p *kernels.Param, v V) error) error {
	for _, pattern := range slices.Sorted(maps.Keys(settings)) {
		for _, k := range matching(pattern, params) {
			if err := set(&params[k], settings[pattern]); err != nil {
				return study.Errorf(study.Usage, "", "surrogate.hyperparameters: %s: %v", pattern, err)
			}
		}
	}
	return nil
}

// setBounds gives a hyperparameter bounds.
func setBounds(p *kernels.Param, b [2]float64, sign float64) error {
	if p.Name == "mean" && sign < 0 {
		b[0], b[1] = -b[1], -b[0]
	}
	if p.Scale == kernels.Log && b[0] <= 0 {
		return fmt.Errorf("the lower bound must be positive, got %v", b[0])
	}
	p.Lo, p.Hi = b[0], b[1]
	p.Init = min(max(p.Init, p.Lo), p.Hi)
	return nil
}

// setStart gives a hyperparameter the value from which its fit starts, or the only one.
func setStart(p *kernels.Param, v, sign float64, fixed bool) error {
	if p.Name == "mean" {
		v *= sign
	}
	if err := inRange(*p, v, fixed); err != nil {
		return err
	}
	p.Lo, p.Hi, p.Init = min(p.Lo, v), max(p.Hi, v), v
	if fixed {
		p.Lo, p.Hi = v, v
	}
	return nil
}

// setPrior gives a hyperparameter a prior. A uniform one is flat, so that its ends are bounds, in place of the declared
// ones where those lie elsewhere: some depend on the scale of the observations, and no observation may end a study.
func setPrior(p *kernels.Param, d study.Density, sign float64) error {
	args := d.Args
	if p.Name == "mean" && sign < 0 {
		switch d.Family {
		case "normal":
			args[0] = -args[0]
		case "uniform":
			args = [2]float64{-args[1], -args[0]}
		}
	}
	p.Prior = kernels.NewPrior(d.Family, args)
	if u, uniform := p.Prior.(kernels.Uniform); uniform && p.Lo < p.Hi {
		lo, hi := max(p.Lo, u.Low), min(p.Hi, u.High)
		if !(lo < hi) {
			if lo, hi = u.Low, u.High; p.Scale == kernels.Log {
				lo = max(lo, 1e-9*hi)
			}
		}
		if p.Scale == kernels.Log && hi <= 0 {
			return fmt.Errorf("a uniform prior from %v to %v holds no positive number", u.Low, u.High)
		}
		p.Lo, p.Hi, p.Init = lo, hi, min(max(p.Init, lo), hi)
	}
	return nil
}

// inRange reports whether a hyperparameter may have the value: bounds of positive
// ones are for the fit only, intervals are part of the kernel's definition. No fit starts at a logarithm of 0.
func inRange(p kernels.Param, v float64, fixed bool) error {
	switch {
	case p.Choices > 0 && (v != math.Trunc(v) || v < 0 || v >= float64(p.Choices)):
		return fmt.Errorf("must be a whole number from 0 to %d, got %v", p.Choices-1, v)
	case p.Scale == kernels.Log && v < 0:
		return fmt.Errorf("must not be negative, got %v", v)
	case p.Divides && v < 1e-20:
		return fmt.Errorf("must be at least 1e-20, got %v", v)
	case p.Scale == kernels.Log && v == 0 && !fixed:
		return errors.New("a fit cannot start at 0; it can be fixed there")
	case p.Scale == kernels.Logit && p.Lo < p.Hi && !(v >= min(p.Lo, 0) && v <= p.Hi):
		return fmt.Errorf("must be from %v to %v, got %v", min(p.Lo, 0), p.Hi, v)
	}
	return nil
}

// matching are the hyperparameters that a name means: the one so called, or else those whose bracket its own, with `*`
// for any text, matches; a name without a bracket means every one.
func matching(pattern string, params []kernels.Param) (all []int) {
	head, in, bracket := strings.Cut(strings.TrimSuffix(pattern, "]"), "[")
	for k, p := range params {
		nameHead, nameIn, own := strings.Cut(strings.TrimSuffix(p.Name, "]"), "[")
		if p.Name == pattern {
			return []int{k}
		}
		if match, _ := path.Match(in, nameIn); head == nameHead && (!bracket || own && match) {
			all = append(all, k)
		}
	}
	return all
}

// CheckNames refuses settings that mean none of the hyperparameters.
func CheckNames(params []kernels.Param, h study.Hyper) error {
	for _, pattern := range h.Names() {
		if len(matching(pattern, params)) == 0 {
			names := lists.Of(params, func(p kernels.Param) string { return p.Name })
			return study.Errorf(study.Usage, "names of this study: "+strings.Join(names, ", "),
				"surrogate.hyperparameters: %q names no hyperparameter of the kernel", pattern)
		}
	}
	return nil
}

// Kept is the journal's record of a fit's hyperparameters, with the checksum of the data where trials are under way:
// others may ask before there is a new result, and none of them fits the same data again.
func (f *Fitted) Kept(underWay bool) study.HyperSet {
	w := f.Report.Warm
	if !underWay {
		w.FittedTo.Data = 0
	}
	return study.HyperSet{Values: maps.Clone(w.Hyper), FittedTo: study.FittedTo(w.FittedTo)}
}
