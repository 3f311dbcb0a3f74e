package kernels

func withoutVectors(f func() []float64) []float64 {
	defer func(v bool) { vectors = v }(vectors)
	vectors = false
	return f()
}
