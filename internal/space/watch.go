package space

import (
	"iter"
	"slices"

	"bohier/internal/lists"
)

// A watch finds which of some constraints a configuration violates, by their place. Many are violated by configurations
// with one value of a parameter alone, as {lr: 1, depth: 3} is, so that few of very many have to be decided.
type watch struct {
	params []int                   // parameters with such values
	by     []map[float64][]watched // their raw values → constraints, ascending
	held   []int                   // constraints of all values
	rest   []watched               // constraints without such a value, ascending
}

// A watched constraint is violated by configurations with one value of another parameter alone.
type watched struct {
	n     int
	other *anchor // nil: there is none
}

// An anchor is a parameter with the only raw value at which a condition can have a truth value.
type anchor struct {
	param int
	value float64
}

// newWatch watches the constraints at ascending places.
func (s *Space) newWatch(places []int) *watch {
	w := &watch{}
	for _, n := range places {
		all := anchors(s.constraints[n].Expr, s.constraints[n].bad)
		x := watched{n: n}
		if len(all) == 0 {
			w.rest = append(w.rest, x)
			continue
		}
		least, value := -1, 0.0
		for _, a := range all {
			if j := w.place(a.param); least < 0 || len(w.by[j][a.value]) < len(w.by[least][value]) {
				least, value = j, a.value
			}
		}
		if k := slices.IndexFunc(all, func(a anchor) bool { return a.param != w.params[least] }); k >= 0 {
			x.other = &all[k]
		}
		w.held[least]++
		w.by[least][value] = append(w.by[least][value], x)
	}
	return w
}

// asked is how many of its constraints have to be decided for a random configuration.
func (w *watch) asked(s *Space) float64 {
	n := float64(len(w.rest))
	for j, i := range w.params {
		n += float64(w.held[j]) / s.count(i)
	}
	return n
}

// place is that of a parameter in the watch.
func (w *watch) place(param int) int {
	j := slices.Index(w.params, param)
	if j < 0 {
		j = len(w.params)
		w.params, w.by, w.held = append(w.params, param), append(w.by, map[float64][]watched{}), append(w.held, 0)
	}
	return j
}

// suspects are the constraints that c may violate.
func (w *watch) suspects(c Configuration) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, k := range w.rest {
			if !yield(k.n) {
				return
			}
		}
		for j, i := range w.params {
			if !c.Active[i] {
				continue
			}
			for _, k := range w.by[j][c.Value[i]] {
				if a := k.other; a != nil && !(c.Active[a.param] && c.Value[a.param] == a.value) {
					continue
				}
				if !yield(k.n) {
					return
				}
			}
		}
	}
}

// first is the first of the watched constraints that c violates, or any one up to the place enough.
func (s *Space) first(w *watch, c Configuration, enough int) (n int, bad bool) {
	for k := range w.suspects(c) {
		if (!bad || k < n) && s.violates(c, k) {
			if n, bad = k, true; n <= enough {
				break
			}
		}
	}
	return n, bad
}

// anchors are those of a condition and a truth value.
func anchors(e Expr, truth Truth) []anchor {
	var operands []Expr
	switch e := e.(type) {
	case And:
		if truth == True {
			operands = e
		}
	case Or:
		if truth == False {
			operands = e
		}
	case Not:
		return anchors(e.X, -truth)
	case In:
		if truth == True && len(e.Values) == 1 {
			return []anchor{{e.Param, e.Values[0]}}
		}
	case Compare:
		ref, left := e.Left.(Ref)
		value, right := e.Right.(Const)
		if left && right && (truth == True && e.Op == Eq || truth == False && e.Op == Ne) {
			return []anchor{{ref.Param, float64(value)}}
		}
	}
	return slices.Concat(lists.Of(operands, func(x Expr) []anchor { return anchors(x, truth) })...)
}
