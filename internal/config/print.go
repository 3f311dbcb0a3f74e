package config

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
	"bohier/internal/study"
)

// Print writes the normalised form of a study: canonical spellings, conditions as expressions,
// one parameter a line. A value that equals the format's default is left out. Loading the
// result under the same options gives the same study.
func Print(st *study.Study) []byte { return encode(printed(st)) }

// printed is the normalised form as a tree.
func printed(st *study.Study) *yaml.Node {
	top := newMap(0)
	top.add("version", plainNode("1"))
	top.word("name", st.Name, Stem(st.File))
	top.word("context", st.Context, "")
	if st.Several() {
		top.add("objectives", linesOf(st.Objectives, printObjective))
	} else {
		top.add("objective", printObjective(st.Objective()))
	}
	if len(st.Constraints) > 0 {
		top.add("constraints", listOf(st.Constraints, func(c study.Constraint) *yaml.Node {
			return textNode(c.Name + map[bool]string{true: " >= ", false: " <= "}[c.AtLeast] + num(c.Bound))
		}))
	}
	if st.Cost != nil {
		m := flowMap()
		m.add("name", textNode(st.Cost.Name))
		if st.Cost.Linear {
			m.word("model", "linear", "kernel")
		}
		m.settings("cost", st.Cost, map[string]*yaml.Node{"name": nil})
		top.add("cost", m.node)
	}
	params := newMap(0)
	for i := range st.Space.Params() {
		params.add(st.Space.Param(i).Name, printParameter(st.Space, i))
	}
	top.add("space", params.node)
	top.add("forbidden", printClauses(st.Space, st.Space.Forbidden()))
	top.add("require", printClauses(st.Space, st.Space.Require()))
	top.add("initial", printInitial(st))
	top.add("surrogate", printSurrogate(st))
	top.add("acquisition", printAcquisition(st.Acquisition))
	switch p := st.Policy; {
	case p.Plain:
		top.add("policy", textNode("plain"))
	case len(p.Without) > 0:
		m := flowMap()
		m.add("without", textsNode(p.Without))
		top.add("policy", m.node)
	}
	if w := st.WarmStart; w != nil {
		m := flowMap()
		var paths []string
		for _, p := range w.Journals {
			if study.Scheme(p) == "" {
				p = relative(st.File, p)
			}
			paths = append(paths, p)
		}
		m.settings("warm_start", w, map[string]*yaml.Node{"journals": textsNode(paths)})
		top.add("warm_start", m.node)
	}
	stop := flowMap()
	stop.settings("stop", st.Stop, nil)
	if h := st.Stop.Hypervolume; h != nil {
		m := flowMap()
		m.add("gain", numberNode(h.Share))
		if h.Trials > 0 {
			m.add("trials", numberNode(float64(h.Trials)))
		}
		stop.add("hypervolume", m.node)
	}
	top.add("stop", stop.orNil())
	switch r := st.Replicates; {
	case r == study.NewReplicates():
		top.add("replicates", textNode("auto"))
	case r.Auto:
		m := flowMap()
		m.add("share", numberNode(r.Share))
		m.add("most", numberNode(float64(r.Most)))
		top.add("replicates", m.node)
	case r.Each > 0:
		top.add("replicates", numberNode(float64(r.Each)))
	}
	top.add("fidelity", printFidelity(&st.Fidelity))
	b := flowMap()
	b.settings("budget", st.Budget, nil)
	top.add("budget", b.orNil())
	if st.Seed != nil {
		top.add("seed", plainNode(strconv.FormatUint(*st.Seed, 10)))
	}
	if study.Scheme(st.Journal) != "" {
		top.add("journal", textNode(st.Journal))
	} else if j := relative(st.File, st.Journal); st.Journal != "" && filepath.IsLocal(j) {
		top.word("journal", j, Stem(st.File)+".journal.jsonl")
	}
	top.add("run", printRun(st.Run))
	return top.node
}

func printObjective(o study.Objective) *yaml.Node {
	m := flowMap()
	m.add("name", textNode(o.Name))
	m.add("direction", textNode(o.Direction.String()))
	own := map[string]*yaml.Node{"name": nil}
	if o.Transform != "" { // said even where it is the default
		own["transform"] = textNode(o.Transform)
	}
	switch {
	case o.Noise.None:
		own["noise"] = textNode("none")
	case o.Noise.SD > 0:
		own["noise"] = numberNode(o.Noise.SD)
	}
	m.settings("objectives", o, own)
	return m.node
}

func printParameter(s *space.Space, i int) *yaml.Node {
	p := s.Param(i)
	m := flowMap()
	if p.Kind == space.Constant {
		v := valueNode(p, 0)
		if p.Literal(0) == space.Text {
			v = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: p.Values[0], Style: yaml.DoubleQuotedStyle}
		}
		m.add("value", v)
		return m.node
	}
	own := map[string]*yaml.Node{"type": textNode(p.Kind.String()), "low": nil, "high": nil}
	switch p.Kind {
	case space.Float, space.Int:
		own["low"], own["high"], own["scale"] = numberNode(p.Low), numberNode(p.High), textNode(p.Scale.String())
	case space.Ordinal, space.Categorical:
		own["values"], own["graph"] = listNode(), printGraph(p)
		for k := range p.Values {
			own["values"].Content = append(own["values"].Content, valueNode(p, k))
		}
	}
	if p.Default != nil {
		own["default"] = rawNode(s, i, *p.Default)
	}
	if p.Condition != nil {
		own["active_if"] = textNode(space.Format(p.Condition, s))
	}
	if p.Prior != nil {
		q := flowMap()
		q.add("mode", rawNode(s, i, p.Prior.Mode))
		q.add("strength", textNode(p.Prior.Strength))
		own["prior"] = q.node
	}
	m.settings("space.*", p, own)
	return m.node
}

// rawNode writes a raw value of parameter i.
func rawNode(s *space.Space, i int, v float64) *yaml.Node {
	switch p := s.Param(i); p.Kind {
	case space.Bool:
		return boolNode(v == 1)
	case space.Ordinal, space.Categorical:
		return valueNode(p, int(v))
	}
	return numberNode(v)
}

func printGraph(p *space.Parameter) *yaml.Node {
	if len(p.Graph.Edges) == 0 {
		return nil
	}
	m := flowMap()
	m.add("edges", listOf(p.Graph.Edges, func(e space.Edge) *yaml.Node {
		return listNode(valueNode(p, e.From), valueNode(p, e.To))
	}))
	if slices.ContainsFunc(p.Graph.Edges, func(e space.Edge) bool { return e.Weight != 1 }) {
		m.add("weights", listOf(p.Graph.Edges, func(e space.Edge) *yaml.Node { return numberNode(e.Weight) }))
	}
	return m.node
}

func printClauses(s *space.Space, cs []space.Clause) *yaml.Node {
	if len(cs) == 0 {
		return nil
	}
	return linesOf(cs, func(c space.Clause) *yaml.Node { return textNode(space.Format(c.Expr, s)) })
}

func printInitial(st *study.Study) *yaml.Node {
	m := newMap(0)
	if len(st.Initial.Points) > 0 {
		m.add("points", linesOf(st.Initial.Points, func(a space.Assignment) *yaml.Node {
			p := flowMap()
			for _, i := range slices.Sorted(maps.Keys(a)) {
				p.add(st.Space.Param(i).Name, rawNode(st.Space, i, a[i]))
			}
			return p.node
		}))
	}
	m.settings("initial", st.Initial, nil)
	return m.orNil()
}

func printRun(r *study.Run) *yaml.Node {
	if r == nil {
		return nil
	}
	m, own := newMap(0), map[string]*yaml.Node{}
	if j := r.Jobs; j != nil {
		own["submit"], own["find"], own["cancel"] = textsNode(j.Submit), textsNode(j.Find), textsNode(j.Cancel)
		if j.Name != "" && j.Name != study.JobName {
			own["job"] = textNode(j.Name)
		}
		if j.Every != 0 && j.Every != study.JobEvery {
			own["every"] = textNode(duration(j.Every))
		}
	}
	if len(r.Result) > 0 {
		paths := flowMap()
		for _, name := range slices.Sorted(maps.Keys(r.Result)) {
			paths.add(name, textNode(r.Result[name]))
		}
		own["result"] = paths.node
	}
	if r.Lost == 0 {
		own["lost"] = nil
	}
	m.settings("run", r, own)
	return m.node
}

// duration writes 2h, not 2h0m0s.
func duration(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if rest, is := strings.CutSuffix(s, zero); is {
			s = rest + zero[:1]
		}
	}
	return s
}

// relative is a path as seen from the study file's directory, where it can be.
func relative(file, path string) string {
	if r, err := filepath.Rel(filepath.Dir(file), path); err == nil {
		return r
	}
	return path
}

func printSurrogate(st *study.Study) *yaml.Node {
	s := st.Surrogate
	m := newMap(0)
	fit := flowMap()
	fit.settings("surrogate.fit", s, nil)
	own := map[string]*yaml.Node{"kernel": printKernel(s.Kernel), "hyperparameters": printHyper(s.Hyper),
		"fit": fit.orNil()}
	m.settings("surrogate", s, own)
	return m.orNil()
}

func printKernel(k study.Kernel) *yaml.Node {
	m := flowMap()
	if len(k.Parts) > 0 {
		m.add(k.Name, listOf(k.Parts, printKernel))
		return m.node
	}
	m.settings("surrogate.kernel", k, nil)
	return m.orNil()
}

func printHyper(h study.Hyper) *yaml.Node {
	m := newMap(0)
	prior := flowMap()
	for _, name := range slices.Sorted(maps.Keys(h.Prior)) {
		q := flowMap()
		q.add(h.Prior[name].Family, listOf(h.Prior[name].Args, numberNode))
		prior.add(name, q.node)
	}
	m.settings("surrogate.hyperparameters", h, map[string]*yaml.Node{"prior": prior.orNil()})
	return m.orNil()
}

func printAcquisition(a study.Acquisition) *yaml.Node {
	m := newMap(yaml.FlowStyle)
	s := flowMap()
	s.settings("acquisition.search", a, nil)
	m.settings("acquisition", a, map[string]*yaml.Node{"search": s.orNil()})
	return m.orNil()
}
