package problems

import (
	"math"
	"reflect"
	"strconv"
	"testing"
)

// TestRandomTrees holds that a tree is the same each time, that its value at the
// optimum on record is 0 and that nothing near that point is better.
func TestRandomTrees(t *testing.T) {
	for seed := range uint64(50) {
		p, err := Get(treePrefix + strconv.FormatUint(seed, 10))
		if err != nil {
			t.Fatal(err)
		}
		again := RandomTree(seed)
		if !reflect.DeepEqual(again.Params, p.Params) || !reflect.DeepEqual(again.Optimum, p.Optimum) {
			t.Fatalf("%s is\n%+v, %+v\nthen\n%+v, %+v", p.Name, p.Params, p.Optimum, again.Params, again.Optimum)
		}
		if n := len(p.Params[0].Choices); n < 3 || n > 5 {
			t.Errorf("%s has %d branches", p.Name, n)
		}
		v, err := p.Eval(p.Optimum.At)
		if err != nil || math.Abs(v) > 1e-12 {
			t.Fatalf("%s: value %v at its optimum, %v", p.Name, v, err)
		}
		for _, moved := range []float64{0.3, 0.9} {
			x := at{}
			for name, value := range p.Optimum.At {
				x[name] = value
			}
			x["shared"] = moved
			if v, err := p.Eval(x); err != nil || v <= 0 {
				t.Errorf("%s: value %v with shared = %v, %v", p.Name, v, moved, err)
			}
		}
	}
}

// TestNearTies holds that three other branches of a near tie come within 0.02 to 0.03
// of the best and that nothing else differs from the tree of the same seed.
func TestNearTies(t *testing.T) {
	for seed := range uint64(20) {
		p, err := Get(nearTiePrefix + strconv.FormatUint(seed, 10))
		if err != nil {
			t.Fatal(err)
		}
		if v, err := p.Eval(p.Optimum.At); err != nil || math.Abs(v) > 1e-12 {
			t.Fatalf("%s: value %v at its optimum, %v", p.Name, v, err)
		}
		near := 0
		for _, best := range p.leaves {
			if v, err := p.Eval(best); err != nil {
				t.Fatal(err)
			} else if v >= 0.02 && v <= 0.03 {
				near++
			}
		}
		if near < 2 || near > 3 { // some trees have three branches in all
			t.Errorf("%s has %d branches that nearly tie", p.Name, near)
		}
		if twin := RandomTree(seed); len(twin.Params) != len(p.Params) || len(twin.Optimum.At) != len(p.Optimum.At) {
			t.Errorf("%s differs from %s in more than its offsets", p.Name, twin.Name)
		}
	}
}
