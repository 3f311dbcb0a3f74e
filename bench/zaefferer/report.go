package zaefferer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"bohier/bench/claims"
	"bohier/bench/orders"
)

// Report writes the tables and the verdicts as Markdown, and the pictures into a directory where it is named.
func Report(w io.Writer, list []*Result, pictures string) error {
	e := gather(list)
	var b strings.Builder
	e.quality(&b)
	e.searches(&b)
	if err := claims.Table(&b, "Zaefferer & Horn", "", judged, e, e.order(paper, Situations).Blocks > 1); err != nil {
		return err
	}
	if _, err := io.WriteString(w, b.String()); err != nil || pictures == "" {
		return err
	}
	return draw(e, pictures)
}

// quality is the mean over settings of the median error, for every model.
func (e *evidence) quality(b *strings.Builder) {
	fmt.Fprintf(b, "### Models: mean over settings of the median RMSE\n\n"+
		"| kernel | likelihood by | fits | b = 0 | b = 0.1 | A | B | C | D | E |\n"+
		"|---|---|---|---|---|---|---|---|---|---|\n")
	for _, m := range slices.Concat(models()) {
		fits := 0
		for _, x := range e.rmse[m] {
			fits += len(x)
		}
		if fits == 0 {
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %d | %.4f", m.Kernel, m.Optimizer, fits, e.error(m, profitable))
		fmt.Fprintf(b, " | %.4f", e.error(m, misleading))
		for _, at := range Situations {
			fmt.Fprintf(b, " | %.4f", e.error(m, in(string(at))))
		}
		fmt.Fprintf(b, " |\n")
	}
	fmt.Fprintf(b, "\n")
}

// searches are the orders of the kernels in all settings and in each situation.
func (e *evidence) searches(b *strings.Builder) {
	fmt.Fprintf(b, "### Searches: mean ranks of the best of ten evaluations\n\n")
	fmt.Fprintf(b, "`<` is a significant difference of neighbours (Nemenyi, %g).\n\n", orders.Level)
	for _, kernels := range [][]string{paper, append(slices.Clone(paper), "box", "hmodlap")} {
		fmt.Fprintf(b, "| situation | blocks | Friedman's p | pairs that differ | kernels |\n|---|---|---|---|---|\n")
		for _, at := range append([]string{Situations}, strings.Split(Situations, "")...) {
			o := e.order(kernels, at)
			name := at
			if at == Situations {
				name = "all"
			}
			fmt.Fprintf(b, "| %s | %d | %.2g | %d | %v |\n", name, o.Blocks, o.P, o.Differences(), o)
		}
		fmt.Fprintf(b, "\n")
	}
}
