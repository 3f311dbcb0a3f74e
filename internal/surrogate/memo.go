package surrogate

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sync"

	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/points"
	"bohier/internal/study"
)

// Fits are the newest fits of a process that asks more than once. A fit is a pure function of
// its arguments, so the same arguments give what was kept. The zero value is ready, nil keeps
// nothing; several goroutines may use it.
type Fits struct {
	mu   sync.Mutex
	kept []keptFit // the newest last
}

// mostFits bounds Fits: the models that a suggestion compares, its constraints and
// cost, and those of questions in between.
const mostFits = 16

type keptFit struct {
	of     fitted
	model  *gp.Model
	report gp.Report
}

// A fitted is all that a fit depends on.
type fitted struct {
	what        string // which of the study's kernels
	settings    study.Surrogate
	coordinates []kernels.Coord
	x           *points.Set
	y           []float64
	o           gp.Options
}

func fittedTo(st *study.Study, what string, x *points.Set, y []float64, o gp.Options) fitted {
	o.Workers = 0 // changes no result
	return fitted{what, st.Surrogate, Coordinates(st.Space), x, slices.Clone(y), o}
}

// fit is gp.Fit, or what was kept of it, but of fits that may be cut. what says
// which of the study's kernels this one is.
func (m *Fits) fit(ctx context.Context, st *study.Study, what string, kernel kernels.Kernel, x *points.Set, y []float64,
	o gp.Options) (*gp.Model, *gp.Report, error) {
	if m == nil || o.More != nil {
		return gp.Fit(ctx, kernel, x, y, o)
	}
	of := fittedTo(st, what, x, y, o)
	if f, ok := m.find(of); ok {
		return f.model, f.copied(), nil
	}
	model, report, err := gp.Fit(ctx, kernel, x, y, o)
	if err != nil {
		return model, report, err
	}
	f := keptFit{of: of, model: model, report: *report}
	f.report = *f.copied() // callers may write to theirs
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, older := range m.kept {
		older.model.Forget()
	}
	if m.kept = append(m.kept, f); len(m.kept) > mostFits {
		m.kept = slices.Delete(m.kept, 0, 1)
	}
	return model, report, nil
}

func (m *Fits) find(of fitted) (f keptFit, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k := range m.kept {
		if reflect.DeepEqual(m.kept[k].of, of) {
			f = m.kept[k]
			m.kept = append(slices.Delete(m.kept, k, k+1), f)
			return f, true
		}
	}
	return f, false
}

func (f keptFit) copied() *gp.Report {
	r := f.report
	r.Hyper, r.Warm.Hyper = maps.Clone(r.Hyper), maps.Clone(r.Warm.Hyper)
	return &r
}
