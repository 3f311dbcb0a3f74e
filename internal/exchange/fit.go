package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
)

// Fit brings the trials into the space of st, failed ones as the failures given; where these are empty, failed trials
// are left out. Keys are the same for the same trial of the same source. The notes list the omissions: trials without
// a result, trials that do not fit the space, and values that are no parameters. The error means that source and study
// do not optimise the same.
func (s *Study) Fit(st *study.Study, failures study.Failure) (fitted []study.Addition, left []string, err error) {
	if err := s.agrees(st); err != nil {
		return nil, nil, err
	}
	var trials, extra notes
	left = append(left, s.Notes...)
	for i := range s.Trials {
		t := &s.Trials[i]
		switch {
		case t.State == study.Pending:
			trials.add("left out, "+cmp.Or(t.Why, "without a result"), t.Name)
			continue
		case t.State == study.Failed && failures == "":
			trials.add("left out, "+cmp.Or(t.Why, "failed")+" (--failed infeasible or transient adds those that failed)", t.Name)
			continue
		}
		m, why := s.fit(st, t, &extra)
		if why != "" {
			trials.add("left out: "+why, t.Name)
			continue
		}
		if m.Rule != nil {
			trials.add("kept as data: "+m.Rule.Error(), t.Name)
		}
		if t.State == study.Failed {
			m.Failure, m.Values, m.Stderr, m.Stderrs = failures, nil, nil, nil
			m.Note = t.Why
		}
		fitted = append(fitted, m)
	}
	left = append(left, trials.list("trial")...)
	return fitted, append(left, extra.list("value")...), nil
}

// agrees compares the directions of the objectives that both have.
func (s *Study) agrees(st *study.Study) error {
	for i, o := range s.Objectives {
		k := st.Goal(o.Name)
		if i == s.objective(st) {
			k = 0
		}
		if k >= 0 && o.Direction != "" && o.Direction != st.Objectives[k].Direction.String() {
			return study.Errorf(study.Usage, "write direction: "+o.Direction+", or choose another objective",
				"the source would %s %s, the study would %s it", o.Direction, o.Name,
				st.Objectives[k].Direction)
		}
	}
	return nil
}

// objective is the index of the study's objective among those of the source: the one
// of its name, else the first; −1 if none is known.
func (s *Study) objective(st *study.Study) int {
	k := slices.IndexFunc(s.Objectives, func(o Objective) bool { return o.Name == st.Objective().Name })
	if k < 0 && len(s.Objectives) > 0 {
		return 0
	}
	return k
}

// fit is one trial; why names its mistake.
func (s *Study) fit(st *study.Study, t *Trial, extra *notes) (m study.Addition, why string) {
	m.Key = fmt.Sprintf("import:%s:%s:%s", s.Tool, s.Name, t.Name)
	m.Stderr, m.Stderrs, m.Duration = t.Stderr, t.Stderrs, t.Duration
	metrics := map[string]any{}
	for name, v := range t.Metrics {
		flatten(metrics, name, v)
	}
	a := space.Assignment{}
	for _, p := range t.Params {
		i, known := st.Space.Index(space.NameOf(p.Name))
		if !known { // as other programs, and earlier versions of this one, spell it
			i = slices.IndexFunc(st.Space.Params(),
				func(q space.Parameter) bool { return space.Variable(q.Name) == space.Variable(p.Name) })
			known = i >= 0
		}
		if !known {
			s.keepAsMetric(metrics, p, extra)
			continue
		}
		v, ok, err := p.of(st.Space, i)
		if err != nil {
			return m, err.Error()
		}
		if ok {
			a[i] = v
		}
	}
	c, err := st.Space.Assemble(a)
	if m.Rule, err = space.Broken(err); err != nil {
		return m, err.Error()
	}
	for i := range a {
		if !c.Active[i] {
			extra.add("of inactive parameters left out", st.Space.Param(i).Name)
		}
	}
	m.Config = c
	if t.State == study.Complete {
		if why := s.outcomes(&m, st, t, metrics); why != "" {
			return m, why
		}
	}
	kept, dropped := study.TrimMetrics(study.NamedOf(metrics))
	for _, name := range dropped {
		extra.add("left out, too long or too many for metrics", name)
	}
	m.Metrics = kept
	return m, ""
}

// text is the value without its quotes.
func (v Value) text() (text string) {
	if json.Unmarshal(v.JSON, &text) != nil {
		return string(v.JSON)
	}
	return text
}

func (v Value) null() bool { return string(v.JSON) == "null" }

// of is the value in the space; ok is false where the parameter has none.
func (v Value) of(s *space.Space, i int) (value float64, ok bool, err error) {
	p := s.Param(i)
	if v.null() {
		k := slices.Index(p.Literals, space.Null)
		return float64(k), p.Choice() && k >= 0, nil
	}
	value, err = s.ParseValue(i, v.text())
	return value, err == nil && p.Kind != space.Constant, err
}

// keepAsMetric keeps a number that is no parameter of the study.
func (s *Study) keepAsMetric(m map[string]any, p Value, extra *notes) {
	if p.null() {
		return
	}
	var v any
	_ = decode(p.JSON, &v)
	if number, err := space.Decimal(p.text()); err == nil && s.Texts {
		v = number
	}
	kept := map[string]any{}
	flatten(kept, p.Name, v)
	switch maps.Copy(m, kept); {
	case len(kept) == 0:
		extra.add("left out, neither parameters nor metrics", p.Name)
	case !s.Loose:
		extra.add("of no parameter kept as metrics", p.Name)
	}
}

// outcomes takes the values of the objective and of constraints from where the source
// has them, the rest become metrics.
func (s *Study) outcomes(m *study.Addition, st *study.Study, t *Trial, metrics map[string]any) (why string) {
	chosen := s.objective(st)
	for name, v := range t.Values {
		if v != nil {
			metrics[name] = *v
		}
	}
	take := func(from, to string) { // known values already count
		v, ok := metrics[from].(float64)
		_, known := m.Values.Get(to)
		if ok && !known {
			m.Values.Set(to, v)
		}
		if ok && (!known || from == to) {
			delete(metrics, from)
		}
	}
	for _, name := range st.Outcomes() {
		take(name, name)
	}
	if chosen >= 0 { // which may be named otherwise here
		take(s.Objectives[chosen].Name, st.Objective().Name)
	}
	if st.Cost != nil {
		if v, ok := metrics[st.Cost.Name].(float64); ok {
			m.Cost = &v
			delete(metrics, st.Cost.Name)
		}
	}
	for _, name := range st.Outcomes() {
		if _, ok := m.Values.Get(name); !ok {
			return fmt.Sprintf("no finite value of %s", strings.TrimSpace(name))
		}
	}
	return ""
}
