package suggest

import (
	"slices"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study/studytest"
)

// In place of a design point that was tried comes a later one of the same design.
func TestDesignPointThatWasTried(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	point := func(at int) space.Configuration {
		c, err := st.Space.DesignPoint("halton", 3, at)
		must(t, err)
		return c
	}
	trials := studytest.Completed([]space.Configuration{point(1)}, []float64{1})
	s, err := Next(t.Context(), st, trials, Request{Number: 2, Seed: 3})
	if err != nil || s.Source != "design" || !s.Config.Equal(point(1+designStride)) {
		t.Errorf("%+v, %v; want %v", s, err, point(1+designStride))
	}
}

// While all values are equal the search goes on with a low-discrepancy design, whatever the
// first trials were: every 16th of each range has its share, which plain draws miss.
func TestFlatValuesAreSpread(t *testing.T) {
	for _, design := range []string{"", "random", "halton"} {
		st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
		st.Initial.Design, st.Initial.Count = design, 5
		trials := simulate(t, st, 69, studytest.Value(func(space.Configuration) float64 { return 1 }))
		var parts [2][16]int
		for _, tr := range trials[5:] { // 64
			if tr.Source != "fallback:flat" {
				t.Fatalf("trial %d comes from %s", tr.Number, tr.Source)
			}
			for i := range parts {
				parts[i][min(15, int(16*tr.Config.Value[i]))]++
			}
		}
		for i := range parts {
			if least, most := slices.Min(parts[i][:]), slices.Max(parts[i][:]); least < 2 || most > 6 {
				t.Errorf("design %q: the 16 parts of parameter %d have %v of 64 points", design, i, parts[i])
			}
		}
	}
}

// The design of five and more numbers without conditions ends in their middle, as far as the
// constraints allow, unless the study names a design.
func TestDesignEndsInTheMiddle(t *testing.T) {
	numbers := func(n int) (out []space.Parameter) {
		for i := range n {
			out = append(out, studytest.Number(string(rune('a'+i))))
		}
		return out
	}
	logarithmic := append(numbers(4), space.Parameter{Name: "lr", Kind: space.Float, Low: 1e-4, High: 1, Scale: space.Log},
		studytest.Category("choice", "u", "v"))
	for _, c := range []struct {
		name   string
		of     []space.Parameter
		design string
		want   []float64 // the first values; nil: those of the design
	}{
		{"five floats", numbers(5), "auto", []float64{0.5, 0.5, 0.5, 0.5, 0.5}},
		{"a range on a logarithmic scale", logarithmic, "", []float64{0.5, 0.5, 0.5, 0.5, 0.01}},
		{"integers without a distance", append(numbers(4), space.Parameter{Name: "n", Kind: space.Int, Low: 3, High: 7,
			Discrete: true}), "auto", []float64{0.5, 0.5, 0.5, 0.5, 5}},
		{"four numbers and a constant", append(numbers(4), space.Parameter{Name: "k", Kind: space.Constant,
			Values: []string{"1"}}), "auto", nil},
		{"a condition", append(numbers(5), studytest.Category("choice", "u", "v"),
			studytest.When(studytest.Number("y"), 5, 0)), "auto", nil},
		{"a design of its own", numbers(5), "random", nil},
	} {
		st := studytest.NewStudy(t, c.of...)
		st.Initial.Design = c.design
		s, err := Next(t.Context(), st, nil, Request{Number: policy.InitialCount(st), Seed: 1})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if in := s.Config.Value[0] == 0.5; in != (c.want != nil) || in && !slices.Equal(s.Config.Value[:5], c.want) {
			t.Errorf("%s: %v, want %v", c.name, s.Config.Value, c.want)
		}
	}
	forbidden := []space.Clause{{Text: "a == 0.5", Expr: space.In{Param: 0, Values: []float64{0.5}}}}
	constrained, err := space.New(numbers(5), forbidden, nil)
	must(t, err)
	st := studytest.NewStudy(t, numbers(5)...)
	st.Space, st.Initial.Design = constrained, "auto"
	s, err := Next(t.Context(), st, nil, Request{Number: policy.InitialCount(st), Seed: 1})
	if err != nil || s.Config.Value[0] == 0.5 || s.Config.Value[4] != 0.5 {
		t.Errorf("without a = 0.5: %+v, %v", s, err)
	}
	sum := space.Sum(space.Ref{Param: 0})
	for i := range 4 {
		sum = space.Binary{Op: '+', Left: sum, Right: space.Ref{Param: i + 1}}
	}
	require := []space.Clause{{Text: "sum", Expr: space.Compare{Op: space.Eq, Left: sum, Right: space.Const(1)}}}
	if st.Space, err = space.New(numbers(5), nil, require); err != nil {
		t.Fatal(err)
	}
	s, err = Next(t.Context(), st, nil, Request{Number: policy.InitialCount(st), Seed: 1})
	if err != nil || slices.Max(s.Config.Value) > 0.25 || slices.Min(s.Config.Value) < 0.15 {
		t.Errorf("shares of a mixture: %+v, %v", s, err)
	}
}
