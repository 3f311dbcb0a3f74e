package policy

import (
	"slices"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// What a study is decides which rules can act in it, beside those of a study of two
// numbers that leaves everything to `auto`.
func TestInForce(t *testing.T) {
	of := func(change func(st *study.Study)) (names []string) {
		st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
		st.Objectives[0].Transform, st.Surrogate.Warping, st.Surrogate.Mean = "auto", "auto", "auto"
		change(st)
		for _, r := range InForce(st) {
			names = append(names, r.Name)
		}
		return names
	}
	several := func(m int) func(st *study.Study) {
		return func(st *study.Study) {
			st.Objectives = studytest.Several(t, m, "auto", studytest.Number("x")).Objectives
		}
	}
	curves := func(kind, model string) func(st *study.Study) {
		return func(st *study.Study) {
			st.Fidelity = study.Fidelity{Levels: []float64{1, 3, 9}, Eta: 3, Kind: kind, Model: model,
				Scheduler: study.SchedulerAuto, Start: study.StartAuto, Resume: true}
		}
	}
	within := func(params ...space.Parameter) func(st *study.Study) {
		return func(st *study.Study) { st.Space = studytest.NewStudy(t, params...).Space }
	}
	choice := studytest.Category("k", "a", "b")
	branched := []space.Parameter{choice, studytest.When(studytest.Number("x"), 0, 0)}
	base := of(func(*study.Study) {})
	for name, c := range map[string]struct {
		change func(st *study.Study)
		want   string
	}{
		"numbers alone": {func(*study.Study) {}, ""},
		"plain":         {func(st *study.Study) { st.Policy.Plain = true }, "-" + strings.Join(base, " -")},
		"left out":      {func(st *study.Study) { st.Policy.Without = []string{branchRule} }, ""},
		"prior": {func(st *study.Study) { st.Space.Param(0).Prior = &space.Prior{Mode: 0.5, Strength: "weak"} },
			"+design.prior"},
		"transform":          {func(st *study.Study) { st.Objectives[0].Transform = "log" }, ""},
		"exact values":       {func(st *study.Study) { st.Objectives[0].Noise.None = true }, "-noise.augmented"},
		"no warping":         {func(st *study.Study) { st.Surrogate.Warping = "false" }, ""},
		"mean":               {func(st *study.Study) { st.Surrogate.Mean = "constant" }, ""},
		"kriging":            {func(st *study.Study) { st.Surrogate.Form = "kriging" }, ""},
		"maximum likelihood": {func(st *study.Study) { st.Surrogate.Inference = "mle" }, ""},
		"hyperparameters":    {func(st *study.Study) { st.Surrogate.Fixed = map[string]float64{"noise": 1} }, ""},
		"warm start":         {func(st *study.Study) { st.WarmStart = &study.WarmStart{} }, "-model.choice"},
		"constraint": {func(st *study.Study) { st.Constraints = []study.Constraint{{Name: "c"}} },
			"+constraint.margin"},
		"lcb": {func(st *study.Study) { st.Acquisition.Name = "lcb" },
			"-design.elsewhere -noise.augmented -failures.surrogate"},
		"ei":             {func(st *study.Study) { st.Acquisition.Name = "ei" }, "-design.elsewhere -noise.augmented"},
		"branches":       {within(branched...), "+region.branch +region.unseen"},
		"choices alone":  {within(choice), "+region.branch +region.unseen"},
		"choice":         {within(choice, studytest.Number("x")), "+region.branch +region.unseen"},
		"two objectives": {several(2), "-design.elsewhere -failures.penalty +front.reach +xi.floor"},
		"one of them set": {func(st *study.Study) {
			several(2)(st)
			st.Surrogate.Fixed = map[string]float64{st.Objectives[0].Name + "/noise": 1}
		}, "-design.elsewhere -failures.penalty +front.reach +xi.floor"},
		"three objectives": {several(3), "-design.elsewhere -failures.penalty +front.reach +xi.floor"},
		"four objectives":  {several(4), "-design.elsewhere -failures.penalty +xi.floor"},
		"curves":           {curves(study.FidelityCurve, "curve"), "-failures.penalty +fidelity.continue"},
		"curves, final":    {curves(study.FidelityCurve, "final"), "-failures.penalty +fidelity.continue"},
		"folds":            {curves(study.FidelityFolds, "auto"), "-model.choice -failures.penalty +fidelity.continue"},
		"repeats":          {curves(study.FidelityRepeats, "auto"), "-failures.penalty"},
	} {
		got := of(c.change)
		var more []string
		for _, r := range base {
			if !slices.Contains(got, r) {
				more = append(more, "-"+r)
			}
		}
		for _, r := range got {
			if !slices.Contains(base, r) {
				more = append(more, "+"+r)
			}
		}
		if diff := strings.Join(more, " "); diff != c.want {
			t.Errorf("%s: %q, want %q", name, diff, c.want)
		}
	}
}
