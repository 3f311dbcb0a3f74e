package space

import (
	"math/bits"
	"math/rand/v2"
)

// A sequence is the kind of points a design spreads over [0, 1): coordinate dim
// of point k under a key. Any point can be computed alone.
type sequence func(key uint64, dim int, k uint64) float64

// sequences by the name in a study file.
var sequences = map[string]sequence{
	"halton": halton,
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
	base := prime(dim)
	v, scale := 0.0, 1/float64(base)
	for pos := uint64(0); 1-scale < 1; pos++ {
		v += scale * float64(permute(k%base, base, mix(key, uint64(dim), pos)))
		k /= base
		scale /= float64(base)
	}
	return min(v, 1-0x1p-53)
}

// prime is the dim-th prime, 2 for dim 0.
func prime(dim int) uint64 {
	if dim < len(primes) {
		return primes[dim]
	}
	p := primes[len(primes)-1]
	for n := len(primes) - 1; n < dim; {
		p += 2
		isPrime := true
		for d := uint64(3); d*d <= p && isPrime; d += 2 {
			isPrime = p%d != 0
		}
		if isPrime {
			n++
		}
	}
	return p
}

var primes = [...]uint64{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59,
	61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151}

// seeded is a generator for everything that follows from the words.
func seeded(words ...uint64) *rand.Rand {
	return rand.New(rand.NewPCG(mix(words...), mix(append(words, 1)...)))
}
