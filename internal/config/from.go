package config

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

// Formats lists what From reads.
var Formats = []string{"ax", "configspace", "irace", "optuna", "wandb"}

// A Foreign is another tool's search space, and what is known of the study it belongs
// to.
type Foreign struct {
	Format    string
	Name      string // of the source, for messages
	Data      []byte
	Title     string      // of the study; empty: unknown
	Objective string      // empty: unknown
	Direction string      // minimize, maximize; empty: unknown
	Further   [][2]string // names and directions of further objectives
	Trials    int         // of the budget; 0: no limit
	Command   []string    // what runs a trial, before the arguments of its parameters; nil: unknown
}

// From converts another tool's search space to a study file:
//
//   - ax: an object with the search_space and optimization_config of Ax's JSON;
//
//   - configspace: the JSON of ConfigSpace (format 0.4; versions before and after 1.0);
//
//   - optuna: a JSON object from names to distributions, each perhaps with active_if, a
//     mapping from a parameter to a list of its values;
//
//   - wandb: a Weights & Biases sweep (YAML or JSON);
//
//   - irace: a parameters file.
//
// What has no counterpart is an error at its place in the source; what is left
// out without changing the space is a warning. The result is nil after an error
// and else loads without one. Other tools do not record the objective with the
// space, so its name may have to be filled in.
func From(f Foreign) ([]byte, Report) {
	c := &converter{loader: &loader{file: f.Name}, index: map[string]*converted{}, used: map[string]string{},
		objective: "objective", direction: "minimize", title: f.Title, trials: f.Trials, further: f.Further}
	if f.Objective != "" {
		c.objective = f.Objective
	}
	if f.Direction != "" {
		c.direction = f.Direction
	}
	format := f.Format
	read := map[string]func(*yaml.Node){"ax": c.ax, "configspace": c.configspace, "optuna": c.optuna, "wandb": c.wandb}[format]
	switch {
	case format == "irace":
		c.irace(string(f.Data), f.Command)
	case read != nil:
		if root := c.document(f.Data); root != nil {
			if root.Kind != yaml.MappingNode {
				c.errorf(root, "", "this is not a search space of %s", format)
			} else {
				read(root)
			}
		}
	default:
		c.fileError(strconv.Quote(format)+" is not a format of search spaces", suggest(format, "formats", Formats, 0))
	}
	if len(c.errs) == 0 && len(c.params) == 0 {
		c.fileError("there are no parameters", "")
	}
	var out []byte
	if len(c.errs) == 0 {
		out = c.normalised(format)
	}
	return out, c.report()
}

// A converter collects a study file while it reads another tool's space.
type converter struct {
	*loader
	params    []*converted
	index     map[string]*converted // by the name in the source
	used      map[string]string     // name here → name in the source
	forbidden []string
	require   []string
	measured  []string // constraints on outcomes
	objective string
	direction string
	further   [][2]string
	fidelity  mapBuilder // its node is nil without one
	title     string
	trials    int        // of the budget; 0: no limit
	command   *yaml.Node // list of arguments; nil: none
}

// converted is one parameter: its keys, and conditions that must all hold.
type converted struct {
	name   string
	keys   mapBuilder
	when   []string
	choice bool
}

// param starts a parameter.
func (c *converter) param(at *yaml.Node, source string) *converted {
	name := space.NameOf(source)
	if other, taken := c.used[name]; taken {
		c.errorf(at, "", "%q and %q would both be named %s", other, source, name)
	}
	if name != source {
		c.warnf(at, "", "%q is named %s", source, name)
	}
	p := &converted{name: name, keys: flowMap()}
	c.params, c.index[source], c.used[name] = append(c.params, p), p, source
	return p
}

// number declares an int or float. Bounds that are equal make a constant.
func (p *converted) number(kind string, low, high string, log bool) {
	if a, _ := parseNumber(low); sameText(low, high) {
		p.keys.add("value", numberNode(a))
		return
	}
	p.keys.add("type", textNode(kind))
	p.keys.add("low", plainNode(low))
	p.keys.add("high", plainNode(high))
	if log {
		p.keys.add("scale", textNode("log"))
	} else {
		p.keys.add("scale", textNode("linear"))
	}
}

// choices declares a categorical, an ordinal or, for true and false, a bool.
func (c *converter) choices(p *converted, kind string, list *yaml.Node) {
	if list == nil || deref(list).Kind != yaml.SequenceNode {
		at := pos{1, 1}
		if list != nil {
			at = pos{list.Line, list.Column}
		}
		c.errorAt(at, "", "%s has no list of values", p.name)
		return
	}
	values := listNode()
	bools := 0
	for _, v := range deref(list).Content {
		v = deref(v)
		text, kind, ok := c.typed(v, "a value of "+p.name)
		if !ok {
			continue
		}
		if kind == space.Boolean {
			bools++
		}
		values.Content = append(values.Content, typedNode(text, kind))
	}
	p.choice = true
	if bools == 2 && len(values.Content) == 2 {
		p.keys.add("type", textNode("bool"))
		return
	}
	p.keys.add("type", textNode(kind))
	p.keys.add("values", values)
}

// constant declares a constant, or a choice of one value if it is conditional.
func (p *converted) constant(v *yaml.Node) {
	p.keys.add("value", typedNode(v.Value, scalarType(v)))
}

var plainWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// quoteWord writes a name or value as the language of conditions reads it.
func quoteWord(s string) string {
	if s == "true" || s == "false" || plainWord.MatchString(s) && !slices.Contains(space.Reserved, s) {
		return s
	}
	return strconv.Quote(s)
}

// literalFor writes a value compared with p: numbers of choices are quoted to
// keep their spelling.
func literalFor(p *converted, s string) string {
	if _, msg := parseNumber(s); msg == "" && !p.choice {
		return s
	}
	return quoteWord(s)
}

// normalised is the study file with its conditions spelled as Print does; nil,
// with errors, when it does not load.
func (c *converter) normalised(format string) []byte {
	st, r := Parse(c.file, c.write(format), Options{})
	if st == nil {
		for _, p := range r.Errors {
			c.fileError("the space cannot be expressed: "+p.Message, p.Hint)
		}
		return nil
	}
	for i, p := range c.params {
		if e := st.Space.Param(i).Condition; e != nil {
			p.keys.node.Content[len(p.keys.node.Content)-1] = textNode(space.Format(e, st.Space))
			p.when = nil
		}
	}
	for i, k := range st.Space.Forbidden() {
		c.forbidden[i] = space.Format(k.Expr, st.Space)
	}
	for i, k := range st.Space.Require() {
		c.require[i] = space.Format(k.Expr, st.Space)
	}
	return c.write(format)
}

// write lays the study file out.
func (c *converter) write(format string) []byte {
	top := newMap(0)
	top.add("version", plainNode("1"))
	if c.title != "" {
		top.add("name", textNode(c.title))
	}
	ob := flowMap()
	ob.add("name", textNode(c.objective))
	ob.add("direction", textNode(c.direction))
	if len(c.further) == 0 {
		top.add("objective", ob.node)
	} else {
		list := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{ob.node}}
		for _, f := range c.further {
			one := flowMap()
			one.add("name", textNode(f[0]))
			one.add("direction", textNode(f[1]))
			list.Content = append(list.Content, one.node)
		}
		top.add("objectives", list)
	}
	params := newMap(0)
	for _, p := range c.params {
		params.add(p.name, p.node())
	}
	top.add("space", params.node)
	for _, part := range []struct {
		key  string
		list []string
	}{{"constraints", c.measured}, {"forbidden", c.forbidden}, {"require", c.require}} {
		if len(part.list) > 0 {
			list := &yaml.Node{Kind: yaml.SequenceNode}
			for _, f := range part.list {
				list.Content = append(list.Content, textNode(f))
			}
			top.add(part.key, list)
		}
	}
	if c.fidelity.node != nil {
		top.add("fidelity", c.fidelity.node)
	}
	if c.trials > 0 {
		b := flowMap()
		b.add("trials", numberNode(float64(c.trials)))
		top.add("budget", b.node)
	}
	if c.command != nil {
		r := newMap(0)
		r.add("command", c.command)
		top.add("run", r.node)
	}
	out, err := encode(top.node)
	if err != nil {
		c.fileError(err.Error(), "")
		return nil
	}
	return append([]byte(fmt.Sprintf("# Converted from %s. Check the name and the direction of the objective.\n", format)), out...)
}

// node is the declaration with its conditions.
func (p *converted) node() *yaml.Node {
	if len(p.when) == 0 {
		return p.keys.node
	}
	when := p.when[0]
	if len(p.when) > 1 {
		when = "(" + strings.Join(p.when, ") and (") + ")"
	}
	if keys := p.keys.node.Content; keys[0].Value == "value" { // constants are always active
		m := flowMap()
		m.add("type", textNode("categorical"))
		m.add("values", listNode(keys[1]))
		p.keys = m
	}
	p.keys.add("active_if", textNode(when))
	return p.keys.node
}

// child is a key's value in a mapping of the source, nil if absent or null.
func (c *converter) child(n *yaml.Node, key string) *yaml.Node {
	for _, f := range c.pairs(n) {
		if f.key.Value == key && !isNull(f.value) {
			return f.value
		}
	}
	return nil
}

// word is a key's text, "" if absent.
func (c *converter) word(n *yaml.Node, key string) string {
	if v := c.child(n, key); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

// bounds reads two numeric keys.
func (c *converter) bounds(n *yaml.Node, low, high string) (lo, hi string, ok bool) {
	a, b := c.child(n, low), c.child(n, high)
	if a == nil || b == nil {
		c.errorf(n, "", "%s and %s are needed", low, high)
		return "", "", false
	}
	x, ok1 := c.number(a, low)
	y, ok2 := c.number(b, high)
	return num(x), num(y), ok1 && ok2
}
