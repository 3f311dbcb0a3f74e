package config

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Print writes the normalised form of a study: canonical spellings, conditions as expressions, one parameter a line. A
// value that equals the format's default is left out. Loading the result under the same options gives the same study.
func Print(st *study.Study) []byte { return encode(printed(st)) }

// printed is the normalised form as a tree.
func printed(st *study.Study) *yaml.Node {
	params := newMap(0)
	for i := range st.Space.Params() {
		addKey(params, st.Space.Param(i).Name, printParameter(st.Space, i))
	}
	own := map[string]*yaml.Node{
		"version":    plainNode("1"),
		"name":       textUnless(st.Name, defaultName(st.File)),
		"objective":  nil,
		"objectives": nil,
		"constraints": listOf(st.Constraints, func(c study.Constraint) *yaml.Node {
			sign := " <= "
			if c.AtLeast {
				sign = " >= "
			}
			return textNode(c.Name + sign + num(c.Bound))
		}),
		"space":     params,
		"forbidden": printClauses(st.Space, st.Space.Forbidden()),
		"require":   printClauses(st.Space, st.Space.Require()),
		"initial":   printInitial(st),
		"fidelity":  printFidelity(&st.Fidelity),
		"journal":   printJournal(st),
	}
	if st.Several() {
		own["objectives"] = linesOf(st.Objectives, printObjective)
	} else {
		own["objective"] = printObjective(st.Objective())
	}
	if st.Cost != nil {
		own["cost"] = printSection("cost", st.Cost, map[string]*yaml.Node{"name": textNode(st.Cost.Name)})
	}
	if w := st.WarmStart; w != nil {
		own["warm_start"] = printSection("warm_start", w, map[string]*yaml.Node{
			"journals": listOf(w.Journals, func(p string) *yaml.Node {
				if study.Scheme(p) == "" {
					p = relative(st.File, p)
				}
				return textNode(p)
			})})
	}
	if st.Seed != nil {
		own["seed"] = plainNode(strconv.FormatUint(*st.Seed, 10))
	}
	return printSection("", st, own)
}

// textUnless is a text that is not its default.
func textUnless(text, usual string) *yaml.Node {
	if text == usual {
		return nil
	}
	return textNode(text)
}

// printJournal is the place of the journal as seen from the study file, where it can be.
func printJournal(st *study.Study) *yaml.Node {
	if study.Scheme(st.Journal) != "" {
		return textNode(st.Journal)
	}
	if j := relative(st.File, st.Journal); st.Journal != "" && filepath.IsLocal(j) {
		return textUnless(j, Stem(st.File)+".journal.jsonl")
	}
	return nil
}

func printObjective(o study.Objective) *yaml.Node {
	own := map[string]*yaml.Node{"name": textNode(o.Name)}
	if o.Transform != "" { // said even where it is the default
		own["transform"] = textNode(o.Transform)
	}
	return printSection("objectives", o, own)
}

func printParameter(s *space.Space, i int) *yaml.Node {
	p := s.Param(i)
	if p.Kind == space.Constant {
		m, v := flowMap(), valueNode(p, 0)
		if p.Literal(0) == space.Text {
			v = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: p.Values[0], Style: yaml.DoubleQuotedStyle}
		}
		addKey(m, "value", v)
		return m
	}
	own := map[string]*yaml.Node{"type": textNode(p.Kind.String()), "low": nil, "high": nil}
	switch p.Kind {
	case space.Float, space.Int:
		own["low"], own["high"], own["scale"] = numberNode(p.Low), numberNode(p.High), textNode(p.Scale.String())
	case space.Ordinal, space.Categorical:
		own["graph"] = printGraph(p)
		own["values"] = listOf(lists.Every(len(p.Values)), func(k int) *yaml.Node { return valueNode(p, k) })
	}
	if p.Default != nil {
		own["default"] = rawNode(s, i, *p.Default)
	}
	if p.Condition != nil {
		own["active_if"] = textNode(s.Format(p.Condition))
	}
	if p.Prior != nil {
		own["prior"] = printSection("space.*.prior", p.Prior, map[string]*yaml.Node{
			"mode": rawNode(s, i, p.Prior.Mode), "strength": textNode(p.Prior.Strength)})
	}
	return printSection("space.*", p, own)
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
	addKey(m, "edges", listOf(p.Graph.Edges, func(e space.Edge) *yaml.Node {
		return listNode(valueNode(p, e.From), valueNode(p, e.To))
	}))
	if slices.ContainsFunc(p.Graph.Edges, func(e space.Edge) bool { return e.Weight != 1 }) {
		addKey(m, "weights", listOf(p.Graph.Edges, func(e space.Edge) *yaml.Node { return numberNode(e.Weight) }))
	}
	return m
}

func printClauses(s *space.Space, cs []space.Clause) *yaml.Node {
	return linesOf(cs, func(c space.Clause) *yaml.Node { return textNode(s.Format(c.Expr)) })
}

func printInitial(st *study.Study) *yaml.Node {
	points := linesOf(st.Initial.Points, func(a space.Assignment) *yaml.Node {
		p := flowMap()
		for _, i := range slices.Sorted(maps.Keys(a)) {
			addKey(p, st.Space.Param(i).Name, rawNode(st.Space, i, a[i]))
		}
		return p
	})
	return printSection("initial", st.Initial, map[string]*yaml.Node{"points": points})
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

func printKernel(k study.Kernel) *yaml.Node {
	if len(k.Parts) == 0 {
		return printSection("surrogate.kernel", k, nil)
	}
	m := flowMap()
	addKey(m, k.Name, listOf(k.Parts, printKernel))
	return m
}

func printPolicy(p study.Policy) *yaml.Node {
	if p.Plain {
		return textNode("plain")
	}
	return printSection("policy", p, nil)
}
