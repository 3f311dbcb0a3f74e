package suggest

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A change of a study and its trials that is not to change the suggestion.
type change struct {
	name      string
	transform string  // "": none
	share     float64 // of the suggestions that stay the same; 1: to the last bit; 0: at most half do
	apply     func(st *study.Study, trials []study.Trial)
}

// TestMetamorphic: what says nothing about the objective leaves the suggestion as it is. Every change meets two of the
// spaces, one after 9 trials and one after 14; BOHIER_SOAK=1 takes every space with both.
func TestMetamorphic(t *testing.T) {
	t.Parallel()
	soak := os.Getenv("BOHIER_SOAK") != ""
	atLeast := 60
	if soak {
		atLeast = 200
	}
	values := func(f func(v float64) float64) func(*study.Study, []study.Trial) {
		return func(_ *study.Study, trials []study.Trial) {
			for k := range trials {
				trials[k].Values = study.Values{{Name: "f", Value: f(trials[k].Values.Of("f"))}}
			}
		}
	}
	shifted := func(by float64) func(*study.Study, []study.Trial) {
		return func(st *study.Study, trials []study.Trial) {
			spread := 0.0
			for _, a := range trials {
				for _, b := range trials {
					spread = max(spread, a.Values.Of("f")-b.Values.Of("f"))
				}
			}
			values(func(v float64) float64 { return v + by*spread })(st, trials)
		}
	}
	outlier := func(v float64) func(*study.Study, []study.Trial) {
		return func(_ *study.Study, trials []study.Trial) {
			trials[4].Values = study.Values{{Name: "f", Value: v}}
		}
	}
	var changes []change
	for _, transform := range []string{"none", "auto", "copula"} { // auto is power
		for _, e := range []int{-900, -37, 1, 900} {
			changes = append(changes, change{fmt.Sprintf("scale 2^%d", e), transform, 1,
				values(func(v float64) float64 { return math.Ldexp(v, e) })})
		}
	}
	for _, a := range []float64{1e-300, 1e-30, 0.7, 3, 1e100, 1e300} {
		changes = append(changes, change{fmt.Sprintf("scale %g", a), "none", 0.95,
			values(func(v float64) float64 { return a * v })})
	}
	for _, b := range []float64{-1e6, -1e3, 0.3, 1, 1e6} {
		changes = append(changes, change{fmt.Sprintf("shift by %g spreads", b), "none", 0.95, shifted(b)})
	}
	for _, transform := range []string{"auto", "copula"} {
		for _, v := range []float64{1e8, 1e100, 1.7e308} {
			changes = append(changes, change{fmt.Sprintf("outlier %g", v), transform, 1, outlier(v)})
		}
	}
	changes = append(changes,
		change{"maximise the negative", "none", 1, func(st *study.Study, trials []study.Trial) {
			st.Objectives[0].Direction = study.Maximize
			values(func(v float64) float64 { return -v })(st, trials)
		}},
		change{"other names", "auto", 1, rename},
		change{"trials reversed", "none", 0.95, func(_ *study.Study, trials []study.Trial) {
			slices.Reverse(trials)
			studytest.Numbered(trials, 1)
		}},
		change{"trials rotated", "none", 0.95, func(_ *study.Study, trials []study.Trial) {
			copy(trials, slices.Concat(trials[5:], trials[:5]))
			studytest.Numbered(trials, 1)
		}},
		change{"control: the negative", "none", 0, values(func(v float64) float64 { return -v })},
		change{"control: an outlier", "auto", 0, outlier(1e6)},
	)
	checks, suggestions := 0, map[string]space.Configuration{}
	for turn, c := range changes {
		t.Run(c.transform+": "+c.name, func(t *testing.T) {
			same, total := 0, 0
			spaces := metamorphicSpaces()
			for k, name := range slices.Sorted(maps.Keys(spaces)) {
				params := spaces[name]
				for turned, n := range []int{9, 14} {
					if !soak && (turn+k)%4 != 2*turned {
						continue
					}
					suggest := func(apply ...func(*study.Study, []study.Trial)) space.Configuration {
						st := studytest.NewStudy(t, params()...)
						st.Objectives[0].Transform = c.transform
						st.Surrogate.Kernel.Name = "box"
						confs := studytest.Sampled(t, st, n)
						trials := studytest.Completed(confs, studytest.Smooth(confs))
						for _, f := range apply {
							f(st, trials)
						}
						s := mustNext(t, st, trials, Request{Number: n + 1, Seed: 3})
						if s.Source != "model" {
							t.Errorf("%s, %d trials: source %s", name, n, s.Source)
						}
						return s.Config
					}
					key := fmt.Sprint(c.transform, name, n)
					var before []func(*study.Study, []study.Trial)
					if strings.HasPrefix(c.name, "outlier") {
						before, key = append(before, outlier(1e6)), key+"outlier"
					}
					want, ok := suggestions[key]
					if !ok {
						want = suggest(before...)
						suggestions[key] = want
					}
					got := suggest(c.apply)
					total++
					if got.Equal(want) || c.share < 1 && alike(params(), got, want) {
						same++
						continue
					}
					t.Logf("%s, %d trials: %v instead of %v", name, n, got.Value, want.Value)
				}
			}
			if c.share > 0 {
				checks += total
			}
			if float64(same) < c.share*float64(total) || c.share == 0 && same > total/2 {
				t.Errorf("%d of %d suggestions are the same", same, total)
			}
		})
	}
	if checks < atLeast {
		t.Errorf("only %d comparisons, want %d", checks, atLeast)
	}
}

// metamorphicSpaces have numbers, integers, choices and conditions.
func metamorphicSpaces() map[string]func() []space.Parameter {
	return map[string]func() []space.Parameter{
		"plain":    studytest.PlainSpace,
		"branched": studytest.BranchedSpace,
		"choices": func() []space.Parameter {
			return []space.Parameter{studytest.Category("a", "u", "v", "w"), studytest.Category("b", "y", "z"),
				{Name: "n", Kind: space.Int, Low: 1, High: 40}}
		},
		"three": func() []space.Parameter {
			return []space.Parameter{studytest.Number("x"),
				{Name: "rate", Kind: space.Float, Low: 1e-6, High: 1, Scale: space.Log}, studytest.Category("c", "p", "q")}
		},
	}
}

// rename gives every parameter and value a name that sorts the other way round.
func rename(st *study.Study, trials []study.Trial) {
	params := slices.Clone(st.Space.Params())
	for i := range params {
		p := &params[i]
		p.Name = fmt.Sprintf("p%d.%s", len(params)-i, p.Name)
		p.Values = slices.Clone(p.Values)
		for k := range p.Values {
			p.Values[k] = fmt.Sprintf("%d-%s", len(p.Values)-k, p.Values[k])
		}
	}
	s, err := space.New(params, nil, nil)
	if err != nil {
		panic(err)
	}
	st.Space = s
}

// alike reports whether two configurations agree in their choices and, to a
// thousandth of the range on its scale, in their numbers.
func alike(params []space.Parameter, a, b space.Configuration) bool {
	for i, p := range params {
		u, v := a.Value[i], b.Value[i]
		if a.Active[i] != b.Active[i] {
			return false
		}
		if !a.Active[i] || u == v {
			continue
		}
		lo, hi := p.Low, p.High
		if p.Scale == space.Log {
			u, v, lo, hi = math.Log(u), math.Log(v), math.Log(lo), math.Log(hi)
		}
		if p.Kind != space.Float || math.Abs(u-v) > 1e-3*(hi-lo) {
			return false
		}
	}
	return true
}
