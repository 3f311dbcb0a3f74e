package space

import (
	"iter"
	"slices"
)

// A watch finds which of some constraints a configuration violates, by their place. Many are
// violated by configurations with one value of a parameter alone, as {lr: 1, depth: 3} is, so that
// few of very many have to be decided.
type watch struct {
	params []int     // parameters with such values
	by     []shelf   // their raw values → constraints, ascending
	rest   []watched // constraints without such a value, ascending
}

// A shelf has lists of constraints by a raw value.
type shelf struct {
	list map[float64][]watched
	held int // constraints of all lists
}

func (s *shelf) add(v float64, x watched) {
	s.held++
	s.list[v] = append(s.list[v], x)
}

// A watched constraint is violated by configurations with one value of another parameter alone; param is
// −1 where there is no other.
type watched struct {
	n     int
	param int
	value float64
}

// newWatch watches the constraints at ascending places.
func (s *Space) newWatch(places []int) *watch {
	w := &watch{}
	for _, n := range places {
		k := &s.constraints[n]
		least, value := -1, 0.0
		for i, v := range anchors(k.Expr, k.bad) {
			if j := w.place(i); least < 0 || len(w.by[j].list[v]) < len(w.by[least].list[value]) {
				least, value = j, v
			}
		}
		x := watched{n: n, param: -1}
		if least < 0 {
			w.rest = append(w.rest, x)
			continue
		}
		for i, v := range anchors(k.Expr, k.bad) {
			if i != w.params[least] {
				x.param, x.value = i, v
				break
			}
		}
		w.by[least].add(value, x)
	}
	return w
}

// asked is how many of its constraints have to be decided for a random configuration.
func (w *watch) asked(s *Space) float64 {
	n := float64(len(w.rest))
	for j, i := range w.params {
		n += float64(w.by[j].held) / s.count(i)
	}
	return n
}

// place is that of a parameter in the watch.
func (w *watch) place(param int) int {
	j := slices.Index(w.params, param)
	if j < 0 {
		j = len(w.params)
		w.params, w.by = append(w.params, param), append(w.by, shelf{list: map[float64][]watched{}})
	}
	return j
}

// lists are the constraints that c may violate, each in one of the lists.
func (w *watch) lists(c Configuration) iter.Seq[[]watched] {
	return func(yield func([]watched) bool) {
		if !yield(w.rest) {
			return
		}
		for j, i := range w.params {
			if c.Active[i] && !yield(w.by[j].list[c.Value[i]]) {
				return
			}
		}
	}
}

// may reports whether c has the other value without which it does not violate the constraint.
func (k watched) may(c Configuration) bool {
	return k.param < 0 || c.Active[k.param] && c.Value[k.param] == k.value
}

// first is the first of the watched constraints that c violates, or any one up to the place enough.
func (s *Space) first(w *watch, c Configuration, enough int) (n int, bad bool) {
	for list := range w.lists(c) {
		for _, k := range list {
			if bad && k.n >= n {
				break
			}
			if k.may(c) && s.violates(c, k.n) {
				n, bad = k.n, true
				break
			}
		}
		if bad && n <= enough {
			break
		}
	}
	return n, bad
}

// anchors are parameters with the only raw value at which a condition can have a truth value.
func anchors(e Expr, truth Truth) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		operands := func(list []Expr) {
			for _, x := range list {
				for i, v := range anchors(x, truth) {
					if !yield(i, v) {
						return
					}
				}
			}
		}
		switch e := e.(type) {
		case And:
			if truth == True {
				operands(e)
			}
		case Or:
			if truth == False {
				operands(e)
			}
		case Not:
			anchors(e.X, -truth)(yield)
		case In:
			if truth == True && len(e.Values) == 1 {
				yield(e.Param, e.Values[0])
			}
		case Compare:
			ref, left := e.Left.(Ref)
			value, right := e.Right.(Const)
			if left && right && (truth == True && e.Op == Eq || truth == False && e.Op == Ne) {
				yield(ref.Param, float64(value))
			}
		}
	}
}
