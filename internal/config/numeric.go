package config

import (
	"math"

	"bohier/internal/space"
)

var scales = []string{"linear", "log", "logit", "reverse_log"} // indexed by space.Scale

// numeric reads bounds, scale and rounding of a float or int.
func (l *loader) numeric(d *decl, o *object) {
	p := &d.param
	if o.must("low", "") == nil || o.must("high", "") == nil {
		return
	}
	o.fill(p, "positions")
	p.Scale = l.scale(o)
	if ratio := p.High / p.Low; p.Kind == space.Float && p.Scale == space.Linear && p.Low > 0 && ratio >= 1000 &&
		ratio <= space.MaxRatio && o.get("scale") == nil && o.get("log") == nil {
		l.warnf(d.key, "write scale: log if ratios matter, scale: linear to keep this as it is",
			"%s spans a factor of %s on a linear scale: almost every sample lies in the top decade", d.name,
			num(math.Round(ratio)))
	}
}

// scale reads `scale`, or its other spelling `log: true`.
func (l *loader) scale(o *object) space.Scale {
	if n := o.get("log"); n != nil {
		if v, _ := l.boolean(n, "log"); v {
			return space.Log
		}
		return space.Linear
	}
	s := value[string](o, "scale")
	for i, name := range scales {
		if s == name {
			return space.Scale(i)
		}
	}
	return space.Linear
}
