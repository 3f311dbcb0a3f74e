package pareto

import (
	"slices"

	"bohier/internal/lists"
)

// Ranks are 1 for the front, 2 for the front of the rest, and so on (Goldberg 1989).
func Ranks(values [][]float64) []int { return ranks(values, lists.Every(len(values)), len(values)) }

// ranks are those of the vectors at some indices among each other, up to most, and 0 beyond. In lexicographic order a
// vector is dominated by earlier ones only, so its rank is one more than the largest rank of those (Jensen 2003,
// doi:10.1109/TEVC.2003.817234), found in a k-d tree of all vectors without their first entry.
func ranks(values [][]float64, order []int, most int) []int {
	out := make([]int, len(values))
	at := make([]*node, len(values))
	for _, i := range order {
		at[i] = &node{v: values[i][min(1, len(values[i])-1):]}
	}
	root, before := balanced(lists.At(at, order), nil, 0), -1
	for _, i := range lexicographic(values, order) {
		if before >= 0 && slices.Equal(values[i], values[before]) {
			out[i] = out[before]
		} else if rank := root.rank(at[i].v, 0) + 1; rank <= most {
			at[i].add(rank)
			out[i] = rank
		}
		before = i
	}
	return out
}

// A node of a k-d tree (Bentley 1975, doi:10.1145/361002.361007) has a vector and its rank, 0 until it is added. It
// knows the largest rank, the least and the greatest entries of all added vectors from it on; nil: none was added.
type node struct {
	v, least, greatest []float64
	own, largest       int
	low, high, up      *node
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
func (n *node) add(rank int) {
	n.own = rank
	for at := n; at != nil; at = at.up {
		if at.least == nil {
			at.least, at.greatest = slices.Clone(n.v), slices.Clone(n.v)
		} else if at.largest >= rank && notWorse(at.least, n.v) && notWorse(n.v, at.greatest) {
			return // nothing changes from here on up
		}
		for j, x := range n.v {
			at.least[j], at.greatest[j] = min(at.least[j], x), max(at.greatest[j], x)
		}
		at.largest = max(at.largest, rank)
	}
}

// rank is the largest rank of the added vectors that are no worse than v, or best if that is larger.
func (n *node) rank(v []float64, best int) int {
	switch {
	case n == nil || n.largest <= best || !notWorse(n.least, v):
		return best
	case notWorse(n.greatest, v):
		return n.largest
	case n.own > best && notWorse(n.v, v):
		best = n.own
	}
	first, second := n.low, n.high
	if second != nil && (first == nil || second.largest > first.largest) {
		first, second = second, first
	}
	return second.rank(v, first.rank(v, best))
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
	if n.own > 0 {
		o.add(n.v)
	}
	far.take(o, depth+1)
}
