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
	f := plot.Figure{Title: s.title("distribution of " + s.Study.Objective().Name), Height: 340}
	const all = "all"
	groups := map[string][]float64{}
	for k := range s.Trials {
		if v, ok := s.value(&s.Trials[k]); ok {
			for _, group := range []string{all, origin(&s.Trials[k])} {
				groups[group] = append(groups[group], v)
			}
		}
	}
	if len(groups) == 0 {
		return f
	}
	names := []string{all, "model", "initial design", "given"}
	if len(groups) == 2 {
		names = names[:1]
	}
	p := plot.Panel{
		X: plot.Axis{Label: s.Study.Objective().Name},
		Y: plot.Axis{Label: "share of trials up to there", Low: 0, High: 1.02},
	}
	var moved [][]float64
	for k, name := range names {
		if v := groups[name]; len(v) > 0 {
			series := stairs(v, plot.Series{Label: name, Tone: plot.Grey + plot.Tone(k), Kind: plot.Stairs})
			p.Series, moved = append(p.Series, series), append(moved, series.X)
		}
	}
	s.window(&p.X, s.Study.Objective(), groups[all], nil, nil, moved...)
	f.Panels = []plot.Panel{p}
	return f
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
