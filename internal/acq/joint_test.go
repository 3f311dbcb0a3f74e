package acq

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/pareto"
)

// oracle reads testdata/oracles/NAME: computed with mpmath at 40 to 60 digits by an
// independent program, as the notes in the files say.
func oracle[T any](t *testing.T, name string) []T {
	t.Helper()
	raw, err := os.ReadFile("testdata/oracles/" + name)
	must(t, err)
	var file struct{ Cases []T }
	if err := json.Unmarshal(raw, &file); err != nil || len(file.Cases) == 0 {
		t.Fatal(err, len(file.Cases))
	}
	return file.Cases
}

func TestHypervolumeOracle(t *testing.T) {
	type hypervolumeCase struct {
		Name                string
		Front               [][]float64
		Ref, Mean, Variance []float64
		Log                 float64   `json:"log_ehvi"`
		DMean               []float64 `json:"dlog_dmean"`
		DVar                []float64 `json:"dlog_dvariance"`
	}
	seen := 0
	for _, c := range oracle[hypervolumeCase](t, "ehvi.json") {
		h, err := NewHypervolume(c.Front, c.Ref, nil)
		if len(c.Ref) > 3 {
			if err == nil {
				t.Errorf("%s: no error", c.Name)
			}
			continue
		}
		if err != nil {
			t.Fatal(c.Name, err)
		}
		seen++
		dmean, dvar := make([]float64, len(c.Ref)), make([]float64, len(c.Ref))
		got := h.Score(c.Mean, c.Variance, dmean, dvar)
		if !(math.Abs(got-c.Log) <= 1e-12*max(1, math.Abs(c.Log))) {
			t.Errorf("%s: %v, want %v", c.Name, got, c.Log)
		}
		if slices.Min(c.Variance) < 1e-12 {
			continue
		}
		for j := range dmean {
			if !(math.Abs(dmean[j]-c.DMean[j]) <= 1e-7*math.Abs(c.DMean[j])) {
				t.Errorf("%s: slope by mean %d is %v, want %v", c.Name, j, dmean[j], c.DMean[j])
			}
			if !(math.Abs(dvar[j]-c.DVar[j]) <= 1e-7*math.Abs(c.DVar[j])) {
				t.Errorf("%s: slope by variance %d is %v, want %v", c.Name, j, dvar[j], c.DVar[j])
			}
		}
	}
	if seen < 60 {
		t.Errorf("%d cases of two or three objectives", seen)
	}
}

func TestChebyshevOracle(t *testing.T) {
	type chebyshevCase struct {
		Weights, Mean, Variance []float64
		Incumbent               float64
		Log                     float64 `json:"log_ei"`
	}
	for k, c := range oracle[chebyshevCase](t, "chebyshev.json") {
		ideal, span := make([]float64, len(c.Weights)), make([]float64, len(c.Weights))
		for j := range span {
			span[j] = 1
		}
		h, err := NewChebyshev(c.Weights, ideal, span, c.Incumbent)
		must(t, err)
		if got := h.Score(c.Mean, c.Variance, nil, nil); !(math.Abs(got-c.Log) <= 1e-8*max(1, math.Abs(c.Log))) {
			t.Errorf("case %d: %v, want %v", k, got, c.Log)
		}
		for j := range span { // the same in other units
			ideal[j], span[j] = 3, 7
			c.Mean[j], c.Variance[j] = 3+7*c.Mean[j], 49*c.Variance[j]
		}
		if h, err = NewChebyshev(c.Weights, ideal, span, c.Incumbent); err != nil {
			t.Fatal(err)
		}
		if got := h.Score(c.Mean, c.Variance, nil, nil); !(math.Abs(got-c.Log) <= 1e-8*max(1, math.Abs(c.Log))) {
			t.Errorf("case %d in other units: %v, want %v", k, got, c.Log)
		}
	}
}

func TestKnowledgeGradientOracle(t *testing.T) {
	type knowledgeCase struct {
		A, B []float64
		KG   float64
	}
	for k, c := range oracle[knowledgeCase](t, "kg.json") {
		if got := KnowledgeGradient(c.A, c.B); !(math.Abs(got-c.KG) <= 1e-10*c.KG) {
			t.Errorf("case %d: %v, want %v", k, got, c.KG)
		}
	}
}

// Below the least value of a quantity the gain counts from ξ on.
func TestHypervolumeBeyond(t *testing.T) {
	front, ref := [][]float64{{0, 1}, {1, 0}}, []float64{2, 2}
	for _, c := range []struct{ xi, at, gain []float64 }{
		{[]float64{0, 0}, []float64{-0.3, 0.5}, []float64{0.95}},
		{[]float64{0.5, 0}, []float64{-0.3, 0.5}, []float64{0.5}},                     // in the slice: what is beside it
		{[]float64{0.5, 0}, []float64{-0.7, 0.5}, []float64{0.5 + 0.2*1.5}},           // beyond
		{[]float64{0.5, 0}, []float64{-0.3, 1.5}, []float64{0}},                       // no better but in the slice
		{[]float64{0.5, 0.5}, []float64{0.5, -0.2}, []float64{0.5 * 1}},               // that of the other quantity
		{[]float64{0, 0.5}, []float64{-0.3, -0.7}, []float64{0.3*2.2 + 1.2 + 0.2*1.}}, // both
	} {
		h, err := NewHypervolume(front, ref, c.xi)
		must(t, err)
		if got := math.Exp(h.Score(c.at, []float64{1e-18, 1e-18}, nil, nil)); !(math.Abs(got-c.gain[0]) < 1e-7) {
			t.Errorf("ξ %v at %v: a gain of %v, want %v", c.xi, c.at, got, c.gain[0])
		}
	}
}

// jointly makes random joints with a prediction for each.
func jointly(t *testing.T, n int, do func(r *rand.Rand, j Joint, mean, variance []float64)) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	for k := range n {
		m := 2 + k%3
		draw := func(scale float64) []float64 {
			out := make([]float64, m)
			for j := range out {
				out[j] = scale * r.NormFloat64()
			}
			return out
		}
		var joint Joint
		var err error
		if m < 4 && k%2 == 0 {
			front := make([][]float64, r.IntN(16))
			for i := range front {
				front[i] = draw(1)
				if len(front) > 8 { // none dominates another
					front[i][m-1] = -floats.Sum(front[i][:m-1])
				}
			}
			ref := make([]float64, m)
			for j := range ref {
				ref[j] = 1
			}
			xi := make([]float64, m)
			for j := range xi {
				if k%4 == 0 && r.IntN(2) == 0 { // every second one
					xi[j] = r.Float64()
				}
			}
			joint, err = NewHypervolume(front, ref, xi)
		} else {
			weights, span := make([]float64, m), make([]float64, m)
			for j := range weights {
				weights[j], span[j] = r.Float64(), 0.5+r.Float64()
			}
			joint, err = NewChebyshev(weights, draw(0.3), span, r.NormFloat64())
		}
		must(t, err)
		variance := make([]float64, m)
		for j := range variance {
			variance[j] = math.Exp(2*r.NormFloat64() - 1)
		}
		if k%5 == 0 {
			joint = Augmented(joint, []float64{0.3, 0, 0.7, 0.2}[:m])
		}
		do(r, joint, draw(2), variance)
	}
}

func TestJointSlopesAgainstDifferences(t *testing.T) {
	jointly(t, 200, func(_ *rand.Rand, joint Joint, mean, variance []float64) {
		m := len(mean)
		dmean, dvar := make([]float64, m), make([]float64, m)
		at := joint.Score(mean, variance, dmean, dvar)
		largest := 0.0
		for j := range dmean {
			largest = max(largest, math.Abs(dmean[j]), math.Abs(dvar[j]))
		}
		for j := range m {
			for _, x := range []struct {
				by   []float64
				want float64
				h    float64
			}{{mean, dmean[j], 1e-4 * math.Sqrt(variance[j])}, {variance, dvar[j], 1e-4 * variance[j]}} {
				was := x.by[j]
				step := func(k float64) float64 {
					x.by[j] = was + k*x.h
					return joint.Score(mean, variance, nil, nil)
				}
				got := (8*(step(1)-step(-1)) - (step(2) - step(-2))) / (12 * x.h)
				x.by[j] = was
				if !(math.Abs(got-x.want) <= 1e-6*max(largest, 1e-6*math.Abs(at)/x.h)) {
					t.Fatalf("%T at %v ± %v: slope %d is %v, differences give %v", joint, mean, variance, j, x.want, got)
				}
			}
		}
	})
}

func TestJointBoundHoldsForSmallerVariances(t *testing.T) {
	jointly(t, 2000, func(r *rand.Rand, joint Joint, mean, variance []float64) {
		bound := joint.Bound(mean, variance)
		if r.IntN(4) > 0 {
			for j := range variance {
				variance[j] *= r.Float64()
			}
		}
		if s := joint.Score(mean, variance, nil, nil); !(s <= bound) {
			t.Fatalf("%T at %v ± %v: score %v above the bound %v", joint, mean, variance, s, bound)
		}
	})
}

func TestHypervolumeOfPermutedObjectives(t *testing.T) {
	front := [][]float64{{-1, 0.3, 0.2}, {0.1, -0.7, 0.5}, {0.4, 0.2, -1.1}, {0, 0, 0}}
	ref, mean, variance := []float64{1, 1.5, 0.8}, []float64{-0.2, 0.1, -0.3}, []float64{0.4, 0.2, 0.9}
	turn := func(v []float64) []float64 { return []float64{v[2], v[0], v[1]} }
	turned := make([][]float64, len(front))
	for i, v := range front {
		turned[i] = turn(v)
	}
	a, err := NewHypervolume(front, ref, nil)
	must(t, err)
	b, err := NewHypervolume(turned, turn(ref), nil)
	must(t, err)
	if x, y := a.Score(mean, variance, nil, nil),
		b.Score(turn(mean), turn(variance), nil, nil); !(math.Abs(x-y) <= 1e-13) {
		t.Errorf("%v, and %v with the objectives in another order", x, y)
	}
}

func TestHypervolumeOfLongFronts(t *testing.T) {
	var front [][]float64
	for k := range 600 {
		x := float64(k) / 600
		front = append(front, []float64{x, 1 - x*x})
	}
	ref := []float64{1.1, 1.1}
	h, err := NewHypervolume(front, ref, nil)
	must(t, err)
	thinned := hypervolumeOf(pareto.Boxes(reduced(front, ref), ref))
	if n := len(thinned.boxes); n != longest2+1 {
		t.Errorf("%d boxes", n)
	}
	whole := hypervolumeOf(pareto.Boxes(front, ref))
	score := func(j func(mean, variance, dmean, dvar []float64) float64) float64 {
		return j([]float64{0.5, 0.75}, []float64{1e-2, 1e-2}, nil, nil)
	}
	if got := score(h.Score); got != score(thinned.score) || got == score(whole.score) {
		t.Errorf("score %v, thinned %v, whole %v", got, score(thinned.score), score(whole.score))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
