package kernels_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"bohier/internal/kernels"
)

type variant struct {
	spec  kernels.Spec
	kinds Kinds
	opt   Options
}

var mixedKinds = Kinds{Numeric: true, Discrete: true}

// nested are lists of parts: with bases and coordinates of their own, sums in products
// and products in sums, and parts that are sums themselves.
func nested() [][]kernels.Spec {
	return [][]kernels.Spec{
		{{Name: "matern32", ARD: true, Over: []string{"p0"}}, {Name: "multiply", Parts: []kernels.Spec{
			{Name: "se", ARD: true, Over: []string{"p1"}},
			{Name: "add", Parts: []kernels.Spec{{Name: "linear", ARD: true}, {Name: "imp", Base: "rq", ARD: true}}},
		}}},
		{{Name: "add", Parts: []kernels.Spec{{Name: "modlap", ARD: true, Normalize: true},
			{Name: "box", Base: "matern32", ARD: true}}}, {Name: "arc", Combine: "sum"}},
		{{Name: "lap", ARD: true, Over: []string{"p0"}}, {Name: "mix", ARD: true}, {Name: "addlap"},
			{Name: "hmodlap"}},
	}
}

// distances are those that a parameter may have.
func distances() []string { return append(kernels.Embeddings(), "ico") }

// variants lists every kernel by name with every option that applies to it.
func variants() []variant {
	var out []variant
	add := func(s kernels.Spec, k Kinds, o Options) {
		for _, cond := range []bool{false, true} {
			k.Conditional = cond
			out = append(out, variant{s, k, o})
		}
	}
	for _, name := range kernels.Names() {
		o := Options{Indefinite: name == "ico" || name == "icocor"}
		switch name {
		case "lap", "dif":
			add(kernels.Spec{Name: name, ARD: true}, Kinds{Discrete: true}, o)
			add(kernels.Spec{Name: name, ARD: true, Normalize: true}, Kinds{Discrete: true}, o)
			continue
		case "add", "multiply":
			for _, parts := range nested() {
				add(kernels.Spec{Name: name, Parts: parts}, mixedKinds, o)
			}
			add(kernels.Spec{Name: name, Parts: nested()[0], Warp: true}, mixedKinds, o)
			continue
		}
		for _, ard := range []bool{false, true} {
			add(kernels.Spec{Name: name, ARD: ard}, mixedKinds, o)
		}
		add(kernels.Spec{Name: name, ARD: true, Warp: true}, mixedKinds, o)
		add(kernels.Spec{Name: name, ARD: true}, Kinds{Numeric: true}, o)
		add(kernels.Spec{Name: name, ARD: true}, Kinds{Discrete: true}, o)
	}
	for _, name := range distances() {
		o := Options{Indefinite: name == "ico"}
		for _, base := range kernels.Bases() {
			for _, combine := range []string{"joint", "product", "sum"} {
				s := kernels.Spec{Name: name, Base: base, Combine: combine, AlwaysActive: "same", ARD: true}
				add(s, mixedKinds, o)
			}
		}
	}
	add(kernels.Spec{Name: "arc", Weights: "ancestors", ARD: true}, mixedKinds, Options{})
	add(kernels.Spec{Name: "const", Constant: -1, ARD: true}, mixedKinds, Options{})
	for _, e := range kernels.Embeddings() {
		for _, name := range []string{"hmodlap", "moddif", "modkernel", "prodlap", "adddif", "mix"} {
			add(kernels.Spec{Name: name, Embedding: e, ARD: true, Constant: -1}, mixedKinds, Options{})
		}
	}
	for _, name := range []string{"modlap", "hmodlap", "moddif", "modkernel", "prodlap", "addlap", "mix"} {
		add(kernels.Spec{Name: name, Normalize: true, ARD: true}, mixedKinds, Options{})
	}
	for _, base := range kernels.Bases() {
		add(kernels.Spec{Name: "modkernel", Base: base, ARD: true}, mixedKinds, Options{})
		add(kernels.Spec{Name: "mix", Base: base, ARD: true}, mixedKinds, Options{})
	}
	return out
}

func (v variant) String() string {
	s := v.spec
	out := s.Name
	for _, o := range []string{s.Base, s.Combine, s.AlwaysActive, s.Weights, s.Embedding} {
		if o != "" {
			out += "/" + o
		}
	}
	if len(s.Parts) > 0 {
		out = s.Name + " " + s.String()
	}
	return fmt.Sprintf("%s%v", out, v.kinds)
}

// TestContract checks every variant on two random spaces, which together have
// something to check of every property; BOHIER_SOAK=1 takes six.
func TestContract(t *testing.T) {
	seeds := []uint64{1, 5}
	if os.Getenv("BOHIER_SOAK") != "" {
		seeds = []uint64{0, 1, 2, 3, 4, 5}
	}
	all := variants()
	if len(all) < 300 {
		t.Fatalf("only %d variants", len(all))
	}
	for _, v := range all {
		t.Run(v.String(), func(t *testing.T) {
			var sum Counts
			for _, seed := range seeds {
				r := rand.New(rand.NewPCG(seed, 1))
				s := RandomSpace(r, v.kinds)
				k := mustKernel(t, v.spec, s.Coords)
				sum.Add(Contract(t, r, k, s, 10, v.opt))
				theta := Theta(r, k.Params())
				if n := Allocations(k, theta, s.Points(r, 12)); n != 0 {
					t.Errorf("%v allocations per row and pullback", n)
				}
				if t.Failed() {
					t.Fatalf("seed %d, coordinates %+v", seed, s.Coords)
				}
			}
			if v.opt.Indefinite {
				sum.Definite++
			}
			sum.Checked(t, v.kinds.Numeric, v.kinds.Conditional)
		})
	}
}
