package config

import (
	"math"
	"slices"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
)

// maxEdges bounds the graph of a choice; the other limits are those of space.
const maxEdges = 200000

// A decl is one declared parameter with the nodes that messages point to.
type decl struct {
	name      string
	position  int // among the parameters
	key       *yaml.Node
	param     space.Parameter
	broken    bool         // did not load: references to it report nothing
	condition *yaml.Node   // active_if, nil: none
	dflt      *yaml.Node   // default, nil: none
	alone     *space.Space // which reads its values; nil: nobody asked yet
}

func (s *scope) names() []string {
	return lists.Of(s.decls, func(d *decl) string { return d.name })
}

// checkName reports a text that cannot be a name; what is the kind of the named thing.
func (l *loader) checkName(n *yaml.Node, what, name string) bool {
	err := space.CheckName(name)
	if err != nil {
		l.errorf(n, "", "%q is not a name for %s: %v", name, what, err)
	}
	return err == nil
}

// parameters reads the mapping `space`.
func (l *loader) parameters(n *yaml.Node) {
	if n == nil {
		return
	}
	l.index = map[string]*decl{}
	for _, f := range pairs(n) {
		name := f.key.Value
		switch {
		case len(name) > 2 && name[:2] == "x-":
			l.warnf(f.key, "rename it if it is a parameter", "%q is ignored: keys that start with x- are not parameters", name)
			continue
		case !l.checkName(f.key, "a parameter", name):
		case slices.Contains(space.Reserved, name):
			l.errorf(f.key, "reserved: "+space.Listed(space.Reserved),
				"%q is a word of conditions, not a name for a parameter", name)
		}
		if len(l.decls) == space.MaxParams {
			l.errorf(f.key, "", "more than %d parameters", space.MaxParams)
			return
		}
		d := &decl{name: name, position: len(l.decls), key: f.key}
		before := len(l.errs)
		l.parameter(d, f.value)
		d.broken = len(l.errs) > before
		l.index[name] = d
		l.decls = append(l.decls, d)
	}
	if len(l.decls) == 0 {
		l.errorf(n, "lr: {type: float, low: 1e-5, high: 1}", "space has no parameters")
	}
}

// kindNames are the types of parameters, indexed by space.Kind.
var kindNames = sections["space.*"].key("type").words(Options{})

// parameter reads one parameter into d.
func (l *loader) parameter(d *decl, n *yaml.Node) {
	d.param.Name = d.name
	before := len(l.errs)
	if n.Kind != yaml.MappingNode {
		l.bareParameter(d, n)
		return
	}
	o := l.fieldsOf(d.name, n, "space.*")
	kind, ok := l.kind(d, o)
	if !ok {
		return
	}
	d.param.Kind, o.section = kind, keysOf(kind)
	for name, f := range o.fields {
		if o.section.key(name) == nil {
			l.errorf(f.key, "keys: "+space.Listed(o.section.names()), "%s does not apply to a parameter of type %s",
				f.key.Value, kind)
			delete(o.fields, name)
		}
	}
	o.relations()
	o.fill(&d.param, "graph", "prior")
	d.condition, d.dflt = o.get("active_if"), o.get("default")
	switch kind {
	case space.Float, space.Int:
		l.numeric(d, o)
	case space.Ordinal, space.Categorical:
		if v := o.get("values"); v != nil {
			l.values(&d.param, v, false, d.condition != nil)
			if g := o.get("graph"); g != nil && len(l.errs) == before {
				l.graph(d, g)
			}
		}
	case space.Bool:
		d.param.Values = []string{"false", "true"}
	case space.Constant:
		l.constant(d, o.get("value"))
	}
	if len(l.errs) > before {
		return
	}
	if l.check(d, o); len(l.errs) > before {
		return
	}
	if last := d.param.Last(); d.param.Step > 0 && last < d.param.High {
		l.warnf(o.get("step"), "", "step %s never reaches high %s: the largest value is %s", num(d.param.Step),
			num(d.param.High), num(last))
	}
	if fewer, hint := d.param.Fewer(); fewer != "" {
		l.warnf(d.key, hint, "%s %s", d.name, fewer)
	}
	if d.dflt != nil {
		if v, ok := l.rawValue(d, d.dflt, "default"); ok {
			d.param.Default = &v
		}
	}
	if p := l.objectOf("the prior of "+d.name, o.get("prior"), "space.*.prior"); p.node != nil {
		d.param.Prior = &space.Prior{Strength: value[string](p, "strength")}
		if m := p.get("mode"); m != nil {
			d.param.Prior.Mode, _ = l.rawValue(d, m, "mode")
		}
	}
}

// bareParameter reads a parameter that is no mapping: a list of values, and nothing else, makes a categorical.
func (l *loader) bareParameter(d *decl, n *yaml.Node) {
	switch before := len(l.errs); {
	case n.Kind == yaml.SequenceNode:
		d.param.Kind = space.Categorical
		if l.values(&d.param, n, true, false); len(l.errs) == before {
			l.check(d, &object{decoder: &l.decoder, fields: map[string]field{"values": {n, n}}})
		}
	case isNull(n):
		l.errorf(d.key, "", "%s has no declaration", d.name)
	default:
		hint := "write {value: " + n.Value + "} for a constant"
		if kind := slices.Index(kindNames, n.Value); kind >= 0 {
			hint = "write {type: " + n.Value
			for _, k := range keysOf(space.Kind(kind)) {
				if k.must {
					hint += ", " + k.name() + ": …"
				}
			}
			hint += "}"
		}
		l.errorf(n, hint, "%s must be a mapping or a list of values", d.name)
	}
}

// check reports the mistakes of a parameter alone, each at its value.
func (l *loader) check(d *decl, o *object) {
	for _, err := range d.param.Check() {
		n := o.get(err.Key)
		if edges := lookup(n, "edges"); edges != nil {
			n = edges
		}
		switch {
		case n == nil:
			n = d.key
		case err.Entry >= 0 && err.Entry < len(n.Content):
			n = n.Content[err.Entry]
		}
		l.errorf(n, err.Hint, "%s", err.Msg)
	}
}

// kind reads the type; a parameter that can only be a constant may leave it out.
func (l *loader) kind(d *decl, o *object) (space.Kind, bool) {
	if n := o.get("type"); n != nil {
		s, ok := l.word(n, o.section.key("type"))
		return space.Kind(slices.Index(kindNames, s)), ok
	}
	hint := "types: " + space.Listed(kindNames)
	switch {
	case o.seen["type"]:
		return 0, false
	case o.get("value") != nil:
		return space.Constant, true
	case o.get("low") != nil || o.get("high") != nil:
		hint = "write type: int or type: float"
	case o.get("values") != nil:
		hint = "write type: categorical, or type: ordinal if the order means something"
	}
	l.errorf(d.key, hint, "%s has no type", d.name)
	return 0, false
}

// constant keeps the text and how JSON writes it.
func (l *loader) constant(d *decl, n *yaml.Node) {
	if n == nil {
		return
	}
	l.portable(n)
	if text, kind, ok := l.typed(n, "value"); ok {
		d.param.Values, d.param.Literals = []string{text}, []space.Literal{kind}
	}
}

// numeric reads bounds, scale and rounding of a float or int.
func (l *loader) numeric(d *decl, o *object) {
	p := &d.param
	if n := o.get("log"); n != nil { // another spelling
		if v, _ := l.boolean(n, "log"); v {
			p.Scale = space.Log
		}
	}
	if ratio := p.High / p.Low; p.Kind == space.Float && p.Scale == space.Linear && p.Low > 0 && ratio >= 1000 &&
		ratio <= space.MaxRatio && !o.seen["scale"] && !o.seen["log"] {
		l.warnf(d.key, "write scale: log if ratios matter, scale: linear to keep this as it is",
			"%s spans a factor of %s on a linear scale: almost every sample lies in the top decade", d.name,
			num(math.Round(ratio)))
	}
}
