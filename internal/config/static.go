package config

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bohier/internal/space"
)

// static checks what can be known of conditions without running anything:
// cycles, parameters that are never active, conditions that always hold. All
// conditions are bound.
func (l *loader) static() {
	if !l.sortParents() {
		return
	}
	for _, i := range l.depend.Order {
		d := &l.decls[i]
		if d.param.Condition == nil {
			continue
		}
		can, must := l.outcomes(i)
		switch {
		case !can && l.draft:
			l.never = append(l.never, i)
		case !can:
			l.errorf(d.condition, "loosen the condition or remove the parameter", "%s can never be active", d.name)
		case must && l.draft:
			l.always = append(l.always, i)
		case must:
			l.warnf(d.condition, "remove active_if, or check the values", "this condition always holds")
		}
	}
}

// sortParents finds what the conditions depend on. A cycle is reported with all its
// lines.
func (l *loader) sortParents() bool {
	conditions := make([]space.Expr, len(l.decls))
	for i := range l.decls {
		conditions[i] = l.decls[i].param.Condition
	}
	var cycle []int
	if l.depend, cycle = space.Depend(conditions); cycle != nil {
		l.cycle(cycle)
	}
	return cycle == nil
}

func (l *loader) cycle(params []int) {
	first := &l.decls[params[0]]
	if len(params) == 1 {
		l.errorf(first.condition, "", "the condition of %s depends on %s itself", first.name, first.name)
		return
	}
	var b strings.Builder
	for _, i := range params {
		fmt.Fprintf(&b, "%s (line %d) → ", l.decls[i].name, l.decls[i].condition.Line)
	}
	l.errorf(first.condition, "one of these conditions must go", "conditions depend on each other: %s%s", b.String(), first.name)
}

// maxCases is how many combinations outcomes tries for one parameter, and
// maxTried for all of them.
const (
	maxCases = 20000
	maxTried = 500000
)

// outcomes reports whether parameter i can be active and whether it must be. It
// tries every combination of cases of its ancestors: all values of a choice, and
// for a number the bounds and the values at and around each number it is
// compared with. Where a condition compares parameters with each other, or there
// are too many combinations, it knows nothing: can and not must.
func (l *loader) outcomes(i int) (can, must bool) {
	ancestors := l.ancestors(i)
	cases := make([][]float64, len(ancestors))
	total := 1
	for k, a := range ancestors {
		var thresholds []float64
		for _, b := range append(ancestors[:len(ancestors):len(ancestors)], i) {
			if !collect(l.decls[b].param.Condition, a, &thresholds) {
				return true, false
			}
		}
		cases[k] = casesOf(&l.decls[a].param, thresholds)
		if total *= len(cases[k]); total > maxCases {
			return true, false
		}
	}
	c := space.NewConfiguration(len(l.decls))
	must = true
	for n := range total {
		if l.tried++; l.tried > maxTried {
			return true, false
		}
		for k, a := range ancestors { // parents first
			e := l.decls[a].param.Condition
			c.Active[a] = e == nil || e.Eval(c) == space.True
			c.Value[a] = cases[k][n%len(cases[k])]
			n /= len(cases[k])
		}
		if l.decls[i].param.Condition.Eval(c) == space.True {
			can = true
		} else {
			must = false
		}
		if can && !must {
			break
		}
	}
	return can, must
}

// ancestors lists what the condition of i depends on, parents first.
func (l *loader) ancestors(i int) []int {
	return slices.DeleteFunc(slices.Clone(l.depend.Order), func(k int) bool {
		_, in := slices.BinarySearch(l.depend.Ancestors[i], k)
		return !in
	})
}

// collect appends the numbers parameter a is compared with in e; false when e
// compares it with anything but a number.
func collect(e space.Expr, a int, out *[]float64) bool {
	switch e := e.(type) {
	case space.And:
		return !slices.ContainsFunc(e, func(x space.Expr) bool { return !collect(x, a, out) })
	case space.Or:
		return !slices.ContainsFunc(e, func(x space.Expr) bool { return !collect(x, a, out) })
	case space.Not:
		return collect(e.X, a, out)
	case space.In:
		if e.Param == a {
			*out = append(*out, e.Values...)
		}
	case space.Compare:
		left, lok := e.Left.(space.Ref)
		right, rok := e.Right.(space.Ref)
		lc, lnum := e.Left.(space.Const)
		rc, rnum := e.Right.(space.Const)
		switch {
		case lok && rnum:
			if left.Param == a {
				*out = append(*out, float64(rc))
			}
		case rok && lnum:
			if right.Param == a {
				*out = append(*out, float64(lc))
			}
		default:
			return false
		}
	}
	return true
}

// casesOf lists values of a parameter so that every comparison with one of the
// thresholds comes out each way it can: the bounds, each threshold, and what
// lies just above it (what lies below is just above the next one, or a bound).
func casesOf(p *space.Parameter, thresholds []float64) []float64 {
	if p.Kind == space.Constant {
		return []float64{0}
	}
	if p.Choice() {
		out := make([]float64, len(p.Values))
		for i := range out {
			out[i] = float64(i)
		}
		return out
	}
	out := []float64{p.Low, p.High}
	round := func(v float64) float64 { return v }
	if p.Kind == space.Float && p.Step > 0 && len(thresholds) > 0 {
		if s, err := alone(p); err == nil {
			round = func(v float64) float64 { return s.Round(0, v) }
		}
	}
	add := func(v float64) {
		if v = round(v); v >= p.Low && v <= p.High {
			out = append(out, v)
		}
	}
	for _, t := range thresholds {
		switch step := p.Step; {
		case step == 0 && p.Kind == space.Int:
			step = 1
			fallthrough
		case step > 0:
			k := (t - p.Low) / step
			for _, v := range []float64{math.Floor(k) - 1, math.Floor(k), math.Ceil(k), math.Ceil(k) + 1} {
				add(p.Low + v*step)
			}
		default:
			add(t)
			add(math.Nextafter(t, math.Inf(1)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
