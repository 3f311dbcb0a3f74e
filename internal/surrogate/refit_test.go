package surrogate

import (
	"testing"

	"bohier/internal/study"
)

// Few observations are fitted to for every suggestion, and all of them under `policy: plain`.
func TestRefit(t *testing.T) {
	plain := &study.Study{}
	plain.Policy.Plain = true
	if a, b, c := refit(&study.Study{}, 100), refit(&study.Study{}, 101),
		refit(plain, 101); a != 0 || b != growth || c != 0 {
		t.Errorf("100 observations: %v, 101: %v, plain: %v", a, b, c)
	}
}
