package study_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/study"
)

// Journals written before fits had a record of their own kept them as numbers by name.
func TestReadFlatFit(t *testing.T) {
	got := study.ReadFlatFit(map[string]float64{
		"favourite.box.power": 1, "density.box.power": -1.5, "density.mix.copula": -2,
		"box.power/plain.theta[x]": 0.25, "box.power/warping": -12, "mix.copula/warping": 16, "mix.copula/signal": 2,
		"constraint.c/signal": 3, "feasibility/signal": 4, "cost/noise": 5, "points": 150,
	})
	want := &study.FitRecord{
		Used: "box.power",
		Models: map[string]study.ModelFit{
			"box.power":  {Hyper: study.HyperSet{Values: map[string]float64{"plain.theta[x]": 0.25}}, Density: -1.5},
			"mix.copula": {Hyper: study.HyperSet{Values: map[string]float64{"signal": 2}}, Density: -2},
		},
		Outcomes: map[string]study.HyperSet{
			"constraint.c": {Values: map[string]float64{"signal": 3}}, "feasibility": {Values: map[string]float64{"signal": 4}},
			"cost": {Values: map[string]float64{"noise": 5}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if study.ReadFlatFit(nil) != nil {
		t.Error("no numbers are a record")
	}
}

// A record names its model twice, and of older ones that name two the one that suggested counts.
func TestFitRecordJSON(t *testing.T) {
	const written = `{"champion":"box.power","cut":150,"used":"box.power","objectives":{"f":{"champion":"box.none","used":"box.none"}}}`
	f := &study.FitRecord{Used: "box.power", Cut: 150, Objectives: map[string]*study.FitRecord{"f": {Used: "box.none"}}}
	if got, err := json.Marshal(f); err != nil || string(got) != written {
		t.Errorf("%s (%v), want %s", got, err, written)
	}
	var read *study.FitRecord
	if err := json.Unmarshal([]byte(written), &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f, read); diff != "" {
		t.Error(diff)
	}
	if err := json.Unmarshal([]byte(`{"champion":"box.power","used":"mix.power"}`), &read); err != nil ||
		read.Used != "mix.power" {
		t.Errorf("%+v (%v)", read, err)
	}
}
