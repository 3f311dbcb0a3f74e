package runner

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
)

// The bound on the regret is above the true regret, falls, and ends the study.
func TestStopByRegret(t *testing.T) {
	for _, scale := range []float64{1, 1e-6, 1e6} {
		for _, direction := range []study.Direction{study.Minimize, study.Maximize} {
			st := newStudy(t, number("x"), number("y"))
			st.Objective.Direction = direction
			f := func(c space.Configuration) float64 {
				return scale * direction.Sign() * (square(c.Value[0]-0.3) + square(c.Value[1]-0.6))
			}
			early := simulate(t, st, 8, value(f))
			late := append(early, simulate(t, st, 24, value(f))[8:]...)
			bound := func(trials []study.Trial) float64 {
				r := Request{Number: len(trials) + 1, Seed: 1}
				o, err := look(t.Context(), st, trials, r, fitTurn)
				if err != nil {
					t.Fatal(err)
				}
				b, err := regretBound(t.Context(), st, o.fit, o.h, r)
				if err != nil {
					t.Fatal(err)
				}
				regret := math.Abs(Best(st, trials, 1)[0].Values["f"])
				if b < regret {
					t.Errorf("scale %g: the bound %g is below the regret %g after %d trials", scale, b, regret, len(trials))
				}
				return b
			}
			before, after := bound(early), bound(late)
			if !(after < before/4) {
				t.Errorf("scale %g: the bound went from %g to %g only", scale, before, after)
			}
			// The rule stops between the two bounds, and only there.
			st.Stop.Regret = (before + after) / 2
			_, err := Next(t.Context(), st, early, Request{Number: 9, Seed: 1})
			if err != nil {
				t.Errorf("scale %g: stopped at a bound of %g > %g: %v", scale, before, st.Stop.Regret, err)
			}
			_, err = Next(t.Context(), st, late, Request{Number: 25, Seed: 1})
			var e *study.Error
			if !errors.As(err, &e) || e.Code != study.Exhausted || !strings.Contains(e.Msg, "stop.regret") {
				t.Errorf("scale %g: not stopped at a bound of %g < %g: %v", scale, after, st.Stop.Regret, err)
			}
		}
	}
}

// Suggestions replay although a rule added since would have stopped the study.
func TestReplayIgnoresStop(t *testing.T) {
	c := newCycle(t, newStudy(t, number("x")))
	play(t, c, 9, value(func(c space.Configuration) float64 { return square(c.Value[0] - 0.4) }))
	c.Study.Stop.Regret = 1e9
	if _, _, err := c.Suggest(t.Context(), Ask{}); !done(err) {
		t.Errorf("Suggest: %v, want the normal end", err)
	}
	replayed(t, c, 9)
}

// replayed fails unless the journal's n suggestions come out again.
func replayed(t *testing.T, c Cycle, n int) {
	t.Helper()
	count := 0
	err := c.Replay(context.Background(), nil, func(r Replayed) {
		count++
		if !r.Same() {
			t.Errorf("trial %d: %s came out as %s (%v)", r.Trial.Number, r.Want, r.Got, r.Err)
		}
	})
	if err != nil || count != n {
		t.Errorf("%d suggestions replayed, want %d: %v", count, n, err)
	}
}
