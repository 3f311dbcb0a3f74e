package space

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"
)

// A sequence is the kind of points a design spreads over [0, 1): coordinate dim
// of point k under a key. Any point can be computed alone.
type sequence func(key uint64, dim int, k uint64) float64

// sequences by the name in a study file.
var sequences = map[string]sequence{
	"halton": halton,
	"sobol":  sobol,
	"random": func(key uint64, dim int, k uint64) float64 { return unitOf(mix(key, uint64(dim), k)) },
}

// mix hashes words into one (the finaliser of SplitMix64, Steele et al. 2014).
func mix(words ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range words {
		h += w + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// unitOf maps 64 random bits to [0, 1).
func unitOf(h uint64) float64 { return float64(h>>11) * 0x1p-53 }

// permute is element i of a permutation of 0…n−1 chosen by key: a shuffle while
// n is small, a Feistel network on the next power of four above that.
func permute(i, n, key uint64) uint64 {
	if n <= 256 {
		return shuffled(int(i), int(n), key)
	}
	half := (bits.Len64(n-1) + 1) / 2
	mask := uint64(1)<<half - 1
	for {
		a, b := i>>half, i&mask
		for round := range uint64(6) {
			a, b = b, a^(mix(key, round, b)&mask)
		}
		if i = a<<half | b; i < n {
			return i
		}
	}
}

func shuffled(i, n int, key uint64) uint64 {
	var p [256]uint8
	for k := range n {
		p[k] = uint8(k)
	}
	h := key
	for k := n - 1; k > 0; k-- {
		h = mix(h)
		j, _ := bits.Mul64(h, uint64(k+1))
		p[k], p[j] = p[j], p[k]
	}
	return uint64(p[i])
}

// halton is the randomised van der Corput sequence of the dim-th prime base:
// digit by digit a random permutation (Owen 2017, arXiv 1706.02808).
func halton(key uint64, dim int, k uint64) float64 {
	base := primes()[dim]
	v, scale := 0.0, 1/float64(base)
	for pos := uint64(0); 1-scale < 1; pos++ {
		v += scale * float64(permute(k%base, base, mix(key, uint64(dim), pos)))
		k /= base
		scale /= float64(base)
	}
	return min(v, 1-0x1p-53)
}

// primes are as many as a space has parameters at most (sieve of Eratosthenes).
var primes = sync.OnceValue(func() (list []uint64) {
	var composite [7920]bool // the prime number MaxParams is 7919
	for p := 2; len(list) < MaxParams; p++ {
		if composite[p] {
			continue
		}
		list = append(list, uint64(p))
		for n := p * p; n < len(composite); n += p {
			composite[n] = true
		}
	}
	return list
})

// sobol is the Sobol sequence with the direction numbers of Joe & Kuo (2008) and Owen scrambling by hashing (Laine &
// Karras 2011; Burley 2020). From dimension 21 on the randomised Halton sequence stands in.
func sobol(key uint64, dim int, k uint64) float64 {
	if dim >= len(joeKuo) || k > math.MaxUint32 {
		return halton(key, dim, k)
	}
	var x uint32
	v := directions(dim)
	for b := range 32 {
		if k>>b&1 == 1 {
			x ^= v[b]
		}
	}
	seed := uint32(mix(key, uint64(dim)))
	y := bits.Reverse32(x) + seed
	y ^= y * 0x6c50b47c
	y ^= y * 0xb82f1e52
	y ^= y * 0xc7afe638
	y ^= y * 0x8d22f6e6
	low := mix(key, uint64(dim), k) >> 43 // fills the bits below the sequence's
	return float64(uint64(bits.Reverse32(y))<<21|low) * 0x1p-53
}

// joeKuo holds degree and coefficients of a primitive polynomial and the initial direction numbers m per dimension
// (new-joe-kuo-6, S. Joe and F. Y. Kuo, SIAM J. Sci. Comput. 30, 2008).
var joeKuo = [...]struct {
	degree, poly uint32
	m            []uint32
}{
	{0, 0, nil},
	{1, 0, []uint32{1}},
	{2, 1, []uint32{1, 3}},
	{3, 1, []uint32{1, 3, 1}},
	{3, 2, []uint32{1, 1, 1}},
	{4, 1, []uint32{1, 1, 3, 3}},
	{4, 4, []uint32{1, 3, 5, 13}},
	{5, 2, []uint32{1, 1, 5, 5, 17}},
	{5, 4, []uint32{1, 1, 5, 5, 5}},
	{5, 7, []uint32{1, 1, 7, 11, 19}},
	{5, 11, []uint32{1, 1, 5, 1, 1}},
	{5, 13, []uint32{1, 1, 1, 3, 11}},
	{5, 14, []uint32{1, 3, 5, 5, 31}},
	{6, 1, []uint32{1, 3, 3, 9, 7, 49}},
	{6, 13, []uint32{1, 1, 1, 15, 21, 21}},
	{6, 16, []uint32{1, 3, 1, 13, 27, 49}},
	{6, 19, []uint32{1, 1, 1, 15, 7, 5}},
	{6, 22, []uint32{1, 3, 1, 15, 13, 25}},
	{6, 25, []uint32{1, 1, 5, 5, 19, 61}},
	{7, 1, []uint32{1, 3, 7, 11, 23, 15, 103}},
	{7, 4, []uint32{1, 3, 7, 13, 13, 15, 69}},
}

// directions are the 32 direction numbers of a dimension.
func directions(dim int) (v [32]uint32) {
	if dim == 0 {
		for b := range v {
			v[b] = 1 << (31 - b)
		}
		return v
	}
	d := joeKuo[dim]
	s := int(d.degree)
	for b := range v {
		if b < s {
			v[b] = d.m[b] << (31 - b)
			continue
		}
		v[b] = v[b-s] ^ v[b-s]>>s
		for j := 1; j < s; j++ {
			if d.poly>>(s-1-j)&1 == 1 {
				v[b] ^= v[b-j]
			}
		}
	}
	return v
}

// seeded is a generator for everything that follows from the words.
func seeded(words ...uint64) *rand.Rand {
	return rand.New(rand.NewPCG(mix(words...), mix(append(words, 1)...)))
}
