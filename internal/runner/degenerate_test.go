package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study"
)

// TestDegenerateSets: whatever the trials, Next gives a finite, valid and new
// configuration, or says that none is left.
func TestDegenerateSets(t *testing.T) {
	checks := 0
	for _, c := range degenerateCases(t) {
		t.Run(c.name, func(t *testing.T) {
			checks++
			c.run(t)
		})
	}
	if checks < 60 {
		t.Errorf("only %d cases, want 60", checks)
	}
}

// TestDegenerateSettings: nor does it depend on how the study models and chooses.
func TestDegenerateSettings(t *testing.T) {
	checks := 0
	values := degenerateValues()
	names := []string{"equal but one", "outlier 1e+300", "two of ±1.7e308", "scale 1e-320"}
	if os.Getenv("BOHIER_SOAK") != "" {
		names = sortedKeys(values)
	}
	for _, c := range []struct {
		name string
		set  func(st *study.Study)
	}{
		{"mle", func(st *study.Study) { st.Surrogate.Inference = "mle" }},
		{"mcmc", func(st *study.Study) { st.Surrogate.Inference = "mcmc" }},
		{"direct", func(st *study.Study) { st.Surrogate.Optimizer, st.Surrogate.Evaluations = "direct", 60 }},
		{"kriging", func(st *study.Study) { st.Surrogate.Form = "kriging" }},
		{"kriging, re-interpolated", func(st *study.Study) { st.Surrogate.Form, st.Surrogate.Reinterpolate = "kriging", true }},
		{"separate", func(st *study.Study) { st.Surrogate.Separate = true }},
		{"warping", func(st *study.Study) { st.Surrogate.Warping = "true" }},
		{"arc", func(st *study.Study) { st.Surrogate.Kernel.Name = "arc" }},
		{"modlap", func(st *study.Study) { st.Surrogate.Kernel.Name = "hmodlap" }},
		{"ei", func(st *study.Study) { st.Acquisition.Name = "ei" }},
		{"pi", func(st *study.Study) { st.Acquisition.Name = "pi" }},
		{"lcb", func(st *study.Study) { st.Acquisition.Name, st.Acquisition.Kappa = "lcb", 2 }},
		{"ts", func(st *study.Study) { st.Acquisition.Name = "ts" }},
		{"de", func(st *study.Study) { st.Acquisition.Optimizer = "de" }},
		{"maximize", func(st *study.Study) { st.Objective.Direction = study.Maximize }},
		{"constraint and cost", func(st *study.Study) {
			st.Constraints = []study.Constraint{{Name: "f", Bound: 0.5}}
			st.Cost = &study.Cost{Name: "s", Exponent: 1}
		}},
	} {
		for _, name := range names {
			t.Run(c.name+": "+name, func(t *testing.T) {
				checks++
				st := newStudy(t, branchedSpace()...)
				st.Objective.Transform = "none"
				c.set(st)
				confs := sampled(t, st, 12)
				y := values[name](smooth(confs))
				trials := completed(confs, y)
				for k := range trials {
					trials[k].Cost = new(math.Abs(y[k]))
				}
				degenerate{study: st, trials: append(trials, numbered(pendingTrials(sampled(t, st, 14)[12:]), 13)...)}.run(t)
			})
		}
	}
	if checks < 60 {
		t.Errorf("only %d cases, want 60", checks)
	}
}

// TestDegenerateWarmStarts: nor on what earlier studies tell.
func TestDegenerateWarmStarts(t *testing.T) {
	checks := 0
	values := degenerateValues()
	for _, was := range []string{"flat: all 7", "±1.7e308 by turns", "two of ±1.7e308", "scale 1e-320", "equal but one"} {
		for _, is := range []string{"flat: all 7", "±1.7e308 by turns", "outlier 1e+300"} {
			for n := range 3 {
				t.Run(fmt.Sprintf("%s, then %d of %s", was, n, is), func(t *testing.T) {
					checks++
					st := newStudy(t, branchedSpace()...)
					st.Objective.Transform = []string{"none", "auto", "power"}[n]
					confs := sampled(t, st, 24)
					y := smooth(confs)
					degenerate{
						study: st, trials: completed(confs[12:12+n], values[is](y)[12:]),
						earlier: []Earlier{{Configs: confs[:12], Values: values[was](y)[:12]}},
					}.run(t)
				})
			}
		}
	}
	if checks != 45 {
		t.Errorf("%d cases, want 45", checks)
	}
}

// TestDegeneratePredictions: what is said of the surrogate is finite, too, with
// trials pending, under every transform and with samples of the hyperparameters.
func TestDegeneratePredictions(t *testing.T) {
	checks := 0
	values := degenerateValues()
	for _, name := range sortedKeys(values) {
		for _, setting := range []string{"auto", "none", "power", "copula", "none, mcmc", "none, separate"} {
			t.Run(setting+": "+name, func(t *testing.T) {
				st := newStudy(t, branchedSpace()...)
				st.Objective.Transform, _, _ = strings.Cut(setting, ",")
				if setting != "auto" {
					st.Surrogate.Kernel.Name = "box"
				}
				if strings.HasSuffix(setting, "mcmc") {
					if os.Getenv("BOHIER_SOAK") == "" && !strings.Contains(name, "308") {
						t.Skip("set BOHIER_SOAK=1: samples of the hyperparameters take long")
					}
					st.Surrogate.Inference = "mcmc"
				}
				st.Surrogate.Separate = strings.HasSuffix(setting, "separate")
				confs := sampled(t, st, 16)
				trials := append(completed(confs[:10], values[name](smooth(confs)[:10])), numbered(pendingTrials(confs[10:13]), 11)...)
				c, s := newCycle(t, st), &journal.State{Trials: trials}
				a, err := c.Analyse(context.Background(), s)
				var few *study.Error
				if errors.As(err, &few) && few.Code == study.Usage {
					return // flat
				}
				if err != nil {
					t.Fatal(err)
				}
				checks++
				mean, std, noisy := a.Predict(confs)
				ranked, err := c.Rank(context.Background(), s, confs)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range ranked {
					mean, std = append(mean, r.Mean, r.Score), append(std, r.Std)
				}
				l := a.LeftOut
				for what, list := range map[string][]float64{
					"means": mean, "deviations": std, "noisy deviations": noisy, "rating": {a.Rating.RMSE, a.Rating.LogLoss, a.Rating.Coverage90},
					"left out": slices.Concat(l.Observed, l.Mean, l.Low, l.High, l.Level),
				} {
					for _, v := range list {
						if math.IsNaN(v) || math.IsInf(v, 0) {
							t.Errorf("%s: %v", what, list)
							break
						}
					}
				}
			})
		}
	}
	if checks < 60 {
		t.Errorf("only %d surrogates, want 60", checks)
	}
}

// BenchmarkDegenerateSets lists the slowest cases under the default search; each
// is to take less than 2 s.
func BenchmarkDegenerateSets(b *testing.B) {
	cases := degenerateCases(b)
	took := make([]time.Duration, len(cases))
	for b.Loop() {
		for k, c := range cases {
			st := *c.study
			st.Acquisition.Candidates, st.Acquisition.Starts = 0, 0
			c.study = &st
			start := time.Now()
			c.run(b)
			took[k] = max(took[k], time.Since(start))
		}
	}
	order := make([]int, len(cases))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(took[b], took[a]) })
	for _, k := range order[:10] {
		b.Logf("%6.3f s  %s", took[k].Seconds(), cases[k].name)
	}
	b.ReportMetric(took[order[0]].Seconds(), "slowest-s")
}

// run checks the suggestion that a case leads to.
func (c degenerate) run(t testing.TB) {
	t.Helper()
	s, err := Next(context.Background(), c.study, c.trials, Request{Number: len(c.trials) + 1, Seed: 5, Earlier: c.earlier})
	var end *study.Error
	switch {
	case c.over:
		if !errors.As(err, &end) || end.Code != study.Exhausted {
			t.Errorf("want the end of the study, got %v, %v", s, err)
		}
		return
	case err != nil:
		t.Error(err)
		return
	}
	check(t, c.study, inside(c.trials), s.Config)
	if !strings.HasPrefix(s.Source, c.source) {
		t.Errorf("source %s, want %s", s.Source, c.source)
	}
	for name, v := range s.Fit {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("fit record: %s = %v", name, v)
		}
	}
}

// inside are the trials whose configurations fit the space.
func inside(trials []study.Trial) []study.Trial {
	var out []study.Trial
	for _, trial := range trials {
		if !trial.Outside {
			out = append(out, trial)
		}
	}
	return out
}

// A degenerate case is trials that leave a surrogate little to hold on to.
type degenerate struct {
	name    string
	study   *study.Study
	trials  []study.Trial
	earlier []Earlier // of a warm start
	source  string    // of the suggestion, its beginning
	over    bool      // nothing is left to suggest
}

// degenerateCases are those of the objective's values, on a plain and on a
// conditional space, with every transform, and those of the configurations.
func degenerateCases(t testing.TB) []degenerate {
	t.Helper()
	var out []degenerate
	add := func(name, source string, st *study.Study, trials []study.Trial) {
		out = append(out, degenerate{name: name, study: st, trials: trials, source: source})
	}
	spaces := map[string]func() []space.Parameter{"plain": plainSpace, "branched": branchedSpace}
	transforms := []string{"auto", "none", "power", "copula"}
	values := degenerateValues()
	for _, where := range sortedKeys(spaces) {
		for _, transform := range transforms {
			eager := func() *study.Study { // has a surrogate from the first value on
				st := newStudy(t, spaces[where]()...)
				st.Objective.Transform = transform
				st.Initial.Count = 1
				return st
			}
			label := where + " " + transform + ": "
			for _, name := range sortedKeys(values) {
				st := eager()
				confs := sampled(t, st, 24)
				source := "model"
				if strings.HasPrefix(name, "flat") || transform == "none" && strings.HasPrefix(name, "nearly flat") {
					source = "fallback:flat"
				}
				add(label+name, source, st, completed(confs, values[name](smooth(confs))))
			}
			for n, source := range []string{"design", "fallback:flat", "model", "model"} {
				st := eager()
				confs := sampled(t, st, n)
				add(fmt.Sprintf("%s%d observed", label, n), source, st, completed(confs, smooth(confs)))
			}
			st := eager()
			confs := sampled(t, st, 12)
			y := smooth(confs)
			again := completed(append(confs, confs...), append(y, y...))
			add(label+"every point twice", "model", st, again)
			again = completed(append(confs, confs...), append(y, degenerateValues()["offset 1e+06"](y)...))
			add(label+"every point twice, far apart in value", "model", eager(), again)
			add(label+"one point 24 times", "model", eager(), completed(sameConfig(confs[0], 24), smooth(sampled(t, st, 24))))
			add(label+"all failed", "design", eager(), failed(confs, study.Infeasible))
			add(label+"all failed but one", "fallback:flat", eager(), append(failed(confs[1:], study.Infeasible), numbered(completed(confs[:1], y), 12)...))
			add(label+"all failed but two", "model", eager(), append(failed(confs[2:], study.Infeasible), numbered(completed(confs[:2], y), 11)...))
			add(label+"all failed for a while", "design", eager(), failed(confs, study.Transient))
			add(label+"all pending", "design", eager(), pendingTrials(confs))
			outside := completed(confs, y)
			for k := range outside {
				outside[k].Outside = true
			}
			add(label+"all outside the space", "fallback:empty", eager(), outside)
			half := completed(confs, y)
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
		st := newStudy(t, plainSpace()...)
		var confs []space.Configuration
		for k, c := range sampled(t, st, 24) {
			for i := range c.Value {
				c.Value[i] = 0.1 + float64((k%3)*(i+1))/7 + radius*c.Value[i]
			}
			confs = append(confs, c)
		}
		add(degenerate{name: fmt.Sprintf("clusters of radius %g", radius), study: st, trials: completed(confs, smooth(sampled(t, st, 24))), source: "model"})
	}

	var many []space.Parameter
	for k := range 200 {
		many = append(many, number(fmt.Sprintf("x%d", k)))
	}
	manyBranched := append([]space.Parameter{category("kind", "a", "b")}, many...)
	for k := range many {
		manyBranched[k+1] = when(manyBranched[k+1], 0, float64(k%2))
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
		{"1000 categories", []space.Parameter{category("kind", values...)}, 12},
		{"1000 categories and numbers", append(plainSpace(), category("kind", values...)), 20},
		{"1000 grades", append(plainSpace(), ordered), 20},
		{"12 flags", flags, 40},
		{"integers up to 2^53", []space.Parameter{{Name: "n", Kind: space.Int, Low: -(1 << 53), High: 1 << 53}, number("x")}, 12},
		{"range 1e-150 to 1e150", []space.Parameter{{Name: "x", Kind: space.Float, Low: 1e-150, High: 1e150, Scale: space.Log}}, 12},
		{"range ±1e300", []space.Parameter{{Name: "x", Kind: space.Float, Low: -1e300, High: 1e300}}, 12},
		{"range of one float", []space.Parameter{{Name: "x", Kind: space.Float, Low: 1, High: math.Nextafter(1, 2)}, number("y")}, 12},
	} {
		st := newStudy(t, c.params...)
		confs := sampled(t, st, c.n)
		add(degenerate{name: c.name, study: st, trials: completed(confs, smooth(confs)), source: "model"})
	}
	for _, where := range []func() []space.Parameter{plainSpace, branchedSpace} {
		st := newStudy(t, where()...)
		confs := sampled(t, st, 500)
		add(degenerate{name: fmt.Sprintf("500 pending in %d parameters", st.Space.Len()), study: st, trials: pendingTrials(confs), source: "design"})
		trials := numbered(pendingTrials(confs[:100]), 7)
		trials = append(completed(confs[100:106], smooth(confs[100:106])), trials...)
		add(degenerate{name: fmt.Sprintf("100 pending, 6 observed in %d parameters", st.Space.Len()), study: st, trials: trials, source: "model"})
	}

	// Grids of eight configurations: a choice of eight, two conditional levels.
	grids := map[string][]space.Parameter{
		"choice":   {category("kind", values[:8]...)},
		"integers": {{Name: "n", Kind: space.Int, Low: 1, High: 8}},
		"product":  {category("kind", "a", "b"), {Name: "n", Kind: space.Int, Low: 1, High: 4}},
		"branches": {category("kind", "a", "b"), when(space.Parameter{Name: "n", Kind: space.Int, Low: 1, High: 7}, 0, 0)},
	}
	for _, name := range sortedKeys(grids) {
		st := newStudy(t, grids[name]...)
		all := st.Space.Enumerate(100)
		if len(all) != 8 {
			t.Fatalf("%s: %d configurations", name, len(all))
		}
		y := smooth(all)
		for _, tried := range []int{5, 7, 8} {
			c := degenerate{name: fmt.Sprintf("%s: %d of 8 tried", name, tried), study: st, trials: completed(all[:tried], y[:tried]), over: tried == 8}
			add(c)
			c.name += ", pending"
			c.trials = pendingTrials(all[:tried])
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
	for name, b := range map[string]float64{"offset 1e+06": 1e6, "offset 1e+11": 1e11, "flat: offset 1e+16": 1e16, "flat: offset −1e+16": -1e16} {
		sets[name] = each(func(_ int, v float64) float64 { return v + b })
	}
	return sets
}

func fill(y []float64, v float64) {
	for k := range y {
		y[k] = v
	}
}
