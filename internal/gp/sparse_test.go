package gp

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"bohier/internal/kernels"
)

// Weights of coordinates that the data say do not matter are at their least, and a later fit starts from what was
// fitted. Coordinates that matter keep their weights.
func TestCoordinatesThatDoNotMatter(t *testing.T) {
	const d = 30
	coords := make([]kernels.Coord, d)
	for c := range coords {
		coords[c].Name = fmt.Sprint("x", c)
	}
	k := mustKernel(t, kernels.Spec{Name: "matern52", ARD: true}, coords)
	x, _ := sample(3, 60, d)
	for _, of := range []struct {
		name  string
		least int // weights at their least
		f     func(at func(c int) float64) float64
	}{
		{"two of thirty", d - 2, func(at func(int) float64) float64 { return math.Sin(5*at(0)) + at(1)*at(1) }},
		{"all of thirty", 0, func(at func(int) float64) (sum float64) {
			for c := range d {
				sum += math.Pow(at(c)-0.4, 2)
			}
			return sum
		}},
	} {
		y := make([]float64, x.Len())
		for i := range y {
			y[i] = of.f(func(c int) float64 { return x.At(c, i) })
		}
		_, rep := mustFit(t, k, x, y, Options{Seed: 1})
		held := 0
		for _, p := range k.Params() {
			if !p.Weight || rep.Hyper[p.Name] > p.Lo {
				continue
			}
			held++
			if p.Name == "plain.theta[x0]" || p.Name == "plain.theta[x1]" || rep.Warm.Hyper[p.Name] <= p.Lo {
				t.Errorf("%s: %s is %v, a later fit starts from %v", of.name, p.Name, rep.Hyper[p.Name], rep.Warm.Hyper[p.Name])
			}
		}
		if held != of.least {
			t.Errorf("%s: %d weights are at their least, want %d", of.name, held, of.least)
		}
		_, again := mustFit(t, k, x, y, Options{Seed: 1, Warm: rep.Warm})
		if !again.Held || !maps.Equal(again.Hyper, rep.Hyper) {
			t.Errorf("%s: held: %v, hyperparameters %v, want %v", of.name, again.Held, again.Hyper, rep.Hyper)
		}
		for _, n := range []float64{-1, 1e300} { // a journal may say anything
			again.Warm.Hyper[idleName] = n
			mustFit(t, k, x, y, Options{Seed: 1, Warm: again.Warm})
		}
		own := Params(k, y)
		for i := range own {
			if own[i].Weight {
				own[i].Prior = kernels.LogNormal{Sigma: 1}
			}
		}
		_, other := mustFit(t, k, x, y, Options{Seed: 1, Params: own})
		for _, p := range own {
			if p.Weight && other.Hyper[p.Name] <= p.Lo {
				t.Errorf("%s: %s is %v although the study sets its prior", of.name, p.Name, other.Hyper[p.Name])
			}
		}
		if len(rep.Stopped) > 0 {
			t.Errorf("%s: stopped at %+v", of.name, rep.Stopped)
		}
	}
}
