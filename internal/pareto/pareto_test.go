package pareto_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"bohier/internal/pareto"
)

// values are n vectors from a small grid, so that ties and duplicates are common.
func values(r *rand.Rand, n, m, levels int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, m)
		for j := range out[i] {
			out[i][j] = float64(r.IntN(levels))
		}
	}
	return out
}

func ones(m int, v float64) []float64 {
	out := make([]float64, m)
	for j := range out {
		out[j] = v
	}
	return out
}

// inclusionExclusion is the hypervolume by the volumes of all intersections.
func inclusionExclusion(values [][]float64, ref []float64) float64 {
	sum := 0.0
	for set := 1; set < 1<<len(values); set++ {
		box, sign := 1.0, -1.0
		for j, r := range ref {
			worst := math.Inf(-1)
			for i, v := range values {
				if set>>i&1 == 1 {
					worst = max(worst, v[j])
				}
			}
			box *= max(0, r-worst)
		}
		for i := range values {
			if set>>i&1 == 1 {
				sign = -sign
			}
		}
		sum += sign * box
	}
	return sum
}

func TestFrontRanksAndVolumeAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		n, m := 1+r.IntN(9), 1+r.IntN(5)
		v := values(r, n, m, 4)
		rank := make([]int, n)
		for round := 1; slices.Contains(rank, 0); round++ {
			var now []int
			for i := range v {
				dominated := false
				for k := range v {
					dominated = dominated || rank[k] == 0 && pareto.Dominates(v[k], v[i])
				}
				if rank[i] == 0 && !dominated {
					now = append(now, i)
				}
			}
			for _, i := range now {
				rank[i] = round
			}
		}
		if got := pareto.Ranks(v); !slices.Equal(got, rank) {
			t.Fatalf("ranks of %v: %v, want %v", v, got, rank)
		}
		for i := range v {
			if got := slices.Contains(pareto.Front(v), i); got != (rank[i] == 1) {
				t.Fatalf("front of %v: vector %d is in it: %v", v, i, got)
			}
		}
		ref := ones(m, 3)
		want := inclusionExclusion(v, ref)
		if got := pareto.Hypervolume(v, ref); !(math.Abs(got-want) <= 1e-9) {
			t.Fatalf("hypervolume of %v: %v, want %v", v, got, want)
		}
		front := pareto.Reduce(v, ref)
		for i, c := range pareto.Contributions(front, ref) {
			rest := slices.Concat(front[:i], front[i+1:])
			if w := want - inclusionExclusion(rest, ref); !(math.Abs(c-w) <= 1e-9) {
				t.Fatalf("contribution of %v in %v: %v, want %v", front[i], front, c, w)
			}
		}
	}
}

// hypervolume.json: volumes and exclusive contributions by an independent program (recursive slicing, numpy).
func TestHypervolumeOracle(t *testing.T) {
	raw, err := os.ReadFile("testdata/hypervolume.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Cases []struct {
			Front         [][]float64
			Ref           []float64
			Hypervolume   float64
			Contributions []float64
		}
	}
	if err := json.Unmarshal(raw, &oracle); err != nil || len(oracle.Cases) == 0 {
		t.Fatal(err, len(oracle.Cases))
	}
	for k, c := range oracle.Cases {
		if got := pareto.Hypervolume(c.Front, c.Ref); !(math.Abs(got-c.Hypervolume) <= 1e-12*c.Hypervolume) {
			t.Errorf("case %d: hypervolume %v, want %v", k, got, c.Hypervolume)
		}
		for i, got := range pareto.Contributions(c.Front, c.Ref) {
			if !(math.Abs(got-c.Contributions[i]) <= 1e-12*c.Hypervolume) {
				t.Errorf("case %d: contribution %d is %v, want %v", k, i, got, c.Contributions[i])
			}
		}
	}
}

// Boxes are disjoint and cover exactly what nothing dominates, cell by cell of a grid.
func TestBoxesCoverWhatIsNotDominated(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		n, m := r.IntN(9), 2+r.IntN(2)
		v := values(r, n, m, 5)
		ref := ones(m, 4)
		boxes := pareto.Boxes(v, ref)
		if limit := len(pareto.Reduce(v, ref))*(m-1) + 1; len(boxes) > limit {
			t.Fatalf("%d boxes of %v, more than %d", len(boxes), v, limit)
		}
		beyond := append(ones(m-1, -9), 4) // on the reference point
		more := append(slices.Concat(v, v), beyond)
		r.Shuffle(len(more), func(i, j int) { more[i], more[j] = more[j], more[i] })
		if again := pareto.Boxes(more, ref); !reflect.DeepEqual(again, boxes) {
			t.Fatalf("boxes of %v: %v, and with the same front %v", v, boxes, again)
		}
		cell := ones(m, -0.5) // centres of the cells from −1 to 5
		for {
			dominated := slices.ContainsFunc(v, func(p []float64) bool { return pareto.Dominates(p, cell) })
			beyond := slices.ContainsFunc(cell, func(x float64) bool { return x > 4 })
			in := 0
			for _, b := range boxes {
				inside := true
				for j, x := range cell {
					inside = inside && b.Lower[j] < x && x < b.Upper[j]
				}
				if inside {
					in++
				}
			}
			if want := map[bool]int{true: 1}[!dominated && !beyond]; in != want {
				t.Fatalf("%v of %v is in %d boxes, want %d", cell, v, in, want)
			}
			j := 0
			for ; j < m; j++ {
				if cell[j]++; cell[j] < 5 {
					break
				}
				cell[j] = -0.5
			}
			if j == m {
				break
			}
		}
	}
}

func TestPickTakesWhatAddsMost(t *testing.T) {
	r, ref := rand.New(rand.NewPCG(7, 6)), ones(3, 1000)
	for range 50 {
		front := pareto.Reduce(values(r, 40, 3, 1000), ref)
		n := min(5, len(front)-1)
		left, got := slices.Clone(front), pareto.Pick(front, ref, n)
		for k := range got {
			gains := make([]float64, len(left))
			for i, v := range left {
				gains[i] = pareto.Gain(v, got[:k], ref)
			}
			most := slices.Index(gains, slices.Max(gains))
			if !slices.Equal(got[k], left[most]) {
				t.Errorf("of %v, %v comes after %v, want %v", front, got[k], got[:k], left[most])
			}
			left = slices.Delete(left, most, most+1)
		}
		if len(got) != n {
			t.Errorf("%d picked, want %d", len(got), n)
		}
	}
	if got := pareto.Pick([][]float64{{0, 9e-200, 0}, {9e-200, 0, 0}}, ones(3, 1e-199), 1); len(got) != 1 { // no volume
		t.Errorf("picked %v", got)
	}
}

func TestReferenceAndAchievement(t *testing.T) {
	front := [][]float64{{0, 10, 5}, {2, 0, 5}}
	if got := pareto.Reference(front, ones(3, 1)); !slices.Equal(got, []float64{2.2, 11, 5.1}) {
		t.Errorf("reference %v", got)
	}
	ideal, nadir := pareto.Bounds(front)
	values := [][]float64{{0, 10, 5}, {2, 0, 5}, {1, 5, 5}}
	got := pareto.Achievement(values, []float64{0.5, 0.5, 9}, ideal, nadir)
	for i, want := range []float64{0.525, 0.525, 0.275} {
		if !(math.Abs(got[i]-want) <= 1e-15) {
			t.Errorf("achievement of %v: %v, want %v", values[i], got[i], want)
		}
	}
}

// Slopes are those of the differences of Achievement.
func TestSlopes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	weights, ideal, nadir := []float64{0.2, 0.5, 0.3}, []float64{0, -1, 2}, []float64{1, 1, 2} // the last has no extent
	for range 50 {
		v := []float64{r.Float64(), 2*r.Float64() - 1, r.Float64()}
		got := pareto.Slopes([][]float64{v}, weights, ideal, nadir)[0]
		for j := range v {
			up, down := slices.Clone(v), slices.Clone(v)
			up[j], down[j] = v[j]+1e-7, v[j]-1e-7
			a := pareto.Achievement([][]float64{up, down}, weights, ideal, nadir)
			if want := (a[0] - a[1]) / 2e-7; math.Abs(got[j]-want) > 1e-6 {
				t.Errorf("at %v: slope %d is %v, by differences %v", v, j, got[j], want)
			}
		}
	}
}
