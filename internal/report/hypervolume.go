package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/study"
)

// Standing are the lines of a status about its best trials, each a name and words: of several
// objectives size, hypervolume and reference point of the front first, and the knee last.
func (s *Status) Standing(st *study.Study) (rows [][2]string) {
	if h := s.Hypervolume; len(s.Front) > 0 {
		rows = [][2]string{{"front", study.Count(len(s.Front), "trial") + ", hypervolume " + Brief(h.Normalised)},
			{"up to", h.ReferenceWords(st)}}
	}
	for _, ob := range st.Objectives {
		if best := extreme(s.Shown(), ob); best != nil {
			rows = append(rows, [2]string{"best", best.first(st, ob.Name)})
		}
	}
	if _, t := s.Chosen(); t != nil && s.Front != nil {
		rows = append(rows, [2]string{"knee", "trial " + t.ID + " (" + Listed(st, t.Words) + ")"})
	}
	return rows
}

// Shown is the front, or the best trial alone.
func (s *Status) Shown() []Trial {
	if s.Best != nil {
		return []Trial{*s.Best}
	}
	return s.Front
}

// Chosen is the best trial or the knee of the front, and its title; nil: there is none.
func (s *Status) Chosen() (name string, t *Trial) {
	k := slices.IndexFunc(s.Front, func(t Trial) bool { return t.ID == s.Knee })
	switch {
	case k >= 0:
		return "A compromise (the knee)", &s.Front[k]
	case s.Best != nil && s.Best.By == "posterior":
		return "Leading configuration", s.Best
	}
	return "Best configuration", s.Best
}

// Hypervolume is the volume that a front dominates, up to a reference point: in the product of the
// objectives' units, and as a share of that of the ideal point. Unbeaten has the references that
// the study file gives where no trial is better than all of them, so that they do not count yet.
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

// ReferenceWords are the parts of the reference point, and where they come from: "loss 2, latency 43 (inferred)".
func (h *Hypervolume) ReferenceWords(st *study.Study) string {
	first := h.Sources[st.Objectives[0].Name]
	mixed := slices.ContainsFunc(st.Objectives, func(ob study.Objective) bool { return h.Sources[ob.Name] != first })
	out := Listed(st, func(name string) string {
		part := Rounded(h.Reference[name])
		if mixed {
			part += fmt.Sprintf(" (%s)", h.Sources[name])
		}
		return part
	})
	if !mixed {
		out += fmt.Sprintf(" (%s)", first)
	}
	if h.Unbeaten != nil {
		out += "; no trial is better than the given " + Listed(st, func(name string) string {
			if given, ok := h.Unbeaten[name]; ok {
				return Rounded(given)
			}
			return ""
		})
	}
	return out
}

// extreme is the trial of a front that is best in one objective, by posterior means where values
// are noisy, the first of equals; nil for none.
func extreme(front []Trial, ob study.Objective) *Trial {
	var best *Trial
	for k := range front {
		t, sign := &front[k], ob.Direction.Sign()
		if best == nil || sign*t.trusted(ob.Name).Mean < sign*best.trusted(ob.Name).Mean {
			best = t
		}
	}
	return best
}

// trusted is the value of a trial that counts: of a leader its posterior mean.
func (t *Trial) trusted(objective string) study.Estimate {
	if e, ok := t.Posterior.Of(objective); ok && t.By == "posterior" {
		return e
	}
	return study.Estimate{Mean: t.Values.Of(objective)}
}

// Words is trusted for people; nothing where there is no value.
func (t *Trial) Words(objective string) string {
	if t.By != "posterior" {
		return believedOr(nil, objective, t.Values)
	}
	return believedOr(t.Posterior, objective, t.Values)
}

// believedOr is the posterior mean of an objective, or else its value.
func believedOr(p *study.Posterior, objective string, values study.Values) string {
	if e, ok := p.Of(objective); ok {
		return Believed(e)
	}
	if v, ok := values.Get(objective); ok {
		return Rounded(v)
	}
	return ""
}

// Listed are the facts about each objective: "loss 0.1 ± 0.02, latency 20".
func Listed(st *study.Study, of func(objective string) string) string {
	return strings.Join(lists.Some(st.Objectives, func(ob study.Objective) (string, bool) {
		words := of(ob.Name)
		return ob.Name + " " + words, words != ""
	}), ", ")
}

// first is a trial by one objective, with further facts: "loss = 0.1 in trial 7-k3f9 (latency 20)"
// or, of a leader in the only one, "loss = 0.012 ± 0.021 in trial 23-k3f9 (observed -0.031, n 4)".
func (t *Trial) first(st *study.Study, objective string) string {
	more := Listed(st, func(name string) string {
		if name == objective {
			return ""
		}
		return t.Words(name)
	})
	if t.By == "posterior" && len(st.Objectives) == 1 {
		seen := cmp.Or(t.Measurements, &Measurements{N: 1, Mean: t.Values})
		more = fmt.Sprintf("observed %s, n %d", seen.words(objective), seen.N)
	}
	if more = cmp.Or(more, t.Way); more != "" {
		more = " (" + more + ")"
	}
	return objective + " = " + t.Words(objective) + " in trial " + t.ID + more
}

// Set notes the prediction of a study's objective, one of several or the only one.
func (p *Prediction) Set(st *study.Study, e study.Expected) {
	if st.Among == nil {
		p.Expected = &e
		return
	}
	if p.Objectives == nil {
		p.Objectives = map[string]study.Expected{}
	}
	p.Objectives[st.Objective().Name] = e
}

// FrontLine summarises a front in a line: its size, hypervolume (and the gain of the last trial), and the best of each
// objective; nothing where there is none.
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
		best := slices.MinFunc(f.Vectors, func(a, b []float64) int { return cmp.Compare(a[j], b[j]) })[j]
		sign := "≥"
		if ob.Direction == study.Maximize {
			sign = "≤"
		}
		line += fmt.Sprintf(", %s %s %s", ob.Name, sign, Rounded(ob.Direction.Sign()*best))
	}
	return line
}

// Several adds the facts about several objectives to a summary.
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
