package suggest

import (
	"context"
	"fmt"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// BenchmarkNext is a warm suggestion with the default search over ten mixed parameters, with and without pending
// trials. (5,000 trials take the local path of package gp.)
func BenchmarkNext(b *testing.B) {
	var params []space.Parameter
	for i := range 4 {
		params = append(params, studytest.Number(fmt.Sprintf("x%d", i)))
	}
	for i := range 3 {
		params = append(params, space.Parameter{Name: fmt.Sprintf("n%d", i), Kind: space.Int, Low: 1,
			High: float64(10 * (i + 1))})
	}
	params = append(params, studytest.Category("kind", "a", "b", "c"),
		studytest.Category("form", "u", "v", "w", "x", "y"), studytest.Category("flag", "on", "off"))
	st := studytest.NewStudy(b, params...)
	st.Acquisition = study.Acquisition{}
	for _, n := range []int{100, 300, 1000, 5000} {
		for _, pending := range []int{0, 8, 100, 300} {
			b.Run(fmt.Sprintf("n=%d/pending=%d", n, pending), func(b *testing.B) {
				confs := studytest.Sampled(b, st, n+pending)
				trials := studytest.Completed(confs, studytest.Smooth(confs))
				for k := n; k < n+pending; k++ {
					trials[k].State, trials[k].Values = study.Pending, nil
				}
				r := Request{Number: n + pending + 1, Seed: 1}
				suggest := func() {
					s, err := Next(context.Background(), st, trials, r)
					if err != nil || s.Source != "model" {
						b.Fatal(s, err)
					}
					r.Warm = s.Fit
				}
				suggest()
				for b.Loop() {
					suggest()
				}
			})
		}
	}
}
