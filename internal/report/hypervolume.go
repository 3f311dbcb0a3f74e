package report

import (
	"fmt"
	"slices"
	"strings"

	"bohier/internal/study"
)

// FrontWords are frontRows as lines.
func FrontWords(st *study.Study, r *Status) []byte {
	var b []byte
	for _, row := range frontRows(st, r) {
		b = fmt.Appendf(b, "%-8s %s\n", row[0], row[1])
	}
	return b
}

// frontRows are the lines of a status about its front: size, hypervolume and
// reference point, the best of each objective, and the knee.
func frontRows(st *study.Study, r *Status) [][2]string {
	h := r.Hypervolume
	rows := [][2]string{{"front", fmt.Sprintf("%s, hypervolume %s", study.Count(len(r.Front), "trial"),
		Brief(h.Normalised))}}
	rows = append(rows, [2]string{"up to", h.ReferenceWords(st)})
	for _, ob := range st.Objectives {
		rows = append(rows, [2]string{"best", ofTrial(st, Extreme(r.Front, ob), ob.Name)})
	}
	for k := range r.Front {
		if r.Front[k].ID == r.Knee {
			rows = append(rows, [2]string{"knee", ofTrial(st, &r.Front[k], "")})
		}
	}
	return rows
}

// Hypervolume is the volume that a front dominates, up to a reference point: in the
// product of the objectives' units, and as a share of what the ideal point would.
// Unbeaten has the references that the study file gives where no trial is better than
// all of them, so that they do not count yet.
type Hypervolume struct {
	Value      float64            `json:"value"`
	Normalised float64            `json:"normalised"`
	Reference  map[string]float64 `json:"reference"`
	Inferred   bool               `json:"inferred"` // every part of Reference

	Sources  map[string]study.Origin `json:"sources"`
	Unbeaten map[string]float64      `json:"unbeaten,omitempty"`
}

// NewHypervolume is the contract form of a front's hypervolume.
func NewHypervolume(st *study.Study, f *study.Front) *Hypervolume {
	h := &Hypervolume{
		Value: f.Volume, Normalised: f.Normalised, Inferred: true,
		Reference: map[string]float64{}, Sources: map[string]study.Origin{},
	}
	for j, ob := range st.Objectives {
		h.Reference[ob.Name], h.Sources[ob.Name] = f.Reference[j], f.Origins[j]
		h.Inferred = h.Inferred && f.Origins[j] == study.Inferred
		if f.Unbeaten && ob.Reference != nil {
			if h.Unbeaten == nil {
				h.Unbeaten = map[string]float64{}
			}
			h.Unbeaten[ob.Name] = *ob.Reference
		}
	}
	return h
}

// ReferenceWords are the parts of the reference point, and where they come from: "loss 2,
// latency 43 (inferred)".
func (h *Hypervolume) ReferenceWords(st *study.Study) string {
	first := h.Sources[st.Objectives[0].Name]
	mixed := slices.ContainsFunc(st.Objectives, func(ob study.Objective) bool { return h.Sources[ob.Name] != first })
	var parts, unbeaten []string
	for _, ob := range st.Objectives {
		part := ob.Name + " " + Rounded(h.Reference[ob.Name])
		if mixed {
			part += fmt.Sprintf(" (%s)", h.Sources[ob.Name])
		}
		parts = append(parts, part)
		if given, ok := h.Unbeaten[ob.Name]; ok {
			unbeaten = append(unbeaten, ob.Name+" "+Rounded(given))
		}
	}
	out := strings.Join(parts, ", ")
	if !mixed {
		out += fmt.Sprintf(" (%s)", first)
	}
	if unbeaten != nil {
		out += "; no trial is better than the given " + strings.Join(unbeaten, ", ")
	}
	return out
}

// Extreme is the trial of a front that is best in one objective, by what is believed where
// values are noisy, the first of equals; nil for none.
func Extreme(front []Trial, ob study.Objective) *Trial {
	var best *Trial
	for k := range front {
		if sign := ob.Direction.Sign(); best == nil || sign*front[k].trusted(ob.Name) < sign*best.trusted(ob.Name) {
			best = &front[k]
		}
	}
	return best
}

// trusted is what counts as a trial's value: of a leader what is believed of it.
func (t *Trial) trusted(objective string) float64 {
	if e, ok := t.Posterior.Of(objective); ok && t.By == "posterior" {
		return e.Mean
	}
	return t.Values.Of(objective)
}

// Words is trusted for people.
func (t *Trial) Words(objective string) string {
	if e, ok := t.Posterior.Of(objective); ok && t.By == "posterior" {
		return Believed(e)
	}
	return Rounded(t.Values.Of(objective))
}

// ofTrial is a trial by what it measured, the named objective first: "loss = 0.1 in
// trial 7-k3f9 (latency 20)".
func ofTrial(st *study.Study, t *Trial, first string) string {
	var others []string
	for _, ob := range st.Objectives {
		if ob.Name != first {
			others = append(others, ob.Name+" "+t.Words(ob.Name))
		}
	}
	if first == "" {
		return "trial " + t.ID + " (" + strings.Join(others, ", ") + ")"
	}
	return fmt.Sprintf("%s = %s in trial %s (%s)", first, t.Words(first), t.ID, strings.Join(others, ", "))
}

// Set notes what is predicted of a study's objective, one of several or the only one.
func (p *Prediction) Set(st *study.Study, e Expected) {
	if st.Among == 0 {
		p.Expected = &e
		return
	}
	if p.Objectives == nil {
		p.Objectives = map[string]Expected{}
	}
	p.Objectives[st.Objective().Name] = e
}

// predicted are the names of the objectives that predictions are of; an empty one
// stands for the only objective.
func predicted(st *study.Study, list []Prediction) []string {
	if len(list) == 0 || list[0].Objectives == nil {
		return []string{""}
	}
	var names []string
	for _, ob := range st.Objectives {
		if _, ok := list[0].Objectives[ob.Name]; ok {
			names = append(names, ob.Name)
		}
	}
	return names
}

// estimateWords are predictions of several objectives: "loss 0.1 ± 0.02, latency 20 ± 3".
func estimateWords(st *study.Study, list map[string]study.Estimate) string {
	var out []string
	for _, ob := range st.Objectives {
		if e, ok := list[ob.Name]; ok {
			out = append(out, ob.Name+" "+Believed(e))
		}
	}
	return strings.Join(out, ", ")
}

// words are the values of a trial of several objectives, with posterior means in place of noisy
// values.
func (m *Mention) words(st *study.Study) string {
	var out []string
	for _, ob := range st.Objectives {
		if e, ok := m.Posterior.Of(ob.Name); ok {
			out = append(out, ob.Name+" "+Believed(e))
		} else if v, ok := m.Values.Get(ob.Name); ok {
			out = append(out, ob.Name+" "+Rounded(v))
		}
	}
	return strings.Join(out, ", ")
}

// sayFront says what was expected of several objectives.
func (e *Explanation) sayFront(st *study.Study, say func(string, ...any)) {
	say("The surrogates expected %s.", estimateWords(st, e.Objectives))
	f := e.Front
	var where string
	switch n := study.Count(f.Size, "configuration"); {
	case f.Before != nil && f.After != nil:
		where = fmt.Sprintf("between trials %s (%s) and %s (%s) of the front of %s", f.Before.ID, f.Before.words(st),
			f.After.ID, f.After.words(st), n)
	case f.Before != nil:
		where = fmt.Sprintf("beyond trial %s (%s), the last on the front of %s by %s", f.Before.ID, f.Before.words(st), n,
			st.Objective().Name)
	case f.After != nil:
		where = fmt.Sprintf("before trial %s (%s), the first on the front of %s by %s", f.After.ID, f.After.words(st), n,
			st.Objective().Name)
	default:
		say("No feasible trial had values yet.")
		return
	}
	if f.Probability != nil {
		where += fmt.Sprintf("; no trial dominates the configuration with probability %.2f", *f.Probability)
	}
	say("The prediction lies %s.", where)
}

// FrontLine sums up a front in a line: its size, hypervolume (and what the last of the
// trials added), and the best of each objective; nothing where there is none.
func FrontLine(in *study.Standing, trials []*study.Trial) string {
	f := in.Front()
	if f == nil {
		return ""
	}
	line := fmt.Sprintf("front %d, hypervolume %.3f", len(f.Trials), f.Normalised)
	if g := in.Growth(trials); len(g) > 1 {
		if more := g[len(g)-1] - g[len(g)-2]; more > 0 {
			line += fmt.Sprintf(" (+%.3f)", more)
		}
	}
	for j, ob := range in.Study.Objectives {
		best := f.Vectors[0][j]
		for _, v := range f.Vectors {
			best = min(best, v[j])
		}
		sign := "≥"
		if ob.Direction == study.Maximize {
			sign = "≤"
		}
		line += fmt.Sprintf(", %s %s %s", ob.Name, sign, Rounded(ob.Direction.Sign()*best))
	}
	return line
}

// Several adds to a summary what there is to say of several objectives.
func (s *Summary) Several(in *study.Standing, trials []study.Trial) {
	for _, ob := range in.Study.Objectives {
		s.Objectives = append(s.Objectives, Goal{ob.Name, ob.Direction.String()})
	}
	s.Progress = []Step{}
	complete := study.In(study.Complete, trials)
	for k, v := range in.Growth(complete) {
		s.Hypervolume = append(s.Hypervolume, Volume{complete[k].Number, v})
	}
}
