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

// What predicts about as well as the champion is worth a turn, because turns guard
// against the one failure a surrogate does not notice, being sure of the wrong place;
// what predicts clearly worse is not.
const (
	challengerPeriod = 2 // one suggestion in so many
	elpdTolerance    = 5 // nats, over all observations
	// coldLimit is the number of trials up to which a model may be fitted for the
	// first time: without a warm start that takes seconds beyond. Studies that grow
	// have tried them all by then; those that begin with an import keep the champion.
	coldLimit = 300
)

// specs are the models that a study leaves to choose from, the most trusted first.
func specs(st *study.Study) []study.ModelSpec {
	transforms := []string{st.Objective.Transform}
	if st.Objective.Transform == "auto" {
		switch transforms = []string{"power", "copula"}; {
		case st.Policy.Plain:
			transforms = []string{"none"}
		case st.Among > 1: // the slope of copula jumps at every value, and with it the sizes of gains
			transforms = []string{"power", "none"}
		}
	}
	warping := study.WarpingOff
	if surrogate.Warps(st) {
		warping = study.WarpingOn
	}
	if st.Fidelity != nil {
		return fidelitySpecs(st, transforms, warping)
	}
	var out []study.ModelSpec
	for _, t := range transforms {
		out = append(out, study.ModelSpec{Kernel: KernelName(st), Transform: t, Warping: warping})
	}
	return out
}

func champion(v *View, p *study.Plan) string {
	k := slices.IndexFunc(v.Specs, func(s study.ModelSpec) bool { return s.Name() == v.Fit.Champion })
	if k < 0 || len(v.Specs) < 2 {
		return ""
	}
	p.Model.Spec = v.Specs[k]
	return fmt.Sprintf("%s, mean log density %.4g", v.Fit.Champion, v.Fit.Models[v.Fit.Champion].Density)
}

func challenger(v *View, p *study.Plan) string {
	if !v.Settled || len(v.Specs) < 2 || !v.turn("model.challenger", challengerPeriod) {
		return ""
	}
	c := v.Specs[v.deal("model.challenger.which", max(0, v.Number-1)/challengerPeriod, len(v.Specs))]
	if c == p.Model.Spec || !v.affordable(c) {
		return ""
	}
	p.Model.Challenger, p.Model.Tolerance = &c, elpdTolerance
	return fmt.Sprintf("%s, one suggestion in %d", c.Name(), challengerPeriod)
}

// affordable reports whether a model may be fitted: few trials, or a fit to start from.
func (v *View) affordable(s study.ModelSpec) bool {
	_, fitted := v.Fit.Models[s.Name()]
	return fitted || v.Observed <= coldLimit
}

func warping(v *View, p *study.Plan) string {
	st := v.Study
	if st.Surrogate.Warping != "auto" || st.WarmStart != nil || surrogate.Warps(st) {
		return ""
	}
	why := ""
	for _, m := range p.Model.Specs() {
		switch d := v.Fit.Models[m.Name()].Warping; {
		case d == nil || float64(v.Observed) >= 1.25*float64(d.Observations):
			m.Warping, why = study.WarpingCompare, fmt.Sprintf("compared with %d trials", v.Observed)
		case d.On:
			m.Warping, why = study.WarpingOn, fmt.Sprintf("better with %d trials", d.Observations)
		}
	}
	return why
}

func outliers(v *View, p *study.Plan) string {
	if v.Study.Objective.Transform != "auto" {
		return ""
	}
	for _, m := range p.Model.Specs() {
		m.Winsorise = true
	}
	return "transform: auto"
}

// fitPlan fits what a plan models the objective with, and returns what the journal
// keeps of it.
func fitPlan(ctx context.Context, st *study.Study, h *history, m study.ModelPlan, warm *study.FitRecord, seed uint64) (*surrogate.Fitted, *study.FitRecord, error) {
	note := warm.Clone()
	fit := func(s study.ModelSpec) (*surrogate.Fitted, error) {
		f, err := surrogate.Fit(ctx, st, s, h.Data, warm.Clone().Models[s.Name()].Hyper, seed)
		if err == nil {
			note.Models[s.Name()] = modelFit(s, f, warm.Clone().Models[s.Name()].Warping, len(h.Told()))
		}
		return f, err
	}
	best, err := fit(m.Spec)
	if err != nil {
		return nil, nil, err
	}
	note.Champion, note.Used = m.Spec.Name(), m.Spec.Name()
	if m.Challenger == nil {
		return best, note, nil
	}
	other, err := fit(*m.Challenger)
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if err != nil { // a challenger that cannot be fitted has lost
		return best, note, nil
	}
	lead := float64(len(best.Report.LOO.Std)) * (best.Density() - other.Density())
	compared := fmt.Sprintf("challenged: %s predicts the values %.4g nats better than %s", m.Spec.Name(), lead, m.Challenger.Name())
	if lead < 0 {
		note.Champion = m.Challenger.Name()
	}
	if lead <= m.Tolerance {
		note.Used = m.Challenger.Name()
		best = other
	}
	best.Considered = append(best.Considered, compared)
	return best, note, nil
}

// modelFit is what the journal keeps of one fit; before is how `warping: auto` was
// decided earlier.
func modelFit(s study.ModelSpec, f *surrogate.Fitted, before *study.WarpingDecision, n int) study.ModelFit {
	out := study.ModelFit{Hyper: f.Report.Warm, Density: max(-math.MaxFloat64, min(f.Density(), math.MaxFloat64)), Warping: before}
	if s.Warping == study.WarpingCompare {
		out.Warping = &study.WarpingDecision{On: f.Warped, Observations: n}
	}
	return out
}

// FitBest fits the champion or, before there was a suggestion, every affordable model
// that the study leaves to choose from, and returns that with the best leave-one-out density of
// the untransformed objective.
func FitBest(ctx context.Context, st *study.Study, h *history, r Request) (*surrogate.Fitted, error) {
	if st.Fidelity != nil { // questions are about the full resource, unless they say otherwise
		whole := *h
		if whole.At = st.Fidelity.High(); r.At > 0 {
			whole.At = r.At
		}
		h = &whole
	}
	v := newView(st, h, r)
	plans := []study.ModelPlan{{Spec: v.Specs[0]}}
	if k := slices.IndexFunc(v.Specs, func(s study.ModelSpec) bool { return s.Name() == v.Fit.Champion }); k >= 0 {
		plans[0].Spec = v.Specs[k]
	} else {
		for _, s := range v.Specs[1:] {
			if v.affordable(s) {
				plans = append(plans, study.ModelPlan{Spec: s})
			}
		}
	}
	var best *surrogate.Fitted
	var failure error
	for _, m := range plans {
		p := study.Plan{Model: m}
		for _, rule := range InForce(st) {
			if rule.Name == "model.warping" || rule.Name == "model.outliers" {
				rule.Apply(v, &p)
			}
		}
		f, _, err := fitPlan(ctx, st, h, p.Model, r.Warm.Of(st), r.Seed)
		var none *gp.FallbackError
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.As(err, &none):
			return nil, err
		case err != nil:
			failure = errors.Join(failure, fmt.Errorf("%s: %w", m.Spec.Kernel, err))
		case best == nil || f.Density() > best.Density():
			best = f
		}
	}
	if best == nil {
		return nil, failure
	}
	return best, nil
}
