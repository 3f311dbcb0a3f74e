package policy

import (
	"fmt"
	"slices"

	"bohier/internal/study"
)

// ObjectiveModel is what models the objective of a study. Under `transform: auto` that is the
// power transform: the ranks of the copula transform, and taking whichever predicted
// observations left out better, were no better on any kind of problem (docs/benchmarks.md).
func ObjectiveModel(st *study.Study) study.ModelSpec {
	s := study.ModelSpec{Kernel: kernelName(st), Transform: st.Objective.Transform}
	switch {
	case s.Transform == "auto" && st.Policy.Plain:
		s.Transform = "none"
	case s.Transform == "auto":
		s.Transform = "power"
	}
	if warps(st) {
		s.Warping = study.WarpingOn
	}
	if st.Fidelity != nil {
		s.Fidelity = fidelityModel(st)
	}
	return s
}

// model is ObjectiveModel a view's study with what comparisons of curves came to. One of several
// objectives with a floor is modelled as it is: a power pulls apart what lies near that
// value, and what is elsewhere is then modelled badly.
func (v *View) model() study.ModelSpec {
	st, s := v.Study, ObjectiveModel(v.Study)
	if st.Among > 0 && st.Objective.Transform == "auto" && v.Floor >= fewFloored {
		s.Transform = "none"
	}
	if d := v.Fit.Curves; d != nil && s.Curves() {
		if comparesCurves(st) {
			s.Fidelity = d.Model
		}
		if st.Objective.Transform == "auto" && !st.Policy.Plain {
			s.Transform = d.Transform
		}
	}
	return s
}

// mostCompared is up to how many trials models are compared: of more a surrogate knows a part
// (gp.Options.MaxExact), and a second one takes a second.
const mostCompared = 1000

// challenge has the plan's model compared with that model changed: at first, and when the
// trials have grown by a quarter since. In between the better one stands. One comparison is
// made at a time, and one from the same trials, whoever asks next.
func (v *View) challenge(p *study.Plan, rule string, change func(*study.ModelSpec)) (why string) {
	m, last := &p.Model, v.Fit.Compared[rule]
	due := m.Challenger == nil && v.known() <= mostCompared && float64(v.known()) >= 1.25*float64(last.Observations)
	for _, c := range v.Fit.Compared {
		due = due && c.Observations != v.known()
	}
	switch {
	case due:
		c := m.Spec
		m.Challenger, m.Rule = &c, rule
		change(m.Challenger)
		return fmt.Sprintf("compared with %d trials", v.known())
	case last.Challenger:
		change(&m.Spec)
		if m.Challenger != nil {
			change(m.Challenger)
		}
		return fmt.Sprintf("better with %d trials", last.Observations)
	}
	return ""
}

// known is the number of trials that models of the objective are compared by.
func (v *View) known() int {
	if modelsEnds(v.Study) {
		return v.Ends
	}
	return v.Observed
}

// fewestForWarping are the trials from which on warped axes are compared. Fewer left-out
// observations fit an exponent to anything: compared from six on, a third of the studies of
// branin_mixed stayed at its second best optimum (docs/benchmarks/fitting.md).
const fewestForWarping = 20

// compareWarping models values over straight and over warped axes.
func compareWarping(v *View, p *study.Plan) string {
	if v.known() < fewestForWarping {
		return ""
	}
	return v.challenge(p, "model.warping", func(m *study.ModelSpec) { m.Warping = study.WarpingOn })
}

func outliers(_ *View, p *study.Plan) string {
	p.Model.Spec.Winsorise = true
	return "transform: auto"
}

// compareKernel models choices in two ways: with what all parameters do together, and with
// effects of each choice beside that. Where choices are many or noise is material the latter
// is taken: effects pool the trials that share a choice, and what is left out, which is mostly
// what a search repeats, tells the two hardly apart.
func compareKernel(v *View, p *study.Plan) string {
	switch choices := freeChoices(v.Study.Space); {
	case choices > fewChoices && v.known() <= mostPooled:
		p.Model.Spec.Kernel = "effects"
		return fmt.Sprintf("%d choices are active at once", choices)
	case conditional(v.Study.Space):
		return ""
	}
	if v.Noisy {
		p.Model.Spec.Kernel = "effects"
		return noiseWords(v.Fit)
	}
	return v.challenge(p, "model.kernel", func(m *study.ModelSpec) { m.Kernel = "effects" })
}

// modelsEnds reports whether ends are modelled by themselves, beside curves.
func modelsEnds(st *study.Study) bool { return modelsCurves(st) && !st.Fidelity.Averaged() }

// modelsCurves reports whether a study's surrogate knows resources and trials.
func modelsCurves(st *study.Study) bool { return ObjectiveModel(st).Curves() }

// comparesCurves reports whether models of curves are compared: where the study leaves open
// which, and does not ask for the textbook method.
func comparesCurves(st *study.Study) bool {
	return st.Fidelity.Model == "auto" && !st.Policy.Plain
}

// CurveModels are the ways to model curves that a study leaves open, but for one.
func CurveModels(st *study.Study, but study.ModelSpec) (out []study.ModelSpec) {
	models, transforms := []string{but.Fidelity}, []string{but.Transform}
	if comparesCurves(st) {
		models = []string{fidelityModel(st), "curve", "product"}
		if st.Fidelity.Averaged() {
			models = models[:2] // crossval and curve
		}
	}
	if st.Objective.Transform == "auto" && !st.Policy.Plain {
		transforms = []string{ObjectiveModel(st).Transform, "none"}
	}
	for _, m := range models {
		for _, t := range transforms {
			spec := but
			spec.Fidelity, spec.Transform = m, t
			if spec != but && !slices.Contains(out, spec) {
				out = append(out, spec)
			}
		}
	}
	return out
}

// fidelityModel is how a study's model of the objective sees resources.
func fidelityModel(st *study.Study) string {
	switch f := st.Fidelity; {
	case f == nil, f.Model == "auto" && f.MeasuresOne():
		return "final"
	case f.Model != "auto":
		return f.Model
	case f.Averaged():
		return "crossval"
	}
	return "curve"
}
