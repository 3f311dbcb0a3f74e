package acq

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"bohier/internal/pareto"
)

// Most vectors of a front that are split into boxes; longer fronts are thinned, for loose bounds further.
const (
	longest2 = 512
	longest3 = 128
	loosest  = 6
)

// NewHypervolume returns the logarithm of the expected gain in hypervolume, of two or three
// quantities, over a front up to a reference point (Emmerich, Deutz & Klinkenberg 2011,
// doi:10.1109/CEC.2011.5949880; by boxes: Yang et al. 2019, arXiv:1904.12672, Daulton, Balandat & Bakshy 2020,
// arXiv:2006.05078; in logarithms after Ament et al. 2023). Only points of the front that are not dominated and
// below ref count. It refuses other numbers of quantities and numbers that are not finite.
//
// A point on the least value of quantity j in the front only pays where it is better in another
// quantity: there is no gain in the slice between that value and xi[j] below it. A nil xi has none.
// Bounds are over some vectors of a long front: a search takes less time for them.
//
// A prediction y gains Σ over boxes of ∏ [(uⱼ − yⱼ)₊ − (lⱼ − yⱼ)₊], so that with
// ψ(a) = E(a − yⱼ)₊ the expectation is Σ ∏ [ψ(uⱼ) − ψ(lⱼ)].
func NewHypervolume(front [][]float64, ref, xi []float64) (Joint, error) {
	if len(ref) != 2 && len(ref) != 3 {
		return Joint{}, fmt.Errorf("hypervolume improvement is exact for 2 or 3 objectives, not %d", len(ref))
	}
	for _, v := range append([][]float64{ref}, front...) {
		if len(v) != len(ref) || slices.ContainsFunc(v, notFinite) {
			return Joint{}, fmt.Errorf("%v is no vector of %d finite numbers", v, len(ref))
		}
	}
	front = reduced(front, ref) // to the vectors that count
	boxes := pareto.Boxes(front, ref)
	whole := hypervolumeOf(boxes)
	if len(front) > loosest {
		whole.some = hypervolumeOf(pareto.Boxes(pareto.Pick(front, ref, loosest), ref))
	}
	if len(front) == 0 || !slices.ContainsFunc(xi, func(v float64) bool { return v > 0 }) {
		return Joint{true, whole.score, whole.bound}, nil
	}
	least, _ := pareto.Bounds(front)
	for j, v := range least {
		if !(xi[j] > 0) {
			continue
		}
		var cut []pareto.Box
		for _, b := range boxes {
			if b.Lower[j] >= v {
				cut = append(cut, b)
				continue
			}
			below := pareto.Box{Lower: b.Lower, Upper: slices.Clone(b.Upper)}
			below.Upper[j] = min(v, b.Upper[j]) - xi[j]
			cut = append(cut, below)
			if b.Upper[j] > v {
				b.Lower = slices.Clone(b.Lower)
				b.Lower[j] = v
				cut = append(cut, b)
			}
		}
		boxes = cut
	}
	// The gain without some slices does not grow with every variance; the whole gain does, and is larger.
	return Joint{true, hypervolumeOf(boxes).score, whole.bound}, nil
}

// reduced is the part of a front that counts, thinned where it is long.
func reduced(front [][]float64, ref []float64) [][]float64 {
	return pareto.Pick(pareto.Reduce(front, ref), ref, map[int]int{2: longest2, 3: longest3}[len(ref)])
}

// hypervolumeOf is the expected volume above a prediction in boxes.
func hypervolumeOf(boxes []pareto.Box) *hypervolume {
	m := len(boxes[0].Upper)
	h := &hypervolume{sides: make([]sides, m), boxes: make([][]int, len(boxes))}
	for b := range boxes {
		h.boxes[b] = make([]int, m)
	}
	for j := range h.sides {
		h.sides[j] = sidesOf(boxes, j, h.boxes)
	}
	h.scratch.New = func() any { return h.newGains() }
	return h
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

type hypervolume struct {
	sides   []sides // per quantity
	boxes   [][]int // of each box, the side in each quantity
	scratch sync.Pool
	some    *hypervolume // over some of the vectors, which is no less and bounds it; nil: it does so itself
}

// sides are the different intervals of boxes in one quantity, between edges.
type sides struct {
	edges []float64 // ascending, the first −∞
	of    [][2]int  // edges of each side: lower, upper
}

// sidesOf finds the sides of boxes in quantity j and notes, for each box, which it has.
func sidesOf(boxes []pareto.Box, j int, of [][]int) sides {
	s := sides{edges: []float64{math.Inf(-1)}}
	for _, b := range boxes {
		s.edges = append(s.edges, b.Lower[j], b.Upper[j])
	}
	slices.Sort(s.edges)
	s.edges = slices.Compact(s.edges)
	known := map[[2]int]int{}
	for k, b := range boxes {
		var at [2]int
		at[0], _ = slices.BinarySearch(s.edges, b.Lower[j])
		at[1], _ = slices.BinarySearch(s.edges, b.Upper[j])
		i, ok := known[at]
		if !ok {
			i = len(s.of)
			known[at] = i
			s.of = append(s.of, at)
		}
		of[k][j] = i
	}
	return s
}

// gains is scratch memory for one prediction.
type gains struct {
	edges [][]edge
	slabs [][]slab
	logs  []float64 // one per box
}

func (h *hypervolume) newGains() *gains {
	g := &gains{logs: make([]float64, len(h.boxes))}
	for _, s := range h.sides {
		g.edges = append(g.edges, make([]edge, len(s.edges)))
		g.slabs = append(g.slabs, make([]slab, len(s.of)))
	}
	return g
}

// score is the logarithm of the expected volume, with its derivatives as a Joint gives them.
func (h *hypervolume) score(mean, variance, dmean, dvar []float64) float64 {
	g := h.scratch.Get().(*gains)
	defer h.scratch.Put(g)
	for j, s := range h.sides {
		sd, _ := deviation(variance[j])
		edges, logsd := g.edges[j], math.Log(sd)
		edges[0] = edge{z: math.Inf(-1)}
		for k, a := range s.edges[1:] {
			edges[k+1] = newEdge((a - mean[j]) / sd)
		}
		for k, at := range s.of {
			g.slabs[j][k] = newSlab(&edges[at[0]], &edges[at[1]], s.edges[at[1]]-s.edges[at[0]], sd, logsd)
		}
	}
	top := math.Inf(-1)
	for b, side := range h.boxes {
		g.logs[b] = 0
		for j, k := range side {
			g.logs[b] += g.slabs[j][k].log
		}
		top = math.Max(top, g.logs[b]) // NaN stays
	}
	sum := 0.0
	for b, l := range g.logs {
		g.logs[b] = math.Exp(l - top)
		sum += g.logs[b]
	}
	if dmean != nil {
		h.slopes(g, sum, variance, dmean, dvar)
	}
	return top + math.Log(sum)
}

// slopes are the means of the slopes of boxes, weighted by the expectation of each box.
func (h *hypervolume) slopes(g *gains, sum float64, variance, dmean, dvar []float64) {
	clear(dmean)
	clear(dvar)
	for b, side := range h.boxes {
		w := g.logs[b] / sum
		for j, k := range side {
			dmean[j] += times(w, g.slabs[j][k].dmean)
			dvar[j] += times(w, g.slabs[j][k].dvar)
		}
	}
	for j := range dvar {
		if _, moves := deviation(variance[j]); !moves {
			dvar[j] = 0
		}
	}
}

// bound is a bound: the gain is convex in every quantity, so that its expectation grows with every variance.
func (h *hypervolume) bound(mean, variance []float64) float64 {
	if h.some != nil {
		s := h.some.score(mean, variance, nil, nil)
		return s + 1e-9*max(1, math.Abs(s)) // the vectors left out may take nothing away
	}
	s := h.score(mean, variance, nil, nil)
	return s + 1e-12*math.Abs(s)
}
