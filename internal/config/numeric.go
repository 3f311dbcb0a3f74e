package config

import (
	"math"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

var scales = []string{"linear", "log", "logit", "reverse_log"} // indexed by space.Scale

// numeric reads bounds, scale and rounding of a float or int.
func (l *loader) numeric(d *decl, o *object) {
	p := &d.param
	isInt := p.Kind == space.Int
	bound := func(key string) (float64, *yaml.Node, bool) {
		n := o.must(key, "")
		if n == nil {
			return 0, nil, false
		}
		name := o.fields[key].key.Value
		v, ok := l.number(n, name)
		if ok && isInt && v != math.Trunc(v) {
			l.errorf(n, "write type: float for numbers in between", "%s of an int must be a whole number, not %s", name, n.Value)
			ok = false
		}
		if ok && isInt && math.Abs(v) > space.MaxInt {
			l.errorf(n, "", "%s of an int must be within ±2^53", name)
			ok = false
		}
		return v, n, ok
	}
	lo, loNode, ok1 := bound("low")
	hi, hiNode, ok2 := bound("high")
	p.Scale = l.scale(o)
	if !ok1 || !ok2 {
		return
	}
	p.Low, p.High = lo, hi
	switch {
	case lo == hi:
		l.errorf(hiNode, "write {value: "+num(lo)+"} for a constant", "low and high are both %s", num(lo))
	case lo > hi:
		l.errorf(hiNode, "swap the two", "low %s is above high %s", num(lo), num(hi))
	case (p.Scale == space.Log || p.Scale == space.ReverseLog) && lo <= 0:
		hint := "write low: 1, or scale: linear"
		switch {
		case hi <= 0:
			hint = "write scale: linear"
		case p.Kind == space.Float:
			hint = "write a small low, such as " + num(math.Pow(10, math.Floor(math.Log10(hi))-5)) + ", or scale: linear"
		}
		l.errorf(loNode, hint, "scale %s needs low above 0, not %s", scales[p.Scale], num(lo))
	case p.Scale == space.Logit && (lo <= 0 || hi >= 1):
		l.errorf(loNode, "write bounds such as 0.001 and 0.999, or scale: linear", "scale logit needs 0 < low and high < 1")
	case math.IsInf(hi-lo, 0) || lo > 0 && hi/lo > space.MaxRatio:
		l.errorf(hiNode, "", "low and high are too far apart (at most a factor of 1e300)")
	case p.Kind == space.Float && p.Scale == space.Linear && lo > 0 && hi/lo >= 1000 && o.get("scale") == nil &&
		o.get("log") == nil:
		l.warnf(d.key, "write scale: log if ratios matter, scale: linear to keep this as it is",
			"%s spans a factor of %s on a linear scale: almost every sample lies in the top decade", d.name,
			num(math.Round(hi/lo)))
	}
	o.fill(p, "low", "high", "positions")
	l.rounding(d, o)
	if n := o.get("discrete"); p.Discrete {
		if p.Precision > 0 {
			l.errorf(n, "give it a step", "a discrete int takes a step, not a precision")
		}
		if hi-lo >= space.MaxValues {
			l.errorf(n, "", "discrete: true allows at most %d values, and there are %s", space.MaxValues, num(hi-lo+1))
		}
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

// rounding checks the step.
func (l *loader) rounding(d *decl, o *object) {
	p, step := &d.param, o.get("step")
	switch v := p.Step; {
	case v == 0:
	case p.Kind == space.Int && v != math.Trunc(v):
		l.errorf(step, "", "step of an int must be a whole number, not %s", step.Value)
	case p.Low >= p.High || p.Scale != space.Linear && p.Low <= 0: // told already
	default:
		switch last := p.Last(); last {
		case p.High:
		case p.Low:
			l.errorf(step, "", "step %s is larger than the range from %s to %s", num(v), num(p.Low), num(p.High))
		default:
			l.warnf(step, "", "step %s never reaches high %s: the largest value is %s", num(v), num(p.High), num(last))
		}
	}
}
