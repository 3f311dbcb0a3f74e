package gp

import (
	"encoding/binary"
	"math"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// data are standardised observations with exact duplicates merged: each distinct
// configuration (with its known noise) once, with the mean of its values.
type data struct {
	units Units // in which y is standard
	x     *points.Set
	y     []float64 // means, standardised
	known []float64 // known noise variances, standardised; nil: none
	count []float64 // observations behind each row
	of    []float64 // measurements that each of them is the mean of; nil: one
	ss    []float64 // Σ (y − mean)² within each group
	total int       // observations
}

// maxStderr bounds the standard error of an observation, as a multiple of the spread of all: one that large says
// nothing, and a larger one would only spoil the condition of the kernel matrix.
const maxStderr = 100

// standardise makes the data of a fit from observations y at x and their standard errors (nil: none), both finite and
// in the same units, each the mean of so many measurements (of; nil: one). Its results are finite and of moderate size,
// whatever the size of the values. vague counts the errors above maxStderr.
func standardise(x *points.Set, y, stderr, of []float64, u Units) (d *data, vague int) {
	var known []float64
	if stderr != nil {
		known = make([]float64, len(y))
		for i, v := range stderr {
			sd := u.StandardDeviation(v)
			if sd > maxStderr {
				sd = maxStderr
				vague++
			}
			known[i] = sd * sd
		}
	}
	d = merge(x, lists.Of(y, u.Standard), known, of)
	d.units = u
	return d, vague
}

// merge groups observations of equal configuration, equal known noise and equally many
// measurements; they are in the units of z.
func merge(x *points.Set, z, known, of []float64) *data {
	n := x.Len()
	d := &data{units: Units{sd: 1}, total: n}
	rows := make(map[string]int, n)
	var first []int
	var members [][]float64
	key := make([]byte, 0, 9*x.Dim()+8)
	for i := range n {
		key = x.AppendKey(key[:0], i)
		if known != nil {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(known[i]))
		}
		if of != nil {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(of[i]))
		}
		g, ok := rows[string(key)]
		if !ok {
			g = len(first)
			rows[string(key)] = g
			first = append(first, i)
			members = append(members, nil)
		}
		members[g] = append(members[g], z[i])
	}
	m := len(first)
	d.x = x.Select(first)
	d.y, d.count, d.ss = make([]float64, m), make([]float64, m), make([]float64, m)
	for g, v := range members {
		mean := 0.0
		for _, a := range v {
			mean += a
		}
		mean /= float64(len(v))
		for _, a := range v {
			d.ss[g] += (a - mean) * (a - mean)
		}
		d.y[g], d.count[g] = mean, float64(len(v))
	}
	d.known, d.of = choose(known, first), choose(of, first)
	return d
}

// choose is the entries of v, which may be nil, at idx.
func choose(v []float64, idx []int) []float64 {
	if v == nil {
		return nil
	}
	return lists.At(v, idx)
}

// pick keeps the given rows.
func (d *data) pick(idx []int) *data {
	out := &data{
		units: d.units, x: d.x.Select(idx), y: choose(d.y, idx), known: choose(d.known, idx),
		count: choose(d.count, idx), of: choose(d.of, idx), ss: choose(d.ss, idx),
	}
	for _, k := range out.count {
		out.total += int(k)
	}
	return out
}

// noise is the variance of one observation behind row i when the homogeneous
// part is sigma2; the row's own noise is noise/count.
func (d *data) noise(i int, sigma2 float64) float64 {
	sigma2 *= d.part(i)
	if d.known != nil {
		sigma2 += d.known[i]
	}
	return sigma2
}

// part is the share of the homogeneous noise that one observation behind row i has.
func (d *data) part(i int) float64 {
	if d.of == nil {
		return 1
	}
	return 1 / d.of[i]
}

// completion is the part of the log likelihood that merging removes (and its derivative with
// respect to sigma2): Σ_groups −(k−1)/2·ln 2πv − ½ ln k − SS/(2v), v the noise of one observation.
// It is −Inf where repeated observations differ and v = 0, and ignores exact repetitions there.
func (d *data) completion(sigma2 float64) (l, dl float64) {
	for i, k := range d.count {
		if k == 1 {
			continue
		}
		v := d.noise(i, sigma2)
		if v == 0 {
			if d.ss[i] > 0 {
				return math.Inf(-1), 0
			}
			continue
		}
		l -= (k-1)*(halfLog2Pi+math.Log(v)/2) + math.Log(k)/2 + d.ss[i]/(2*v)
		dl += d.part(i) * (-(k-1)/(2*v) + d.ss[i]/(2*v*v))
	}
	return l, dl
}
