package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

// A Draft is a study file made from what another tool says.
type Draft struct {
	Tool        string // for the first line
	Name        string // of the study; empty: the file's
	Objectives  []DraftObjective
	Params      []*DraftParam
	Constraints []string // on outcomes
	Forbidden   []string
	Require     []string
	Points      []DraftPoint // proposed first
	Fidelity    *DraftFidelity
	Trials      int      // of the budget; 0: unknown
	Command     []string // what runs a trial; nil: unknown
}

// A DraftObjective is what is minimized or maximized.
type DraftObjective struct {
	Name      string   `json:"name"`      // empty: objective, objective_1, …
	Direction string   `json:"direction"` // minimize, maximize; empty: minimize
	Reference *float64 `json:"-"`         // of several objectives
	Target    *float64 `json:"-"`         // of one objective
}

// DraftFidelity is the training that a trial may have.
type DraftFidelity struct {
	Name      string
	Low, High int
	Eta       int // 0: the default
}

// A DraftPoint is a configuration by names of parameters, perhaps partial.
type DraftPoint []struct {
	Name  string
	Value DraftValue
}

// A DraftValue is a value as it is written, and how JSON writes it.
type DraftValue struct {
	Text string
	Kind space.Literal
}

// File is the study file, with its conditions spelled as Print does, and all that is said of
// the source; nil where that has mistakes or the space cannot be expressed. Parameters that
// can never be active are left out.
func (d *Draft) File(s *Source) ([]byte, Report) {
	if !s.Failed() && len(d.Params) == 0 {
		s.Errorf("", "there are no parameters")
	}
	for _, p := range d.Params {
		if p.Type == "" && len(p.Values) == 0 && !s.Failed() {
			s.Errorf("", "%s has no values", p.Name)
		}
	}
	var out []byte
	if !s.Failed() {
		s.tellRest()
		out = d.normalised(s)
	}
	return out, s.l.report()
}

func (d *Draft) normalised(s *Source) []byte {
	for {
		l := &loader{file: s.l.file, draft: true, index: map[string]int{}}
		text := d.write()
		root := l.document(text)
		if root != nil {
			st := l.study(root)
			if len(l.errs) == 0 && len(l.never) == 0 {
				return d.spelled(st.Space, l.always)
			}
		}
		if len(l.never) == 0 {
			for _, p := range l.report().Errors {
				s.Errorf(p.Hint, "the space cannot be expressed: %s", p.Message)
			}
			return nil
		}
		d.drop(s, l)
	}
}

// drop leaves out the parameters that can never be active and the clauses that name them:
// those never hold of what is inactive.
func (d *Draft) drop(s *Source, l *loader) {
	var names []string
	var gone []bool
	for i := range l.decls {
		gone = append(gone, slices.Contains(l.never, i))
		if gone[i] {
			names = append(names, l.decls[i].name)
		}
	}
	keep := func(list []string, clauses []clause) []string {
		var out []string
		for i, text := range list {
			if i < len(clauses) && slices.ContainsFunc(space.References(clauses[i].Expr), func(k int) bool { return gone[k] }) {
				s.Warnf("%s is left out: it names a parameter that can never be active", text)
				continue
			}
			out = append(out, text)
		}
		return out
	}
	d.Forbidden, d.Require = keep(d.Forbidden, l.forbidden), keep(d.Require, l.require)
	d.Params = slices.DeleteFunc(d.Params, func(p *DraftParam) bool { return slices.Contains(names, p.Name) })
	s.Warnf("%s can never be active and %s left out", strings.Join(names, ", "),
		map[bool]string{true: "is", false: "are"}[len(names) == 1])
}

// spelled is the file with every condition in the language's own spelling, except conditions
// that always hold.
func (d *Draft) spelled(s *space.Space, always []int) []byte {
	for i, p := range d.Params {
		switch e := s.Param(i).Condition; {
		case slices.Contains(always, i):
			p.When = nil
		case e != nil:
			p.When = []string{space.Format(e, s)}
		}
	}
	for i, k := range s.Forbidden() {
		d.Forbidden[i] = space.Format(k.Expr, s)
	}
	for i, k := range s.Require() {
		d.Require[i] = space.Format(k.Expr, s)
	}
	return d.write()
}

// write lays the study file out.
func (d *Draft) write() []byte {
	top := newMap(0)
	top.add("version", plainNode("1"))
	if d.Name != "" {
		top.add("name", textNode(d.Name))
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for k, o := range d.Objectives {
		list.Content = append(list.Content, o.node(k, len(d.Objectives) > 1))
	}
	switch len(list.Content) {
	case 0:
		top.add("objective", DraftObjective{}.node(0, false))
	case 1:
		top.add("objective", list.Content[0])
	default:
		top.add("objectives", list)
	}
	params := newMap(0)
	for _, p := range d.Params {
		params.add(p.Name, p.node())
		params.node.Content[len(params.node.Content)-2].HeadComment = p.Comment
	}
	top.add("space", params.node)
	for _, part := range []struct {
		key  string
		list []string
	}{{"constraints", d.Constraints}, {"forbidden", d.Forbidden}, {"require", d.Require}} {
		if len(part.list) > 0 {
			n := textsNode(part.list)
			n.Style = 0
			top.add(part.key, n)
		}
	}
	if len(d.Points) > 0 {
		points := &yaml.Node{Kind: yaml.SequenceNode}
		for _, point := range d.Points {
			m := flowMap()
			for _, v := range point {
				m.add(v.Name, v.Value.node())
			}
			points.Content = append(points.Content, m.node)
		}
		m := newMap(0)
		m.add("points", points)
		top.add("initial", m.node)
	}
	if f := d.Fidelity; f != nil {
		m := flowMap()
		m.add("name", textNode(f.Name))
		m.number("low", float64(f.Low), 0)
		m.number("high", float64(f.High), 0)
		m.number("eta", float64(cmp.Or(f.Eta, 3)), 3)
		top.add("fidelity", m.node)
	}
	if d.Trials > 0 {
		b := flowMap()
		b.add("trials", numberNode(float64(d.Trials)))
		top.add("budget", b.node)
	}
	if d.Command != nil {
		r := newMap(0)
		r.add("command", textsNode(d.Command))
		top.add("run", r.node)
	}
	head := fmt.Appendf(nil, "# Converted from %s. Check the name and the direction of the objective.\n", d.Tool)
	return slices.Concat(head, encode(top.node), d.examples())
}

// examples are comments for what nobody knows but the user.
func (d *Draft) examples() []byte {
	var b strings.Builder
	if d.Trials == 0 {
		b.WriteString("\n# budget: {trials: 100}\n")
	}
	if d.Command == nil {
		words := []string{"./experiment"}
		for _, p := range d.Params {
			words = append(words, "--"+p.Name+"={"+p.Name+"}")
		}
		b.WriteString("\n# run:\n#   command: " + string(encode(textsNode(words))))
	}
	return []byte(b.String())
}

// node is objective k.
func (o DraftObjective) node(k int, several bool) *yaml.Node {
	name := "objective"
	if k > 0 {
		name = fmt.Sprintf("objective_%d", k)
	}
	m := flowMap()
	m.add("name", textNode(cmp.Or(o.Name, name)))
	m.add("direction", textNode(cmp.Or(o.Direction, "minimize")))
	if o.Target != nil {
		m.add("target", numberNode(*o.Target))
	}
	if o.Reference != nil && several {
		m.add("reference", numberNode(*o.Reference))
	}
	return m.node
}
