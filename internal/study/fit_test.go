package study_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/study"
)

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
