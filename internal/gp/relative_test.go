package gp_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/points"
)

// scaled is a kernel times a constant, which it declares.
type scaled struct {
	kernels.Kernel
	by     float64
	params []kernels.Param
}

// constant is a variance times a constant, given by its logarithm.
func constant(of kernels.Variance, by float64) kernels.Variance {
	return func(theta, dtheta []float64, w float64) float64 {
		if of == nil {
			return by
		}
		return by + of(theta, dtheta, w)
	}
}

func times(k kernels.Kernel, by float64) kernels.Kernel {
	s := &scaled{Kernel: k, by: by}
	for _, p := range k.Params() {
		if p.Variance {
			p.Of = constant(p.Of, math.Log(by))
		}
		s.params = append(s.params, p)
	}
	return s
}

func (s *scaled) Params() []kernels.Param { return s.params }

func (s *scaled) NeedsFlip() bool { return false } // it drops eigenvalues by their size

func (s *scaled) MeanVariance() kernels.Variance {
	return constant(s.Kernel.MeanVariance(), math.Log(s.by))
}

func (s *scaled) Bind(theta []float64, y *points.Set) kernels.Cov {
	return &scaledCov{s.Kernel.Bind(theta, y), s.by}
}

type scaledCov struct {
	kernels.Cov
	by float64
}

func (c *scaledCov) With(y *points.Set) kernels.Cov { return &scaledCov{c.Cov.With(y), c.by} }

func (c *scaledCov) Row(dst []float64, x *points.Set, i, lo int) {
	c.Cov.Row(dst, x, i, lo)
	for t := range dst {
		dst[t] *= c.by
	}
}

func (c *scaledCov) Pull(dx, w []float64, x *points.Set, i, lo int) {
	c.Cov.Pull(dx, c.times(w), x, i, lo)
}

func (c *scaledCov) times(w []float64) []float64 {
	v := make([]float64, len(w))
	for t := range w {
		v[t] = c.by * w[t]
	}
	return v
}

func (c *scaledCov) Gram(dst []float64, stride int, tape *kernels.Tape) {
	c.Cov.Gram(dst, stride, tape)
	copy(dst, c.times(dst))
}

func (c *scaledCov) PullGram(dtheta, w []float64, stride int, tape *kernels.Tape) {
	c.Cov.PullGram(dtheta, c.times(w), stride, tape)
}

// kinds lists every kernel by name, with the combinations that have weights of their own.
func kinds() map[string]kernels.Spec {
	out := map[string]kernels.Spec{}
	for _, name := range kernels.Names() {
		s := kernels.Spec{Name: name, ARD: true}
		switch name {
		case "add", "multiply":
			s.Parts = []kernels.Spec{{Name: "prodlap", ARD: true}, {Name: "add", Parts: []kernels.Spec{
				{Name: "modlap", ARD: true}, {Name: "adddif", ARD: true}, {Name: "linear", ARD: true},
			}}}
		}
		out[name] = s
	}
	out["box combine: sum"] = kernels.Spec{Name: "box", Combine: "sum", ARD: true}
	return out
}

// manyChoices has five choices of twelve values, and two numbers unless there are to be
// choices only: the diagonal of a product over their graphs goes down to 12^−5.
func manyChoices(numbers bool) (coords []kernels.Coord, x *points.Set, y []float64) {
	const n, values = 18, 12
	for c := range 5 {
		coords = append(coords, kernels.Coord{Name: fmt.Sprint("h", c), Levels: values})
	}
	if numbers {
		coords = append(coords, kernels.Coord{Name: "u"}, kernels.Coord{Name: "v"})
	}
	r := rand.New(rand.NewPCG(4, 1))
	x, y = points.New(n, len(coords)), make([]float64, n)
	for i := range n {
		for c, co := range coords {
			v := r.Float64()
			if co.Levels > 0 {
				v = float64(r.IntN(values))
				y[i] += math.Sin(v + float64(c))
			} else {
				y[i] += v
			}
			x.Set(c, i, v, true)
		}
	}
	return coords, x, y
}

func onlyChoices(name string) bool {
	return name == "lap" || name == "dif"
}

// The maximum of the likelihood and of the posterior is the same whatever constant the kernel
// or the values are multiplied by, and on complete graphs, where a unit diagonal changes a
// product by a constant, with `normalize` and without. It is a maximum of all weights: no
// other signal and no other weight is better. BOHIER_SOAK=1 does both with every kernel.
func TestEveryKernelIsFittedOnItsOwnScale(t *testing.T) {
	checked, normalized := 0, 0
	all := kinds()
	for i, name := range slices.Sorted(maps.Keys(all)) {
		spec := all[name]
		coords, x, y := manyChoices(!onlyChoices(spec.Name))
		k, err := kernels.New(spec, coords)
		must(t, err)
		inferences := []string{"mle", "map"}
		if os.Getenv("BOHIER_SOAK") == "" { // by turns
			inferences = inferences[i%2:][:1]
		}
		for _, inference := range inferences {
			fit := func(k kernels.Kernel, y []float64) (lml float64, rep *gp.Report) {
				_, rep, err := gp.Fit(context.Background(), k, x, y,
					gp.Options{Inference: inference, Starts: 2, Evaluations: 400, Seed: 1})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				return rep.LogMarginalLikelihood, rep
			}
			same := func(what string, got, want float64) {
				if checked++; !(math.Abs(got-want) <= 0.01) {
					t.Errorf("%s, %s: %s, the maximum is at a likelihood of %v in place of %v", name, inference, what, got, want)
				}
			}
			lml, rep := fit(k, y)
			for _, w := range rep.Warnings {
				if strings.HasPrefix(w, "signal") ||
					strings.Contains(w, "weight") && strings.Contains(w, "upper") && !strings.HasPrefix(w, "2.") {
					t.Errorf("%s, %s: %s", name, inference, w)
				}
			}
			factors := []float64{1e-9, 1e7}
			if os.Getenv("BOHIER_SOAK") == "" {
				factors = factors[i/2%2:][:1]
			}
			for _, by := range factors {
				got, _ := fit(times(k, by), y)
				same(fmt.Sprintf("times %g", by), got, lml)
			}
			more := make([]float64, len(y))
			for i := range y {
				more[i] = 1e6 * y[i]
			}
			got, _ := fit(k, more)
			same("of values a million times as large", got+float64(len(y))*math.Log(1e6), lml)
			unit := spec
			unit.Normalize = true
			if n, err := kernels.New(unit, coords); err == nil {
				normalized++
				got, _ := fit(n, y)
				same("with normalize", got, lml)
			}
		}
	}
	if checked < 2*len(all) || normalized < 10 {
		t.Errorf("only %d fits compared, %d with normalize", checked, normalized)
	}
}
