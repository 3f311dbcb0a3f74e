package kernels

func withoutVectors(f func() []float64) []float64 {
	defer func(v bool) { vectors = v }(vectors)
	vectors = false
	return f()
}

// narrow runs f with vectors of four only.
func narrow(f func() []float64) []float64 {
	defer func(v bool) { wide = v }(wide)
	wide = false
	return f()
}
