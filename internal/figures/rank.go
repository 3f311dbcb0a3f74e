package figures

import (
	"cmp"
	"slices"

	"bohier/internal/plot"
	"bohier/internal/study"
)

// Rank shows where good trials lie: for every pair of parameters, a dot for each
// trial in which both are active, coloured by its rank, as believed if anything is believed.
func Rank(s Source, params []int) plot.Figure {
	ranks := s.ranks()
	f := plot.Figure{Title: s.title("rank"),
		Note: "A dot for each trial, coloured from the best to the worst." + s.byMeans(), Columns: 3, Width: 320, Height: 320}
	for a, i := range params {
		for _, j := range params[a+1:] {
			if p := rankPanel(s, i, j, ranks); len(p.Series) > 0 {
				f.Panels = append(f.Panels, p)
			}
		}
	}
	if len(f.Panels) == 1 {
		f.Columns, f.Width, f.Height = 1, 520, 440
	}
	return f
}

func rankPanel(s Source, i, j int, ranks map[int]float64) plot.Panel {
	dots := plot.Series{Kind: plot.Dots, Label: "best to worst"}
	grey := plot.Series{Kind: plot.Crosses, Tone: plot.Grey, Label: "no result"}
	trials := study.Pointers(s.Trials)
	slices.SortStableFunc(trials, func(a, b *study.Trial) int { return cmp.Compare(ranks[b.Number], ranks[a.Number]) })
	for _, t := range trials {
		if t.Outside || len(t.Config.Active) == 0 || !t.Config.Active[i] || !t.Config.Active[j] {
			continue
		}
		x, y := t.Config.Value[i], t.Config.Value[j]
		if rank, ok := ranks[t.Number]; ok {
			s.add(&dots, x, y, t)
			dots.Shade = append(dots.Shade, rank)
		} else if t.State == study.Failed || t.State == study.Complete {
			s.add(&grey, x, y, t)
		}
	}
	return plot.Panel{X: s.axis(i), Y: s.axis(j), Series: drawn(grey, dots)}
}
