package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
)

// TrialTable lists trials for people: one column per outcome, and one per parameter
// that is active somewhere in the list, and one of durations where some are known. Where
// configurations were measured again, outcomes are means ± sample standard deviations of
// the n values of each.
func TrialTable(st *study.Study, trials []study.Trial, by Repeated) Table {
	shown, more := activeSomewhere(st.Space, trials), others(st.Space, trials)
	t := Table{Head: []string{"ID", "STATE"}, Right: []bool{false, false}}
	for _, n := range st.Outcomes() {
		t.Head, t.Right = append(t.Head, n), append(t.Right, true)
	}
	repeated := slices.ContainsFunc(trials, func(t study.Trial) bool { return len(by[t.Number]) > 1 })
	if repeated {
		t.Head, t.Right = append(t.Head, "n"), append(t.Right, true)
	}
	if st.Fidelity.Early() {
		t.Head, t.Right = append(t.Head, st.Fidelity.Name, "leg", "start"), append(t.Right, true, true, true)
	}
	for _, i := range shown {
		t.Head = append(t.Head, st.Space.Params()[i].Name)
		k := st.Space.Params()[i].Kind
		t.Right = append(t.Right, k == space.Float || k == space.Int)
	}
	for _, name := range more {
		t.Head, t.Right = append(t.Head, name), append(t.Right, false)
	}
	timed := slices.ContainsFunc(trials, func(t study.Trial) bool { return t.Duration != nil })
	if timed {
		t.Head, t.Right = append(t.Head, "SECONDS"), append(t.Right, true)
	}
	t.Head = append(t.Head, "SOURCE")
	noted := slices.ContainsFunc(trials, func(t study.Trial) bool { return t.Said() != "" })
	if noted {
		t.Head = append(t.Head, "NOTE")
	}
	for k := range trials {
		tr := &trials[k]
		row := []string{tr.ID(), tableState(st, tr)}
		m := by.Of(st, tr)
		for _, n := range st.Outcomes() {
			row = append(row, roundedValue(tr, m, n))
		}
		if repeated {
			n := ""
			if len(tr.Values) > 0 {
				n = strconv.Itoa(max(1, len(by[tr.Number])))
			}
			row = append(row, n)
		}
		for _, name := range courseFacts(st) {
			row = append(row, written(courseFact(&st.Fidelity, name)(tr), Number))
		}
		for _, i := range shown {
			row = append(row, trialCell(st.Space, tr, i, Cell))
		}
		for _, name := range more {
			row = append(row, ownText(tr, name))
		}
		if timed {
			row = append(row, written(known(tr.Duration), Rounded))
		}
		row = append(row, tr.Source)
		if noted {
			row = append(row, shortNote(tr.Said()))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// shortNote is a note in a table, where it has one line of 40 characters at most.
func shortNote(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if short := []rune(text); len(short) > 40 {
		text = string(short[:39]) + "…"
	}
	return text
}

// OwnTable is TrialTable with trials in the order of their own values: those are shown, and
// the means of configurations that were measured again, as far as they differ, beside them.
func OwnTable(st *study.Study, trials []study.Trial, by Repeated) Table {
	t := TrialTable(st, trials, by)
	differ := func(name string) bool {
		return slices.ContainsFunc(trials, func(tr study.Trial) bool {
			m := by.Of(st, &tr)
			return m != nil && m.Mean[name] != tr.Values[name]
		})
	}
	at := 3 + len(st.Outcomes()) // behind the column n
	for c, name := range st.Outcomes() {
		if !differ(name) {
			continue
		}
		t.Head, t.Right = slices.Insert(t.Head, at, "mean "+name), slices.Insert(t.Right, at, true)
		for k := range trials {
			mean := t.Rows[k][2+c]
			if by.Of(st, &trials[k]) == nil {
				mean = ""
			}
			t.Rows[k] = slices.Insert(t.Rows[k], at, mean)
			t.Rows[k][2+c] = roundedValue(&trials[k], nil, name)
		}
		at++
	}
	return t
}

// WithPosterior puts what the surrogate believes of each trial beside the outcomes
// of TrialTable's table.
func (t Table) WithPosterior(st *study.Study, list []Estimate) Table {
	at := 2 + len(st.Outcomes())
	t.Head = slices.Insert(t.Head, at, "posterior")
	t.Right = slices.Insert(t.Right, at, true)
	for k := range t.Rows {
		t.Rows[k] = slices.Insert(t.Rows[k], at, list[k].words())
	}
	return t
}

func (e Estimate) words() string { return PlusMinus(e.Mean, e.Std) }

// Details describes one trial, a line for each fact; believed may be nil.
func Details(st *study.Study, t *study.Trial, believed *Estimate, by Repeated) Table {
	d := Table{Head: []string{"trial", t.ID()}}
	add := func(name, v string) {
		if v != "" {
			d.Rows = append(d.Rows, []string{name, v})
		}
	}
	add("state", stateText(t))
	add("note", t.Note)
	for _, r := range t.Remarks {
		add("note", strings.TrimPrefix(r.At+"  "+r.Text, "  "))
	}
	for _, n := range st.Outcomes() {
		v, ok := t.Values[n]
		if ok {
			add(n, Rounded(v)+violations(st, t, n))
		}
	}
	d.Rows = append(d.Rows, courseRows(st, t)...)
	if believed != nil {
		add("posterior", believed.words())
	}
	if t.Stderr != nil {
		add("standard error", Rounded(*t.Stderr))
	}
	for _, n := range st.Outcomes() {
		if v, ok := t.Stderrs[n]; ok {
			add("standard error of "+n, Rounded(v))
		}
	}
	if m := by.Of(st, t); m != nil {
		for _, n := range st.Outcomes() {
			if sd, ok := m.Std[n]; ok {
				add(fmt.Sprintf("mean %s of %d", n, m.N), PlusMinus(m.Mean[n], sd))
			}
		}
	}
	for _, o := range by[t.Number] {
		own := o.Trial.Number == t.Number
		if own && o.Replicate == 0 {
			continue // told above
		}
		var words []string
		for _, n := range st.Outcomes() {
			if v, ok := o.Values[n]; ok {
				words = append(words, n+" "+Rounded(v))
			}
		}
		for _, n := range slices.Sorted(maps.Keys(o.Metrics)) {
			words = append(words, n+" "+written(o.Metrics[n], Rounded))
		}
		again := strings.Join(words, ", ")
		if !own {
			again += " (trial " + o.Trial.ID() + ")"
		}
		add("again", again)
	}
	if t.Cost != nil {
		add("cost", Rounded(*t.Cost))
	}
	if t.Duration != nil {
		add("duration", Seconds(*t.Duration))
	}
	for _, n := range slices.Sorted(maps.Keys(t.Metrics)) {
		add("metric "+n, written(t.Metrics[n], Rounded))
	}
	for i := range st.Space.Params() {
		cell := trialCell(st.Space, t, i, Cell)
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
// each one word of a shell, and Facts where no parameter has that name.
func Lookup(st *study.Study, t *study.Trial) func(name string) (string, bool) {
	facts := map[string]string{
		"trial": strconv.Itoa(t.Number), "id": t.ID(), "state": string(t.State), "source": t.Source,
		"value": value(t, st.Objective().Name),
	}
	return func(name string) (string, bool) {
		if _, ok := st.Space.Index(name); ok {
			all := settings(st.Space, t)
			i := slices.IndexFunc(all, func(v space.Setting) bool { return v.Name == name })
			if i < 0 {
				return "", false
			}
			return word(all[i].Text), true
		}
		v, ok := facts[name]
		return v, ok && v != ""
	}
}

// Facts are the names Lookup knows beside the parameters.
var Facts = []string{"trial", "id", "state", "source", "value"}

func stateText(t *study.Trial) string {
	if t.Outside {
		return string(t.State) + elsewhere(t)
	}
	if t.State == study.Failed && t.Failure != "" {
		return string(t.State) + " (" + string(t.Failure) + ")"
	}
	if t.Waiting {
		return string(t.State) + " (waiting)"
	}
	return string(t.State)
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

// violations says which bounds an outcome of a trial violates, such as " (violates
// latency_ms <= 200)"; nothing for none.
func violations(st *study.Study, t *study.Trial, name string) string {
	var out []string
	for _, c := range st.Constraints {
		if v, ok := t.Values[name]; ok && c.Name == name && !c.Holds(v) {
			out = append(out, c.String())
		}
	}
	if out == nil {
		return ""
	}
	return " (violates " + strings.Join(out, ", ") + ")"
}

func value(t *study.Trial, name string) string {
	if v, ok := t.Values[name]; ok {
		return Number(v)
	}
	return ""
}

// roundedValue is value for people, over all measurements where there are several.
func roundedValue(t *study.Trial, m *Measurements, name string) string {
	if m != nil {
		return m.words(name)
	}
	if v, ok := t.Values[name]; ok {
		return Rounded(v)
	}
	return ""
}

// Cell writes a parameter for people; empty where it is inactive.
func Cell(s *space.Space, c space.Configuration, i int) string {
	if s.Param(i).Kind == space.Float && i < len(c.Active) && c.Active[i] {
		return Rounded(c.Value[i])
	}
	return cell(s, c, i)
}

func cell(s *space.Space, c space.Configuration, i int) string {
	if i < len(c.Active) && c.Active[i] {
		return s.FormatValue(i, c.Value[i])
	}
	return ""
}

func activeSomewhere(s *space.Space, trials []study.Trial) []int {
	var shown []int
	for i := range s.Params() {
		for k := range trials {
			if a := trials[k].Config.Active; i < len(a) && a[i] || ownText(&trials[k], s.Param(i).Name) != "" {
				shown = append(shown, i)
				break
			}
		}
	}
	return shown
}

// PredictionTable lists predictions for people.
func PredictionTable(st *study.Study, points []space.Configuration, list []Prediction) Table {
	trials := make([]study.Trial, len(points))
	for i := range points {
		trials[i].Config = points[i]
	}
	shown := activeSomewhere(st.Space, trials)
	var t Table
	names := predicted(st, list)
	for _, name := range names {
		for _, what := range []string{"mean", "std", "std_noisy"} {
			if name != "" {
				what = name + " " + what
			}
			t.Head, t.Right = append(t.Head, what), append(t.Right, true)
		}
	}
	for _, i := range shown {
		t.Head = append(t.Head, st.Space.Params()[i].Name)
	}
	for k, p := range list {
		var row []string
		for _, name := range names {
			var e Expected
			if name == "" {
				e = *p.Expected
			} else {
				e = p.Objectives[name]
			}
			row = append(row, Rounded(e.Mean), Rounded(e.Std), Rounded(e.StdNoisy))
		}
		for _, i := range shown {
			row = append(row, Cell(st.Space, points[k], i))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
