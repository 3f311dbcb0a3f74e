package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
)

// A Draft is a study file made from another tool's file.
type Draft struct {
	Tool        string // for the first line
	Name        string // of the study; empty: the file's
	Objectives  []DraftObjective
	Params      []*DraftParam
	Constraints []string // on outcomes
	Forbidden   []string
	Require     []string
	Points      []map[string]DraftValue // configurations to propose first, perhaps partial
	Fidelity    *DraftFidelity
	Budget      struct{ Trials int } // 0: unknown
	Command     []string             // the command of a trial; nil: unknown
}

// A DraftFidelity names the resource at which trials can be judged; Eta 0: the usual ratio of levels.
type DraftFidelity struct {
	Name           string
	Low, High, Eta float64
}

// A DraftObjective is an objective with its direction.
type DraftObjective struct {
	Name      string   `json:"name,omitempty"`      // empty: objective, objective_1, …
	Direction string   `json:"direction,omitempty"` // minimize, maximize; empty: minimize
	Reference *float64 `json:"reference,omitempty"` // of several objectives
	Target    *float64 `json:"target,omitempty"`    // of one objective
}

// A DraftValue is a value as it is written, and how JSON writes it.
type DraftValue struct {
	Text string
	Kind space.Literal
}

// File is the study file in its normal form, and all that is said of the source; nil where that has mistakes or the
// space cannot be expressed. Parameters that can never be active are left out, and so are conditions that always hold.
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
		l := &loader{draft: true}
		st := l.study(d.file())
		switch {
		case len(l.never) > 0:
			d.drop(s, l)
			continue
		case st == nil:
			placeless := strings.NewReplacer(" (line 0)", "")
			for _, p := range l.report().Errors {
				s.Errorf(placeless.Replace(p.Hint), "the space cannot be expressed: %s", placeless.Replace(p.Message))
			}
			return nil
		case len(l.always) > 0:
			for _, i := range l.always {
				d.Params[i].When = nil
			}
			continue
		}
		for k := range st.Objectives {
			st.Objectives[k].Transform = "" // nobody chose it
		}
		root := printed(st)
		for i, f := range pairs(lookup(root, "space")) {
			f.key.HeadComment = d.Params[i].Comment
		}
		head := fmt.Appendf(nil, "# Converted from %s. Check the name and the direction of the objective.\n", d.Tool)
		return slices.Concat(head, encode(root), d.examples())
	}
}

// drop leaves out the parameters that can never be active and the clauses that name them: those
// never hold of an inactive parameter.
func (d *Draft) drop(s *Source, l *loader) {
	names := lists.Of(l.never, func(i int) string { return l.decls[i].name })
	gone := func(i int) bool { return slices.Contains(l.never, i) }
	keep := func(list []string, clauses []clause) []string {
		var out []string
		for i, text := range list {
			if i < len(clauses) && slices.ContainsFunc(space.References(clauses[i].Expr), gone) {
				s.Warnf("%s is left out: it names a parameter that can never be active", text)
				continue
			}
			out = append(out, text)
		}
		return out
	}
	d.Forbidden, d.Require = keep(d.Forbidden, l.forbidden), keep(d.Require, l.require)
	d.Params = slices.DeleteFunc(d.Params, func(p *DraftParam) bool { return slices.Contains(names, p.Name) })
	s.Warnf("left out as never active: %s", strings.Join(names, ", "))
}

// file is a study file that says the same, in whatever spelling.
func (d *Draft) file() *yaml.Node {
	draft, params, points := *d, newMap(0), newMap(0)
	if draft.Objectives = slices.Clone(d.Objectives); len(draft.Objectives) == 0 {
		draft.Objectives = make([]DraftObjective, 1)
	}
	for k := range draft.Objectives {
		o := &draft.Objectives[k]
		usual := strings.TrimSuffix(fmt.Sprintf("objective_%d", k), "_0")
		o.Name, o.Direction = cmp.Or(o.Name, usual), cmp.Or(o.Direction, "minimize")
		if len(draft.Objectives) == 1 {
			o.Reference = nil
		}
	}
	for _, p := range d.Params {
		addKey(params, p.Name, p.node())
	}
	addKey(points, "points", listOf(d.Points, func(point map[string]DraftValue) *yaml.Node {
		m := flowMap()
		for _, name := range slices.Sorted(maps.Keys(point)) {
			addKey(m, name, point[name].node())
		}
		return m
	}))
	return printSection("", draft, map[string]*yaml.Node{"objective": nil, "space": params,
		"forbidden": textsNode(d.Forbidden), "require": textsNode(d.Require), "initial": points})
}

// examples are comments for settings that only the user knows.
func (d *Draft) examples() []byte {
	var b strings.Builder
	if d.Budget.Trials == 0 {
		b.WriteString("\n# budget: {trials: 100}\n")
	}
	if d.Command == nil {
		words := lists.Of(d.Params, func(p *DraftParam) string { return "--" + p.Name + "={" + p.Name + "}" })
		b.WriteString("\n# run:\n#   command: " + string(encode(textsNode(append([]string{"./experiment"}, words...)))))
	}
	return []byte(b.String())
}
