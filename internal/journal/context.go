package journal

import (
	"encoding/json"

	"bohier/internal/study"
)

// contextOf is the context of a study in normal form; empty: none.
func contextOf(normal json.RawMessage) (context string) {
	_ = json.Unmarshal(member(normal, "context"), &context) // which is a text, or missing
	return context
}

// stamp has records of what is measured now say under which context it is. A correction is
// of what was measured then.
func (s *State) stamp(recs []Record) (out []Record) {
	if s.context == "" {
		return recs
	}
	for i := 0; i < len(recs); i++ {
		r := recs[i]
		if out = append(out, r); !s.measuredNow(&r) {
			continue
		}
		m := Record{Kind: KindMeasure, Optional: true, Trial: r.Trial, Tag: r.Tag}
		if i+1 < len(recs) && recs[i+1].Kind == KindMeasure && recs[i+1].Trial == r.Trial {
			i++
			m = recs[i]
		}
		if m.Metrics[study.ContextMetric] == nil {
			m.Metrics = m.Metrics.With(study.Metrics{study.ContextMetric: s.context})
		}
		out = append(out, m)
	}
	return out
}

// measuredNow reports whether a record is of a measurement that was made for it.
func (s *State) measuredNow(r *Record) bool {
	if r.At != "" || len(r.Values) == 0 && r.State != study.Failed { // merged, or no measurement
		return false
	}
	switch r.Kind {
	case KindObserve, KindReplicate, KindPartial, KindReport, KindAdd:
		return true
	case KindReplace:
		t := s.Number(r.Trial)
		return t != nil && isOpen(t)
	}
	return false
}
