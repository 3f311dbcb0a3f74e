package regression

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// Report prints the results as tables in Markdown, mean ± standard error over the
// splits, beside the published ones. Models without results are left out.
func Report(w io.Writer, results []*Result) error {
	b := &strings.Builder{}
	t := table{}
	for _, r := range results {
		k := r.Study + "/" + r.Set
		if t[k] == nil {
			t[k] = map[string]map[int]*Result{}
		}
		if t[k][r.Model] == nil {
			t[k][r.Model] = map[int]*Result{}
		}
		t[k][r.Model][r.Split] = r
	}
	for _, set := range fmSets {
		if t["fm/"+set] != nil {
			t.fm(b, set)
		}
	}
	if slices.ContainsFunc(results, func(r *Result) bool { return r.Study == "swersky" }) {
		t.swersky(b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table holds results by study and set, model, split.
type table map[string]map[string]map[int]*Result

// summary is the mean of v over the results with its standard error, from the
// standard deviation divided by n, as the authors do.
func summary(rs map[int]*Result, v func(*Result) float64) figure {
	var x []float64
	for _, k := range slices.Sorted(maps.Keys(rs)) {
		x = append(x, v(rs[k]))
	}
	mean, sd := moments(x)
	return figure{mean, sd / math.Sqrt(float64(len(x)))}
}

func (f figure) String() string { return fmt.Sprintf("%.4f ± %.4f", f.mean, f.se) }

func rmse(r *Result) float64   { return r.RMSE }
func nmse(r *Result) float64   { return r.RMSE * r.RMSE }
func latent(r *Result) float64 { return r.NLLLatent }
func noisy(r *Result) float64  { return r.NLLNoisy }

func (t table) fm(b *strings.Builder, set string) {
	models := t["fm/"+set]
	fmt.Fprintf(b, "### %s: Oh, Gavves & Welling 2021, Table 7\n\n", set)
	b.WriteString("| kernel | splits | RMSE | published | Δ / s.e. | NLL, latent variance | published | NLL, noisy " +
		"variance |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, m := range fmModels {
		rs := models[m.name]
		if rs == nil {
			continue
		}
		e, p := summary(rs, rmse), publishedFM[set][m.name]
		fmt.Fprintf(b, "| %s | %d | %v | %v | %+.2f | %v | %v | %v |\n", m.name, len(rs),
			e, p.rmse, (e.mean-p.rmse.mean)/p.rmse.se, summary(rs, latent), p.nll, summary(rs, noisy))
	}
	b.WriteString("\nModLap minus the others, same splits:\n\n| kernel | splits | RMSE | NLL, latent | NLL, noisy " +
		"|\n|---|---|---|---|---|\n")
	for _, m := range fmModels {
		if m.name == "ModLap" {
			continue
		}
		var n int
		var d [3]figure
		for k, v := range []func(*Result) float64{rmse, latent, noisy} {
			n, d[k] = paired(models["ModLap"], models[m.name], v)
		}
		if n > 0 {
			fmt.Fprintf(b, "| %s | %d | %v | %v | %v |\n", m.name, n, d[0], d[1], d[2])
		}
	}
	b.WriteString("\n")
}

// paired is the mean difference a − b over the splits that both have.
func paired(a, b map[int]*Result, v func(*Result) float64) (n int, d figure) {
	var x []float64
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if b[k] != nil {
			x = append(x, v(a[k])-v(b[k]))
		}
	}
	mean, sd := moments(x)
	return len(x), figure{mean, sd / math.Sqrt(float64(len(x)))}
}

func (t table) swersky(b *strings.Builder) {
	b.WriteString("### Swersky et al. 2013, Table 1: normalised mean squared error (published)\n\n| model |")
	for _, set := range swerskySets {
		fmt.Fprintf(b, " %s | folds |", set)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|---|", len(swerskySets)) + "\n")
	for _, m := range slices.Concat(swerskyModels, swerskyMore) {
		fmt.Fprintf(b, "| %s |", m.name)
		for _, set := range swerskySets {
			rs := t["swersky/"+set][m.name]
			if rs == nil {
				b.WriteString(" | |")
				continue
			}
			e := summary(rs, nmse)
			fmt.Fprintf(b, " %.3f ± %.3f", e.mean, e.se)
			if p, ok := publishedSwersky[m.name][set]; ok {
				fmt.Fprintf(b, " (%.3f)", p)
			}
			fmt.Fprintf(b, " | %d |", len(rs))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}
