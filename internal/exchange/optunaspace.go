package exchange

import "bohier/internal/config"

// optuna reads a JSON object from names to distributions, each as Optuna's
// distribution_to_json writes it: an object, or a text that holds one.
func (c *converter) optuna(root config.Node) {
	for _, m := range root.Members() {
		p := c.param(m.Key, m.Name)
		d := m.Value.Inner()
		switch attributes := d.Get("attributes"); {
		case p == nil:
		case !d.IsMap():
			m.Value.Errorf("", "this is not a distribution")
		case !attributes.IsMap():
			d.Errorf("", `this is not a distribution: it has no "attributes"`)
		default:
			c.distribution(p, d, attributes)
			if when := d.Get("active_if").Text(); when != "" {
				p.When = append(p.When, when)
			}
			p.Comment = d.Get("perhaps").Text()
		}
	}
}

func (c *converter) distribution(p *config.DraftParam, at, n config.Node) {
	kind, scale := "float", ""
	switch name := at.Get("name").Text(); name {
	case "CategoricalDistribution":
		c.choices(p, false, at, n.Get("choices"))
		return
	case "FloatDistribution", "UniformDistribution", "DiscreteUniformDistribution":
	case "IntDistribution", "IntUniformDistribution":
		kind = "int"
	case "LogUniformDistribution":
		scale = "log"
	case "IntLogUniformDistribution":
		kind, scale = "int", "log"
	default:
		at.Errorf("", "%q is not a distribution that can be converted", name)
		return
	}
	ranged(p, n, kind, scale)
}
