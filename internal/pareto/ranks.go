package pareto

import (
	"slices"
	"sort"

	"bohier/internal/lists"
)

// Ranks are 1 for the front, 2 for the front of the rest, and so on (Goldberg 1989). In
// lexicographic order a vector is dominated by earlier ones only, and every earlier front dominates the vectors that a
// front dominates: its rank is found by bisection (Zhang et al. 2015, doi:10.1109/TEVC.2014.2308305). It takes n·log² n
// time for up to three entries, more for more.
func Ranks(values [][]float64) []int {
	out := make([]int, len(values))
	var fronts []front
	before, rank := []float64(nil), 0
	for _, i := range lexicographic(values, lists.Every(len(values))) {
		if v := values[i]; !slices.Equal(v, before) {
			rank = sort.Search(len(fronts), func(k int) bool { return !fronts[k].covers(v) })
			if rank == len(fronts) {
				fronts = append(fronts, front{})
			}
			fronts[rank].add(v)
			before = v
		}
		out[i] = rank + 1
	}
	return out
}

// A front is a set of vectors, in lexicographic order, that do not dominate each other.
type front struct {
	stairs []step // of up to three entries: the vectors that may dominate a later one
	tree   *node  // of more entries: all vectors, without their first entry
}

// A step has the second entry, ascending along the stairs, and the last one, which descends.
type step struct{ second, last float64 }

func stepOf(v []float64) step { return step{v[min(1, len(v)-1)], v[len(v)-1]} }

// covers reports whether a vector of the front dominates v, which comes after all of them.
func (f *front) covers(v []float64) bool {
	if len(v) > 3 {
		return f.tree.covers(v[1:])
	}
	s := stepOf(v)
	k := f.above(s)
	return k > 0 && f.stairs[k-1].last <= s.last
}

// above is the number of steps up to the second entry of s.
func (f *front) above(s step) int {
	return sort.Search(len(f.stairs), func(k int) bool { return f.stairs[k].second > s.second })
}

// add adds a vector that the front does not cover.
func (f *front) add(v []float64) {
	if len(v) > 3 {
		insert(&f.tree, v[1:])
		return
	}
	s := stepOf(v)
	from := f.above(s)
	if from > 0 && f.stairs[from-1].second == s.second {
		from--
	}
	to := from
	for to < len(f.stairs) && f.stairs[to].last >= s.last {
		to++
	}
	f.stairs = slices.Replace(f.stairs, from, to, s)
}

// A node of a k-d tree (Bentley 1975, doi:10.1145/361002.361007) has a vector and the least entries of all
// vectors from it on that were added; nil: none was.
type node struct {
	v, least      []float64
	added         bool
	low, high, up *node
}

// balanced makes a tree of nodes that compares one entry at each depth, in turn.
func balanced(nodes []*node, up *node, depth int) *node {
	if len(nodes) == 0 {
		return nil
	}
	k, middle := depth%len(nodes[0].v), len(nodes)/2
	for lo, hi := 0, len(nodes)-1; lo < hi; { // quickselect of the middle one
		pivot, i, j := nodes[(lo+hi)/2].v[k], lo, hi
		for i <= j {
			for nodes[i].v[k] < pivot {
				i++
			}
			for nodes[j].v[k] > pivot {
				j--
			}
			if i <= j {
				nodes[i], nodes[j] = nodes[j], nodes[i]
				i, j = i+1, j-1
			}
		}
		if middle <= j {
			hi = j
		} else if lo = i; middle < i {
			break
		}
	}
	n := nodes[middle]
	n.up, n.low, n.high = up, balanced(nodes[:middle], n, depth+1), balanced(nodes[middle+1:], n, depth+1)
	return n
}

// add adds the vector of a node.
func (n *node) add() {
	n.added = true
	for at := n; at != nil; at = at.up {
		if at.least == nil {
			at.least = slices.Clone(n.v)
		}
		for j, x := range n.v {
			at.least[j] = min(at.least[j], x)
		}
	}
}

func (n *node) covers(v []float64) bool {
	return n != nil && n.least != nil && notWorse(n.least, v) &&
		(n.added && notWorse(n.v, v) || n.low.covers(v) || n.high.covers(v))
}

// gain is the volume that v dominates, up to ref, and no vector of the tree does.
func (n *node) gain(v, ref []float64) float64 {
	o := newOverlap(v, ref)
	n.take(o, 0)
	return o.rest()
}

// take adds the node's vectors to o, those nearest to o first, which leave little to others.
func (n *node) take(o *overlap, depth int) {
	if n == nil || n.least == nil || !o.adds(n.least) {
		return
	}
	near, far := n.low, n.high
	if k := depth % len(n.v); o.v[k] >= n.v[k] {
		near, far = far, near
	}
	near.take(o, depth+1)
	if n.added {
		o.add(n.v)
	}
	far.take(o, depth+1)
}

// insert adds a vector to a tree that compares one entry at each depth, in turn. It takes the place of the boxes it
// covers.
func insert(tree **node, v []float64) {
	for depth := 0; *tree != nil && !notWorse(v, (*tree).least); depth++ {
		n := *tree
		for j, x := range v {
			n.least[j] = min(n.least[j], x)
		}
		if k := depth % len(v); v[k] < n.v[k] {
			tree = &n.low
		} else {
			tree = &n.high
		}
	}
	*tree = &node{v: v, least: slices.Clone(v), added: true}
}
