package journal

import (
	"encoding/json"
	"fmt"

	"bohier/internal/study"
)

// planRecord keeps the plan of a suggestion and its fits; ok is false for a suggestion without either. Programs that do
// not know the kind skip the record.
func planRecord(t *study.Trial, sg *study.Suggestion) (r Record, ok bool, err error) {
	r = Record{Kind: KindPlan, Optional: true, Trial: t.Number, Tag: t.Tag}
	if sg.Plan != nil {
		r.Plan, err = json.Marshal(sg.Plan)
	}
	if sg.Fit != nil && err == nil {
		r.Model, err = json.Marshal(sg.Fit)
	}
	if err != nil {
		return r, false, fmt.Errorf("the plan and the fits of trial %s: %w", t.ID(), err)
	}
	return r, r.Plan != nil || r.Model != nil, nil
}

// A Making is the record of how a trial was made.
type Making struct {
	Proposed json.RawMessage  // the configuration suggested, which differs from Params when something else was run
	Study    json.RawMessage  // that suggested it, in normal form; nil: none did, or the journal does not say
	Plan     *study.Plan      // the plan; nil: the journal does not say
	Fit      *study.FitRecord // the kept fits; nil: none
}

// Made describes how the trial with a number was made.
func (s *State) Made(number int) Making {
	n := s.noteOf(number)
	p, recorded := *n.more, json.RawMessage(nil)
	if p.proposed == nil {
		p.proposed = n.params
	}
	if n.study > 0 {
		recorded = s.studies[n.study-1]
	}
	return makingOf(p.proposed, recorded, p.plan, p.fit)
}

func makingOf(proposed, recorded, plan, fit json.RawMessage) Making {
	m := Making{Proposed: proposed, Study: recorded, Fit: readFit(fit)}
	if p := new(study.Plan); plan != nil && json.Unmarshal(plan, p) == nil {
		m.Plan = p
	}
	return m
}

// Outcome is the plan with the result of a comparison of two models, and with the one of them
// that suggested alone; without the mean that ends of curves would have had where there were
// too few of them, which only the fit tells, for a model of their own. It changes the plan.
func (m Making) Outcome() *study.Plan {
	p, fit := m.Plan, m.Fit
	if p == nil || fit == nil {
		return p
	}
	for k := range p.Rules {
		if c, ok := fit.Compared[p.Model.Rule]; ok && p.Rules[k].Name == "model.choice" {
			verdict := ": no better"
			if c.Challenger {
				verdict = ": better"
			}
			p.Rules[k].Why += verdict
		}
	}
	suggestedBy(&p.Model, fit)
	if _, ends := fit.Outcomes[study.EndsFit]; !ends && p.Model.Spec.Mean != "" && p.Model.Spec.Curves() {
		p.Model.Spec.Mean = ""
	}
	for k := range p.Objectives {
		o := &p.Objectives[k]
		suggestedBy(&o.Model, fit.Objectives[o.Name])
	}
	return p
}

// suggestedBy makes the model that suggested the only one of a plan.
func suggestedBy(m *study.ModelPlan, fit *study.FitRecord) {
	if c := m.Challenger; c != nil && fit != nil && fit.Used == c.Name() {
		m.Spec = *c
	}
	m.Challenger, m.Rule = nil, ""
}

// LastFit is the record of the fits behind the newest suggestion of the surrogate; nil: none did.
func (s *State) LastFit() *study.FitRecord { return readFit(s.lastFit) }

func readFit(raw json.RawMessage) *study.FitRecord {
	var f *study.FitRecord
	if json.Unmarshal(raw, &f) != nil {
		return nil
	}
	return f
}
