package suggest

import (
	"testing"

	"bohier/internal/study"
)

// What a trial was measured again at is the full resource of then, not a larger one of now.
func TestFurtherMeasurementsAreOfTheFullResource(t *testing.T) {
	t.Parallel()
	o := study.Observation{Values: study.Values{{Name: "f", Value: 1}}}
	trial := &study.Trial{Course: &study.Course{Points: []study.Point{{Resource: 9, Observation: o}}},
		Replicates: []study.Observation{o, o}}
	for high, want := range map[float64]int{9: 2, 27: 0} {
		f := &study.Fidelity{Name: "epochs", Levels: []float64{1, 3, high}, Kind: study.FidelityCurve}
		if got := furtherRows(f, trial); len(got) != want {
			t.Errorf("up to %v: %d rows, not %d", high, len(got), want)
		}
	}
	one := &study.Fidelity{Name: "run", Levels: []float64{1, 3}, Kind: study.FidelityRepeats, Model: "auto"}
	if got := furtherRows(one, &study.Trial{Course: &study.Course{}, Replicates: trial.Replicates}); len(got) != 2 {
		t.Errorf("of repeats: %d rows, not 2", len(got))
	}
}
