package space

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A design's points are valid, and none depends on how many are asked for.
func TestDesignPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t, rapid.Bool().Draw(t, "constrained"))
		sampled(t, s, drawRand(t), 1) // skip infeasible ones
		kind := rapid.SampledFrom(Designs()).Draw(t, "kind")
		seed := rapid.Uint64().Draw(t, "seed")
		long, err := designed(s, kind, 8, seed)
		var none *InfeasibleError
		if errors.As(err, &none) && none.Feasible < 1e-3 {
			t.Skip("hardly anything satisfies the constraints")
		}
		must(t, err)
		n := rapid.IntRange(0, 8).Draw(t, "n")
		short, err := designed(s, kind, n, seed)
		must(t, err)
		for k, c := range short {
			if !c.Equal(long[k]) {
				t.Fatalf("point %d changes", k)
			}
		}
		for k, c := range long {
			must(t, s.Validate(c))
			if one, err := s.DesignPoint(kind, seed, k); err != nil || !one.Equal(c) {
				t.Fatalf("point %d alone differs: %v", k, err)
			}
		}
	})
}

// Every branch gets within one of its share of turns.
func TestDesignVisitsBranches(t *testing.T) {
	s := fixture(t, "cash")
	p := s.whole()
	shares := newApportionment(weights(p.branches))
	for _, n := range []int{8, 24, 100} {
		cs, err := designed(s, "halton", n, 3)
		must(t, err)
		for b, branch := range p.branches {
			got := 0.0
			for _, c := range cs {
				if slices.Equal(c.Active, branch.active) {
					got++
				}
			}
			if !(math.Abs(got-shares[b]*float64(n)) <= 1) {
				t.Errorf("n=%d: branch %d has %v points, share %v", n, b, got, shares[b]*float64(n))
			}
		}
	}
}

// Values of a choice, and ints of two values, come in balanced permutations: every 12
// points hold each of 2, 3 and 4 values equally often.
func TestDesignBalancesChoices(t *testing.T) {
	s, err := New([]Parameter{
		{Name: "a", Kind: Categorical, Values: []string{"p", "q", "r"}},
		{Name: "b", Kind: Ordinal, Values: []string{"1", "2", "3", "4"}},
		{Name: "c", Kind: Bool, Values: []string{"false", "true"}},
		{Name: "d", Kind: Int, Low: 5, High: 10, Discrete: true},
		{Name: "e", Kind: Int, Low: 0, High: 1},
		{Name: "f", Kind: Int, Low: 1, High: 150, Step: 100, Scale: Log},
		{Name: "x", Kind: Float, Low: 0, High: 1},
	}, nil, nil)
	must(t, err)
	for _, kind := range []string{"halton", "sobol"} {
		cs, err := designed(s, kind, 120, 9)
		must(t, err)
		pairs := map[[2]float64]int{}
		for i, m := range []int{3, 4, 2, 6, 2, 2} {
			for block := 0; block < 120; block += 12 {
				count := map[float64]int{}
				for _, c := range cs[block : block+12] {
					count[c.Value[i]]++
				}
				for v, n := range count {
					if n != 12/m {
						t.Errorf("%s: %s takes %v %d times in 12", kind, s.Param(i).Name, v, n)
					}
				}
			}
		}
		for _, c := range cs {
			pairs[[2]float64{c.Value[0], c.Value[1]}]++
		}
		if len(pairs) != 12 { // independent permutations: no pair is left out
			t.Errorf("%s: %d of 12 pairs of values", kind, len(pairs))
		}
	}
}

// Digital sequences put one of every 2^m consecutive aligned points in each of
// the 2^m strata, and halton one of every base^m.
func TestSequencesStratify(t *testing.T) {
	checked := 0
	strata := func(name string, seq sequence, dim int, from, n uint64) {
		seen := make([]bool, n)
		for k := from; k < from+n; k++ {
			u := seq(77, dim, k)
			if u < 0 || u >= 1 {
				t.Fatalf("%s: %v", name, u)
			}
			cell := int(u * float64(n))
			if seen[cell] {
				t.Errorf("%s dimension %d: two of points %d…%d in stratum %d", name, dim, from, from+n-1, cell)
				return
			}
			seen[cell] = true
		}
		checked++
	}
	for dim := range len(joeKuo) {
		for _, n := range []uint64{1, 2, 8, 64, 1024} {
			strata("sobol", sobol, dim, 0, n)
			strata("sobol", sobol, dim, 3*n, n)
		}
	}
	for dim := range 12 {
		b := primes()[dim]
		strata("halton", halton, dim, 0, b)
		strata("halton", halton, dim, 5*b*b, b*b)
	}
	if checked != 21*10+12*2 {
		t.Errorf("%d checks", checked)
	}
}

// The polynomials are primitive modulo two, so x has order 2^degree − 1 modulo
// each, and direction numbers are odd and small enough: typing errors show.
func TestDirectionNumbers(t *testing.T) {
	seen := map[[2]uint32]bool{}
	for dim, d := range joeKuo[1:] {
		if len(d.m) != int(d.degree) || seen[[2]uint32{d.degree, d.poly}] {
			t.Errorf("dimension %d: %v", dim+1, d)
		}
		seen[[2]uint32{d.degree, d.poly}] = true
		for k, m := range d.m {
			if m%2 == 0 || m >= 2<<k {
				t.Errorf("dimension %d: m_%d = %d", dim+1, k+1, m)
			}
		}
		// x^s + a_1 x^(s−1) + … + 1 with the inner coefficients in poly.
		full := 1<<d.degree | d.poly<<1 | 1
		x, order := uint32(1), 0
		for {
			if x <<= 1; x>>d.degree&1 == 1 {
				x ^= full
			}
			order++
			if x == 1 || order > 1<<d.degree {
				break
			}
		}
		if order != 1<<d.degree-1 {
			t.Errorf("dimension %d: order %d", dim+1, order)
		}
	}
	// m_4 and m_5 of the two polynomials of degree 3, by hand.
	for dim, want := range map[int][2]uint32{3: {5, 31}, 4: {11, 31}} {
		if v := directions(dim); v[3]>>28 != want[0] || v[4]>>27 != want[1] {
			t.Errorf("dimension %d: %d and %d, want %v", dim, v[3]>>28, v[4]>>27, want)
		}
	}
}

// Spread: the two-dimensional star discrepancy of 128 points is well below that of random points, whose mean over seeds
// is about 0.10; the sequences measure 0.02 to 0.04 over 20 seeds.
func TestDesignsSpread(t *testing.T) {
	worst := map[string]float64{}
	for _, kind := range []string{"halton", "sobol"} {
		for seed := range uint64(20) {
			var pts [][2]float64
			for k := range uint64(128) {
				pts = append(pts, [2]float64{sequences[kind](seed, 0, k), sequences[kind](seed, 3, k)})
			}
			worst[kind] = max(worst[kind], discrepancy(pts))
		}
		if worst[kind] > 0.06 {
			t.Errorf("%s: discrepancy %v", kind, worst[kind])
		}
	}
}

func discrepancy(pts [][2]float64) float64 {
	d := 0.0
	for _, a := range pts {
		for _, b := range pts {
			in, on := 0.0, 0.0
			for _, p := range pts {
				if p[0] < a[0] && p[1] < b[1] {
					in++
				}
				if p[0] <= a[0] && p[1] <= b[1] {
					on++
				}
			}
			n := float64(len(pts))
			d = max(d, a[0]*b[1]-in/n, on/n-a[0]*b[1])
		}
	}
	return d
}

func TestPermute(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 7, 256, 257, 1000, 4096} {
		seen := make([]bool, n)
		for i := range n {
			if v := permute(i, n, 42); seen[v] {
				t.Fatalf("of %d numbers %d comes twice", n, v)
			} else {
				seen[v] = true
			}
		}
	}
}

func TestPrime(t *testing.T) {
	for dim, want := range map[int]uint64{0: 2, 1: 3, 2: 5, 3: 7, 99: 541, 999: 7919} {
		if primes()[dim] != want {
			t.Errorf("prime %d is %d, want %d", dim, primes()[dim], want)
		}
	}
}

// Turns are dealt without gaps, and after n turns every holder has had its share of them within one.
func TestRota(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SliceOfN(rapid.SampledFrom([]float64{1, 1, 2, math.Sqrt2, 0.1, 30}), 1, 9).Draw(t, "weights")
		rt := newApportionment(w)
		if h, _ := rt.seat(0); rt[h] != slices.Max(rt) {
			t.Fatalf("the first turn goes to share %v of %v", rt[h], rt)
		}
		had := make([]int, len(w))
		for k := range 60 {
			h, nth := rt.seat(k)
			if nth != had[h] {
				t.Fatalf("turn %d: number %d of holder %d, who had %d", k, nth, h, had[h])
			}
			had[h]++
			for h := range had {
				if !(math.Abs(float64(had[h])-rt[h]*float64(k+1)) <= float64(len(w))) {
					t.Fatalf("after %d turns %v, shares %v", k+1, had, rt)
				}
			}
		}
		sum := 0
		for _, n := range rt.systematicCounts(rand.New(rand.NewPCG(1, 2)), 50) {
			sum += n
		}
		if sum != 50 {
			t.Fatalf("%d dealt", sum)
		}
	})
}

// Points of the design uniform are independent: in 400 of them each half of a range and
// each pair of halves holds about its share, and no more evenly than chance has it.
func TestUniformDesign(t *testing.T) {
	s, err := New([]Parameter{{Name: "x", Kind: Float, High: 1}, {Name: "y", Kind: Float, High: 1}}, nil, nil)
	must(t, err)
	spread := 0.0
	for seed := range uint64(40) {
		cs, err := designed(s, "uniform", 400, seed)
		must(t, err)
		count := 0
		for _, c := range cs {
			if c.Value[0] < 0.5 && c.Value[1] < 0.5 {
				count++
			}
		}
		spread += float64((count-100)*(count-100)) / 40
	}
	if spread < 75.0/2 || spread > 75*2 { // the binomial variance is 75
		t.Errorf("the number of points in a quarter has variance %v, want about 75", spread)
	}
}

// A party is drawn with the probability that its share is of the sum.
func TestCategorical(t *testing.T) {
	p := newCategorical([]float64{1, 0, 2, 1})
	for u, want := range map[float64]int{0: 0, 0.24: 0, 0.25: 2, 0.74: 2, 0.75: 3, 0.99: 3} {
		if got := p.draw(u); got != want {
			t.Errorf("%v draws %d, want %d", u, got, want)
		}
	}
}

// designed returns the n points of a design.
func designed(s *Space, kind string, n int, seed uint64) ([]Configuration, error) {
	out := make([]Configuration, n)
	for k := range out {
		var err error
		if out[k], err = s.DesignPoint(kind, seed, k); err != nil {
			return nil, err
		}
	}
	return out, nil
}
