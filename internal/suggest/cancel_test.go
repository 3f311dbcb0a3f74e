package suggest

import (
	"context"
	"errors"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A fuse is a context that is cancelled when it is asked for the k-th time whether it
// is; so every place that asks meets a cancellation that came just before.
type fuse struct {
	context.Context
	left atomic.Int64
	done chan struct{}
	once sync.Once
}

func newFuse(k int) *fuse {
	f := &fuse{Context: context.Background(), done: make(chan struct{})}
	f.left.Store(int64(k))
	return f
}

func (f *fuse) Done() <-chan struct{} { return f.done }

func (f *fuse) Err() error {
	if f.left.Add(-1) > 0 {
		return nil
	}
	f.once.Do(func() { close(f.done) })
	return context.Canceled
}

// blown tells whether somebody was told of the cancellation.
func (f *fuse) blown() bool { return f.left.Load() <= 0 }

func stride() int {
	if os.Getenv("BOHIER_SOAK") != "" {
		return 1
	}
	return 17
}

// A suggestion that is cancelled, at whatever step of a fit or the search, ends with the context's error, never with a
// missing model or without a word. One check in seventeen cancels, with BOHIER_SOAK=1 every one.
func TestCancelledAnywhere(t *testing.T) {
	smooth := studytest.Value(func(c space.Configuration) float64 {
		return studytest.Sq(c.Value[0]-0.3) +
			math.Sin(5*c.Value[1])
	})
	plain := func() *study.Study {
		st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
		st.Objectives[0].Transform = "auto"
		st.Acquisition.Candidates, st.Acquisition.Starts = 64, 2
		return st
	}
	costly := func(c space.Configuration) (study.Observation, study.Failure) {
		o, _ := smooth(c)
		o.Values.Set("g", c.Value[0])
		o.Cost = new(1 + c.Value[1])
		if c.Value[0] > 0.9 {
			return study.Observation{}, study.Infeasible
		}
		return o, ""
	}
	for _, c := range []struct {
		name string
		set  func(st *study.Study)
		m    studytest.Measure
	}{
		{"power", func(st *study.Study) { st.Objectives[0].Transform = "auto" }, smooth},
		{"warping", func(st *study.Study) { st.Surrogate.Warping = "auto" }, smooth},
		{"dividing rectangles", func(st *study.Study) { st.Surrogate.Optimizer, st.Surrogate.Evaluations = "direct", 40 },
			smooth},
		{"differential evolution", func(st *study.Study) { st.Acquisition.Optimizer = "de" }, smooth},
		{"regret", func(st *study.Study) { st.Stop.Regret = 1e-9 }, smooth},
		{"other outcomes", func(st *study.Study) {
			st.Constraints = []study.Constraint{{Name: "g", Bound: 0.8}}
			st.Cost = &study.Cost{Name: "s", Exponent: 1}
		}, costly},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "differential evolution" && os.Getenv("BOHIER_SOAK") == "" {
				t.Skip("set BOHIER_SOAK=1: it asks in every generation")
			}
			st := plain()
			st.Initial.Count = 7
			trials := simulate(t, st, 7, c.m)
			c.set(st)
			r := Request{Number: 8, Seed: 7}
			for k := 1; ; k += stride() {
				f := newFuse(k)
				s, err := Next(f, st, trials, r)
				if err == nil {
					if k < 5 || s == nil || f.blown() {
						t.Errorf("cancelled at check %d, and suggested all the same: %v", k, s)
					}
					return
				}
				if s != nil || !errors.Is(err, context.Canceled) {
					t.Fatalf("cancelled at check %d: %v, %v", k, s, err)
				}
				if k > 10000 {
					t.Fatal("never ends")
				}
			}
		})
	}
}

// Nor do the questions about a study.
func TestCancelledAnalysis(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("a", "p", "q"), studytest.Number("x"))
	st.Objectives[0].Transform = "auto"
	trials := simulate(t, st, 5, studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[1]-0.3) + c.Value[0] }))
	h := readHistory(st, trials, Request{})
	for k := 1; ; k += stride() {
		c := newFuse(k)
		f, err := FitObjective(c, h, Request{Seed: 7})
		if err == nil && f != nil && !c.blown() {
			return
		}
		if f != nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at check %d: %v, %v", k, f, err)
		}
	}
}

// An explanation whose search of other branches was cut off is none.
func TestCancelledExplanation(t *testing.T) {
	st := studytest.NewStudy(t, studytest.BranchedSpace()...)
	st.Initial.Count = 7
	trials := simulate(t, st, 8, studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[1] - 0.3) }))
	explain := func(c *fuse) error {
		why, err := explained(c, st, trials[:7], Request{Number: 8, Seed: 7}, trials[7].Config)
		if err == nil && len(why.Alternatives) == 0 {
			t.Fatal("there is no other branch")
		}
		return err
	}
	const many = 1 << 30
	all := newFuse(many)
	must(t, explain(all))
	asked := many - int(all.left.Load())
	for k := asked; k > max(0, asked-6); k-- {
		if err := explain(newFuse(k)); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at check %d of %d: %v", k, asked, err)
		}
	}
}
