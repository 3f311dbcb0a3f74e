package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Models are compared by the log density of observations left out (Rasmussen & Williams 2006, section 5.4.2). The
// alternatives to the default are half-rank warping of the values (Song et al. 2024, arXiv:2408.11527), the kernel
// effects (Duvenaud, Nickisch & Rasmussen 2011, arXiv:1112.4394) and warped axes (Snoek et al. 2014, arXiv:1402.0929).

// model is the model of the objective before rules change it: ObjectiveModel, with the result of
// comparisons of curves. One of several objectives with a floor is modelled as it is: a power pulls values near that
// value apart, and the others are then modelled badly.
func (v *View) model() study.ModelSpec {
	st, s := v.Study, ObjectiveModel(v.Study)
	if st.Among != nil && st.Objective().Transform == "auto" && v.Floor >= fewFloored {
		s.Transform = "none"
	}
	if d := v.Fit.Curves; d != nil && s.Curves() {
		if comparesCurves(st) {
			s.Fidelity = d.Model
		}
		if st.Objective().Transform == "auto" && !st.Policy.Plain {
			s.Transform = d.Transform
		}
	}
	return s
}

// choiceRule is the rule that chooses the model of the objective.
const choiceRule = "model.choice"

// An alternative is another way to model the objective in one respect that a study leaves
// open. Its name is that of the comparison in the journal.
type alternative struct {
	name   string
	open   func(st *study.Study) bool // whether the study leaves the choice open
	from   int                        // how many trials compare it
	change func(m *study.ModelSpec)
}

// alternatives are compared in this order where several are due.
var alternatives = []alternative{
	{study.TransformComparison, takesRanks, 0, func(m *study.ModelSpec) { m.Transform = "halfrank" }},
	{study.KernelComparison, takesEffects, 0, func(m *study.ModelSpec) { m.Kernel = "effects" }},
	{study.WarpingComparison, func(st *study.Study) bool { return bends(st, false) }, fewestForWarping,
		func(m *study.ModelSpec) { m.Warping = study.WarpingOn }},
	{study.ScaleComparison, func(st *study.Study) bool { return bends(st, true) }, 0,
		func(m *study.ModelSpec) { m.Warping = cmp.Or(m.Warping, study.WarpingLog) }},
}

// fewestForWarping trials compare warped axes: fewer fit an exponent to anything (bench/notes/fitting.md), but show
// whether a range over decades should be logarithmic.
const fewestForWarping = 20

// choosesModel reports whether a study leaves anything open of how the objective is modelled.
func choosesModel(st *study.Study) bool {
	return takesPlane(st) || slices.ContainsFunc(alternatives, func(a alternative) bool { return a.open(st) })
}

// chooseModel compares the model with each alternative in turn, and takes the better one.
func chooseModel(v *View, p *study.Plan) string {
	var why []string
	if reason := v.plane(); reason != "" {
		p.Model.Spec.Mean = "linear"
		why = append(why, reason)
	}
	for _, a := range alternatives {
		if !a.open(v.Study) || v.known() < a.from {
			continue
		}
		if a.name == study.KernelComparison {
			if reason := v.pooled(); reason != "" {
				a.change(&p.Model.Spec)
				if p.Model.Challenger != nil {
					a.change(p.Model.Challenger)
				}
				why = append(why, reason)
				continue
			}
			if conditional(v.Study.Space) {
				continue
			}
		}
		if reason := v.challenge(p, a); reason != "" {
			why = append(why, strings.TrimPrefix(a.name, "model.")+" "+reason)
		}
	}
	return strings.Join(why, "; ")
}

// mostCompared is up to how many trials models are compared: of more a surrogate knows a part
// (gp.Options.MaxExact), and a second one takes a second.
const mostCompared = 1000

// challenge has the plan's model compared with that model changed: at first, and when the trials
// have grown by a quarter since. In between the better one is used. One comparison is made at a
// time, and only one from the same trials.
func (v *View) challenge(p *study.Plan, a alternative) (why string) {
	m, last := &p.Model, v.Fit.Compared[a.name]
	due := m.Challenger == nil && v.known() <= mostCompared && float64(v.known()) >= 1.25*float64(last.Observations)
	for _, c := range v.Fit.Compared {
		due = due && c.Observations != v.known()
	}
	changed := m.Spec
	a.change(&changed)
	switch {
	case changed == m.Spec: // a range over decades, where all axes are warped
	case due:
		m.Challenger, m.Rule = &changed, a.name
		return fmt.Sprintf("compared with %d trials", v.known())
	case last.Challenger:
		a.change(&m.Spec)
		if m.Challenger != nil {
			a.change(m.Challenger)
		}
		return fmt.Sprintf("better with %d trials", last.Observations)
	}
	return ""
}

// known is the number of trials that models of the objective are compared by.
func (v *View) known() int {
	if modelsEnds(v.Study) {
		return v.Ends
	}
	return v.Observed
}

// mostPoor suggestions end the time of a plane: one in four would be poor by chance.
const mostPoor = 2

// plane says why the mean is a plane; "": it is a level. A plane finds optima at edges early, and leads into corners
// where there are none. Observations left out do not distinguish the two: they are predicted alike. Only its
// suggestions do, and the middle of the space, which is the best of a design where the optimum is inside. So a plane is
// the mean from one trial for each two slopes on, those of inactive numbers included, until mostPoor suggestions were
// poor or there are two trials for each number active at once. With dozens of numbers fewer observations say nothing of
// slopes. More trials show where values are low, and a plane would keep the search at edges.
func (v *View) plane() string {
	n, sp := v.known(), v.Study.Space
	from := (len(lists.Where(len(sp.Params()), func(i int) bool { return sp.Param(i).IsNumber() })) + 1) / 2
	if !takesPlane(v.Study) || n < from || n >= 2*slopes(sp) || v.Poor == nil || v.Poor(from) >= mostPoor || v.Inside() {
		return ""
	}
	return "mean linear"
}

// bends reports whether `auto` compares warped axes, or with decades logarithmic ones of linear ranges over decades:
// where the study's other settings leave room for them. Beside curves they are about their ends, and with
// earlier studies they were not measured.
func bends(st *study.Study, decades bool) bool {
	return st.Surrogate.Warping == "auto" && st.WarmStart == nil && (!modelsCurves(st) || modelsEnds(st)) &&
		!st.Surrogate.Sets("") &&
		slices.ContainsFunc(st.Space.Coordinates(), func(i int) bool {
			return st.Space.Numeric(i) && (st.Space.Params()[i].Decades() > 0) == decades
		})
}

// fewChoices active at once: of more, effects model each by itself.
const fewChoices = 3

// mostGoverning choices may govern parameters: effects have a term for each with its numbers.
const mostGoverning = 20

// mostPooled trials are modelled by effects for the number of choices alone: the kernel takes
// twice as long, and more trials were not measured.
const mostPooled = 200

// pooled reports why the kernel effects is taken without a comparison; "": it is not. Where choices
// are many or noise is material, effects pool the trials that share a choice, and the trials left
// out, which are mostly repeats of a search, distinguish the two kernels hardly.
func (v *View) pooled() string {
	switch n := choices(v.Study.Space); {
	case n > fewChoices && v.known() <= mostPooled:
		return fmt.Sprintf("%d choices are active at once", n)
	case v.Noisy && !conditional(v.Study.Space):
		return noiseWords(v.Fit)
	}
	return ""
}

// takesEffects reports whether `auto` may take the kernel effects: where there are choices without an order, and more
// than fewChoices of them where parameters have conditions, and the study's other settings leave room for it. It has
// weights of its components, which the Kriging form cannot estimate, other hyperparameters than box, and no distances
// of parameters to combine. With resources or earlier studies it was not measured. With dozens of choices that govern
// parameters it takes seconds.
func takesEffects(st *study.Study) bool {
	n, k := choices(st.Space), st.Surrogate.Kernel
	return !namesKernel(st) && n > 0 && (n > fewChoices || !conditional(st.Space)) &&
		len(nominals(st.Space, true)) <= mostGoverning && !st.Surrogate.Sets("") &&
		st.Surrogate.Form != "kriging" && !st.Fidelity.Early() && st.WarmStart == nil &&
		cmp.Or(k.Combine, "joint") == "joint" && cmp.Or(k.AlwaysActive, "plain") == "plain"
}

// choices is how many choices without an order are active at once.
func choices(s *space.Space) int {
	return s.MostActive(func(i int) bool { return s.Param(i).Nominal() })
}

// takesRanks reports whether `auto` compares the transform halfrank, which was not measured for curves.
func takesRanks(st *study.Study) bool {
	return st.Objective().Transform == "auto" && st.WarmStart == nil && !modelsCurves(st)
}

// takesPlane reports whether `auto` may expect a plane: where the space has numbers, and the
// study's other settings leave room for it. Slopes that have no prior need more trials than
// there are numbers. With earlier studies it was not measured.
func takesPlane(st *study.Study) bool {
	s := st.Surrogate
	return s.Mean == "auto" && slopes(st.Space) > 0 && st.WarmStart == nil && s.Form != "kriging" &&
		s.Inference != "mle" &&
		!st.Surrogate.Sets("") && (!modelsCurves(st) || modelsEnds(st))
}

// slopes is how many numbers are active at once.
func slopes(s *space.Space) int {
	return s.MostActive(func(i int) bool { return s.Param(i).IsNumber() })
}

// modelsEnds reports whether ends are modelled by themselves, beside curves.
func modelsEnds(st *study.Study) bool { return modelsCurves(st) && !st.Fidelity.Averaged() }

// modelsCurves reports whether a study's surrogate knows resources and trials.
func modelsCurves(st *study.Study) bool { return ObjectiveModel(st).Curves() }

// comparesCurves reports whether models of curves are compared: where the study leaves open
// which, and does not ask for the textbook method.
func comparesCurves(st *study.Study) bool {
	return st.Fidelity.Model == "auto" && st.Surrogate.OfCurves() == "" && !st.Policy.Plain
}

// CurveModels are the ways to model curves that a study leaves open, but for one.
func CurveModels(st *study.Study, but study.ModelSpec) (out []study.ModelSpec) {
	models, transforms := []string{but.Fidelity}, []string{but.Transform}
	if comparesCurves(st) {
		models = []string{fidelityModel(st), "curve", "product"}
		if st.Fidelity.Averaged() {
			models = models[:2] // crossval and curve
		}
	}
	if st.Objective().Transform == "auto" && !st.Policy.Plain {
		transforms = []string{ObjectiveModel(st).Transform, "none"}
	}
	for _, m := range models {
		for _, t := range transforms {
			spec := but
			spec.Fidelity, spec.Transform = m, t
			if spec != but && !slices.Contains(out, spec) {
				out = append(out, spec)
			}
		}
	}
	return out
}
