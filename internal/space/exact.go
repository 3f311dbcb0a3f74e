package space

func (n Const) exact(Configuration) (v rational, ok bool) { return decimal(float64(n)), true }

func (r Ref) exact(c Configuration) (v rational, ok bool) {
	if !c.Active[r.Param] {
		return rational{}, false
	}
	return decimal(c.Value[r.Param]), true
}

func (n NumberOf) exact(c Configuration) (v rational, ok bool) {
	if !c.Active[n.Param] {
		return rational{}, false
	}
	return decimal(n.Numbers[int(c.Value[n.Param])]), true
}

func (a Apply) exact(c Configuration) (v rational, ok bool) {
	for k, arg := range a.Args {
		x, ok := arg.exact(c)
		switch {
		case !ok:
			return rational{}, false
		case a.Func == Abs && x.sign() < 0:
			v = x.neg()
		case k == 0 || a.Func == Min && x.cmp(v) < 0 || a.Func == Max && x.cmp(v) > 0:
			v = x
		}
	}
	return v, true
}

func (b Binary) exact(c Configuration) (v rational, ok bool) {
	x, ok := b.Left.exact(c)
	if !ok {
		return rational{}, false
	}
	y, ok := b.Right.exact(c)
	if !ok {
		return rational{}, false
	}
	switch {
	case b.Op == '+':
		return x.add(y), true
	case b.Op == '-':
		return x.add(y.neg()), true
	case b.Op == '*':
		return x.mul(y), true
	case y.sign() == 0:
		return rational{}, false
	case b.Op == '/':
		return x.mul(y.inverse()), true
	}
	return x.add(x.mul(y.inverse()).floor().mul(y).neg()), true
}
