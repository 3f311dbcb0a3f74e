package space

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sampled draws from a generated space, or skips one that is infeasible.
func sampled(t *rapid.T, s *Space, r *rand.Rand, n int) []Configuration {
	cs, err := s.Sample(r, n)
	var none *InfeasibleError
	if errors.As(err, &none) {
		t.Skip("infeasible")
	}
	must(t, err)
	return cs
}

// Samples are valid: exactly the parameters whose conditions hold are active, the
// others hold zero, and every value is emitted.
func TestSamplesAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t, rapid.Bool().Draw(t, "constrained"))
		for _, c := range sampled(t, s, drawRand(t), 20) {
			if err := s.Validate(c); err != nil {
				t.Fatalf("%v\n%s", err, s.Describe())
			}
			d := c.Clone()
			s.Activate(&d)
			if !c.Equal(d) {
				t.Fatalf("activity changes: %v %v\n%s", c, d, s.Describe())
			}
			for i := range c.Value {
				if !c.Active[i] && c.Value[i] != 0 {
					t.Fatalf("inactive %d holds %v", i, c.Value[i])
				}
				if c.Active[i] && s.Round(i, c.Value[i]) != c.Value[i] {
					t.Fatalf("%v is not emitted\n%s", c.Value[i], s.Describe())
				}
			}
		}
	})
}

func TestDecodeInvertsEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t, rapid.Bool().Draw(t, "constrained"))
		cs := sampled(t, s, drawRand(t), 20)
		q := s.EncodeAll(cs)
		for k, c := range cs {
			if d := s.Decode(q, k); !c.Equal(d) {
				t.Fatalf("%v comes back as %v\n%s", c, d, s.Describe())
			}
			for co, i := range s.Coordinates() {
				x := q.At(co, k)
				top := 1.0
				if m := s.Param(i).Levels(); m > 0 {
					top = float64(m - 1)
				}
				switch {
				case q.Active(co, k) != c.Active[i]:
					t.Fatalf("mask of %d", i)
				case !(x >= 0) || x > top:
					t.Fatalf("coordinate %v of %s", x, s.Param(i).Name)
				case !s.Conditional(i) && q.Activity(co) != nil:
					t.Fatalf("unconditional %d has a mask", i)
				}
			}
		}
	})
}

func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t, false)
		for _, c := range sampled(t, s, drawRand(t), 5) {
			text := s.AppendJSON(nil, c)
			d, err := s.ParseJSON(text)
			if err != nil || !c.Equal(d) {
				t.Fatalf("%s: %v %v", text, d, err)
			}
			if s.Key(c) != s.Key(d) || s.BranchKey(c) != s.BranchKey(d) {
				t.Fatalf("keys differ")
			}
			a, err := s.ParsePartial(text)
			must(t, err)
			e, err := s.Complete(a, drawRand(t))
			if err != nil || !e.Equal(c) {
				t.Fatalf("completing %s gives %v, %v\n%s", text, e, err, s.Describe())
			}
			recorded, printed := RecordedSettings(text), RecordedSettings(s.JSON(c))
			for k := range printed {
				recorded[k].JSON = printed[k].JSON
			}
			if diff := cmp.Diff(s.Settings(c), recorded); diff != "" {
				t.Fatalf("recorded: %s", diff)
			}
		}
	})
}

// The branches found by enumeration are those that sampling meets, and the cells' probabilities add up to one.
func TestBranchesCoverSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t, false)
		r := drawRand(t)
		known := s.Branches()
		if !s.whole().exact {
			t.Skip("too many")
		}
		for _, c := range sampled(t, s, r, 50) {
			if !slices.ContainsFunc(known, func(b []bool) bool { return slices.Equal(b, c.Active) }) {
				t.Fatalf("pattern %v is not among %v\n%s", c.Active, known, s.Describe())
			}
		}
		mass := 0.0
		for _, k := range s.whole().cells {
			mass += k.mass
		}
		if !(math.Abs(mass-1) <= 1e-5) {
			t.Fatalf("cells have probability %v\n%s", mass, s.Describe())
		}
		cs, err := sampleBranches(s, r, 4*len(known)+20)
		must(t, err)
		seen := map[string]bool{}
		for _, c := range cs {
			if err := s.Validate(c); err != nil {
				t.Fatalf("%v\n%s", err, s.Describe())
			}
			seen[s.BranchKey(c)] = true
		}
		if len(known) <= 8 && len(seen) != len(known) {
			t.Fatalf("%d of %d branches sampled\n%s", len(seen), len(known), s.Describe())
		}
	})
}

// Completing any part of a valid configuration keeps that part.
func TestCompleteKeepsWhatIsGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t, rapid.Bool().Draw(t, "constrained"))
		r := drawRand(t)
		from := sampled(t, s, r, 1)[0]
		a := Assignment{}
		for i := range from.Value {
			if from.Active[i] && s.Param(i).Kind != Constant && rapid.Bool().Draw(t, "given") {
				a[i] = from.Value[i]
			}
		}
		c, err := s.Complete(a, r)
		var none *InfeasibleError
		if s.Coupled() && errors.As(err, &none) && none.Feasible < 1e-3 {
			t.Skip("too rare")
		}
		if err != nil {
			t.Fatalf("%v\n%v\n%s", err, a, s.Describe())
		}
		must(t, s.Validate(c))
		for i, v := range a {
			if !c.Active[i] || c.Value[i] != v {
				t.Fatalf("%d: %v, not %v", i, c.Value[i], v)
			}
		}
	})
}

func TestSizeCountsWhatEnumerateLists(t *testing.T) {
	counted := 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t, rapid.Bool().Draw(t, "constrained"))
		n, finite := s.Size()
		if !finite || n > 5000 {
			if s.Enumerate(100) != nil {
				t.Fatal("listed a large space")
			}
			return
		}
		values := 1.0
		for i := range s.Params() {
			values *= s.count(i)
		}
		if values > maxVisits {
			return // estimated
		}
		all := s.Enumerate(5000)
		if float64(len(all)) != n {
			t.Fatalf("size %v, %d listed\n%s", n, len(all), s.Describe())
		}
		keys := map[string]bool{}
		for _, c := range all {
			must(t, s.Validate(c))
			keys[s.Key(c)] = true
		}
		if len(keys) != len(all) {
			t.Fatalf("%d keys for %d configurations", len(keys), len(all))
		}
		if n > 0 { // and so are those with some values of one of them
			one, part, with := all[rapid.IntRange(0, len(all)-1).Draw(t, "one")], Assignment{}, 0
			for i, v := range one.Assignment() {
				if rapid.Bool().Draw(t, "fixed") {
					part[i] = v
				}
			}
			for _, c := range all {
				alike := true
				for i, v := range part {
					alike = alike && c.Active[i] && c.Value[i] == v
				}
				if alike {
					with++
				}
			}
			if s.MoreThan(with, part) || !s.MoreThan(with-1, part) {
				t.Fatalf("%d have %v\n%s", with, part, s.Describe())
			}
		}
		if n > 0 {
			for _, c := range sampled(t, s, drawRand(t), 20) {
				if !keys[s.Key(c)] {
					t.Fatalf("sampled %s is not listed", s.AppendJSON(nil, c))
				}
			}
		}
		counted++
	})
	if counted == 0 {
		t.Fatal("no finite space was generated")
	}
}
