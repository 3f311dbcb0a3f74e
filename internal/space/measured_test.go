package space

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// The grid of a number says what is proposed. What was measured lies between the bounds, and is encoded as it is.
func TestMeasuredValuesMayMissTheGrid(t *testing.T) {
	s, err := New([]Parameter{
		{Name: "oven", Kind: Float, Low: 80, High: 150, Step: 5},
		{Name: "minutes", Kind: Int, Low: 10, High: 240, Step: 10},
		{Name: "rpm", Kind: Int, Low: 1, High: 1000, Scale: Log},
		{Name: "amount", Kind: Float, Low: 0.1, High: 10, Scale: Log, Precision: 2},
		{Name: "level", Kind: Int, Low: 1, High: 9, Step: 2, Discrete: true},
		{Name: "size", Kind: Ordinal, Values: []string{"16", "32"}, Literals: []Literal{Number, Number}},
	}, nil, nil)
	must(t, err)
	whole := "oven=105 minutes=20 rpm=7 amount=0.12 level=3 size=32"
	for _, k := range []struct{ name, value, refused, nearest string }{
		{"oven", "105", "", ""},
		{"oven", "103", "", "105"},
		{"oven", "104.99999999999", "", ""}, // rounded by another program
		{"oven", "79.9", "79.9 is outside [80, 150]", ""},
		{"oven", "151", "151 is outside [80, 150]", ""},
		{"minutes", "23", "", "20"},
		{"minutes", "3e1", "", ""},
		{"minutes", "22.5", "22.5 is off the grid (whole numbers); the nearest value is 20", ""},
		{"rpm", "7.0", "", ""},
		{"rpm", "7.5", "7.5 is off the grid (whole numbers); the nearest value is 8", ""},
		{"amount", "0.123", "", "0.12"},
		{"level", "4", "4 is off the grid (1 + k·2); the nearest value is 5", ""}, // kernels know levels alone
		{"size", "20", `"20" is not a value; values: 16, 32`, ""},
	} {
		i, _ := s.Index(k.name)
		fields := strings.Fields(whole)
		fields[i] = k.name + "=" + k.value
		a, err := s.ParseAssignments(fields)
		if k.refused != "" {
			if err == nil || err.Error() != k.name+": "+k.refused {
				t.Errorf("%s=%s: %v, not %s", k.name, k.value, err, k.refused)
			}
			continue
		}
		must(t, err)
		c, err := s.Given(a)
		must(t, err)
		d, err := s.ParseJSON(s.AppendJSON(nil, c))
		if err != nil || !d.Equal(c) {
			t.Errorf("%s=%s: read back as %v, %v", k.name, k.value, d, err)
		}
		want := fmt.Sprintf("%s: %s is off the grid", k.name, k.value)
		switch err := s.Proposable(c); {
		case k.nearest == "" && err != nil:
			t.Errorf("%s=%s: %v", k.name, k.value, err)
		case k.nearest != "" && (err == nil || !strings.HasPrefix(err.Error(), want) ||
			!strings.HasSuffix(err.Error(), k.nearest)):
			t.Errorf("%s=%s: %v, not %s … %s", k.name, k.value, err, want, k.nearest)
		}
		if _, err := s.Complete(Assignment{i: c.Value[i]}, rand.New(rand.NewPCG(1, 2))); (err == nil) != (k.nearest == "") {
			t.Errorf("%s=%s is proposed: %v", k.name, k.value, err)
		}
		p, u := s.Param(i), s.EncodeAll([]Configuration{c}).At(i, 0)
		place := (c.Value[i] - p.Low) / (p.High - p.Low)
		if p.Scale == Log {
			place = math.Log(c.Value[i]/p.Low) / math.Log(p.High/p.Low)
		}
		if !p.Discrete && math.Abs(u-place) > 1e-14 {
			t.Errorf("%s=%s is encoded as %v, not %v", k.name, k.value, u, place)
		}
	}
}
