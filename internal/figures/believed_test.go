package figures

import (
	"strings"
	"testing"

	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Where values are noisy trials are coloured by what is believed of them: the luckiest is
// not the best, and measurements of one configuration are equally good.
func TestPlacesAreThoseBelieved(t *testing.T) {
	st := svm(t)
	var trials []study.Trial
	for k, v := range []float64{0.1, 0.4, 0.6, 0.2} {
		tr := *trial(t, st, `{"kernel":"poly","lr":0.1,"degree":3,"use.bias":true}`)
		tr.Number, tr.State = k+1, study.Complete
		tr.Values = study.Values{{Name: "loss", Value: v}}
		trials = append(trials, tr)
	}
	measured := Source{Study: st, Trials: trials}
	believed := measured
	believed.Standing = studytest.Believed(st, trials, map[int]study.Estimate{1: {Mean: 0.5}, 2: {Mean: 0.3}, 3: {Mean: 0.5},
		4: {Mean: 0.7}})
	for _, one := range []struct {
		source Source
		want   map[int]float64
	}{
		{measured, map[int]float64{1: 0, 4: 1. / 3, 2: 2. / 3, 3: 1}},
		{believed, map[int]float64{2: 0, 1: 1. / 3, 3: 1. / 3, 4: 1}},
	} {
		for number, place := range one.source.ranks() {
			if place != one.want[number] {
				t.Errorf("believed %v: trial %d at %v, want %v", one.source.Standing, number, place, one.want[number])
			}
		}
		parallel := Parallel(one.source, []int{1, 2})
		for _, thread := range parallel.Panels[0].Parallel.Threads {
			if thread.Shade != one.want[thread.Trial] {
				t.Errorf("thread of trial %d: shade %v, want %v", thread.Trial, thread.Shade, one.want[thread.Trial])
			}
		}
		if told := strings.Contains(parallel.Note, "posterior mean"); told != (one.source.Standing != nil) {
			t.Errorf("%s: note %q", parallel.Title, parallel.Note)
		}
	}
}
