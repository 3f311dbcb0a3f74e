package suggest

import (
	"errors"
	"math"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// The bound on the regret is above the true regret, falls, and ends the study.
func TestStopByRegret(t *testing.T) {
	for k, scale := range []float64{1, 1e-6, 1e6} {
		for _, direction := range []study.Direction{study.Minimize, study.Maximize}[k%2 : k%2+1] {
			st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
			st.Objectives[0].Direction = direction
			f := func(c space.Configuration) float64 {
				return scale * direction.Sign() * (studytest.Sq(c.Value[0]-0.3) + studytest.Sq(c.Value[1]-0.6))
			}
			late := simulate(t, st, 18, studytest.Value(f))
			early := late[:8]
			bound := func(trials []study.Trial) float64 {
				r := Request{Number: len(trials) + 1, Seed: 1}
				o := mustFit(t, st, trials, r)
				b, err := stopping{o}.regretBound(t.Context())
				must(t, err)
				regret := math.Abs(st.Best(trials, 1)[0].Values.Of("f"))
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
			_, err = Next(t.Context(), st, late, Request{Number: 19, Seed: 1})
			var e *study.Error
			if !errors.As(err, &e) || e.Code != study.Exhausted || !strings.Contains(e.Msg, "stop.regret") {
				t.Errorf("scale %g: not stopped at a bound of %g < %g: %v", scale, after, st.Stop.Regret, err)
			}
		}
	}
}

// The width of the bounds, by hand: β = ⅖·ln(200·π²/0.6) for ten trials in two dimensions.
func TestRegretWidth(t *testing.T) {
	if got := regretWidth(10, 2); !(math.Abs(got*got-0.4*8.0986) <= 1e-4) {
		t.Errorf("after 10 trials in 2 dimensions the bounds have a width of %v, want %v", got, math.Sqrt(0.4*8.0986))
	}
}
