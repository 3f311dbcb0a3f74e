package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"bohier/internal/journal"
	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// withSources is the session with the journals of the study's warm start, read without a lock. They
// should be those of studies that are over: suggestions depend on them.
//
// Studies share the parameters they have in common. One that the earlier study did not have counts as its default
// there, or else as the middle of its range; trials with values that are impossible today are left out. The strings are
// warnings.
func (c Session) withSources(ctx context.Context) (_ Session, warnings []string, err error) {
	c.sources = nil
	w := c.Study.WarmStart
	if w == nil {
		return c, nil, nil
	}
	if c.Study.Surrogate.Warping == "true" {
		warnings = append(warnings, "surrogate.warping is off: it does not go with warm_start")
	}
	for _, path := range w.Journals {
		earlier, elsewhere := c.SourceJournals[path]
		if !elsewhere {
			earlier.Path = path
		}
		if sameFile(earlier.Path, c.Journal.Path) {
			return c, warnings, study.Errorf(study.Usage, "name the journals of earlier studies",
				"warm_start.journals: %s is this study's own journal", path)
		}
		s, _, err := journal.Read(ctx, earlier)
		if err != nil {
			return c, warnings, fmt.Errorf("warm_start: %w", err)
		}
		if !s.Exists {
			return c, warnings, study.Errorf(study.Usage, "paths are relative to the study file",
				"warm_start.journals: there is no journal %s", path)
		}
		var theirs struct{ Space map[string]any }
		_ = json.Unmarshal(s.Study, &theirs) // written by this program
		maps.DeleteFunc(theirs.Space, func(name string, _ any) bool { _, here := c.Study.Space.Index(name); return here })
		if left := slices.Sorted(maps.Keys(theirs.Space)); len(left) > 0 {
			warnings = append(warnings, fmt.Sprintf("warm_start: %s has %s, which this space lacks: parameters "+
				"are matched by name", path, strings.Join(left, ", ")))
		}
		for k, ob := range c.Study.Objectives {
			e, skipped, note := readSource(c.Study.For(k), s, func(*study.Trial) bool { return true })
			if note != "" {
				warnings = append(warnings, fmt.Sprintf("warm_start: %s %s", path, note))
			}
			if skipped > 0 {
				warnings = append(warnings, fmt.Sprintf("warm_start: %d of %d complete trials of %s have no %s or do not fit this "+
					"space", skipped, skipped+len(e.Values), path, ob.Name))
			}
			if len(e.Values) > 0 {
				c.sources = append(c.sources, e)
			}
		}
	}
	return c, warnings, nil
}

// learning is the session with all that surrogates learn from beside the trials of s that count: journals
// of earlier studies, and trials of another context. The strings are warnings.
func (c Session) learning(ctx context.Context, s *journal.State) (Session, []string, error) {
	c, warnings, err := c.withSources(ctx)
	return c.knowing(s), warnings, err
}

// sameFile reports whether two locations are one, or lead to one file.
func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return a == b || errA == nil && errB == nil && os.SameFile(x, y)
}

// knowing is the session that learns from the trials of s that were measured under another
// context, too, as from one earlier study. Means over folds learn from no other study.
func (c Session) knowing(s *journal.State) Session {
	if f := c.Study.Fidelity; f.Averaged() && !f.MeasuresOne() ||
		!slices.ContainsFunc(s.Trials, func(t study.Trial) bool { return t.Stale }) {
		return c
	}
	st := *c.Study
	st.WarmStart = cmp.Or(st.WarmStart, &study.WarmStart{})
	c.Study, c.sources = &st, slices.Clip(c.sources)
	for k := range st.Objectives {
		if e, _, _ := readSource(st.For(k), s, func(t *study.Trial) bool { return t.Stale }); len(e.Values) > 0 {
			c.sources = append(c.sources, e)
		}
	}
	return c
}

// readSource translates those complete trials of another study's journal, or of another context, that wanted takes. An
// objective of the same name is the same number, whichever direction the earlier study had; the only one of another
// name is good where its study calls it so. note names the difference, where it may be a slip.
func readSource(st *study.Study, s *journal.State, wanted func(*study.Trial) bool) (e surrogate.Source, skipped int,
	note string) {
	name, sign := st.Objective().Name, st.Objective().Direction.Sign()
	e.Objective = name
	type objective struct{ Name, Direction string }
	var theirs struct {
		Objective  objective
		Objectives []objective
	}
	if json.Unmarshal(s.Study, &theirs) == nil {
		for _, ob := range append(theirs.Objectives, theirs.Objective) {
			// The one objective of both studies is the same, whatever its name.
			only := st.Among == nil && len(theirs.Objectives) == 0
			if ob.Name == "" || ob.Name != name && !only {
				continue
			}
			direction := study.Minimize
			if ob.Direction == study.Maximize.String() {
				direction = study.Maximize
			}
			switch ours := st.Objective(); {
			case ob.Name != name:
				note = fmt.Sprintf("has the objective %s, to %s: good values there count as good for %s", ob.Name, direction,
					ours.Name)
				name, sign = ob.Name, direction.Sign()
			case direction != ours.Direction:
				note = fmt.Sprintf("has %s to %s, and this study to %s: its values are those of the same %s, so that its best is "+
					"bad here", name, direction, ours.Direction, name)
			}
		}
	}
	fill := defaultsOrMiddles(st.Space)
	for k := range s.Trials {
		t := &s.Trials[k]
		if t.State != study.Complete || !wanted(t) {
			continue
		}
		v, ok := t.Values.Get(name)
		for _, further := range t.Replicates {
			v += further.Values.Of(name)
		}
		v /= float64(1 + len(t.Replicates))
		conf, fits := translate(st.Space, s.Params(t.Number), fill)
		if !ok || !fits || math.IsNaN(v) || math.IsInf(v, 0) {
			skipped++
			continue
		}
		e.Configs, e.Values = append(e.Configs, conf), append(e.Values, sign*v)
	}
	return e, skipped, note
}

// defaultsOrMiddles returns a value for every parameter: its default, or else the middle of its
// range, or its first value.
func defaultsOrMiddles(s *space.Space) space.Assignment {
	a := space.Assignment{}
	for i := range s.Params() {
		switch p := s.Param(i); {
		case p.Default != nil:
			a[i] = *p.Default
		case p.IsNumber():
			a[i] = s.NumberAt(i, 0.5)
		default:
			a[i] = 0
		}
	}
	return a
}

// translate reads another study's configuration into the space.
func translate(s *space.Space, params json.RawMessage, fill space.Assignment) (space.Configuration, bool) {
	known := lists.Only(space.RecordedSettings(params), func(v space.Setting) bool {
		i, here := s.Index(v.Name)
		return here && s.Param(i).Kind != space.Constant
	})
	got, err := s.ParsePartial(space.JSONObject(known))
	if err != nil {
		return space.Configuration{}, false
	}
	a := maps.Clone(fill)
	maps.Copy(a, got)
	c, err := s.Assemble(a)
	_, err = space.Broken(err)
	return c, err == nil && len(got) > 0
}
