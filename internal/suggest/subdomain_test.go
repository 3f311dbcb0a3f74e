package suggest

import (
	"slices"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A plan's region is the part of the space that it names.
func TestRegionOf(t *testing.T) {
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	domain := space.NewDomain(st.Space, nil)
	for _, active := range st.Space.Branches() {
		names := activeNames(st.Space, active)
		sample := regionOf(domain, st.Space, &study.Region{Branch: &names}).Sample(generator(Request{}, streamSearch), 20)
		if sample.Len() == 0 {
			t.Errorf("the branch of %v is empty", names)
		}
		for i := range sample.Len() {
			if c := st.Space.Decode(sample, i); !slices.Equal(activeNames(st.Space, c.Active), names) {
				t.Errorf("%v lies in the branch of %v", c, names)
			}
		}
	}
	values := []study.RegionValues{{Name: "k", Values: []string{st.Space.Param(0).Values[1]}}}
	sample := regionOf(domain, st.Space, &study.Region{Values: values}).Sample(generator(Request{}, streamSearch), 20)
	for i := range sample.Len() {
		if c := st.Space.Decode(sample, i); c.Value[0] != 1 {
			t.Errorf("%v lies in the region of %v", c, values)
		}
	}
	if sample.Len() == 0 {
		t.Error("the region of a value is empty")
	}
}

// While a plane is the mean, no suggestion has all of many numbers at their bounds.
func TestOffCorners(t *testing.T) {
	var params []space.Parameter
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		params = append(params, space.Parameter{Name: name, Kind: space.Float, High: 1})
	}
	st := studytest.NewStudy(t, params...)
	st.Surrogate.Mean = "auto"
	n := 0
	for _, trial := range simulate(t, st, 12, studytest.Value(func(c space.Configuration) (sum float64) {
		for _, v := range c.Value {
			sum += v
		}
		return sum
	})) {
		if trial.Source != "model" {
			continue
		}
		n++
		if !slices.ContainsFunc(trial.Config.Value, func(v float64) bool { return v > 0.01 && v < 0.99 }) {
			t.Errorf("trial %d is a corner: %v", trial.Number, trial.Config.Value)
		}
	}
	if n == 0 {
		t.Error("no suggestion of the model")
	}
}
