package problems

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A Family is a kind of problem: KIND_N names its problem of seed N. Families ask what a
// list of known functions does not: which kinds of objective an optimizer fails on.
type Family struct {
	Name string
	// Held families, and the even seeds of all, are held out: no default is chosen on them.
	Held  bool
	build func(r *rand.Rand) *Problem
}

// Families lists the kinds of problem, group by group.
func Families() []Family {
	return slices.Concat(fewMatter, smooth, scales, levels, choices, fronts)
}

// Chosen reports whether defaults may be chosen on the problem of a seed.
func (f Family) Chosen(seed uint64) bool { return !f.Held && seed%2 == 1 }

// Problem is the problem of a seed.
func (f Family) Problem(seed uint64) *Problem {
	h := uint64(14695981039346656037) // FNV-1a of the name
	for _, b := range []byte(f.Name) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	p := f.build(rand.New(rand.NewPCG(seed, h)))
	p.Name = fmt.Sprintf("%s_%d", f.Name, seed)
	p.Budget, p.Optimum.Kind = 80, cmp.Or(p.Optimum.Kind, "exact")
	p.Tags = append(p.Tags, "family")
	return p
}

// FamilyOf finds the kind and the seed of a problem by its name.
func FamilyOf(problem string) (f Family, seed uint64, ok bool) {
	kind, digits, ok := strings.Cut(problem, "_")
	seed, err := strconv.ParseUint(digits, 10, 64)
	i := slices.IndexFunc(Families(), func(f Family) bool { return f.Name == kind })
	if !ok || err != nil || i < 0 {
		return f, 0, false
	}
	return Families()[i], seed, true
}

// Kinds are the names of the problems of a seed: of all families, of those chosen on, of those
// held out, or of the named ones, separated by commas.
func Kinds(which string, seed uint64) ([]string, error) {
	var names []string
	asked := strings.Split(which, ",")
	for _, f := range Families() {
		i := slices.Index(asked, f.Name)
		if i >= 0 {
			asked = slices.Delete(asked, i, i+1)
		}
		if i >= 0 || which == "all" || which == "chosen" && f.Chosen(seed) || which == "held" && !f.Chosen(seed) {
			names = append(names, fmt.Sprintf("%s_%d", f.Name, seed))
		}
	}
	if len(asked) > 0 && which != "all" && which != "chosen" && which != "held" {
		return nil, fmt.Errorf("no kind of problem is called %q; there are all, chosen, held and %s", asked[0], familyNames())
	}
	return names, nil
}

func familyNames() string {
	var names []string
	for _, f := range Families() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// made is the problem of a function of plain numbers, in the order of params: the unit
// coordinate of a Float or an Int, the index of a choice. Its least value is that at best.
func made(note string, params []Param, best []float64, f func(u []float64) float64) *Problem {
	p := &Problem{Params: params, Note: note, Optimum: Optimum{At: at{}}}
	p.f = func(x Point) (float64, error) {
		u := make([]float64, len(params))
		for i := range params {
			u[i] = params[i].plain(x[params[i].Name])
		}
		return f(u), nil
	}
	if best == nil {
		return p
	}
	point := Point{}
	for i := range params {
		q := &params[i]
		switch q.Kind {
		case Float:
			point[q.Name] = q.From(best[i])
		case Int:
			point[q.Name] = math.Round(q.From(best[i]))
		default:
			point[q.Name] = best[i]
		}
	}
	p.Optimum.Value, _ = p.f(point) // made of what cannot fail
	p.Optimum.At = p.Values(point)
	return p
}

// plain is the unit coordinate of a number, or the index of a choice.
func (q *Param) plain(v float64) float64 {
	if q.Kind == Float || q.Kind == Int {
		return unit(q, v)
	}
	return v
}

// reals are n numbers with ranges of their own.
func reals(r *rand.Rand, n int) []Param {
	params := make([]Param, n)
	for i := range params {
		low, width := 0.0, 1.0
		if r.IntN(2) == 0 {
			low, width = math.Round(-10*r.Float64()), math.Round(1+20*r.Float64())
		}
		params[i] = float(indexed("x", i), low, low+width)
	}
	return params
}

// bools are n parameters of two choices.
func bools(n int) []Param {
	params := make([]Param, n)
	for i := range params {
		params[i] = Param{Name: indexed("b", i), Kind: Bool, Choices: []string{"false", "true"}}
	}
	return params
}

// nominals are n parameters of k choices.
func nominals(n, k int) []Param {
	params := make([]Param, n)
	for i := range params {
		params[i] = categorical(indexed("c", i), digits(k))
	}
	return params
}

// inside draws n unit coordinates, none nearer to an edge than margin.
func inside(r *rand.Rand, n int, margin float64) []float64 {
	u := make([]float64, n)
	for i := range u {
		u[i] = margin + (1-2*margin)*r.Float64()
	}
	return u
}

// minus is a − b.
func minus(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return d
}

// rotation is an orthogonal matrix by rows, from Gram and Schmidt of normal numbers.
func rotation(r *rand.Rand, n int) [][]float64 {
	q := make([][]float64, n)
	for i := range q {
		q[i] = make([]float64, n)
		for j := range q[i] {
			q[i][j] = r.NormFloat64()
		}
		for _, other := range append(slices.Clone(q[:i]), nil) {
			dot := 0.0
			for j := range other {
				dot += other[j] * q[i][j]
			}
			for j := range other {
				q[i][j] -= dot * other[j]
			}
		}
		norm := 0.0
		for _, v := range q[i] {
			norm += v * v
		}
		for j := range q[i] {
			q[i][j] /= math.Sqrt(norm)
		}
	}
	return q
}

// turned is the matrix times v.
func turned(m [][]float64, v []float64) []float64 {
	out := make([]float64, len(m))
	for i, row := range m {
		for j, a := range row {
			out[i] += a * v[j]
		}
	}
	return out
}
