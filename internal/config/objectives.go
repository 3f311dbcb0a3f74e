package config

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lazy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// objectives reads the objectives of the study, one or several. An empty objective stands for a list that is none.
func (l *loader) objectives(o *object) []study.Objective {
	list := o.get("objectives")
	all := value[[]study.Objective](o, "objectives")
	switch {
	case list == nil:
		all = []study.Objective{value[study.Objective](o, "objective")}
	case len(all) == 0:
		return make([]study.Objective, 1)
	case len(all) > study.MostObjectives:
		l.errorf(list, "bound some of them under constraints", "%d objectives; a front distinguishes at most %d",
			len(all), study.MostObjectives)
		return make([]study.Objective, 1)
	}
	for k := range all {
		ob := &all[k]
		if ob.Name = space.Name(cmp.Or(ob.Name, "objective")); list == nil {
			break
		}
		n := list.Content[k]
		if ob.Name != "objective" &&
			slices.ContainsFunc(all[:k], func(other study.Objective) bool { return other.Name == ob.Name }) {
			l.errorf(n, "give each its own name", "two objectives are named %q", ob.Name)
		}
		switch {
		case strings.Contains(ob.Name, "="):
			l.errorf(lookup(n, "name"), "leave = out of the name", "%q cannot be reported as NAME=VALUE", ob.Name)
		case ob.Name == "knee":
			l.errorf(lookup(n, "name"), "give it another name",
				"knee is the best compromise in `bohier best --pick knee`")
		}
		if ob.Reference == nil {
			continue
		}
		if len(all) == 1 { // a list of one is a study of one
			l.errorf(lookup(n, "reference"), "remove it", "reference is for several objectives")
		}
		if sign := ob.Direction.Sign(); ob.Target != nil && sign**ob.Reference <= sign**ob.Target {
			l.errorf(lookup(n, "reference"), "the reference bounds the values that count, the target ends the study",
				"the reference %v is not worse than the target %v", *ob.Reference, *ob.Target)
		}
	}
	return all
}

// noise reads the known noise of an objective.
func (r *decoder) noise(n *yaml.Node, k *key) (noise study.Noise) {
	if noise.None = n.Value == "none"; !noise.None {
		r.decode(reflect.ValueOf(&noise.SD).Elem(), n, k, k.value, k.name())
	}
	return noise
}

func printNoise(noise study.Noise) *yaml.Node {
	if noise.None {
		return textNode("none")
	}
	return numberNode(noise.SD)
}

// replicates reads when a configuration is measured again.
func (rd *decoder) replicates(n *yaml.Node, k *key) (r study.Replicates) {
	switch {
	case n.Value == "none":
	case n.Value == "auto":
		return study.NewReplicates()
	case n.Kind == yaml.MappingNode:
		rd.object(n, k.path).fill(&r)
		r.Auto = true
	default:
		rd.decode(reflect.ValueOf(&r.Each).Elem(), n, k, k.value, k.name())
	}
	return r
}

func printReplicates(r study.Replicates) *yaml.Node {
	switch {
	case r == study.NewReplicates():
		return textNode("auto")
	case !r.Auto:
		return numberNode(float64(r.Each))
	}
	return printSection("replicates", r, map[string]*yaml.Node{"share": numberNode(r.Share),
		"most": numberNode(float64(r.Most))})
}

// howMany reports settings that go with one objective only, or with several only.
func (l *loader) howMany(st *study.Study, o *object) {
	name := st.Acquisition.Name
	at := o.get("acquisition")
	if n := lookup(at, "name"); n != nil {
		at = n
	}
	stop := func(key string) *yaml.Node { return lookup(o.get("stop"), key) }
	several, joint := st.Several(), name == "logehvi" || name == "parego"
	switch {
	case !several && joint:
		l.errorf(at, "use logei, or leave it out", "%s is for several objectives", name)
	case several && name != "" && !joint:
		l.errorf(at, "use logehvi or parego, or leave it out", "acquisition.name: %s is for one objective", name)
	case len(st.Objectives) > 3 && name == "logehvi":
		l.errorf(at, "use parego", "logehvi is exact for 2 or 3 objectives")
	}
	switch {
	case several && st.Stop.Regret > 0:
		l.errorf(stop("regret"), "use stop.hypervolume", "stop.regret is for one objective")
	case !several && st.Stop.Hypervolume != nil:
		l.errorf(stop("hypervolume"), "use stop.regret", "stop.hypervolume is for several objectives")
	}
}

var outcome = lazy.Regexp(`^\s*("[^"]*"|'[^']*'|.+?)\s*(<=|>=)\s*(\S+)\s*$`)

// constraints reads bounds on measured outcomes: "latency_ms <= 200". One of several objectives may be bounded, too.
func (l *loader) constraints(o *object, st *study.Study) []study.Constraint {
	var out []study.Constraint
	for i, s := range value[[]string](o, "constraints") {
		c := o.get("constraints").Content[i]
		m := outcome().FindStringSubmatch(s)
		if m == nil {
			l.errorf(c, `write "name <= number" or "name >= number"`, "%q is not a bound on an outcome", s)
			continue
		}
		name := space.Name(strings.Trim(m[1], `"'`))
		v, msg := parseNumber(m[3])
		switch {
		case !l.checkName(c, "an outcome", name):
			continue
		case msg != "":
			l.errorf(c, `write "name <= number" or "name >= number"`, "%s", msg)
			continue
		case name == st.Objective().Name && !st.Several():
			l.errorf(c, "", "%q is the objective, not a further outcome", name)
		}
		k := study.Constraint{Name: name, AtLeast: m[2] == ">=", Bound: v}
		for _, other := range out {
			lower, upper := k, other
			if other.AtLeast {
				lower, upper = other, k
			}
			switch {
			case other.Name != k.Name:
			case other.AtLeast == k.AtLeast:
				l.errorf(c, "keep the stricter one", "%s has a bound on this side already: %s", k.Name, other)
			case lower.Bound > upper.Bound:
				l.errorf(c, "", "no value satisfies %s and %s", other, k)
			}
		}
		out = append(out, k)
	}
	return out
}
