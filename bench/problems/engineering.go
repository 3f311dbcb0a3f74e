package problems

import "math"

// Engineering designs with exact penalties: the penalty's weight exceeds the
// multipliers, so the feasible optimum is the minimum of the penalized function.

// violation sums the positive parts of constraints g ≤ 0, each capped.
func violation(limit float64, g ...float64) float64 {
	s := 0.0
	for _, v := range g {
		s += math.Min(pos(v), limit)
	}
	return s
}

// pressureVessel is the vessel of Kannan and Kramer 1994: thicknesses in
// sixteenths of an inch, radius and length in inches.
func pressureVessel(d Point) float64 {
	a, b, r, l := 0.0625*d["t1"], 0.0625*d["t2"], d["r"], d["l"]
	f := 0.6224*a*r*l + 1.7781*b*r*r + 3.1661*a*a*l + 19.84*a*a*r
	return f + 2e4*violation(math.Inf(1),
		0.0193*r/a-1,
		0.00954*r/b-1,
		1-(math.Pi*r*r*l+4.0/3*math.Pi*cube(r))/1296000)
}

// speedReducer is the gear box of Golinski 1970: weight under eleven constraints.
func speedReducer(d Point) float64 {
	b, m, z, l1, l2, d1, d2 := d["b"], d["m"], d["z"], d["l1"], d["l2"], d["d1"], d["d2"]
	f := 0.7854*b*m*m*(3.3333*z*z+14.9334*z-43.0934) - 1.508*b*(d1*d1+d2*d2) +
		7.4777*(cube(d1)+cube(d2)) + 0.7854*(l1*d1*d1+l2*d2*d2)
	return f + 5e3*violation(math.Inf(1),
		27/(b*m*m*z)-1,
		397.5/(b*m*m*z*z)-1,
		1.93*cube(l1)/(m*z*sq(sq(d1)))-1,
		1.93*cube(l2)/(m*z*sq(sq(d2)))-1,
		math.Sqrt(sq(745*l1/(m*z))+16.9e6)/(110*cube(d1))-1,
		math.Sqrt(sq(745*l2/(m*z))+157.5e6)/(85*cube(d2))-1,
		m*z/40-1, 5*m/b-1, b/(12*m)-1,
		(1.5*d1+1.9)/l1-1, (1.1*d2+1.9)/l2-1)
}

// A material of the welded beam: two costs, strength, Young's and shear modulus.
type material struct{ c1, c2, strength, young, shear float64 }

var weldNames = []string{"steel", "cast_iron", "aluminum", "brass"}

var weldMaterials = []material{
	{0.1047, 0.0481, 3e4, 3e7, 12e6}, {0.0489, 0.0224, 8e3, 14e6, 6e6},
	{0.5235, 0.2405, 5e3, 1e7, 4e6}, {0.5584, 0.2566, 8e3, 16e6, 6e6},
}

// weldedBeam is the mixed form of Deb and Goyal 1996: joint and material are choices. The primary shear stress is P/A.
func weldedBeam(d Point) float64 {
	mat := weldMaterials[int(d["material"])]
	four := d["joint"] == 1
	h, l, t, b := d["h"], d["l"], d["t"], d["b"]
	const load, arm, maxDeflection = 6000.0, 14.0, 0.25

	area := math.Sqrt2 * h * l
	inertia := math.Sqrt2 * h * l * (sq(h+t)/4 + l*l/12)
	radius := 0.5 * math.Sqrt(l*l+sq(h+t))
	welded := l
	if four {
		area = math.Sqrt2 * h * (t + l)
		inertia += math.Sqrt2 * h * t * (sq(h+l)/4 + t*t/12)
		radius = 0.5 * math.Max(math.Sqrt(l*l+sq(h+t)), math.Sqrt(t*t+sq(h+l)))
		welded = t + l
	}
	primary, torsion := load/area, load*(arm+0.5*l)*radius/inertia
	shear := math.Sqrt(sq(primary) + sq(torsion) + 2*primary*torsion*l/(2*radius))
	bending := 6 * load * arm / (t * t * b)
	deflection := 4 * load * cube(arm) / (mat.young * cube(t) * b)
	buckling := 4.013 * t * cube(b) * math.Sqrt(mat.young*mat.shear) / (6 * arm * arm) *
		(1 - t/(4*arm)*math.Sqrt(mat.young/mat.shear))

	cost := (1+mat.c1)*welded*h*h + mat.c2*t*b*(arm+l)
	return cost + 50*violation(10,
		shear/(0.577*mat.strength)-1, bending/mat.strength-1, h/b-1, 1-buckling/load, deflection/maxDeflection-1)
}

// spill is the concentration at place s and time t after spills of mass m at place 0 and time 0 and at place l and time
// tau (Bliznyuk et al. 2008, with the exponent −s²/(4Dt)).
func spill(s, t, m, diffusion, l, tau float64) float64 {
	v := m / math.Sqrt(4*math.Pi*diffusion*t) * math.Exp(-s*s/(4*diffusion*t))
	if t > tau {
		v += m / math.Sqrt(4*math.Pi*diffusion*(t-tau)) * math.Exp(-sq(s-l)/(4*diffusion*(t-tau)))
	}
	return v
}

// environmental is the squared error of a calibration against the spill with
// mass 10, diffusion 0.07, place 1.505 and time 30.1525.
func environmental(d Point) float64 {
	tau := 30.01 + d["k"]/1000
	e := 0.0
	for _, s := range []float64{0, 1, 2.5} {
		for _, t := range []float64{15, 30, 45, 60} {
			e += sq(spill(s, t, 10, 0.07, 1.505, 30.1525) - spill(s, t, d["M"], d["D"], d["L"], tau))
		}
	}
	return e
}

func init() {
	register(Problem{
		Name: "pressure_vessel", Budget: 100, Tags: []string{"mixed", "engineering", "penalty"},
		Params:  []Param{integer("t1", 1, 99), integer("t2", 1, 99), float("r", 10, 200), float("l", 10, 200)},
		Optimum: Optimum{Value: 6059.714335048436, At: at{"t1": 13, "t2": 7, "r": 42.0984455958549, "l": 176.6365958424394}},
		Note:    "thickness 0.0625·t, l ≤ 200; penalty 2e4 · sum of relative violations",
	}, pressureVessel)
	register(Problem{
		Name: "speed_reducer", Budget: 100, Tags: []string{"mixed", "engineering", "penalty"},
		Params: []Param{float("b", 2.6, 3.6), float("m", 0.7, 0.8), integer("z", 17, 28), float("l1", 7.3, 8.3),
			float("l2", 7.3, 8.3), float("d1", 2.9, 3.9), float("d2", 5, 5.5)},
		Optimum: Optimum{Value: 2994.4710661467893, At: at{"b": 3.5, "m": 0.7, "z": 17, "l1": 7.3,
			"l2": 7.71531991147825, "d1": 3.35021466609645, "d2": 5.28665446498022}},
		Note: "11 constraints, penalty 5e3 · sum of relative violations",
	}, speedReducer)
	register(Problem{
		Name: "welded_beam", Budget: 100, Tags: []string{"mixed", "engineering", "penalty"},
		Params: []Param{categorical("joint", []string{"two_sided", "four_sided"}), categorical("material", weldNames),
			float("h", 0.0625, 2), float("l", 0.1, 10), float("t", 2, 20), float("b", 0.0625, 2)},
		Optimum: Optimum{Value: 1.9138461785887209, Kind: "verified", At: at{"joint": "four_sided", "material": "steel",
			"h": 0.16280154714422507, "l": 2.4195387677291245, "t": 8.291471390486748, "b": 0.24436897580173217}},
		Note: "Deb and Goyal 1996; penalty 50 · sum of relative violations, each at most 10",
	}, weldedBeam)
	register(Problem{
		Name: "environmental", Budget: 100, Tags: []string{"mixed"},
		Params: []Param{integer("k", 0, 284), float("M", 7, 13), float("D", 0.02, 0.12), float("L", 0.01, 3)},
		Optimum: Optimum{Value: 9.125659324048236e-09, Kind: "verified", At: at{"k": 141,
			"M": 10.000058933424167, "D": 0.06999881866808025, "L": 1.5050139952311663}},
		Note: "calibration of a chemical spill; the time 30.010 … 30.294 is a grid and the true 30.1525 lies between two " +
			"of its points",
	}, environmental)
}
