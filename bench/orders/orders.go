// Package orders compares treatments over blocks as Demšar 2006 recommends (Friedman's
// test, then Nemenyi's) and draws the result as a graph in the order of the mean ranks,
// in which a path means a significant difference.
package orders

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"bohier/bench/statistics"
)

// Level is the significance of a difference.
const Level = 0.05

// An Order is treatments by mean rank, the best first.
type Order struct {
	Names  []string
	Ranks  []float64
	P      float64 // of Friedman's test
	Blocks int

	nemenyi [][]float64
}

// New compares treatments: blocks is n×k, the values of k names in n blocks, small ones
// better. With fewer than two blocks there is nothing to compare, and the names are
// missing.
func New(names []string, blocks [][]float64) *Order {
	o := &Order{Blocks: len(blocks)}
	if len(blocks) < 2 {
		return o
	}
	ranks := statistics.MeanRanks(blocks)
	_, o.P = statistics.Friedman(blocks)
	p := statistics.Nemenyi(blocks)
	at := make([]int, len(names))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return cmp.Compare(ranks[i], ranks[j]) })
	for _, i := range at {
		o.Names, o.Ranks = append(o.Names, names[i]), append(o.Ranks, ranks[i])
		row := make([]float64, len(at))
		for b, j := range at {
			row[b] = p[i][j]
		}
		o.nemenyi = append(o.nemenyi, row)
	}
	return o
}

// Place is the position of a name, from 1 for the least mean rank; 0 where it is
// missing.
func (o *Order) Place(name string) int { return slices.Index(o.Names, name) + 1 }

// Ahead reports whether a is significantly better than b.
func (o *Order) Ahead(a, b string) bool {
	i, j := o.Place(a)-1, o.Place(b)-1
	return i >= 0 && j >= 0 && i < j && o.nemenyi[i][j] < Level
}

// Differ reports whether one of two names is significantly better than the other.
func (o *Order) Differ(a, b string) bool { return o.Ahead(a, b) || o.Ahead(b, a) }

// Differences counts the pairs that differ significantly.
func (o *Order) Differences() (n int) {
	for i, a := range o.Names {
		for _, b := range o.Names[i+1:] {
			if o.Ahead(a, b) {
				n++
			}
		}
	}
	return n
}

// edges are the significant differences that no path of others implies, as pairs of
// positions.
func (o *Order) edges() (out [][2]int) {
	for i, a := range o.Names {
		for j := i + 1; j < len(o.Names); j++ {
			b, implied := o.Names[j], false
			for _, via := range o.Names[i+1 : j] {
				implied = implied || o.Ahead(a, via) && o.Ahead(via, b)
			}
			if o.Ahead(a, b) && !implied {
				out = append(out, [2]int{i, j})
			}
		}
	}
	return out
}

// String lists the names with their mean ranks; < stands for a significant difference of
// neighbours, ≤ for none.
func (o *Order) String() string {
	var b strings.Builder
	for i, name := range o.Names {
		if i > 0 {
			sep := " ≤ "
			if o.Ahead(o.Names[i-1], name) {
				sep = " < "
			}
			b.WriteString(sep)
		}
		fmt.Fprintf(&b, "%s %.2f", name, o.Ranks[i])
	}
	return b.String()
}

// The measures of a graph in pixels.
const (
	nodeWidth  = 118
	nodeHeight = 40
	gap        = 34
	arc        = 26 // height of an edge that passes over one node
	margin     = 16
	heading    = 22
)

// SVG draws orders below each other, each with its title: nodes from the best on the
// left to the worst, with mean ranks, and arrows where a difference is significant. A
// difference that a path of arrows implies has no arrow of its own.
func SVG(titles []string, list []*Order) []byte {
	var body strings.Builder
	width, y := 0, margin
	for i, o := range list {
		y += heading
		fmt.Fprintf(&body, `<text class="t" x="%d" y="%d">%s</text>`+"\n", margin, y-8, html.EscapeString(titles[i]))
		over := 0
		for _, e := range o.edges() {
			over = max(over, e[1]-e[0]-1)
		}
		y += over * arc
		for _, e := range o.edges() {
			from, to := float64(left(e[0])+nodeWidth), float64(left(e[1]))
			if e[1] == e[0]+1 {
				line := float64(y) + nodeHeight/2
				fmt.Fprintf(&body, `<path class="e" d="M%g %g H%g" marker-end="url(#a)"/>`+"\n", from, line, to-2)
				continue
			}
			from, to = from-nodeWidth/3, to+nodeWidth/3
			top := float64(y) - float64((e[1]-e[0]-1)*arc)*4/3
			fmt.Fprintf(&body, `<path class="e" d="M%g %d C%g %g %g %g %g %d" marker-end="url(#a)"/>`+"\n", from, y, from, top,
				to, top, to, y-2)
		}
		for k, name := range o.Names {
			x := left(k)
			width = max(width, x+nodeWidth+margin)
			fmt.Fprintf(&body, `<rect class="n" x="%d" y="%d" width="%d" height="%d" rx="6"/>`+"\n", x, y, nodeWidth, nodeHeight)
			fmt.Fprintf(&body, `<text x="%d" y="%d">%s</text><text class="r" x="%d" y="%d">%.2f</text>`+"\n",
				x+nodeWidth/2, y+17, html.EscapeString(name), x+nodeWidth/2, y+33, o.Ranks[k])
		}
		y += nodeHeight + margin
	}
	return []byte(fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">
<style>text{font:13px system-ui,sans-serif;text-anchor:middle;fill:#767676}.t{text-anchor:start;font-weight:600}.r{font-size:11px}.n{fill:none;stroke:#767676}.e{fill:none;stroke:#0072b2;stroke-width:1.5}</style>
<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#0072b2"/></marker></defs>
%s</svg>
`, width, y, width, y, body.String()))
}

// left is the left end of the node at a position.
func left(k int) int { return margin + k*(nodeWidth+gap) }
