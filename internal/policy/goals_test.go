package policy

import (
	"math"
	"testing"
)

// Where configurations share the least value of one of several objectives, each beyond the first asks 0.2 standard
// deviations of a better one, up to one in all; from three on the objective is modelled as it is.
func TestFloor(t *testing.T) {
	for floor, want := range map[int]struct {
		xi        float64
		transform string
	}{0: {0, "power"}, 1: {0, "power"}, 2: {0.2, "power"}, 3: {0.4, "none"}, 6: {1, "none"}, 20: {1, "none"}} {
		v := busyView(t)
		v.Floor = floor
		w := v.several()
		for _, o := range Decide(w, InForce(w.Study)).Objectives {
			if got := o.Model.Spec.Transform; math.Abs(o.Xi-want.xi) > 1e-12 || got != want.transform {
				t.Errorf("%d share the least value of %s: ξ %v, transform %s, want %+v", floor, o.Name, o.Xi, got, want)
			}
		}
		w.Goals[0].Study.Objectives[0].Transform = "log"
		if got := Decide(w, nil).Objectives[0].Model.Spec.Transform; got != "log" {
			t.Errorf("%d share the least value: transform %s, the study names log", floor, got)
		}
	}
}

// The only objective of a study has no floor.
func TestNoFloorOfTheOnlyObjective(t *testing.T) {
	v := busyView(t)
	if p := Decide(v, InForce(v.Study)); p.Xi != 0 || p.Model.Spec.Transform != "power" {
		t.Errorf("ξ %v, transform %s", p.Xi, p.Model.Spec.Transform)
	}
}

// Every third suggestion looks beyond the front.
func TestFrontReach(t *testing.T) {
	w := busyView(t).several()
	n := 0
	for _, p := range plansOf(w, InForce(w.Study), 30) {
		if p.Reach != 0 {
			n++
		}
	}
	if n != 10 {
		t.Errorf("%d of 30 suggestions look beyond the front, want 10", n)
	}
}
