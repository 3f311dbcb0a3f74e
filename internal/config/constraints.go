package config

import (
	"strings"

	"bohier/internal/lazy"
	"bohier/internal/space"
	"bohier/internal/study"
)

var outcome = lazy.Regexp(`^\s*("[^"]*"|'[^']*'|.+?)\s*(<=|>=)\s*(\S+)\s*$`)

// constraints reads bounds on measured outcomes: "latency_ms <= 200". One of several
// objectives may be bounded, too.
func (l *loader) constraints(o *object, st *study.Study) []study.Constraint {
	var out []study.Constraint
	for i, s := range value[[]string](o, "constraints") {
		c := o.get("constraints").Content[i]
		m := outcome().FindStringSubmatch(s)
		if m == nil {
			l.errorf(c, `write "name <= number" or "name >= number"`, "%q is not a bound on an outcome", s)
			return nil
		}
		name := space.Name(strings.Trim(m[1], `"'`))
		v, msg := parseNumber(m[3])
		switch {
		case !l.checkName(c, "an outcome", name):
			return nil
		case msg != "":
			l.errorf(c, "", "%s", msg)
			return nil
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
