package runner_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// TestAddManyOrNone adds more than are recorded at a time: of a list whose last one is wrong none, and all
// of a right one, each visited once and in order.
func TestAddManyOrNone(t *testing.T) {
	const n = 1200
	s, wrong := lowStart(t), errors.New("wrong")
	config := studytest.Sampled(t, s.Study, 1)[0]
	list := func(last error) func(yield func(study.Addition, error) bool) {
		return func(yield func(study.Addition, error) bool) {
			for k := range n {
				tell := at(3, float64(k))
				tell.Key = fmt.Sprint("key", k)
				if !yield(study.Addition{Config: config, Report: tell}, nil) {
					return
				}
			}
			if last != nil {
				yield(study.Addition{}, last)
			}
		}
	}
	for _, last := range []error{wrong, nil, nil} {
		before := mustRead(t, s)
		told := 0
		err := s.Add(t.Context(), n, list(last), func(k int, trial *study.Trial, known bool) {
			if k != told || trial.Number != k+1 || known != before.Exists {
				t.Errorf("addition %d is told after %d, as trial %d, known %v", k, told, trial.Number, known)
			}
			told++
		})
		after := mustRead(t, s)
		all := told == n && len(after.Trials) == n
		if !errors.Is(err, last) || after.Exists != (last == nil) || after.Exists && !all {
			t.Errorf("%v: %d of %d are told, and %d recorded", err, told, n, len(after.Trials))
		}
		if left, _ := filepath.Glob(s.Journal.Path + ".tmp-*"); left != nil {
			t.Errorf("%v are left", left)
		}
	}
}
