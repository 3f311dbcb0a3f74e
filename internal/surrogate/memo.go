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

// A memo keeps the newest fits, for a process that asks more than once. A fit is a pure
// function of its arguments, so the same arguments give what was kept.
type memo struct {
	mu   sync.Mutex
	kept []memoEntry // the newest last
}

// mostFits bounds a memo: the models that a suggestion compares, its constraints and
// cost, and those of questions in between.
const mostFits = 16

type memoEntry struct {
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

type memoKey struct{}

// Remember returns a context under which fits are kept, and not made a second time. It
// may be used by several goroutines. One that keeps fits already stays as it is.
func Remember(ctx context.Context) context.Context {
	if ctx.Value(memoKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, memoKey{}, &memo{})
}

// remembered is gp.Fit, or what was kept of it, but of fits that may be cut. what says
// which of the study's kernels this one is.
func remembered(ctx context.Context, st *study.Study, what string, kernel kernels.Kernel, x *points.Set, y []float64,
	o gp.Options) (*gp.Model, *gp.Report, error) {
	m, _ := ctx.Value(memoKey{}).(*memo)
	if m == nil || o.More != nil {
		return gp.Fit(ctx, kernel, x, y, o)
	}
	of := fittedTo(st, what, x, y, o)
	if e, ok := m.find(of); ok {
		return e.model, e.copied(), nil
	}
	model, report, err := gp.Fit(ctx, kernel, x, y, o)
	if err != nil {
		return model, report, err
	}
	e := memoEntry{of: of, model: model, report: *report}
	e.report = *e.copied() // callers may write to theirs
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, older := range m.kept {
		older.model.Forget()
	}
	m.kept = append(m.kept, e)
	if len(m.kept) > mostFits {
		m.kept = slices.Delete(m.kept, 0, 1)
	}
	return model, report, nil
}

func (m *memo) find(of fitted) (e memoEntry, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k := range m.kept {
		if reflect.DeepEqual(m.kept[k].of, of) {
			e = m.kept[k]
			m.kept = append(slices.Delete(m.kept, k, k+1), e)
			return e, true
		}
	}
	return e, false
}

func (e memoEntry) copied() *gp.Report {
	r := e.report
	r.Hyper, r.Warm.Hyper = maps.Clone(r.Hyper), maps.Clone(r.Warm.Hyper)
	return &r
}
