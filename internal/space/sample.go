package space

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"bohier/internal/lists"
)

// maxTries bounds the draws spent on one configuration that satisfies the constraints.
const maxTries = 20000

// Sample draws n configurations uniformly by rejection: every active parameter uniform on its scale,
// configurations that violate a constraint drawn again. Where few are allowed, walks take its place: hit and run among
// numbers (Smith 1984, doi:10.1287/opre.32.6.1296) and slices among integers (Neal 2003,
// doi:10.1214/aos/1056562461). It fails with an *InfeasibleError.
func (s *Space) Sample(r *rand.Rand, n int) ([]Configuration, error) {
	out := make([]Configuration, n)
	for k := range out {
		c := NewConfiguration(len(s.params))
		if s.narrow() || !s.sampleInto(&c, r) {
			var err error
			if c, err = s.whole().configuration(r); err != nil { // it goes where it is known to work
				return nil, err
			}
		}
		out[k] = c
	}
	return out, nil
}

// sampleInto draws until the constraints hold.
func (s *Space) sampleInto(c *Configuration, r *rand.Rand) bool {
	for range maxTries {
		s.prior(c, r)
		if s.Allows(*c) {
			return true
		}
	}
	return false
}

// prior decides which parameters are active, parents first, and draws those uniformly on their scales.
func (s *hierarchy) prior(c *Configuration, r *rand.Rand) {
	s.assign(c, func(i int) float64 { return s.draw(i, &s.all[i], r.Float64()) })
}

// configuration draws one of a branch that it draws by its probability.
func (p *partition) configuration(r *rand.Rand) (Configuration, error) {
	c, w := NewConfiguration(len(p.s.params)), lists.Of(p.branches, func(b branch) float64 { return max(b.mass, 1e-12) })
	if len(w) == 0 || !p.sample(&c, r, newCategorical(w).draw(r.Float64())) {
		return Configuration{}, p.impossible(r)
	}
	return c, nil
}

// sample draws from a branch until the constraints hold.
func (p *partition) sample(c *Configuration, r *rand.Rand, b int) bool {
	br := &p.branches[b]
	for range maxTries {
		k := &p.cells[br.cells[br.chance.draw(r.Float64())]]
		if k.narrow() {
			p.newWalker(k).next(c, r)
			return true
		}
		if p.fill(c, k, nil, by(r)) {
			return true
		}
	}
	return false
}

// narrow reports whether some part of the space has too few configurations that satisfy
// the constraints to draw them by chance.
func (s *Space) narrow() bool {
	return s.Coupled() && slices.ContainsFunc(s.whole().cells, func(k cell) bool { return k.narrow() })
}

func (s *parameters) describeFixed(a Assignment) string {
	fixed := lists.Where(len(s.params), a.has)
	text := func(i int) string { return s.params[i].Name + "=" + s.FormatValue(i, a[i]) }
	return strings.Join(lists.Of(fixed, text), ", ")
}

// mostAsked bounds the constraints that are decided for a measured share.
const mostAsked = 1 << 22

// FeasibleFraction is the share of n uniform draws that satisfy the constraints, of fewer with very many constraints.
func (s *Space) FeasibleFraction(r *rand.Rand, n int) float64 {
	if !s.Coupled() {
		return 1
	}
	c, ok := NewConfiguration(len(s.params)), 0
	n = min(n, max(int(mostAsked/(1+s.watch().asked(s))), 100))
	for range n {
		s.prior(&c, r)
		if s.Allows(c) {
			ok++
		}
	}
	return float64(ok) / float64(n)
}

// Complete draws the parameters that a leaves open so that all parameters of a are active with the values given and the
// constraints hold. Values must be ones the parameters can take. The error names the obstacle.
func (s *Space) Complete(a Assignment, r *rand.Rand) (Configuration, error) {
	p, err := s.restrict(a)
	if err != nil {
		return Configuration{}, err
	}
	return p.configuration(r)
}

// restrict is the partition with a fixed. Its error names the obstacle.
func (s *Space) restrict(a Assignment) (*partition, error) {
	p, err := s.part(a, probes)
	if !errors.Is(err, errEmpty) {
		return p, err
	}
	if err := s.inactive(a); err != nil {
		return nil, err
	}
	return nil, p.impossible(rand.New(rand.NewPCG(0x5eed, 0xce11)))
}

// part is the partition with a fixed; without configurations the error is errEmpty.
func (s *Space) part(a Assignment, probes int) (p *partition, err error) {
	if len(a) == 0 {
		if p = s.whole(); len(p.branches) == 0 {
			err = errEmpty
		}
		return p, err
	}
	for _, i := range s.depend.Order {
		if v, ok := a[i]; ok {
			if err := s.checkValue(i, v, true); err != nil {
				return nil, err
			}
		}
	}
	return newPartition(s, a, probes)
}

// inactive is the error of a fixed parameter that the other fixed ones make inactive; nil: none is known.
func (s *Space) inactive(a Assignment) error {
	for _, i := range s.depend.Order {
		if _, ok := a[i]; !ok || s.params[i].Condition == nil {
			continue
		}
		rest := Assignment{}
		for _, j := range s.Ancestors(i) {
			if v, ok := a[j]; ok {
				rest[j] = v
			}
		}
		rest[i] = a[i]
		if len(rest) == 1 {
			continue
		}
		p := &partition{s: s, fixed: rest, simple: true}
		sets, blurred := p.split()
		if slices.Contains(blurred, true) {
			continue
		}
		found := func(float64) bool { return false }
		if w := (&tour{s: s, order: p.deciding(sets), sets: sets, fixed: rest, leaf: found}); w.run() {
			delete(rest, i)
			return fmt.Errorf("%s is inactive with %s (%s)", s.params[i].Name, s.describeFixed(rest), s.why(i))
		}
	}
	return nil
}

// MostActive is the largest number of those parameters that are active at once.
func (s *Space) MostActive(of func(i int) bool) int {
	most := 0
	for _, k := range s.whole().cells {
		most = max(most, len(lists.Where(len(s.params), func(i int) bool { return k.active[i] && of(i) })))
	}
	return most
}

// Numeric reports whether parameter i has a unit coordinate.
func (s *parameters) Numeric(i int) bool {
	return s.params[i].IsNumber() && !s.params[i].Discrete
}
