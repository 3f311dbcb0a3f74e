package zaefferer

import (
	"fmt"
	"io"
	"slices"

	"bohier/bench/claims"
	"bohier/bench/orders"
)

// Report writes the tables and the verdicts as Markdown, and the pictures into a
// directory where it is named.
func Report(w io.Writer, list []*Result, pictures string) error {
	e := gather(list)
	p := &printer{w: w}
	p.quality(e)
	p.searches(e)
	if p.err == nil {
		p.err = claims.Table(w, "Zaefferer & Horn", "", judged, e, e.order(paper, Situations).Blocks > 1)
	}
	if p.err != nil || pictures == "" {
		return p.err
	}
	return draw(e, pictures)
}

// A printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// quality is the mean over settings of the median error, for every model.
func (p *printer) quality(e *evidence) {
	p.f("### Models: mean over settings of the median RMSE\n\n")
	p.f("| kernel | likelihood by | fits | b = 0 | b = 0.1 | A | B | C | D | E " +
		"|\n|---|---|---|---|---|---|---|---|---|---|\n")
	main, more := models()
	for _, m := range slices.Concat(main, more) {
		fits := 0
		for _, x := range e.rmse[m] {
			fits += len(x)
		}
		if fits == 0 {
			continue
		}
		p.f("| %s | %s | %d | %.4f | %.4f", m.Kernel, m.Optimizer, fits, e.error(m, profitable), e.error(m, misleading))
		for _, at := range Situations {
			p.f(" | %.4f", e.error(m, in(string(at))))
		}
		p.f(" |\n")
	}
	p.f("\n")
}

// searches are the orders of the kernels in all settings and in each situation.
func (p *printer) searches(e *evidence) {
	p.f("### Searches: mean ranks of the best of ten evaluations\n\n")
	p.f("`<` is a significant difference of neighbours (Nemenyi, %g).\n\n", orders.Level)
	for _, kernels := range [][]string{paper, append(slices.Clone(paper), "box", "hmodlap")} {
		p.f("| situation | blocks | Friedman's p | pairs that differ | kernels |\n|---|---|---|---|---|\n")
		for _, at := range append([]string{Situations}, slices.Collect(letters(Situations))...) {
			o := e.order(kernels, at)
			name := at
			if at == Situations {
				name = "all"
			}
			p.f("| %s | %d | %.2g | %d | %v |\n", name, o.Blocks, o.P, o.Differences(), o)
		}
		p.f("\n")
	}
}

func letters(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, c := range s {
			if !yield(string(c)) {
				return
			}
		}
	}
}
