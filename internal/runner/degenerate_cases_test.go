package runner_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// degenerateCases are those of the objective's values, on a plain and on a
// conditional space, with every transform, and those of the configurations.
func degenerateCases(t testing.TB) []degenerate {
	t.Helper()
	var out []degenerate
	add := func(name, source string, st *study.Study, trials []study.Trial) {
		out = append(out, degenerate{name: name, study: st, trials: trials, source: source})
	}
	spaces := map[string]func() []space.Parameter{"plain": studytest.PlainSpace, "branched": studytest.BranchedSpace}
	transforms := []string{"auto", "none", "power", "copula"}
	values := degenerateValues()
	for _, where := range slices.Sorted(maps.Keys(spaces)) {
		for _, transform := range transforms {
			eager := func() *study.Study { // has a surrogate from the first value on
				st := studytest.NewStudy(t, spaces[where]()...)
				st.Objectives[0].Transform = transform
				st.Initial.Count = 1
				return st
			}
			label := where + " " + transform + ": "
			for _, name := range slices.Sorted(maps.Keys(values)) {
				st := eager()
				confs := studytest.Sampled(t, st, 24)
				source := "model"
				if strings.HasPrefix(name, "flat") || transform == "none" && strings.HasPrefix(name, "nearly flat") {
					source = "fallback:flat"
				}
				add(label+name, source, st, studytest.Completed(confs, values[name](studytest.Smooth(confs))))
			}
			for n, source := range []string{"design", "fallback:flat", "model", "model"} {
				st := eager()
				confs := studytest.Sampled(t, st, n)
				add(fmt.Sprintf("%s%d observed", label, n), source, st, studytest.Completed(confs, studytest.Smooth(confs)))
			}
			st := eager()
			confs := studytest.Sampled(t, st, 12)
			y := studytest.Smooth(confs)
			again := studytest.Completed(append(confs, confs...), append(y, y...))
			add(label+"every point twice", "model", st, again)
			again = studytest.Completed(append(confs, confs...), append(y, degenerateValues()["offset 1e+06"](y)...))
			add(label+"every point twice, far apart in value", "model", eager(), again)
			add(label+"one point 24 times", "model", eager(),
				studytest.Completed(slices.Repeat(confs[:1], 24), studytest.Smooth(studytest.Sampled(t, st, 24))))
			add(label+"all failed", "design", eager(), failed(confs, study.Infeasible))
			add(label+"all failed but one", "fallback:flat", eager(),
				append(failed(confs[1:], study.Infeasible), studytest.Numbered(studytest.Completed(confs[:1], y), 12)...))
			add(label+"all failed but two", "model", eager(),
				append(failed(confs[2:], study.Infeasible), studytest.Numbered(studytest.Completed(confs[:2], y), 11)...))
			add(label+"all failed for a while", "design", eager(), failed(confs, study.Transient))
			add(label+"all pending", "design", eager(), studytest.PendingTrials(confs))
			outside := studytest.Completed(confs, y)
			for k := range outside {
				outside[k].Outside = true
			}
			add(label+"all outside the space", "fallback:empty", eager(), outside)
			half := studytest.Completed(confs, y)
			for k := range half {
				half[k].Outside = k%2 == 0
			}
			add(label+"half outside the space", "model", eager(), half)
		}
	}
	return append(out, degenerateSpaces(t)...)
}

// degenerateSpaces are the cases of the configurations rather than the values.
func degenerateSpaces(t testing.TB) []degenerate {
	t.Helper()
	var out []degenerate
	add := func(c degenerate) { out = append(out, c) }
	for _, radius := range []float64{0, 1e-300, 1e-15, 1e-8, 1e-3} {
		st := studytest.NewStudy(t, studytest.PlainSpace()...)
		var confs []space.Configuration
		for k, c := range studytest.Sampled(t, st, 24) {
			for i := range c.Value {
				c.Value[i] = 0.1 + float64((k%3)*(i+1))/7 + radius*c.Value[i]
			}
			confs = append(confs, c)
		}
		add(degenerate{name: fmt.Sprintf("clusters of radius %g", radius), study: st,
			trials: studytest.Completed(confs, studytest.Smooth(studytest.Sampled(t, st, 24))), source: "model"})
	}

	var many []space.Parameter
	for k := range 200 {
		many = append(many, studytest.Number(fmt.Sprintf("x%d", k)))
	}
	manyBranched := append([]space.Parameter{studytest.Category("kind", "a", "b")}, many...)
	for k := range many {
		manyBranched[k+1] = studytest.When(manyBranched[k+1], 0, float64(k%2))
	}
	values := make([]string, 1000)
	for k := range values {
		values[k] = fmt.Sprintf("v%d", k)
	}
	ordered := space.Parameter{Name: "grade", Kind: space.Ordinal, Values: values}
	flags := make([]space.Parameter, 12)
	for k := range flags {
		flags[k] = space.Parameter{Name: fmt.Sprintf("flag%d", k), Kind: space.Bool, Values: []string{"false", "true"}}
	}
	for _, c := range []struct {
		name   string
		params []space.Parameter
		n      int
	}{
		{"200 parameters, 5 points", many, 5},
		{"200 conditional parameters, 5 points", manyBranched, 5},
		{"1000 categories", []space.Parameter{studytest.Category("kind", values...)}, 12},
		{"1000 categories and numbers", append(studytest.PlainSpace(), studytest.Category("kind", values...)), 20},
		{"1000 grades", append(studytest.PlainSpace(), ordered), 20},
		{"12 flags", flags, 40},
		{"integers up to 2^53", []space.Parameter{{Name: "n", Kind: space.Int, Low: -(1 << 53), High: 1 << 53},
			studytest.Number("x")}, 12},
		{"range 1e-150 to 1e150", []space.Parameter{{Name: "x", Kind: space.Float, Low: 1e-150, High: 1e150,
			Scale: space.Log}}, 12},
		{"range ±1e300", []space.Parameter{{Name: "x", Kind: space.Float, Low: -1e300, High: 1e300}}, 12},
		{"range of one float", []space.Parameter{{Name: "x", Kind: space.Float, Low: 1, High: math.Nextafter(1, 2)},
			studytest.Number("y")}, 12},
	} {
		st := studytest.NewStudy(t, c.params...)
		confs := studytest.Sampled(t, st, c.n)
		add(degenerate{name: c.name, study: st, trials: studytest.Completed(confs, studytest.Smooth(confs)), source: "model"})
	}
	for _, where := range []func() []space.Parameter{studytest.PlainSpace, studytest.BranchedSpace} {
		st := studytest.NewStudy(t, where()...)
		confs := studytest.Sampled(t, st, 500)
		add(degenerate{name: fmt.Sprintf("500 pending in %d parameters", st.Space.Len()), study: st,
			trials: studytest.PendingTrials(confs), source: "design"})
		trials := studytest.Numbered(studytest.PendingTrials(confs[:100]), 7)
		trials = append(studytest.Completed(confs[100:106], studytest.Smooth(confs[100:106])), trials...)
		add(degenerate{name: fmt.Sprintf("100 pending, 6 observed in %d parameters", st.Space.Len()), study: st,
			trials: trials, source: "model"})
	}

	// Grids of eight configurations: a choice of eight, two conditional levels.
	grids := map[string][]space.Parameter{
		"choice":   {studytest.Category("kind", values[:8]...)},
		"integers": {{Name: "n", Kind: space.Int, Low: 1, High: 8}},
		"product":  {studytest.Category("kind", "a", "b"), {Name: "n", Kind: space.Int, Low: 1, High: 4}},
		"branches": {studytest.Category("kind", "a", "b"),
			studytest.When(space.Parameter{Name: "n", Kind: space.Int, Low: 1, High: 7}, 0, 0)},
	}
	for _, name := range slices.Sorted(maps.Keys(grids)) {
		st := studytest.NewStudy(t, grids[name]...)
		all := st.Space.Enumerate(100)
		if len(all) != 8 {
			t.Fatalf("%s: %d configurations", name, len(all))
		}
		y := studytest.Smooth(all)
		for _, tried := range []int{5, 7, 8} {
			c := degenerate{name: fmt.Sprintf("%s: %d of 8 tried", name, tried), study: st,
				trials: studytest.Completed(all[:tried], y[:tried]), over: tried == 8}
			add(c)
			c.name += ", pending"
			c.trials = studytest.PendingTrials(all[:tried])
			add(c)
			c.name = fmt.Sprintf("%s: %d of 8 failed", name, tried)
			c.trials = failed(all[:tried], study.Infeasible)
			add(c)
		}
	}
	return out
}

// degenerateValues make bad objective values out of harmless ones. Names tell
// what to expect: flat ones allow no surrogate.
func degenerateValues() map[string]func(y []float64) []float64 {
	set := func(f func(y []float64)) func([]float64) []float64 {
		return func(y []float64) []float64 {
			out := append([]float64(nil), y...)
			f(out)
			return out
		}
	}
	each := func(f func(k int, v float64) float64) func([]float64) []float64 {
		return set(func(y []float64) {
			for k, v := range y {
				y[k] = f(k, v)
			}
		})
	}
	wide := func(k int) float64 { return math.Pow(10, -300+600*float64(k)/23) }
	sets := map[string]func([]float64) []float64{
		"flat: all 7":           each(func(int, float64) float64 { return 7 }),
		"flat: all 0":           each(func(int, float64) float64 { return 0 }),
		"flat: all −1e300":      each(func(int, float64) float64 { return -1e300 }),
		"flat: all 5e-324":      each(func(int, float64) float64 { return 5e-324 }),
		"flat but the last bit": set(func(y []float64) { fill(y, 0.3); y[7] = math.Nextafter(0.3, 1) }),
		"equal but one":         set(func(y []float64) { clear(y); y[2] = 1 }),
		"equal but 1e300":       set(func(y []float64) { clear(y); y[2] = 1e300 }),
		"equal but 5e-324":      set(func(y []float64) { clear(y); y[2] = 5e-324 }),
		"steps":                 each(func(_ int, v float64) float64 { return math.Floor(8 * v) }),
		"±1.7e308 by turns":     each(func(k int, _ float64) float64 { return []float64{-1.7e308, 1.7e308}[k%2] }),
		"1 and 1e300 by turns":  each(func(k int, _ float64) float64 { return []float64{1, 1e300}[k%2] }),
		"two of ±1.7e308":       set(func(y []float64) { y[0], y[1] = 1.7e308, -1.7e308 }),
		"range 1e-300…1e300":    each(func(k int, _ float64) float64 { return wide(k) }),
		"range −1e300…1e300":    each(func(k int, _ float64) float64 { return math.Copysign(wide(k), float64(k%2)-0.5) }),
		"smallest numbers":      each(func(k int, _ float64) float64 { return float64(k%5) * 5e-324 }),
	}
	for _, v := range []float64{1e6, 1e12, 1e30, 1e150, 1e300, -1e6, -1e300} {
		sets[fmt.Sprintf("outlier %g", v)] = set(func(y []float64) { y[3] = v })
	}
	for _, a := range []float64{1e-320, 1e-300, 1e-150, 1e150, 1e300} {
		sets[fmt.Sprintf("scale %g", a)] = each(func(_ int, v float64) float64 { return a * v })
	}
	for name, b := range map[string]float64{"offset 1e+06": 1e6, "offset 1e+11": 1e11, "flat: offset 1e+16": 1e16,
		"flat: offset −1e+16": -1e16} {
		sets[name] = each(func(_ int, v float64) float64 { return v + b })
	}
	return sets
}

func fill(y []float64, v float64) {
	for k := range y {
		y[k] = v
	}
}

// failed turns configurations into trials 1, 2, … that failed.
func failed(confs []space.Configuration, why study.Failure) []study.Trial {
	out := studytest.PendingTrials(confs)
	for k := range out {
		out[k].State, out[k].Failure = study.Failed, why
	}
	return out
}
