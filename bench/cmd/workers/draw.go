package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"bohier/bench/statistics"
	"bohier/internal/plot"
)

// draw prints what there is, and draws it.
func draw(_ context.Context, o options) error {
	loads, err := openLoads(o.dir)
	if err != nil {
		return err
	}
	defer loads.Close()
	runs, err := openRuns(o.dir)
	if err != nil {
		return err
	}
	defer runs.Close()
	list := slices.Clone(loads.Results)
	slices.SortStableFunc(list, func(a, b measured) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Store, b.Store), cmp.Compare(a.Told, b.Told), cmp.Compare(a.Pending, b.Pending), cmp.Compare(a.Workers, b.Workers))
	})
	fmt.Println("| what | journal | told | pending | workers | call s: median | 99 % | longest | lock had ms: median | 99 % | CPU s of all | bytes read a call | journal before, after |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, m := range list {
		fmt.Printf("| %s | %s | %d | %d | %d | %.3g | %.3g | %.3g | %.2g | %.2g | %.3g | %.0f | %d, %d |\n", m.What, m.Store, m.Told, m.Pending, m.Workers,
			m.Call[0], m.Call[1], m.Call[2], 1e3*m.Had[0], 1e3*m.Had[1], m.CPU, m.Read, m.Before, m.Length)
	}
	fmt.Println("\n| what | told | workers | sessions: 99 %, most | transactions a second | a call | rolled back | log bytes a call |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, m := range list {
		if s := m.Server; s != nil {
			calls := float64(m.Workers)
			fmt.Printf("| %s | %d | %d | %d, %d | %.0f | %.1f | %d | %.0f |\n", m.What, m.Told, m.Workers, s.Sessions[0], s.Sessions[1],
				float64(s.Transactions)/s.Seconds, float64(s.Transactions)/calls, s.Refused, float64(s.Written)/calls)
		}
	}
	for _, m := range list {
		if l := m.Lived; l != nil {
			fmt.Printf("\n%d workers, trials of %d s, %s: %+v\n", m.Workers, m.Pending, m.Store, *l)
		}
	}
	if len(runs.Results) == 0 {
		return nil
	}
	problems, figure := compare(runs.Results)
	fmt.Printf("\n| problem |")
	for _, w := range atOnce {
		fmt.Printf(" %d at once |", w)
	}
	fmt.Printf("\n|---|---|---|---|\n")
	for _, line := range problems {
		fmt.Println(line)
	}
	return os.WriteFile(filepath.Join(o.dir, "regret.svg"), figure.SVG(plot.Light), 0o666)
}

// compare is the mean log10 regret of each number of workers: a row a problem at the end,
// with how much it is above that of one worker, and a curve over the trials told.
func compare(all []simulated) (rows []string, f plot.Figure) {
	byProblem := map[string]map[int][]simulated{}
	for _, r := range all {
		if byProblem[r.Problem] == nil {
			byProblem[r.Problem] = map[int][]simulated{}
		}
		byProblem[r.Problem][r.Workers] = append(byProblem[r.Problem][r.Workers], r)
	}
	var names []string
	for name := range byProblem {
		names = append(names, name)
	}
	slices.Sort(names)
	f = plot.Figure{Title: "Regret after the same number of trials", Note: "1, 8 and 64 trials under way at once; mean of log10 over the seeds", Columns: 3, Width: 360, Height: 260}
	for _, name := range names {
		row := "| " + name + " |"
		p := plot.Panel{Title: name, X: plot.Axis{Label: "trials"}, Y: plot.Axis{Label: "log10 regret"}}
		for tone, workers := range atOnce {
			list := byProblem[name][workers]
			s := plot.Series{Label: fmt.Sprint(workers), Kind: plot.Line, Tone: plot.Tone(tone)}
			for n := 0; len(list) > 0 && n < len(list[0].Best); n++ {
				mean, _ := meanLog(list, n)
				s.X, s.Y = append(s.X, float64(n+1)), append(s.Y, mean)
			}
			p.Series = append(p.Series, s)
			if len(list) == 0 {
				row += " – |"
				continue
			}
			mean, se := meanLog(list, len(list[0].Best)-1)
			row += fmt.Sprintf(" %.2f ± %.2f (%d) |", mean, se, len(list))
		}
		rows, f.Panels = append(rows, row), append(f.Panels, p)
	}
	for _, workers := range atOnce[1:] { // paired by problem and seed
		var d []float64
		for _, name := range names {
			for _, r := range byProblem[name][workers] {
				for _, one := range byProblem[name][1] {
					if one.Seed == r.Seed && one.N == r.N {
						d = append(d, logRegret(r, r.N-1)-logRegret(one, r.N-1))
					}
				}
			}
		}
		mean, se := statistics.Mean(d), statistics.StandardError(d)
		rows = append(rows, fmt.Sprintf("\n%d at once less one at a time, in pairs: %.2f ± %.2f (%d pairs)", workers, mean, se, len(d)))
	}
	return rows, f
}

// floor is the regret below which there is nothing to tell apart.
const floor = 1e-6

func logRegret(r simulated, n int) float64 { return math.Log10(max(floor, r.Best[n]-r.Optimum)) }

func meanLog(list []simulated, n int) (mean, se float64) {
	var x []float64
	for _, r := range list {
		if n < len(r.Best) {
			x = append(x, logRegret(r, n))
		}
	}
	return statistics.Mean(x), statistics.StandardError(x)
}
