package policy

import (
	"context"
	"fmt"
	"math"

	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// ModelOf is what models the objective of a study. Under `transform: auto` that is the
// power transform: the ranks of the copula transform, and taking whichever predicted
// observations left out better, were no better on any kind of problem (docs/benchmarks.md).
func ModelOf(st *study.Study) study.ModelSpec {
	s := study.ModelSpec{Kernel: KernelName(st), Transform: st.Objective.Transform}
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

// model is ModelOf a view's study with what comparisons of curves came to. One of several
// objectives with a floor is modelled as it is: a power pulls apart what lies near that
// value, and what is elsewhere is then modelled badly.
func (v *View) model() study.ModelSpec {
	st, s := v.Study, ModelOf(v.Study)
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

// fitPlan fits what a plan models the objective with, and returns what the journal
// keeps of it. Of two models it takes the better one.
func fitPlan(ctx context.Context, h *history, m study.ModelPlan, warm *study.FitRecord, seed uint64) (*surrogate.Fitted, *study.FitRecord, error) {
	note := warm.Clone()
	if surrogate.ModelsResources(h.st, m.Spec) { // what rules choose are models of ends
		m.Challenger, m.Spec.Mean = nil, ""
		if ModelOf(h.st).Warping == study.WarpingOff {
			m.Spec.Warping = study.WarpingOff
		}
	}
	fit := func(s study.ModelSpec) (*surrogate.Fitted, error) {
		f, err := surrogate.Fit(ctx, h.st, s, h.Data, note.Models[s.Name()].Hyper, seed)
		if err == nil {
			note.Models[s.Name()] = study.ModelFit{Hyper: hyper(f, h), Density: max(-math.MaxFloat64, min(f.Density(), math.MaxFloat64))}
		}
		return f, err
	}
	f, won, err := fitBetter(m, h, len(h.Told()), note, fit)
	if err != nil {
		return nil, nil, err
	}
	note.Used = won.Name()
	return f, note, nil
}

// fitBetter fits what a plan models n observations with, or of two models the better one, and
// notes which of the two that was.
func fitBetter(m study.ModelPlan, h *history, n int, note *study.FitRecord, fit func(study.ModelSpec) (*surrogate.Fitted, error)) (f *surrogate.Fitted, won study.ModelSpec, err error) {
	if f, err = fit(m.Spec); err != nil || m.Challenger == nil || h.Limit > 0 { // for want of time nothing is compared
		return f, m.Spec, err
	}
	won = m.Spec
	came := study.Comparison{Observations: n}
	other, err := fit(*m.Challenger)
	switch {
	case err == nil:
		came.Challenger = better(m.Rule, other, f, n)
	case !noSurrogate(err):
		return nil, won, err
	}
	if came.Challenger {
		f, won = other, *m.Challenger
	}
	if note.Compared == nil {
		note.Compared = map[string]study.Comparison{}
	}
	note.Compared[m.Rule] = came
	return f, won, nil
}

// warpGain is how many nats the warped model must predict better, in all, for every exponent.
const warpGain = 0.5

// better reports whether the challenger of a rule predicts n observations left out better than
// f does; warped axes by warpGain for each of their exponents.
func better(rule string, challenger, f *surrogate.Fitted, n int) bool {
	least := 0.0
	if rule == "model.warping" {
		least = warpGain * float64(len(challenger.Report.Hyper)-len(f.Report.Hyper))
	}
	return float64(n)*(challenger.Density()-f.Density()) > least
}

// hyper is what the journal keeps of a fit's hyperparameters. Where trials are under way
// it says what they were fitted to: others may ask before there is a new result, and none
// of them fits again.
func hyper(f *surrogate.Fitted, h *history) study.HyperSet {
	return f.Kept(len(h.pending) > 0)
}

// FitObjective fits what models the objective, for questions about a study.
func FitObjective(ctx context.Context, h *history, r Request) (*surrogate.Fitted, error) {
	if h.st.Fidelity != nil { // questions are about the full resource, unless they say otherwise (Fitted.At)
		whole := *h
		whole.At = h.st.Fidelity.High()
		h = &whole
	}
	f, _, err := fitPlan(ctx, h, Decide(newView(h, r), InForce(h.st)).Model, r.Warm.Of(h.st), r.Seed)
	return f, err
}
