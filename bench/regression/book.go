package regression

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// A Book keeps results in a file of one JSON object a line, so that a run that
// was interrupted goes on where it stopped.
type Book struct {
	Results []*Result
	mu      sync.Mutex
	file    *os.File
}

// OpenBook reads the file at path, if there is one, and opens it for more.
func OpenBook(path string) (*Book, error) {
	b := &Book{}
	in, err := os.Open(path)
	if err == nil {
		defer in.Close()
		lines := bufio.NewScanner(in)
		for n := 1; lines.Scan(); n++ {
			r := &Result{}
			if err := json.Unmarshal(lines.Bytes(), r); err != nil {
				return nil, fmt.Errorf("%s, line %d: %w; remove the line to compute it again", path, n, err)
			}
			b.Results = append(b.Results, r)
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	b.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	return b, err
}

// Close closes the file.
func (b *Book) Close() error { return b.file.Close() }

func (b *Book) add(r *Result) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	b.Results = append(b.Results, r)
	_, err = b.file.Write(append(line, '\n'))
	return err
}

// Run runs the tasks that have no result yet, `workers` at a time, and calls done
// after each. It returns the first error.
func (b *Book) Run(ctx context.Context, tasks []*Task, workers int, done func(*Result)) error {
	known := map[[4]any]bool{}
	for _, r := range b.Results {
		known[r.key()] = true
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan *Task)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for t := range work {
				r, err := t.Run(ctx)
				if err == nil {
					err = b.add(r)
				}
				if err != nil {
					cancel(fmt.Errorf("%s, %s, %s, split %d: %w", t.Study, t.Set, t.Model, t.Split, err))
					continue
				}
				done(r)
			}
		})
	}
	for _, t := range tasks {
		if !known[t.key()] && ctx.Err() == nil {
			work <- t
		}
	}
	close(work)
	wg.Wait()
	return context.Cause(ctx)
}
