package main

import (
	"math"
	"strings"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A covariance is a kernel with hyperparameters on named coordinates.
type covariance struct {
	kernel kernels.Kernel
	theta  []float64
	coords []kernels.Coord
}

// newCovariance makes a kernel; the hyperparameters whose names begin with a key
// of set get its value, the others their initial values.
func newCovariance(s kernels.Spec, coords []kernels.Coord, set map[string]float64) covariance {
	s.ARD = true
	k, err := kernels.New(s, coords)
	if err != nil {
		panic(err)
	}
	theta := make([]float64, len(k.Params()))
	used := map[string]bool{}
	for j, p := range k.Params() {
		theta[j] = p.Init
		longest := -1
		for key, v := range set {
			if strings.HasPrefix(p.Name, key) && len(key) > longest {
				theta[j], longest = v, len(key)
				used[key] = true
			}
		}
	}
	return covariance{k, theta, coords}
}

// off is the value of an inactive coordinate.
var off = math.NaN()

// encode makes points of rows of values.
func (c covariance) encode(rows [][]float64) *points.Set {
	x := points.New(len(rows), len(c.coords))
	for i, row := range rows {
		for d, v := range row {
			if math.IsNaN(v) {
				x.Set(d, i, 0, false)
			} else {
				x.Set(d, i, v, true)
			}
		}
	}
	return x
}

// between is k(at, row) for every row.
func (c covariance) between(at []float64, rows [][]float64) []float64 {
	y := c.encode(rows)
	out := make([]float64, len(rows))
	c.kernel.Bind(c.theta, y).Row(out, c.encode([][]float64{at}), 0, 0)
	return out
}
