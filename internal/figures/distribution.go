package figures

import (
	"slices"

	"bohier/internal/plot"
	"bohier/internal/study"
)

// Distribution shows the empirical distribution of the objective: the share of
// complete trials up to each value, of all and by where their configurations come
// from.
func Distribution(s Source) plot.Figure {
	groups := map[string][]float64{}
	var all []float64
	for k := range s.Trials {
		t := &s.Trials[k]
		v, ok := s.value(t)
		if !ok {
			continue
		}
		all = append(all, v)
		groups[origin(t)] = append(groups[origin(t)], v)
	}
	p := plot.Panel{
		X: plot.Axis{Label: s.Study.Objective().Name},
		Y: plot.Axis{Label: "share of trials up to there", Low: 0, High: 1.02},
	}
	if len(groups) > 1 {
		for k, name := range []string{"model", "initial design", "given"} {
			if v := groups[name]; len(v) > 0 {
				p.Series = append(p.Series, stairs(v, plot.Series{Label: name, Tone: plot.Tone(k), Kind: plot.Stairs}))
			}
		}
	}
	if len(all) > 0 {
		p.Series = append([]plot.Series{stairs(all, plot.Series{Label: "all", Tone: plot.Grey, Kind: plot.Stairs})},
			p.Series...)
	}
	var moved [][]float64
	for _, series := range p.Series {
		moved = append(moved, series.X)
	}
	s.window(&p.X, s.Study.Objective(), all, nil, nil, moved...)
	return plot.Figure{Title: s.title("distribution of " + s.Study.Objective().Name), Height: 340, Panels: []plot.Panel{p}}
}

// origin is where a trial's configuration comes from, in a word.
func origin(t *study.Trial) string {
	switch t.Source {
	case "model":
		return "model"
	case "design", "initial":
		return "initial design"
	}
	return "given"
}

// stairs is the empirical distribution of values as a series.
func stairs(v []float64, s plot.Series) plot.Series {
	v = slices.Clone(v)
	slices.Sort(v)
	s.X, s.Y = append(s.X, v[0]), append(s.Y, 0)
	for k := range v {
		if k+1 < len(v) && v[k+1] == v[k] {
			continue
		}
		s.X, s.Y = append(s.X, v[k]), append(s.Y, float64(k+1)/float64(len(v)))
	}
	return s
}
