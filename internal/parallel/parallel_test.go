package parallel

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
)

func TestPanicsReachWhoWaits(t *testing.T) {
	var list []int
	var done atomic.Int64
	err := Call(func() error {
		var g Group
		for k := range 4 {
			g.Go(func() {
				if k == 2 {
					_ = list[k]
				}
				done.Add(1)
			})
		}
		g.Wait()
		return nil
	})
	var p *Panic
	if !errors.As(err, &p) || !strings.Contains(p.Error(), "index out of range [2]") ||
		!strings.HasPrefix(p.Place, "internal/parallel/parallel_test.go:") {
		t.Errorf("%v", err)
	}
	if done.Load() != 3 {
		t.Errorf("%d goroutines ended", done.Load())
	}
	if err := Call(func() error { return nil }); err != nil {
		t.Error(err)
	}
}
