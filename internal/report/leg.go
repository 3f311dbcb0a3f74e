package report

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/study"
)

// FidelityLeg is how far a leg of a trial goes.
type FidelityLeg struct {
	Name string  `json:"name"`
	From float64 `json:"from"`
	To   float64 `json:"to"`
	High float64 `json:"high"`
}

// CurvePoint is a trial's value at a resource, as [resource, value].
type CurvePoint [2]float64

// legOf is the leg that an answer about a trial speaks of; nil: it has none.
func legOf(t *study.Trial) (*study.Leg, int) {
	c := t.Course
	n := cmp.Or(t.Leg, c.Leg())
	if n == 0 || n > c.Leg() {
		return nil, 0
	}
	return &c.Legs[n-1], n
}

// SuggestionOf is the contract form of a pending trial, in a study with a fidelity with the leg that is asked for.
func SuggestionOf(st *study.Study, t *study.Trial) Suggestion {
	s := Suggestion{
		Schema: "bohier/suggestion/1", Trial: t.Number, ID: t.ID(), State: t.State,
		Params: t.Params(st.Space), Source: t.Source, Args: ArgsOf(st, t),
	}
	f := &st.Fidelity
	l, n := legOf(t)
	if l == nil {
		return s
	}
	s.Leg, s.Fidelity = n, &FidelityLeg{Name: f.Name, From: l.From, To: l.To, High: f.High()}
	if n > 1 && l.Source != "" {
		s.Source = l.Source
	}
	return s
}

// ArgsOf is Args, in a study with a fidelity with the resource that is asked for.
func ArgsOf(st *study.Study, t *study.Trial) []string {
	out := Args(t.Settings(st.Space))
	if l, _ := legOf(t); l != nil {
		out = append(out, "--"+st.Fidelity.Name+"="+Number(l.To))
	}
	return out
}

// ReceiptOf is the answer to a report about t, in a study with a fidelity with where the trial is.
func ReceiptOf(st *study.Study, t *study.Trial, recorded bool) Receipt {
	r := Receipt{Schema: "bohier/receipt/1", Trial: t.Number, ID: t.ID(), State: t.State, Waiting: t.Waiting,
		Recorded: recorded}
	if len(t.Replicates) > 0 {
		r.Measurements = new(Measure(st.Outcomes(), t.Measurements()))
		for _, row := range r.Measurements.rows(st) {
			r.Changes = append(r.Changes, row[0]+": "+row[1])
		}
	}
	if t.Course == nil {
		return r
	}
	if v := st.Fidelity.Resource(t.Course); v > 0 {
		r.Resource = &v
	}
	if r.Verdict = t.Course.Verdict; r.Verdict == "" { // nothing was reported in a leg
		again := t.Again(nil)
		r.Verdict = again.Course.Verdict
	}
	var to *float64
	if l := t.Course.Last(); r.Verdict == study.VerdictGo && l != nil && t.State == study.Pending {
		to = &l.To
	}
	r.To = &to
	return r
}

// Numbers is a list of numbers in words.
func Numbers(list []float64) string { return strings.Join(lists.Of(list, Number), ", ") }

// TrialOf is the contract form of a trial in a listing, in a study with a fidelity with how far it got.
func TrialOf(st *study.Study, t *study.Trial, l Listing) Trial {
	values := t.Values
	if values == nil {
		values = study.Values{}
	}
	var again []Replicate
	for _, o := range t.Replicates {
		again = append(again, Replicate{Values: o.Values, Cost: o.Cost, Stderr: errorOf(&o), Metrics: o.Metrics,
			Duration: o.Duration})
	}
	out := Trial{
		Schema: TrialSchema, Trial: t.Number, ID: t.ID(), State: t.State, Waiting: t.Waiting,
		Failure: t.Failure, Note: t.Said(), Remarks: t.Remarks, Outside: t.Outside, Params: t.Params(st.Space),
		Values: values, Cost: t.Cost, Stderr: errorOf(&t.Observation), Metrics: t.Metrics, Duration: t.Duration,
		Replicates: again, Measurements: l.By.Of(st, t), Source: t.Source, Key: optional(t.Key), Worker: t.Worker,
		SuggestedAt: optional(t.Suggested), ObservedAt: optional(t.ObservedAt), By: l.Judge,
	}
	if l.Ranks != nil {
		if out.Rank = l.Ranks[t.Number]; t.State == study.Complete || t.State == study.Pending && len(t.Values) > 0 {
			out.Missing = st.Missing(t)
		}
	}
	if l.Board != nil {
		mark(st, &out, l.Board)
	}
	c := t.Course
	if c == nil {
		return out
	}
	r := st.Fidelity.Resource(c)
	if t.State != study.Complete {
		out.Way = fmt.Sprintf("at %s of %s %s", Number(r), Number(st.Fidelity.High()), st.Fidelity.Name)
	}
	out.Resource, out.Leg, out.Start, out.Verdict = &r, c.Leg(), &c.Start, c.Verdict
	for _, p := range c.Reported() {
		if v, ok := p.Values.Get(st.Objective().Name); ok {
			out.Curve = append(out.Curve, CurvePoint{p.Resource, v})
		}
	}
	return out
}

type (
	// FidelityStatus is the use of a study's resource, and the worth of its levels.
	FidelityStatus struct {
		Name   string         `json:"name"`
		Spent  float64        `json:"spent"`          // units, those promised to legs under way included
		Left   *float64       `json:"left,omitempty"` // of budget.resource
		Levels []policy.Level `json:"levels"`

		Untrained *Untrained `json:"untrained,omitempty"`
	}

	// Untrained is the best trial on its way in a study that ended before it was trained out.
	Untrained struct {
		Trial    int     `json:"trial"`
		ID       string  `json:"id"`
		Resource float64 `json:"resource"`
		Needs    float64 `json:"needs"`
	}
)

// NewFidelityStatus describes the resource of a study; nil without a fidelity. noNew is why
// no new trial can be made; nil: one can.
func NewFidelityStatus(st *study.Study, trials []study.Trial, noNew error) *FidelityStatus {
	if !st.Fidelity.Early() {
		return nil
	}
	out := &FidelityStatus{Name: st.Fidelity.Name, Spent: policy.Spent(st, trials),
		Levels: policy.Levels(st, trials)}
	if left, limited := policy.Left(st, trials); limited {
		left = max(0, left) // late reports may have gone further than was paid for
		out.Left = &left
	}
	if i, needs, ok := policy.Untrained(st, trials, noNew); ok {
		t := &trials[i]
		out.Untrained = &Untrained{Trial: t.Number, ID: t.ID(), Resource: st.Fidelity.Resource(t.Course), Needs: needs}
	}
	return out
}

// Text describes it in a line, and one for each level.
func (f *FidelityStatus) Text() string { return passage("fidelity", f) }

// courseFacts are the columns of a study with a fidelity: how far a trial got, in which leg,
// and from where it is judged.
func courseFacts(st *study.Study) (c Columns) {
	add := func(name string, of func(*study.Course) float64) {
		c.add(name, true, func(t *study.Trial) any {
			if t.Course == nil {
				return nil
			}
			return of(t.Course)
		})
	}
	if st.Fidelity.Early() {
		add("resource", st.Fidelity.Resource)
		add("leg", func(c *study.Course) float64 { return float64(c.Leg()) })
		add("start", func(c *study.Course) float64 { return c.Start })
	}
	return c
}

// courseRows say of a trial how far it got, and of folds and repeats the single values whose mean counts.
func courseRows(st *study.Study, t *study.Trial) (rows [][]string) {
	f, c := &st.Fidelity, t.Course
	if c == nil {
		return nil
	}
	rows = append(rows, []string{f.Name, fmt.Sprintf("%s of %s", Number(f.Resource(c)), Number(f.High()))})
	if l := c.Last(); l != nil {
		rows = append(rows, []string{"leg", fmt.Sprintf("%d, from %s to %s", c.Leg(), Number(l.From), Number(l.To))})
	}
	if c.Start > 0 {
		rows = append(rows, []string{"judged from", Number(c.Start)})
	}
	if !f.Averaged() || c.Whole {
		return rows
	}
	var folds []study.Measurement
	name := st.Objective().Name
	for _, p := range c.Points {
		if v, ok := p.Values.Get(name); ok {
			folds = append(folds, study.Measurement{Observation: p.Observation})
			rows = append(rows, []string{"  " + f.Name + " " + Number(p.Resource), Rounded(v)})
		}
	}
	if m := Measure([]string{name}, folds); m.N > 1 {
		rows = append(rows, []string{"mean of " + strconv.Itoa(m.N),
			PlusMinus(m.Mean.Of(name), m.Std.Of(name)/math.Sqrt(float64(m.N))) + " (standard error)"})
	}
	return rows
}

// table shows the results at levels, and the best trials there.
func (f *FidelityStatus) table(st *study.Study, best []study.Trial) *Table {
	t := TableOf(">"+f.Name, ">trials", ">went on", ">share")
	for _, l := range f.Levels {
		t.Row(Number(l.Resource), l.Entries, l.Promoted, Percent(l.Share))
	}
	for i := range best {
		t.Column(best[i].ID(), true, func(k int) any {
			if o, _, ok := st.Fidelity.Entry(best[i].Course, k); ok {
				return o.Values.Of(st.Objective().Name)
			}
			return nil
		})
	}
	return &t
}
