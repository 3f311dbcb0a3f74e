package policy

import (
	"math"
	"testing"

	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study/studytest"
)

// A look at a part of the space scores less towards the ends of its numbers, the less
// the more trials it has; other suggestions, and heads that multiply with nothing, do
// not, nor numbers with a prior of the user's.
func TestDrawnInward(t *testing.T) {
	for _, n := range []int{5, 10, 20} {
		params, heads := studytest.TreeSpace(), []string{"", "ei", "pi", "lcb"}
		if n == 20 {
			params[1].Prior, heads = &space.Prior{Mode: 0.1, Strength: "weak"}, heads[:3]
		}
		o := played(t, n, studytest.Tree, params...)
		var err error
		if o.fit, err = fitTurn(t.Context(), o.st, o.h, nil, 1); err != nil {
			t.Fatal(err)
		}
		for _, head := range heads {
			o.st.Acquisition.Name = head
			domain := space.NewDomain(o.st.Space, nil)
			everything := part{domain, func(*points.Set, int) bool { return true }}
			if head == "ei" || head == "pi" { // compared in logarithms
				o.st.Acquisition.Name = "log" + head
			}
			q := domain.Sample(generator(Request{}, streamSearch), 40)
			score := func(h *history) []float64 {
				a, err := acquisition(o.st, o.fit, o.others, h, o.r)
				if err != nil {
					t.Fatal(err)
				}
				return scoreOf(a, q)
			}
			before := score(o.h)
			o.st.Acquisition.Name = head
			after := score(o.h.within(o.st, everything))
			for i := range before {
				pull := 0.0
				for c, p := range o.st.Space.Coordinates() {
					number := o.st.Space.Param(p).Levels() == 0 && o.st.Space.Param(p).Prior == nil
					if number && q.Active(c, i) && head != "lcb" {
						pull += 8 * math.Pow(q.At(c, i)-0.5, 2) * min(1, 5/float64(n))
					}
				}
				if math.Abs(before[i]-pull-after[i]) > 1e-9*max(1, math.Abs(before[i])) {
					t.Fatalf("%d trials, %q: %v becomes %v, want a pull of %v", n, head, before[i], after[i], pull)
				}
			}
		}
	}
}
