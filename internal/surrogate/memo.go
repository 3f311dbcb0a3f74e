package surrogate

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
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
	key    [sha256.Size]byte
	model  *gp.Model
	report gp.Report
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
	key := fitKey(st, what, x, y, o)
	if e, ok := m.find(key); ok {
		return e.model, e.copied(), nil
	}
	model, report, err := gp.Fit(ctx, kernel, x, y, o)
	if err != nil {
		return model, report, err
	}
	e := memoEntry{key: key, model: model, report: *report}
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

func (m *memo) find(key [sha256.Size]byte) (e memoEntry, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k := range m.kept {
		if m.kept[k].key == key {
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

// fitKey tells fits apart by the bits of all that they depend on.
func fitKey(st *study.Study, what string, x *points.Set, y []float64, o gp.Options) [sha256.Size]byte {
	coordinates, _ := json.Marshal(Coordinates(st.Space)) // finite numbers, texts and lists
	b := fmt.Appendf(nil, "%q %s %#v %d %d;", what, coordinates, st.Surrogate, x.Len(), x.Dim())
	number := func(v float64) { b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v)) }
	for c := range x.Dim() {
		for i := range x.Len() {
			number(x.At(c, i))
			if x.Active(c, i) {
				b = append(b, 1)
			} else {
				b = append(b, 0)
			}
		}
	}
	for _, v := range y {
		number(v)
	}
	o.Workers = 0 // changes no result
	// Numbers print in the shortest form that reads back exactly, maps in the order of
	// their keys.
	return sha256.Sum256(fmt.Appendf(b, "%#v", o))
}
