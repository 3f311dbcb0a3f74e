package kernels

import "math"

// Kernels on graphs by functions of the normalized Laplacian, whose eigenvalues are at
// most 2 (Smola & Kondor 2003, Table 1). They have no distance to modulate: s is 0.

// walk is (1 − b)^p, b = βλ ≤ 1: the random walk of p steps (aI − L)^p with a = 1/β ≥ 2,
// divided by a^p so that it is 1 at λ = 0. The number is p, 0 meaning 2.
type walk int

func (w walk) steps() float64 {
	if w == 0 {
		return 2
	}
	return float64(w)
}

func (w walk) bind([]float64) boundModulation { return w }
func (walk) shared() []int                    { return nil }

func (w walk) value(b, _, _ float64) float64 { return math.Pow(1-b, w.steps()) }

func (w walk) slopes(b, _, _ float64) (f, db, ds, dalpha float64) {
	p := w.steps()
	return math.Pow(1-b, p), -p * math.Pow(1-b, p-1), 0, 0
}

func (walk) extra([]float64, float64, float64, float64, float64) {}

// cosine is cos b with b = λπ/4: the inverse cosine.
type cosine struct{}

func (cosine) bind([]float64) boundModulation { return cosine{} }
func (cosine) shared() []int                  { return nil }

func (cosine) value(b, _, _ float64) float64 { return math.Cos(b) }

func (cosine) slopes(b, _, _ float64) (f, db, ds, dalpha float64) {
	return math.Cos(b), -math.Sin(b), 0, 0
}

func (cosine) extra([]float64, float64, float64, float64, float64) {}
