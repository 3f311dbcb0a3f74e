package problems

import "math"

// Analytic stand-ins for the tuning of classifiers and networks.

// saturate rises from low, at q = 0, to high.
func saturate(low, high, q float64) float64 { return low + (high-low)*(1-math.Exp(-q)) }

var nonlinear = []string{"poly", "rbf", "sigmoid"}

// svm is the error of a support vector machine with the kernels linear (0), poly,
// rbf and sigmoid: plateaus at 0.5 and, for rbf, a narrow slanted basin.
func svm(d Point) float64 {
	c, g := math.Log10(d["C"]), math.Log10(d["gamma"])
	switch d["kernel"] {
	case 0:
		return saturate(0.17, 0.5, 0.05*sq(c+1))
	case 1:
		return saturate(0.12, 0.5, 0.05*sq(c-0.5+0.4*(g+1))+0.08*sq(g+1.5)+0.12*sq(d["degree"]-3)+0.3*sq(d["coef0"]-0.6))
	case 2:
		return saturate(0.10, 0.5, 0.15*sq(c-1)+0.5*sq(g+2+0.5*(c-1)))
	}
	return saturate(0.15, 0.5, 0.08*sq(c-0.2)+0.2*sq(g+2.5)+0.3*sq(d["coef0"]-0.2))
}

// layerWidths are the logarithms, base 2, of the best widths of five layers.
var layerWidths = [5]float64{8, 7, 6, 5, 5}

// activationPenalty is for relu, tanh and none.
var activationPenalty = [3]float64{0, 0.06, 0.35}

// layers is the error of a network of one to five layers; the best learning rate
// depends on the optimizer (sgd 0, adam 1) and on the depth.
func layers(d Point) float64 {
	n := d["n_layers"]
	sum := 0.0
	for i := 1; i <= int(n); i++ {
		sum += 0.08*sq(math.Log2(d[indexed("units", i)])-layerWidths[i-1]) + activationPenalty[int(d[indexed("act", i)])]
	}
	q := 0.12*sq(n-3) + sum/n
	lr := math.Log10(d["lr"])
	if d["opt"] == 0 {
		q += 0.05 + 0.25*sq(lr+1.5+0.15*(n-3)) + 0.6*sq(d["momentum"]-0.9)
	} else {
		q += 0.25 * sq(lr+3+0.15*(n-3))
	}
	return saturate(0.05, 0.9, q)
}

// hierNN is the network of Audet, Hallé-Hannan and Le Digabel 2023 as in SMT: linear in most parameters.
func hierNN(d Point) float64 {
	coef := [3][3]float64{{2, 1, -.5}, {-1, 2, -.5}, {-1, 1, .5}}[int(d["act"])]
	v := coef[0]*d["lr"] + coef[1]*d["wd"] + coef[2]*d["width"] + sq(d["u1"])
	if d.Has("u2") {
		v += 0.3 * d["u2"]
	}
	if d.Has("u3") {
		v -= 0.1 * cube(d["u3"])
	}
	return v
}

func init() {
	register(Problem{
		Name: "cond_svm_syn", Budget: 60, Tags: []string{"conditional", "own"},
		Params: []Param{categorical("kernel", append([]string{"linear"}, nonlinear...)), logFloat("C", 1e-3, 1e3),
			categorical("shrinking", []string{"on", "off"}),
			logFloat("gamma", 1e-4, 10, is("kernel", nonlinear...)),
			integer("degree", 2, 5, is("kernel", "poly")), float("coef0", 0, 1, is("kernel", "poly", "sigmoid"))},
		Optimum: Optimum{Value: 0.10, At: at{"kernel": "rbf", "C": 10.0, "shrinking": "on", "gamma": 1e-2}},
		Note:    "stand-in for tuning a support vector machine; shrinking has no effect",
	}, svm)

	params := []Param{integer("n_layers", 1, 5), logFloat("lr", 1e-5, 1), categorical("opt", []string{"sgd", "adam"}),
		float("momentum", 0, 0.99, is("opt", "sgd"))}
	for i := 1; i <= 5; i++ {
		var when []Cond
		if i > 1 {
			when = []Cond{atLeast("n_layers", float64(i))}
		}
		params = append(params, logInteger(indexed("units", i), 8, 512, when...),
			categorical(indexed("act", i), []string{"relu", "tanh", "none"}, when...))
	}
	register(Problem{
		Name: "cond_layers", Budget: 100, Tags: []string{"conditional", "own"}, Params: params,
		Optimum: Optimum{Value: 0.05, At: at{"n_layers": 3, "lr": 1e-3, "opt": "adam", "units1": 256, "act1": "relu",
			"units2": 128, "act2": "relu", "units3": 64, "act3": "relu"}},
		Note: "stand-in for tuning a network: 14 parameters, 5 to 14 of them active, an integer parent",
	}, layers)

	register(Problem{
		Name: "hier_nn", Budget: 60, Tags: []string{"conditional"},
		Params: []Param{ordinal("layers", []string{"1", "2", "3"}), float("lr", -5, 2), float("wd", -5, 2),
			ordinal("width", []string{"8", "16", "32", "64", "128", "256"}),
			categorical("act", []string{"ReLU", "SELU", "ISRLU"}), integer("u1", 0, 5),
			integer("u2", 0, 5, is("layers", "2", "3")), integer("u3", 0, 5, is("layers", "3"))},
		Optimum: Optimum{Value: -155.5, At: at{"layers": "3", "lr": -5.0, "wd": -5.0, "width": "256", "act": "ReLU",
			"u1": 0, "u2": 0, "u3": 5}},
		Note: "Audet et al. 2023 as in SMT; corner optimum, a sanity check",
	}, hierNN)
}
