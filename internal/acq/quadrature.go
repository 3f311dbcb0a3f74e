package acq

// Gauss–Legendre rules of 4 and 8 nodes on [0, 1]: the rules on [−1, 1] (Abramowitz & Stegun,
// table 25.4). The upper halves are given, and reflected.
var (
	legendre4 = reflected(
		[]float64{0.3399810435848563, 0.8611363115940526},
		[]float64{0.6521451548625461, 0.3478548451374538})
	legendre8 = reflected(
		[]float64{0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363},
		[]float64{0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763})
)

// A node is an abscissa in [0, 1] and its weight; the weights of a rule add up to 1.
type node struct{ at, weight float64 }

func reflected(at, weight []float64) []node {
	var out []node
	for k, x := range at {
		out = append(out, node{(1 + x) / 2, weight[k] / 2}, node{(1 - x) / 2, weight[k] / 2})
	}
	return out
}
