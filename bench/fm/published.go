package fm

// published are the means and standard errors of five runs after 200 evaluations in sections 5.1
// to 5.6 of the paper's supplement.
var published = map[string]map[string][2]float64{
	"func2c": {
		"smac": {0.0060, 0.0387}, "tpe": {-0.1917, 0.0053},
		"adddif": {-0.1167, 0.0472}, "proddif": {-0.2060, 0.0002}, "moddif": {-0.0662, 0.0463},
		"addlap": {-0.1669, 0.0127}, "prodlap": {-0.2060, 0.0001}, "modlap": {-0.2063, 0.0000},
		"cocabo-0.0": {-0.1594, 0.0130}, "cocabo-0.5": {-0.2025, 0.0018}, "cocabo-1.0": {-0.1861, 0.0090},
	},
	"func3c": {
		"smac": {0.1194, 0.0723}, "tpe": {-0.4068, 0.1204},
		"adddif": {-0.3979, 0.1555}, "proddif": {-0.7100, 0.0106}, "moddif": {-0.0977, 0.0742},
		"addlap": {-0.3156, 0.1125}, "prodlap": {-0.7213, 0.0005}, "modlap": {-0.7215, 0.0004},
		"cocabo-0.0": {-0.6730, 0.0274}, "cocabo-0.5": {-0.7202, 0.0016}, "cocabo-1.0": {-0.7139, 0.0051},
	},
	"ackley5c": {
		"smac": {2.3809, 0.1648}, "tpe": {1.8601, 0.1248},
		"adddif": {0.0040, 0.0015}, "proddif": {0.0152, 0.0044}, "moddif": {0.0008, 0.0003},
		"addlap": {0.0042, 0.0018}, "prodlap": {0.0177, 0.0038}, "modlap": {0.0186, 0.0057},
		"cocabo-0.0": {1.4986, 0.2012}, "cocabo-0.5": {1.3720, 0.2110}, "cocabo-1.0": {1.8114, 0.2168},
	},
	"nusvr": {
		"smac": {4.7588, 0.1414}, "tpe": {4.3986, 0.1632},
		"adddif": {4.9463, 0.4960}, "proddif": {4.1857, 0.0017}, "moddif": {4.1876, 0.0012},
		"addlap": {4.5600, 0.2014}, "prodlap": {4.1856, 0.0012}, "modlap": {4.1864, 0.0015},
		"cocabo-0.0": {4.4122, 0.1703}, "cocabo-0.5": {4.1957, 0.0040}, "cocabo-1.0": {4.1958, 0.0037},
	},
	// On Fashion-MNIST, where ours is on scikit-learn's digits.
	"xgboost": {
		"smac": {0.1215, 0.0045}, "tpe": {0.1084, 0.0007},
		"adddif": {0.1046, 0.0001}, "proddif": {0.1045, 0.0003}, "moddif": {0.1071, 0.0013},
		"addlap": {0.1048, 0.0007}, "prodlap": {0.1044, 0.0001}, "modlap": {0.1038, 0.0003},
		"cocabo-0.0": {0.1184, 0.0062}, "cocabo-0.5": {0.1079, 0.0010}, "cocabo-1.0": {0.1086, 0.0008},
	},
}
