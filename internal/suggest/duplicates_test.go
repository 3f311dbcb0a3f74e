package suggest

import (
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Of a suggestion's choices those are too close that lie by a trial which became pending
// meanwhile; when that would be all of them, none is.
func TestTooClose(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	at := func(x float64) space.Configuration {
		return space.Configuration{Value: []float64{x}, Active: []bool{true}}
	}
	pending := func(number int, x float64) *study.Trial {
		return &study.Trial{Number: number, State: study.Pending, Config: at(x)}
	}
	sug := &study.Suggestion{Source: "model", Config: at(0.2), Spare: []space.Configuration{at(0.5), at(0.8)}}
	then := []int{1}
	for _, c := range []struct {
		source string
		now    []*study.Trial
		want   []float64
	}{
		{"model", []*study.Trial{pending(1, 0.8), pending(2, 0.5004), pending(3, 0.4996)}, []float64{0.5}},
		{"model", []*study.Trial{pending(2, 0.4)}, nil},
		{"model", []*study.Trial{pending(2, 0.2), pending(3, 0.5), pending(4, 0.8)}, nil},
		{"design", []*study.Trial{pending(2, 0.5)}, nil},
	} {
		sug.Source = c.source
		got := TooClose(st.Space, sug, then, c.now)
		if len(got) != len(c.want) || len(got) > 0 && got[0].Config.Value[0] != c.want[0] {
			t.Errorf("%s, %d pending: %d are too close", c.source, len(c.now), len(got))
		}
	}
}
