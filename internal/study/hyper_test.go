package study_test

import (
	"slices"
	"testing"

	"bohier/internal/study"
)

// Settings of hyperparameters count whatever they say of them.
func TestSettings(t *testing.T) {
	one := map[string]float64{"noise": 1}
	for _, h := range []study.Hyper{{Fixed: one}, {Initial: one}, {Bounds: map[string][2]float64{"noise": {0, 1}}},
		{Prior: map[string]study.Density{"noise": {}}}} {
		if !h.Sets("") || !h.Sets("noise") || h.Sets("mean") || !slices.Equal(h.Names(), []string{"noise"}) {
			t.Errorf("%+v: %v", h, h.Names())
		}
	}
	if h := (study.Hyper{Fixed: map[string]float64{}}); h.Sets("") {
		t.Error("no setting counts")
	}
}
