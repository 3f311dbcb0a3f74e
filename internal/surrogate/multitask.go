package surrogate

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/gp"
	"bohier/internal/lists"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// multitask puts earlier studies beside a study's own transformed values y. Each study is standardised by itself (its
// transform included), then put on the study's scale, or on that of the first earlier one while the study has no
// trials. A study's own spread and location are those of its trials compared with the values of earlier studies at the
// same configurations: trials that a warm start chose well must not count as average. The result is the points and the
// values of all studies, this one first, and the same points with the study in one more coordinate: 0, or k for the
// k-th earlier one.
func multitask(st *study.Study, x *points.Set, y []float64, earlier []Source,
	transform string) (confs *points.Set, values []float64, tasks *points.Set) {
	confs, values = x, slices.Clone(y)
	task := make([]float64, len(y))
	said := make([]gp.Units, len(earlier))
	sets := make([]*points.Set, len(earlier))
	told := make([][]float64, len(earlier)) // standardised values
	for k, e := range earlier {
		t, err := gp.NewTransform(transform, e.Values)
		if err != nil { // such as a log of mixed signs, which this study does not have
			t = gp.Untransformed{}
		}
		v := lists.Of(e.Values, t.Forward)
		said[k], _ = gp.UnitsOf(v)
		told[k], sets[k] = lists.Of(v, said[k].Standard), st.Space.EncodeAll(e.Configs)
	}
	location, spread := said[0].Value(0), gp.Clamped(said[0].Value(1)-said[0].Value(0))
	if len(y) > 0 {
		own, flat := gp.UnitsOf(y)
		expected, alike := gp.UnitsOf(expectations(st.Space, x, sets, told))
		if !flat {
			// At most four times the spread seen: trials close together say little.
			share := 0.25
			if !alike {
				share = min(1, max(share, expected.Value(1)-expected.Value(0)))
			}
			spread = gp.Clamped((own.Value(1) - own.Value(0)) / share)
		}
		location = gp.Clamped(own.Value(0) - spread*expected.Value(0))
	}
	for k := range earlier {
		confs = points.Concat(confs, sets[k])
		for _, z := range told[k] {
			values, task = append(values, gp.Clamped(location+spread*z)), append(task, float64(k+1))
		}
	}
	tasks = confs.Extend(0)
	copy(tasks.Col(confs.Dim()), task)
	return confs, values, tasks
}

// expectations are the predictions of earlier studies at the points of x: the mean of the three
// nearest values of each, averaged over the studies.
func expectations(s *space.Space, x *points.Set, sets []*points.Set, values [][]float64) []float64 {
	m, out := space.NewGower(s), make([]float64, x.Len())
	for i := range out {
		for k, set := range sets {
			order := make([]int, set.Len())
			far := lists.Make(set.Len(), func(j int) float64 { return m.Distance(x, i, set, j) })
			floats.ArgsortStable(far, order)
			near := order[:min(3, len(order))]
			for _, j := range near {
				out[i] += values[k][j] / float64(len(near)*len(sets))
			}
		}
	}
	return out
}
