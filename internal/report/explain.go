package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
)

// The objects of the contracts of `score` and `explain`. Means and standard
// deviations are those of the objective, in its own units and sign; scores are of
// the acquisition function, larger is better.
type (
	// Candidate is one of a list that was ranked; Tried tells that it was tried
	// before, refused or is pending. A score that is no number is null.
	Candidate struct {
		Schema string          `json:"schema"`
		Params json.RawMessage `json:"params"`
		Score  *float64        `json:"score"`
		Rank   int             `json:"rank"`
		*study.Estimate
		Objectives map[string]Expected `json:"objectives,omitempty"` // of several, in place of mean and std
		Tried      bool                `json:"tried"`

		Config space.Configuration `json:"-"` // which Params has
	}

	// Explanation says why a trial was suggested. Members that only the surrogate knows are
	// null for trials that it did not choose. MeanPercentile is the share of the space that is
	// predicted worse, StdPercentile the share predicted with a larger standard deviation. Plan
	// is what decided, with the rules that changed it.
	Explanation struct {
		Schema      string          `json:"schema"`
		Trial       int             `json:"trial"`
		ID          string          `json:"id"`
		Params      json.RawMessage `json:"params"`
		Source      string          `json:"source"`
		Acquisition *string         `json:"acquisition"`
		Score       *float64        `json:"score"`
		Factors     []string        `json:"factors,omitempty"`
		Mean        *float64        `json:"mean"`
		Std         *float64        `json:"std"`
		// In place of Mean and Std with several objectives.
		Objectives     map[string]study.Estimate `json:"objectives,omitempty"`
		Front          *FrontReason              `json:"front,omitempty"`
		Observed       *int                      `json:"observed"`
		Infeasible     *int                      `json:"infeasible"`
		Pending        *int                      `json:"pending"`
		Incumbent      *Mention                  `json:"incumbent"`
		MeanPercentile *float64                  `json:"mean_percentile"`
		StdPercentile  *float64                  `json:"std_percentile"`
		Purpose        *string                   `json:"purpose"`
		Region         *Region                   `json:"region"`
		Plan           *study.Plan               `json:"plan"`
		Nearest        *Mention                  `json:"nearest"`
		Inactive       []study.Inactive          `json:"inactive"`
		Alternatives   []Alternative             `json:"alternatives"`
		Text           string                    `json:"text"`
		Fidelity       *study.CourseReason       `json:"fidelity,omitempty"`
		Repeat         *study.Repeat             `json:"repeat,omitempty"` // of a measurement that the surrogate asked for
	}

	// Mention names a trial, with its value if it has one, and what is believed of the
	// objectives that are noisy; Distance is set for the nearest trial.
	Mention struct {
		Trial    int             `json:"trial"`
		ID       string          `json:"id"`
		Params   json.RawMessage `json:"params"`
		Value    *float64        `json:"value"`
		Values   study.Values    `json:"values,omitempty"` // of several objectives, in place of Value
		Distance *float64        `json:"distance,omitempty"`
		// Posterior is what counts in place of noisy values.
		Posterior *Posterior `json:"posterior,omitempty"`
	}

	// Alternative is the best configuration found in another branch.
	Alternative struct {
		Params json.RawMessage `json:"params"`
		Score  *float64        `json:"score"`
		*study.Estimate
		Objectives map[string]study.Estimate `json:"objectives,omitempty"` // of several
	}

	// FrontReason is what was expected of a configuration beside the front of several
	// objectives: the probability that no trial dominates it (null where
	// nothing is known) and its neighbours by the first objective, null beyond the ends.
	FrontReason struct {
		Probability *float64 `json:"probability"`
		Size        int      `json:"size"`
		Before      *Mention `json:"before"`
		After       *Mention `json:"after"`
	}
)

// NewMention is the contract form of a trial mentioned beside another.
func NewMention(st *study.Study, t *study.Trial) *Mention {
	m := &Mention{Trial: t.Number, ID: t.ID(), Params: params(st.Space, t)}
	if v, ok := t.Values.Get(st.Objective().Name); ok && t.State == study.Complete {
		if m.Value = &v; st.Several() {
			m.Value, m.Values = nil, t.Values
		}
	}
	return m
}

// Assignments is a configuration for people: "lr=0.003 kernel=rbf".
func Assignments(s *space.Space, c space.Configuration) string {
	var parts []string
	for i := range s.Params() {
		if c.Active[i] && s.Param(i).Kind != space.Constant {
			parts = append(parts, s.Param(i).Name+"="+Cell(s, c, i))
		}
	}
	return strings.Join(parts, " ")
}

// CandidateTable lists ranked candidates for people, with what is expected of the named ones
// of several objectives.
func CandidateTable(st *study.Study, names []string, list []Candidate) Table {
	var c columns[*Candidate]
	c.add("rank", true, func(a *Candidate) any { return float64(a.Rank) })
	c.add("score", true, func(a *Candidate) any { return cmp.Or(written(known(a.Score), Rounded), "–") })
	if !st.Several() {
		names = nil
		c.add("mean", true, func(a *Candidate) any { return a.Mean })
		c.add("std", true, func(a *Candidate) any { return a.Std })
	}
	for _, name := range names {
		c.add(name, true, func(a *Candidate) any {
			if e, ok := a.Objectives[name]; ok {
				return PlusMinus(e.Mean, e.Std)
			}
			return "–"
		})
	}
	rows := pointers(list)
	addParams(&c, st.Space, rows, false, func(a *Candidate) *study.Trial { return &study.Trial{Config: a.Config} })
	if slices.ContainsFunc(list, func(a Candidate) bool { return a.Tried }) {
		c.add("tried", false, func(a *Candidate) any { return map[bool]string{true: "yes"}[a.Tried] })
	}
	return c.table(rows)
}

// sources says where trials come from that the surrogate did not choose.
var sources = map[string]string{
	"initial": "The configuration is one of the study's initial points: the defaults and the modes of the " +
		"priors, or what `initial.points` asks for.",
	"design": "The configuration is a point of the initial design, which spreads over the space before " +
		"the surrogate knows enough to choose.",
	"fallback:feasibility": "No trial was feasible and all values were equal: the configuration was the most likely to " +
		"hold the constraints.",
	"enqueued":  "The configuration was asked for with `bohier enqueue`.",
	"added":     "The trial was measured elsewhere and reported with `bohier add`; bohier did not suggest it.",
	"replicate": "The trial measures a configuration again that had been measured.",
	"model":     "The surrogate chose the configuration, in another journal, which this one was merged with.",
}

// fallbacks says why the surrogate had nothing to say.
var fallbacks = map[string]string{
	"flat":     "all values told so far were equal, and there was nothing to learn from them",
	"singular": "no surrogate fitted the trials",
	"empty":    "no trial could be used",
	"search":   "the search found nothing new",
}

// ordinal is 1st, 2nd, 3rd, 4th, …
func ordinal(n int) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return fmt.Sprint(n) + end
}

// Words puts an explanation into sentences, one a line.
func (e *Explanation) Words(st *study.Study, c space.Configuration) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("Trial %s: %s", e.ID, Assignments(st.Space, c))
	reason, fell := strings.CutPrefix(e.Source, "fallback:")
	switch {
	case e.Mean != nil || e.Front != nil:
		e.sayModel(st, say)
	case sources[e.Source] != "":
		say("%s", sources[e.Source])
		if r := e.Repeat; r != nil && r.New != nil {
			say("One more measurement of trial %d, the %s, was expected to raise the best posterior mean by %.3g standard "+
				"deviations, the best new configuration by %.3g (knowledge gradient).", r.Trial, ordinal(r.Measured+1), r.Gain,
				*r.New)
		} else if r != nil {
			say("One more measurement of trial %d, the %s, was expected to tell most: %.3g standard deviations (knowledge "+
				"gradient). No configuration of the space was new.", r.Trial, ordinal(r.Measured+1), r.Gain)
		}
	case fell:
		is := "random, but new"
		if reason == "flat" || reason == "empty" {
			is = "the next one of a space-filling design"
		}
		if known := fallbacks[reason]; known != "" {
			reason = known
		}
		say("The configuration is %s, because %s.", is, reason)
	default:
		say("The trial's source is %q; bohier did not suggest it.", e.Source)
	}
	if e.Purpose == nil { // else sayModel told it
		e.sayPlan(st, say)
	}
	if f := e.Fidelity; f != nil {
		sayCourse(f, say)
	}
	if n := e.Nearest; n != nil {
		value := cmp.Or(n.words(st), "without a value")
		if n.Value != nil {
			value = st.Objective().Name + " " + Rounded(*n.Value)
		}
		say("The nearest earlier trial is %s (%s), at distance %s.", n.ID, value, Brief(*n.Distance))
	} else {
		say("Nothing was tried before.")
	}
	for _, i := range e.Inactive {
		say("%s is inactive: it needs %s.", i.Name, i.Condition)
	}
	e.sayAlternatives(st, say)
	return b.String()
}

func sayCourse(f *study.CourseReason, say func(string, ...any)) {
	why := ""
	if f.Why != "" {
		why = ": " + f.Why
	}
	if f.Leg == 0 {
		say("The trial was measured up to %s %s.", f.Name, Number(f.Resource))
	} else {
		say("The trial began at %s %s, and is in leg %d with %s%s.", f.Name, Number(f.Start), f.Leg, Number(f.Resource), why)
	}
	if f.Level != nil {
		on := ""
		if f.Promoted > 0 {
			on = fmt.Sprintf(", of which %d went on", f.Promoted)
		}
		say("At %s %s the trial is the %s of %d%s.", f.Name, Number(*f.Level), ordinal(f.Place), f.Entries, on)
	}
}

func (e *Explanation) sayModel(st *study.Study, say func(string, ...any)) {
	known := study.Count(*e.Observed, "trial")
	if n := *e.Infeasible; n > 0 {
		known += fmt.Sprintf(", %d that failed", n)
	}
	if *e.Pending > 0 {
		known += fmt.Sprintf(" and %d pending", *e.Pending)
	}
	who := "surrogate"
	if e.Front != nil {
		who = "surrogates"
	}
	say("The %s chose the configuration, knowing %s.", who, known)
	against := "; no feasible trial had a value yet."
	if i := e.Incumbent; i != nil {
		against = fmt.Sprintf("; the best then was %s (trial %s).", Rounded(*i.Value), i.ID)
		if believed, ok := i.Posterior.Of(st.Objective().Name); ok {
			against = fmt.Sprintf("; the leader then was %s (trial %s, observed %s).", Believed(believed), i.ID,
				Rounded(*i.Value))
		}
	}
	if e.Front != nil {
		e.sayFront(st, say)
	} else {
		say("The surrogate expected %s = %s%s", st.Objective().Name, PlusMinus(*e.Mean, *e.Std), against)
	}
	if e.Score != nil {
		say("The score of the configuration (%s) is %s.", e.scored(), Brief(*e.Score))
	}
	e.sayPlan(st, say)
	seen := fmt.Sprintf("the mean is predicted better than that of %.0f %% of the space, with a smaller standard "+
		"deviation than %.0f %% of the space", 100**e.MeanPercentile, 100**e.StdPercentile)
	switch *e.Purpose {
	case "exploitation":
		say("The configuration exploits what is known: %s.", seen)
	case "exploration":
		say("The configuration explores what is not known well: %s.", seen)
	default:
		say("The configuration explores and exploits: %s.", seen)
	}
}

// scored is what the score is made of: "logei", "logei with the cost".
func (e *Explanation) scored() string {
	var with []string
	for _, f := range e.Factors {
		name, bound := strings.CutPrefix(f, "constraint.")
		switch {
		case f == *e.Acquisition:
		case bound:
			with = append(with, "the constraint on "+name)
		case f == "feasibility":
			with = append(with, "the chance not to fail")
		default:
			with = append(with, "the "+f)
		}
	}
	all := strings.Join(with, ", ")
	switch {
	case all == "":
		return *e.Acquisition
	case e.Factors[0] != *e.Acquisition:
		return "of feasibility alone: " + all
	}
	return *e.Acquisition + " with " + all
}

// told is the number of alternatives that are put into words.
const told = 5

func (e *Explanation) sayAlternatives(st *study.Study, say func(string, ...any)) {
	if len(e.Alternatives) == 0 {
		return
	}
	say("The best elsewhere, branch by branch:")
	for k, a := range e.Alternatives {
		if k == told {
			say("  and %d more branches", len(e.Alternatives)-told)
			break
		}
		text := string(a.Params)
		if c, err := st.Space.ParseJSON(a.Params); err == nil {
			text = Assignments(st.Space, c)
		}
		score := ""
		if a.Score != nil {
			score = "score " + Brief(*a.Score) + ", "
		}
		if a.Estimate == nil {
			say("  %s: %s%s", text, score, believedWords(st, a.Objectives))
			continue
		}
		say("  %s: %s%s", text, score, PlusMinus(a.Mean, a.Std))
	}
}
