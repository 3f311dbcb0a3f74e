package figures

import (
	"slices"
	"strings"
	"testing"

	"bohier/internal/plot"
	"bohier/internal/study"
)

// frontSource is five trials of two or three objectives, the first less, the second more being better: 1 and 2 on the
// front, 3 dominated, 4 against a constraint, 5 pending.
func frontSource(t *testing.T, m int) Source {
	t.Helper()
	st := svm(t)
	target := 9.0
	st.Objectives = []study.Objective{{Name: "loss"}, {Name: "speed", Direction: study.Maximize, Target: &target},
		{Name: "size"}}[:m]
	st.Constraints = []study.Constraint{{Name: "memory", Bound: 1}}
	var trials []study.Trial
	for k, v := range [][]float64{{1, 5, 0, 3}, {2, 8, 0, 2}, {3, 4, 0, 4}, {0, 9, 7, 1}, nil} {
		tr := *trial(t, st, `{"kernel":"poly","lr":0.1,"degree":3,"use.bias":true}`)
		tr.Number = k + 1
		if v != nil {
			tr.State = study.Complete
			tr.Values = study.NamedOf(map[string]float64{"loss": v[0], "speed": v[1], "memory": v[2], "size": v[3]})
		}
		trials = append(trials, tr)
	}
	return Source{Study: st, Trials: trials}
}

func TestPareto(t *testing.T) {
	s := frontSource(t, 2)
	f := Pareto(s, map[int][]study.Estimate{5: {{Mean: 1.5, Std: 0.5}, {Mean: 7, Std: 1}}}, nil)
	if len(f.Panels) != 1 || f.Panels[0].Y.Label != "speed (more is better)" {
		t.Fatalf("%d panels, %q", len(f.Panels), f.Panels[0].Y.Label)
	}
	want := map[string][]int{"front": {1, 2}, "dominated": {3}, "violates a constraint": {4}, "pending, as expected": {5}}
	labels := map[string]bool{}
	for _, series := range f.Panels[0].Series {
		labels[series.Label] = true
		if numbers, ok := want[series.Label]; ok {
			if len(series.Trials) != len(numbers) || series.Trials[0] != numbers[0] {
				t.Errorf("%s: trials %v, want %v", series.Label, series.Trials, numbers)
			}
			delete(want, series.Label)
		}
	}
	if len(want) > 0 || !labels["reference point"] || !labels["target"] {
		t.Errorf("missing: %v; there are %v", want, labels)
	}
	// The staircase goes through (1, 5), (2, 5) and (2, 8).
	stairs := f.Panels[0].Series[0]
	if len(stairs.X) != 3 || stairs.X[1] != 2 || stairs.Y[1] != 5 || stairs.Y[2] != 8 {
		t.Errorf("staircase %v, %v", stairs.X, stairs.Y)
	}
	if n := elements(t, f.SVG())["svg"]; n == 0 {
		t.Error("no picture")
	}
	// What is believed leaves out trials outside of today's space, which violate nothing.
	s = frontSource(t, 2)
	s.Standing = s.Study.Standing(study.Pointers(s.Trials[:2]))
	for _, series := range Pareto(s, nil, nil).Panels[0].Series {
		if series.Label == "violates a constraint" && len(series.Trials) != 1 {
			t.Errorf("hollow: %v", series.Trials)
		}
	}
	if f = Pareto(frontSource(t, 3), nil, nil); len(f.Panels) != 3 || f.Note == "" {
		t.Errorf("three objectives: %d panels, note %q", len(f.Panels), f.Note)
	}
}

func TestHypervolumePictures(t *testing.T) {
	s := frontSource(t, 2)
	f := Hypervolume(s, "trial")
	line := f.Panels[0].Series[0]
	if len(line.Y) != 4 || !(line.Y[1] > line.Y[0]) || line.Y[3] != line.Y[1] {
		t.Errorf("hypervolume %v of trials %v", line.Y, line.X)
	}
	if !strings.Contains(f.Note, "inferred") {
		t.Errorf("note %q", f.Note)
	}
	for k, cost := range []float64{3, 4, 1, 2} {
		s.Trials[k].Cost = &cost
	}
	if by := Hypervolume(s, "cost").Panels[0].Series[0]; !slices.Equal(by.X, []float64{3, 7, 8, 10}) ||
		!slices.Equal(by.Y, line.Y) {
		t.Errorf("by cost %v: %v, want the same hypervolumes", by.X, by.Y)
	}
	parallel := Parallel(s, []int{1, 2})
	q := parallel.Panels[0].Parallel
	if on := string(parallel.Text(80)); !strings.Contains(on, "* the front   · others") ||
		strings.Contains(on, "coloured") {
		t.Errorf("text speaks of colours:\n%s", on)
	}
	q.Front = false
	tenth := strings.Count(string(parallel.Text(80)), "*")
	if q.Front = true; strings.Count(string(parallel.Text(80)), "*") <= tenth {
		t.Error("text marks a tenth of the front")
	}
	if len(q.Axes) != 4 || len(q.Threads) != 4 {
		t.Fatalf("%d axes, %d threads", len(q.Axes), len(q.Threads))
	}
	if q.Threads[0].Shade != 0 || q.Threads[1].Shade != 1 || q.Threads[2].Shade == q.Threads[2].Shade {
		t.Errorf("shades %v %v %v", q.Threads[0].Shade, q.Threads[1].Shade, q.Threads[2].Shade)
	}
}

// Pictures show every second of these trials, and say so; of them one is on the front and one pending. The
// front is whole, and so is what is best of one objective.
func TestCloudOfManyTrials(t *testing.T) {
	s := frontSource(t, 2)
	for k := len(s.Trials); k < mostPoints+2; k++ {
		dominated := s.Trials[2]
		dominated.Number = k + 1
		s.Trials = append(s.Trials, dominated)
	}
	points := func(f plot.Figure) map[string]int {
		out := map[string]int{}
		for _, series := range f.Panels[0].Series {
			out[series.Label] = len(series.X)
		}
		return out
	}
	if got := points(Pareto(s, nil, nil)); got["dominated, one of 2"] != mostPoints/2-1 || got["front"] != 2 {
		t.Errorf("points: %v", got)
	}
	one := *s.Study // speed, of which trial 2 has most
	one.Objectives = one.Objectives[1:]
	s.Study = &one
	f := Convergence(s, "trial")
	if got := points(f); got["observed, one of 2"] != mostPoints/2 || got["best so far"] != mostPoints/2+1 {
		t.Errorf("points: %v", got)
	}
	if star := f.Panels[0].Series[len(f.Panels[0].Series)-1]; !slices.Equal(star.Trials, []int{2}) {
		t.Errorf("a star at trials %v, want trial 2", star.Trials)
	}
	f = Parallel(s, []int{1, 2})
	if n := len(f.Panels[0].Parallel.Threads); n != mostPoints/2+1 || !strings.HasPrefix(f.Note, "A line for one of 2 trials") {
		t.Errorf("%d threads: %s", n, f.Note)
	}
}
