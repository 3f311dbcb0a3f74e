package regression

import (
	"context"
	"fmt"

	"bohier/bench/results"
)

// A Key tells fits apart.
type Key struct {
	Study, Set, Model string
	Split             int
	Priors            bool
}

func (k Key) String() string {
	return fmt.Sprintf("%s, %s, %s, split %d", k.Study, k.Set, k.Model, k.Split)
}

// OpenBook opens the file of the fits' results.
func OpenBook(path string) (*results.File[Key, *Result], error) {
	return results.Open(path, "", func(r *Result) Key { return Key{r.Study, r.Set, r.Model, r.Split, r.Priors} })
}

// Work is the tasks as results.File.Run wants them.
func Work(tasks []*Task) []results.Task[Key, *Result] {
	out := make([]results.Task[Key, *Result], len(tasks))
	for i, t := range tasks {
		out[i].Key = Key{t.Study, t.Set, t.Model, t.Split, t.Priors}
		out[i].Run = func(ctx context.Context) (*Result, error) { return t.Run(ctx) }
	}
	return out
}
