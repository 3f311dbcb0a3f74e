package figures

import (
	"sort"

	"bohier/internal/plot"
)

// Rank shows where good trials lie: for every pair of parameters, a dot for each
// trial in which both are active, coloured by its rank, as believed if anything is believed.
func Rank(s Source, params []int) plot.Figure {
	ranks := s.ranks()
	f := plot.Figure{Title: s.title("rank"),
		Note: "A dot for each trial, coloured from the best to the worst." + s.byMeans(), Columns: 3, Width: 320, Height: 320}
	for a, i := range params {
		for _, j := range params[a+1:] {
			f.Panels = append(f.Panels, rankPanel(s, i, j, ranks))
		}
	}
	if len(f.Panels) == 1 {
		f.Columns, f.Width, f.Height = 1, 520, 440
	}
	return f
}

func rankPanel(s Source, i, j int, ranks map[int]float64) plot.Panel {
	dots := points{plot.Series{Kind: plot.Dots, Label: "best to worst"}}
	grey := points{plot.Series{Kind: plot.Crosses, Tone: plot.Grey, Label: "no result"}}
	order := make([]int, len(s.Trials))
	for k := range order {
		order[k] = k
	}
	sort.SliceStable(order, func(a, b int) bool {
		return ranks[s.Trials[order[a]].Number] > ranks[s.Trials[order[b]].Number]
	})
	for _, k := range order {
		t := &s.Trials[k]
		if t.Outside || len(t.Config.Active) == 0 || !t.Config.Active[i] || !t.Config.Active[j] {
			continue
		}
		x, y := t.Config.Value[i], t.Config.Value[j]
		if rank, ok := ranks[t.Number]; ok {
			dots.add(x, y, t, s.tip(t))
			dots.Shade = append(dots.Shade, rank)
		} else if t.State == "failed" || t.State == "complete" {
			grey.add(x, y, t, s.tip(t))
		}
	}
	return plot.Panel{X: s.axis(i), Y: s.axis(j), Series: some(nil, grey, dots)}
}
