package surrogate

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// What the journal keeps of a fit is where the next one starts, with the checksum of the
// data only where it is asked for, and no such numbers are among the hyperparameters.
func TestKept(t *testing.T) {
	w := gp.Warm{Hyper: map[string]float64{"relative.noise": 0.25},
		FittedTo: gp.FittedTo{Observations: 12, Best: 1<<53 - 1, Data: 7}}
	f := Fitted{Report: &gp.Report{Warm: w}}
	for checksum, data := range map[bool]string{true: `,"data":7`, false: ``} {
		record := study.FitRecord{Used: "m", Models: map[string]study.ModelFit{"m": {Hyper: f.Kept(checksum)}},
			Outcomes: map[string]study.HyperSet{"cost": f.Kept(checksum)}}
		to := `{"observations":12,"best":9007199254740991` + data + `}`
		want := `{"champion":"m","used":"m","models":{"m":{"hyper":{"relative.noise":0.25},"density":0}},` +
			`"outcomes":{"cost":{"relative.noise":0.25}},"fitted_to":{"cost":` + to + `,"m":` + to + `}}`
		got, err := json.Marshal(record)
		if err != nil || string(got) != want {
			t.Errorf("kept: %s, want %s (%v)", got, want, err)
		}
		from := w
		if !checksum {
			from.FittedTo.Data = 0
		}
		var read study.FitRecord
		if err := json.Unmarshal([]byte(want), &read); err != nil {
			t.Fatal(err)
		}
		for name, kept := range map[string]study.HyperSet{"m": read.Models["m"].Hyper, "cost": read.Outcomes["cost"]} {
			if diff := cmp.Diff(from, Data{}.options(&study.Study{}, 0, kept, 0).Warm); diff != "" {
				t.Errorf("%s of %s: %s", name, want, diff)
			}
		}
	}
}
