package acq

import (
	"math"
	"math/rand/v2"

	"bohier/internal/points"
)

const (
	deWeight    = 0.8 // F
	deCrossover = 0.5 // CR
	deSize      = 10  // members per coordinate
)

// evolve is differential evolution, local-to-best/1/bin (Storn & Price 1997, doi:10.1023/A:1008202821328; strategy 2 of
// R's DEoptim, with its F, CR and population of 10 per coordinate). A genotype has a number for every coordinate,
// active or not; its repaired copy is scored and returned. Genotypes that repair cannot make valid lose.
func (s *search) evolve() {
	rs := fork(s.o.Rand, 3)
	r := rs[1]
	sample := s.d.Sample(rs[0], 256)
	if sample.Len() == 0 {
		return
	}
	s.learn(sample)
	size := min(max(20, deSize*sample.Dim()), s.o.DEEvaluations)
	genes := s.d.Sample(rs[2], size)
	if in := s.o.Incumbents; in != nil {
		in = s.fit(in)
		for i := range min(in.Len(), genes.Len()/4) {
			genes.Copy(i, in, i)
		}
	}
	size = genes.Len()
	for c := range genes.Dim() {
		for i := range size {
			if !genes.Active(c, i) {
				genes.Set(c, i, s.randomGene(r, c), true)
			}
		}
	}
	score := s.express(genes)
	for left := s.o.DEEvaluations - size; left > 0 && !s.stopped; left -= size {
		trial := s.offspring(r, genes, score)
		for i, v := range s.express(trial) {
			if !better(score[i], v) {
				genes.Copy(i, trial, i)
				score[i] = v
			}
		}
	}
}

// express scores the repaired copies of genotypes; −Inf where invalid or not reached before a stop.
func (s *search) express(genes *points.Set) []float64 {
	out := make([]float64, genes.Len())
	q := genes.Clone()
	valid := make([]int, 0, genes.Len())
	for i := range out {
		out[i] = math.Inf(-1)
		if s.d.Repair(q, i) {
			valid = append(valid, i)
		}
	}
	q = q.Select(valid)
	for k, v := range s.scoreAll(q) {
		out[valid[k]] = v
		s.record(s.best, q, k, v, "de")
	}
	return out
}

// offspring is x + F(best − x) + F(b − c) in a random part of the coordinates.
func (s *search) offspring(r *rand.Rand, genes *points.Set, score []float64) *points.Set {
	n, d := genes.Len(), genes.Dim()
	best := 0
	for i, v := range score {
		if better(v, score[best]) {
			best = i
		}
	}
	out := genes.Clone()
	for i := range n {
		b, c := r.IntN(n), r.IntN(n)
		always := r.IntN(d)
		for k := range d {
			if k != always && r.Float64() >= deCrossover {
				continue
			}
			x := genes.At(k, i)
			v := x + deWeight*(genes.At(k, best)-x) + deWeight*(genes.At(k, b)-genes.At(k, c))
			out.Set(k, i, s.clampGene(k, v), true)
		}
	}
	return out
}

func (s *search) randomGene(r *rand.Rand, c int) float64 {
	if s.layout.numeric[c] {
		return r.Float64()
	}
	return float64(r.IntN(max(1, s.layout.levels[c])))
}

func (s *search) clampGene(c int, v float64) float64 {
	if s.layout.numeric[c] {
		return reflectInto(v, 1)
	}
	return math.Round(reflectInto(v, float64(s.layout.levels[c]-1)))
}
