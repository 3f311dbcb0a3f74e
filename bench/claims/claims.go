// Package claims judges sentences of a paper by what a replication measured.
package claims

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Claim is a sentence of a paper, the rule by which it is judged, the figure that the paper has, if it has one, and
// what was measured of it in evidence E; a figure with NaN in it says that results are missing.
type Claim[E any] struct {
	Says, Rule, Published string
	Judge                 func(e E) (holds bool, figure string)
}

// Table writes the claims of a paper with their verdicts in Markdown, numbered behind a prefix, with a column of
// published figures where there are any. Without enough evidence none has a verdict.
func Table[E any](w io.Writer, paper, prefix string, list []Claim[E], e E, enough bool) error {
	published := func(cell string) string {
		if slices.ContainsFunc(list, func(c Claim[E]) bool { return c.Published != "" }) {
			return cell + "|"
		}
		return ""
	}
	if _, err := fmt.Fprintf(w, "### %s: the paper's claims\n\n| | claim | judged by | figure |%s verdict "+
		"|\n|---|---|---|---|%s---|\n",
		paper, published(" published "), published("---")); err != nil {
		return err
	}
	for i, c := range list {
		holds, figure := c.Judge(e)
		verdict := "refuted"
		switch {
		case strings.Contains(figure, "NaN") || !enough:
			verdict = "too few results"
		case holds:
			verdict = "**confirmed**"
		}
		if _, err := fmt.Fprintf(w, "| %s%d | %s | %s | %s |%s %s |\n", prefix, i+1, c.Says, c.Rule, figure,
			published(" "+c.Published+" "), verdict); err != nil {
			return err
		}
	}
	return nil
}
