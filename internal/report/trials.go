package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/text"
)

// Listing is the data of tables and objects of trials. Where configurations were measured again,
// outcomes are means ± sample standard deviations of the n values of each.
type Listing struct {
	By    Repeated    // nil: nothing was measured again
	Own   bool        // the trials' own values, and beside them the means that differ: their order is by those
	Ranks map[int]int // by number; nil: one objective

	Board *study.Leaderboard // whose leaders they are; below a table of them belong NoiseWords
	Judge string             // for JSON objects alone: the kind of judgement, where there is no board
}

// noisy reports whether the posterior of an outcome counts.
func (l Listing) noisy(outcome string) bool {
	if l.Board == nil {
		return false
	}
	_, noisy := l.Board.Noise[outcome]
	return noisy
}

// leaders are the leaders of the board by the number of their trials.
func (l Listing) leaders() map[int]*study.Leader {
	out := map[int]*study.Leader{}
	if l.Board != nil {
		for k := range l.Board.Leaders {
			out[l.Board.Leaders[k].Trial.Number] = &l.Board.Leaders[k]
		}
	}
	return out
}

// TrialTable lists trials for people: one column per outcome, and one per parameter
// that is active somewhere in the list, and one of durations where some are known.
func TrialTable(st *study.Study, trials []*study.Trial, l Listing) Table {
	var c Columns
	leaders := l.leaders()
	if l.Board == nil {
		c.add("ID", false, facts["id"].value)
		c.add("STATE", false, func(t *study.Trial) any { return tableState(st, t) })
	} else {
		c.add("trial", false, facts["id"].value)
	}
	means := c.outcomes(st, trials, l, leaders)
	if l.Ranks != nil && l.Board == nil {
		c.add("rank", true, func(t *study.Trial) any { return rankOf(l.Ranks, t) })
	}
	if l.Board != nil || slices.ContainsFunc(trials, func(t *study.Trial) bool { return len(l.By[t.Number]) > 1 }) {
		c.add("n", true, func(t *study.Trial) any {
			if len(t.Values) == 0 {
				return nil
			}
			return float64(max(1, len(l.By[t.Number])))
		})
	}
	if l.Board != nil && l.Board.Front != nil {
		c.add("on front", true, func(t *study.Trial) any {
			if p := leaders[t.Number].Probability; !math.IsNaN(p) {
				return fmt.Sprintf("%.2f", p)
			}
			return nil
		})
	}
	c = append(c, means...)
	for _, fact := range courseFacts(st) {
		if fact.Name == "resource" {
			fact.Name = st.Fidelity.Name
		}
		c = append(c, fact)
	}
	for i, p := range st.Space.Params() {
		c.some(trials, p.Name, p.IsNumber(), func(t *study.Trial) any { return paramOf(st.Space, t, i) })
	}
	for _, name := range others(st.Space, trials) {
		c.add(name, false, func(t *study.Trial) any { return ownText(t, name) })
	}
	c.some(trials, "SECONDS", true, facts["duration"].value)
	if l.Board == nil {
		c.add("SOURCE", false, facts["source"].value)
	}
	c.some(trials, "NOTE", false, func(t *study.Trial) any {
		return text.Shorten(strings.Join(strings.Fields(t.Said()), " "), 40)
	})
	return c.Table(trials)
}

// outcomes adds the columns of outcomes, and returns those of the means that belong behind.
func (c *Columns) outcomes(st *study.Study, trials []*study.Trial, l Listing,
	leaders map[int]*study.Leader) (means Columns) {
	for _, name := range st.Outcomes() {
		title := name
		if l.noisy(name) {
			c.add(name, true, func(t *study.Trial) any { return Believed(leaders[t.Number].Believed[name]) })
			title = "observed"
		}
		own := l.Own && slices.ContainsFunc(trials, func(t *study.Trial) bool {
			m := l.By.Of(st, t)
			return m != nil && m.Mean.Of(name) != t.Values.Of(name)
		})
		c.add(title, true, func(t *study.Trial) any {
			if m := l.By.Of(st, t); m != nil && !own {
				return m.words(name)
			}
			return valueOf(t.Values, name)
		})
		if own {
			means.add("mean "+name, true, func(t *study.Trial) any { return l.By.Of(st, t).words(name) })
		}
	}
	return means
}

// Believed is an estimate in words, mean ± standard deviation.
func Believed(e study.Estimate) string { return PlusMinus(e.Mean, e.Std) }

// Details describes one trial, a line for each fact.
func Details(st *study.Study, t *study.Trial, l Listing) Table {
	d := Table{Head: []string{"trial", t.ID()}}
	add := func(name string, fact any) {
		if v := written(fact, Rounded); v != "" {
			d.Rows = append(d.Rows, []string{name, v})
		}
	}
	add("state", stateText(t))
	add("note", t.Note)
	for _, r := range t.Remarks {
		add("note", strings.TrimPrefix(r.At+"  "+r.Text, "  "))
	}
	for _, n := range st.Outcomes() {
		add(n, written(valueOf(t.Values, n), Rounded)+violations(st, t, n))
	}
	d.Rows = append(d.Rows, courseRows(st, t)...)
	add("standard error", t.Stderr)
	for _, n := range st.Outcomes() {
		add("standard error of "+n, valueOf(t.Stderrs, n))
	}
	if m := l.By.Of(st, t); m != nil {
		d.Rows = append(d.Rows, m.rows(st)...)
	}
	for _, o := range l.By[t.Number] {
		own := o.Trial.Number == t.Number
		if own && o.Replicate == 0 {
			continue // told above
		}
		words := lists.Some(st.Outcomes(), func(n string) (string, bool) {
			v, ok := o.Values.Get(n)
			return n + " " + Rounded(v), ok
		})
		for n, v := range o.Metrics.All() {
			words = append(words, n+" "+written(v, Rounded))
		}
		again := strings.Join(words, ", ")
		if !own {
			again += " (trial " + o.Trial.ID() + ")"
		}
		add("again", again)
	}
	add("cost", t.Cost)
	if t.Duration != nil {
		add("duration", Seconds(*t.Duration))
	}
	for n, v := range t.Metrics.All() {
		add("metric "+n, v)
	}
	for i := range st.Space.Params() {
		cell := written(paramOf(st.Space, t, i), Rounded)
		if end := atBound(st.Space, t.Config, i); end != "" {
			cell += " (its " + end + " bound)"
		}
		add("  "+st.Space.Params()[i].Name, cell)
	}
	for _, name := range othersOf(st.Space, t) {
		add("  "+name, ownText(t, name))
	}
	add("source", t.Source)
	add("key", t.Key)
	add("worker", t.Worker)
	add("suggested", t.Suggested)
	add("observed", t.ObservedAt)
	return d
}

// Lookup gives templates the values of a trial: its active parameters by name,
// each one word of a shell, and TemplateWords where no parameter has that name.
func Lookup(st *study.Study, t *study.Trial) func(name string) (string, bool) {
	words := map[string]string{
		"trial": strconv.Itoa(t.Number), "id": t.ID(), "state": string(t.State), "source": t.Source,
		"value": written(valueOf(t.Values, st.Objective().Name), nil),
	}
	return func(name string) (string, bool) {
		if _, ok := st.Space.Index(name); ok {
			all := t.Settings(st.Space)
			i := slices.IndexFunc(all, func(v space.Setting) bool { return v.Name == name })
			if i < 0 {
				return "", false
			}
			return study.ShellWord(all[i].Text), true
		}
		v, ok := words[name]
		return v, ok && v != ""
	}
}

// TemplateWords are the names Lookup knows beside the parameters.
var TemplateWords = []string{"trial", "id", "state", "source", "value"}

func stateText(t *study.Trial) string {
	state := string(t.State)
	switch {
	case t.Stale: // data only, as in another space
		return state + " (other context)"
	case t.Forbidden:
		return state + " (breaks a rule)"
	case t.Outside:
		return state + " (other space)"
	case t.State == study.Failed && t.Failure != "":
		return state + " (" + string(t.Failure) + ")"
	case t.Waiting:
		return state + " (waiting)"
	}
	return state
}

// tableState is the state, and whether the trial violates a constraint.
func tableState(st *study.Study, t *study.Trial) string {
	for _, n := range st.Outcomes() {
		if t.State == study.Complete && violations(st, t, n) != "" {
			return stateText(t) + " (violates)"
		}
	}
	return stateText(t)
}

// violations lists the bounds that the mean of an outcome of a trial violates, such as " (violates latency_ms
// <= 200)"; nothing for none.
func violations(st *study.Study, t *study.Trial, name string) string {
	v, ok := t.Mean(name)
	broken := lists.Only(st.Constraints, func(c study.Constraint) bool { return ok && c.Name == name && !c.Holds(v) })
	if broken == nil {
		return ""
	}
	mean := ""
	if len(t.Replicates) > 0 {
		mean = "its mean "
	}
	return " (" + mean + "violates " + strings.Join(lists.Of(broken, study.Constraint.String), ", ") + ")"
}

// valueOf is the measured value of an outcome, or nil.
func valueOf(values study.Values, name string) any {
	if v, ok := values.Get(name); ok {
		return v
	}
	return nil
}

// Cell writes a parameter for people; empty where it is inactive.
func Cell(s *space.Space, c space.Configuration, i int) string {
	return written(paramOf(s, &study.Trial{Config: c}, i), Rounded)
}

// params adds a column for each parameter that one of the configurations of the rows has.
func (t *Table) params(s *space.Space, confs []space.Configuration) {
	for i := range s.Params() {
		if slices.ContainsFunc(confs, func(c space.Configuration) bool { return c.Active[i] }) {
			t.Column(s.Param(i).Name, false, func(k int) any { return paramOf(s, &study.Trial{Config: confs[k]}, i) })
		}
	}
}

// PredictionTable lists predictions for people.
func PredictionTable(st *study.Study, list []Prediction) Table {
	t := Table{Rows: make([][]string, len(list))}
	of := func(prefix string, e func(k int) study.Expected) {
		t.Column(prefix+"mean", true, func(k int) any { return e(k).Mean })
		t.Column(prefix+"std", true, func(k int) any { return e(k).Std })
		t.Column(prefix+"std_noisy", true, func(k int) any { return e(k).StdNoisy })
	}
	var first Prediction
	if len(list) > 0 {
		first = list[0]
	}
	if first.Objectives == nil {
		of("", func(k int) study.Expected { return *list[k].Expected })
	}
	for _, ob := range st.Objectives {
		if _, named := first.Objectives[ob.Name]; named {
			of(ob.Name+" ", func(k int) study.Expected { return list[k].Objectives[ob.Name] })
		}
	}
	t.params(st.Space, lists.Of(list, func(p Prediction) space.Configuration { return p.Config }))
	return t
}
