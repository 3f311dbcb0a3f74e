package surrogate

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// What the journal keeps of a fit is where the next one starts, with the checksum of the
// data only where it is asked for.
func TestKept(t *testing.T) {
	w := gp.Warm{Hyper: map[string]float64{"relative.noise": 0.25}, FittedTo: gp.FittedTo{Observations: 12, Best: 1<<53 - 1, Data: 7}}
	f := Fitted{Report: &gp.Report{Warm: w}}
	for checksum, want := range map[bool]string{
		true:  `{"best":9007199254740991,"data":7,"observations":12,"relative.noise":0.25}`,
		false: `{"best":9007199254740991,"observations":12,"relative.noise":0.25}`,
	} {
		got, err := json.Marshal(f.Kept(checksum))
		if err != nil || string(got) != want {
			t.Errorf("kept: %s, want %s (%v)", got, want, err)
		}
		var kept study.HyperSet
		if err := json.Unmarshal(got, &kept); err != nil {
			t.Fatal(err)
		}
		from := w
		if !checksum {
			from.FittedTo.Data = 0
		}
		if diff := cmp.Diff(from, warmStart(kept)); diff != "" {
			t.Error(diff)
		}
	}
}
