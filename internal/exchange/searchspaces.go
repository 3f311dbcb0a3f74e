package exchange

import (
	"path"

	"bohier/internal/config"
	"bohier/internal/space"
)

// katib reads an Experiment of Kubeflow Katib (v1beta1).
func (c *converter) katib(root config.Node) {
	c.src.Ignore("apiVersion", "kind", "namespace")
	c.untyped = true
	c.Name = root.Get("metadata").Get("name").Text()
	spec := root.Get("spec")
	objective := spec.Get("objective")
	o := config.DraftObjective{Name: objective.Get("objectiveMetricName").Text(), Direction: objective.Get("type").Text()}
	if v, ok := objective.Get("goal").Number("goal"); ok {
		o.Target = &v
	}
	c.Objectives = []config.DraftObjective{o}
	c.Budget.Trials = spec.Get("maxTrialCount").Count("maxTrialCount")
	c.each(root, spec.Get("parameters"), "spec.parameters", c.katibParameter)
}

func (c *converter) katibParameter(p *config.DraftParam, n config.Node) {
	f, kind := n.Get("feasibleSpace"), n.Get("parameterType").Text()
	if d := distributions[kind]; d.Kind == "float" || d.Kind == "int" { // lists have none
		switch shape := f.Get("distribution"); shape.Text() {
		case "", "uniform":
		case "logUniform":
			kind += "_log"
		default:
			shape.Warnf("", "the distribution %s of %s becomes its bounds", shape.Text(), p.Name)
		}
	}
	c.parameter(p, kind, n, f)
}

// nni reads a search space of NNI, or an experiment (YAML) that holds one or names its file.
func (c *converter) nni(root config.Node) {
	inner, file := root.Get("searchSpace"), root.Get("searchSpaceFile", "searchSpacePath")
	if inner.IsMap() || file.Text() != "" {
		c.Budget.Trials = root.Get("maxTrialNumber", "maxTrialNum").Count("maxTrialNumber")
		d := root.Get("tuner", "advisor").Get("classArgs").Get("optimize_mode").Text()
		if d == "maximize" || d == "minimize" {
			c.Objectives = []config.DraftObjective{{Direction: d}}
		}
		root = inner
	}
	if name := path.Clean(file.Text()); name != "." {
		text := c.in.beside(name)
		if text == nil {
			file.Errorf("copy it beside the experiment and name it there", "the file %s is not beside it", name)
			return
		}
		c.src.Enter(c.in.path(name), "")
		root = c.src.Tree(text)
	}
	c.nniParameters(root, "", "")
}

// nniParameters reads the parameters that are active under a condition.
func (c *converter) nniParameters(root config.Node, prefix, when string) {
	for _, m := range root.Members() {
		if m.Name == "_name" {
			continue
		}
		p := c.param(m.Key, prefix+m.Name)
		if p == nil {
			continue
		}
		if when != "" {
			p.When = append(p.When, when)
		}
		kind, list := m.Value.Get("_type").Text(), m.Value.Get("_value").Items()
		if kind == "choice" {
			c.nniChoice(p, prefix+m.Name, m, list)
			continue
		}
		var v []float64
		for _, n := range list {
			x, ok := n.Number("a bound")
			if !ok {
				return
			}
			v = append(v, x)
		}
		v = append(v, 1) // a q, in case of none
		switch d, ok := known(m.Key, kind); {
		case !ok:
		case len(v) < 3 || d.Kind != "float" && d.Kind != "int":
			m.Key.Errorf("", "%s needs two numbers in _value", p.Name)
		case kind == "randint": // without the upper bound
			p.Number("int", v[0], v[1]-1, "")
		default:
			declare(p, m.Key, d, v[0], v[1], v[2])
		}
	}
}

// nniChoice reads values or, where these are mappings with a _name, names with parameters of their own.
func (c *converter) nniChoice(p *config.DraftParam, source string, m config.Member, list []config.Node) {
	var values []config.DraftValue
	for _, n := range list {
		var v config.DraftValue
		ok := true
		if name := n.Get("_name").Text(); name != "" {
			v = config.DraftValue{Text: name, Kind: space.Text}
			c.nniParameters(n, source+"."+name+".", word(p.Name)+" == "+word(name))
		} else {
			v, ok = n.Value("a value of " + p.Name)
		}
		if ok {
			values = append(values, v)
		}
	}
	c.oneOf(p, false, m.Key, values)
}

// optuna reads a JSON object from names to distributions, each the object in the text that Optuna's
// distribution_to_json returns. The script of Ax writes such an object, too.
func (c *converter) optuna(root config.Node) {
	for _, m := range root.Members() {
		p := c.param(m.Key, m.Name)
		d := m.Value
		switch attributes := d.Get("attributes"); {
		case p == nil:
		case !attributes.IsMap():
			d.Errorf("write the object that distribution_to_json has in its text",
				`this is not a distribution: it has no "attributes"`)
		default:
			c.parameter(p, d.Get("name").Text(), d, attributes)
			if when := d.Get("active_if").Text(); when != "" {
				p.When = append(p.When, when)
			}
			p.Comment = d.Get("perhaps").Text()
		}
	}
}
