package config

import (
	"slices"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// surrogate checks the model's settings. The names of hyperparameters belong to the kernel, which is not known here.
func (l *loader) surrogate(n *yaml.Node, st *study.Study) {
	o, s := l.object(n, "surrogate"), &st.Surrogate
	bounds := lookup(o.get("hyperparameters"), "bounds")
	for name, v := range s.Bounds {
		l.ascending(lookup(bounds, name), v)
	}
	if v := o.get("nugget"); v != nil && s.Form != "kriging" {
		l.errorf(o.keyNode("nugget"), "set form: kriging, or give hyperparameters.fixed a noise",
			"nugget belongs to form: kriging")
	}
	if v, ok := s.Fixed["nugget"]; ok && s.Form == "kriging" && v >= 0 { // its name in `bohier model`
		s.Nugget = v
		delete(s.Fixed, "nugget")
	}
	l.mean(o, st)
}

// mean refuses settings that contradict the mean of the surrogate.
func (l *loader) mean(o *object, st *study.Study) {
	n := o.get("mean")
	number := func(d *decl) bool { return d.param.IsNumber() }
	if st.Surrogate.Mean == "linear" && len(l.decls) > 0 && !slices.ContainsFunc(l.decls, number) {
		l.errorf(n, "mean: constant", "a linear mean needs a parameter that is a number, and the space has none")
	}
	for k := range st.Objectives {
		switch s := st.For(k).Surrogate; {
		case s.Mean == "zero" && s.Sets("mean"):
			l.errorf(n, "mean: constant", "mean: zero leaves no mean for hyperparameters to set")
			return
		case s.Mean == "linear" && study.Hyper{Bounds: s.Bounds}.Sets("mean"):
			l.errorf(n, "give hyperparameters.prior a mean instead", "the level of a linear mean has no bounds")
			return
		}
	}
}

// kernel reads a name or a mapping; part marks a kernel that another one has in add or multiply.
func (r *decoder) kernel(n *yaml.Node, part bool) study.Kernel {
	o := r.nameOrKeys(n, "surrogate.kernel")
	for _, name := range []string{"add", "multiply"} {
		if list := o.get(name); o.seen[name] {
			k := study.Kernel{Name: name, ARD: true, Constant: -1}
			if list != nil {
				k.Parts = lists.Of(list.Content, func(n *yaml.Node) study.Kernel { return r.kernel(n, true) })
			}
			return k
		}
	}
	var k study.Kernel
	o.fill(&k)
	if n := o.get("over"); n != nil && !part {
		r.errorf(o.keyNode("over"), "leave over out",
			"over is for the parts of add and multiply; a kernel sees every parameter")
	} else if n != nil {
		for i := range k.Over {
			r.byName(n.Content[i])
			k.Over[i] = space.Name(k.Over[i])
		}
	}
	if part && k.Name == "auto" {
		r.errorf(o.node, "name: matern52", "a part needs the name of its kernel")
	}
	if key := o.keyNode("normalize"); o.get("normalize") != nil && k.Name == "auto" {
		r.errorf(key, "name a kernel, or leave normalize out", "kernel auto sets normalize itself")
	}
	return k
}

// density reads a prior.
func (r *decoder) density(n *yaml.Node) (d study.Density) {
	o := r.objectOf("a prior", n, "surrogate.hyperparameters.prior.*")
	if len(o.fields) > 1 || len(o.seen) == 0 {
		r.errorf(n, "", "a prior is one of %s", space.Listed(o.section.names()))
		return d
	}
	for name, p := range o.fields {
		before := len(r.errs)
		v := value[[2]float64](o, name)
		switch {
		case len(r.errs) > before:
		case name == "uniform":
			r.ascending(p.value, v)
		case !(v[1] > 0):
			r.errorf(p.value, name+": [mean, standard deviation]", "the standard deviation must be above 0")
		}
		d = study.Density{Family: name, Args: v}
	}
	return d
}

func (r *decoder) ascending(n *yaml.Node, v [2]float64) {
	if !(v[0] < v[1]) {
		r.errorf(n, "", "the lower bound must be below the upper bound")
	}
}

// kappa warns of kappa beside an acquisition function that has none.
func (l *loader) kappa(n *yaml.Node, a study.Acquisition) {
	other := a.Name != "lcb" && (a.Name != "" || lookup(n, "name") == nil)
	if kappa := lookup(n, "kappa"); kappa != nil && other {
		l.warnf(kappa, "name: lcb", "kappa is for lcb alone, and does nothing here")
	}
}

// policy reads which rules act.
func (r *decoder) policy(n *yaml.Node) study.Policy {
	o := r.nameOrKeys(n, "policy")
	p := study.Policy{Plain: value[string](o, "name") == "plain"}
	if p.Plain && o.get("without") != nil {
		r.errorf(o.keyNode("without"), "keep one of the two", "policy plain has no rules to leave out")
		return p
	}
	p.Without = value[[]string](o, "without")
	return p
}
