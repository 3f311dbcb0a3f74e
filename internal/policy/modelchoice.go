package policy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bohier/internal/gp"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// modelOf is what models the objective of a study. Under `transform: auto` that is the
// power transform: the ranks of the copula transform, and taking whichever predicted
// observations left out better, were no better on any kind of problem (docs/benchmarks.md).
func modelOf(st *study.Study) study.ModelSpec {
	s := study.ModelSpec{Kernel: KernelName(st), Transform: st.Objective.Transform}
	switch {
	case s.Transform == "auto" && st.Policy.Plain:
		s.Transform = "none"
	case s.Transform == "auto":
		s.Transform = "power"
	}
	if surrogate.Warps(st) {
		s.Warping = study.WarpingOn
	}
	if st.Fidelity != nil {
		s.Fidelity = fidelityModel(st)
	}
	return s
}

func warping(v *View, p *study.Plan) string {
	st := v.Study
	if st.Surrogate.Warping != "auto" || st.WarmStart != nil || surrogate.Warps(st) {
		return ""
	}
	m := &p.Model.Spec
	switch d := v.Fit.Models[m.Name()].Warping; {
	case d == nil || float64(v.Observed) >= 1.25*float64(d.Observations):
		m.Warping = study.WarpingCompare
		return fmt.Sprintf("compared with %d trials", v.Observed)
	case d.On:
		m.Warping = study.WarpingOn
		return fmt.Sprintf("better with %d trials", d.Observations)
	}
	return ""
}

func outliers(v *View, p *study.Plan) string {
	if v.Study.Objective.Transform != "auto" {
		return ""
	}
	p.Model.Spec.Winsorise = true
	return "transform: auto"
}

// compareKernel models choices in two ways: with what all parameters do together, and with
// effects of each choice beside that.
func compareKernel(v *View, p *study.Plan) string {
	c := p.Model.Spec
	if c.Kernel != "box" || !takesEffects(v.Study) {
		return ""
	}
	c.Kernel = "effects"
	p.Model.Challenger = &c
	return "choices without conditions"
}

// fitPlan fits what a plan models the objective with, and returns what the journal
// keeps of it. Of two models it takes the better one: of two kernels that which predicts
// observations left out better, of two transforms that under which the values are likelier.
func fitPlan(ctx context.Context, st *study.Study, h *history, m study.ModelPlan, warm *study.FitRecord, seed uint64) (*surrogate.Fitted, *study.FitRecord, error) {
	note := warm.Clone()
	fit := func(s study.ModelSpec) (*surrogate.Fitted, error) {
		before := note.Models[s.Name()]
		f, err := surrogate.Fit(ctx, st, s, h.Data, before.Hyper, seed)
		if err != nil {
			return nil, err
		}
		after := study.ModelFit{Hyper: hyper(f, h), Density: max(-math.MaxFloat64, min(f.Density(), math.MaxFloat64)), Warping: before.Warping}
		if s.Warping == study.WarpingCompare {
			after.Warping = &study.WarpingDecision{On: f.Warped, Observations: len(h.Told())}
		}
		note.Models[s.Name()] = after
		return f, nil
	}
	if m.Challenger == nil && !modelsCurves(st) {
		delete(note.Models, transformed(m.Spec.Name())) // a comparison that is over
	}
	f, err := fit(m.Spec)
	if err != nil {
		return nil, nil, err
	}
	note.Champion = m.Spec.Name()
	if c := m.Challenger; c != nil {
		var none *gp.FallbackError
		switch other, err := fit(*c); {
		case errors.As(err, &none):
		case err != nil:
			return nil, nil, err
		case c.Kernel != m.Spec.Kernel && other.Density() > f.Density(),
			c.Kernel == m.Spec.Kernel && other.Evidence() > f.Evidence():
			f, note.Champion = other, c.Name()
		}
	}
	note.Used = note.Champion
	return f, note, nil
}

// hyper is what the journal keeps of a fit's hyperparameters. Where trials are under way
// it says what they were fitted to: others may ask before there is a new result, and none
// of them fits again.
func hyper(f *surrogate.Fitted, h *history) study.HyperSet {
	if len(h.pending) == 0 {
		delete(f.Report.Warm, gp.SameData)
	}
	return f.Report.Warm
}

// FitObjective fits what models the objective, for questions about a study.
func FitObjective(ctx context.Context, st *study.Study, h *history, r Request) (*surrogate.Fitted, error) {
	if st.Fidelity != nil { // questions are about the full resource, unless they say otherwise
		whole := *h
		if whole.At = st.Fidelity.High(); r.At > 0 {
			whole.At = r.At
		}
		h = &whole
	}
	v := newView(st, h, r)
	p := study.Plan{Model: study.ModelPlan{Spec: v.Spec}}
	for _, rule := range InForce(st) {
		if slices.Contains([]string{"model.warping", "model.outliers", "model.kernel", "noise.transform"}, rule.Name) {
			rule.Apply(v, &p)
		}
	}
	f, _, err := fitPlan(ctx, st, h, p.Model, r.Warm.Of(st), r.Seed)
	return f, err
}
