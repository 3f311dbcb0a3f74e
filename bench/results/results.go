// Package results keeps what the runs of a study gave in a file of one JSON object a
// line, so that a study that was interrupted goes on where it stopped.
package results

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"
)

// A File holds results of type R, known by keys of type K, in memory and, where it
// has a path, on disk. Its methods may be called concurrently.
type File[K comparable, R any] struct {
	// Results are all results, those of the file first. Add appends; nobody else may change them.
	Results []R

	key   func(R) K
	known map[K]bool
	mu    sync.Mutex
	file  *os.File // nil: memory only
	torn  int64    // where a line begins that was not written to its end; −1: none does
}

// header is the first line of a file with a version.
type header struct {
	Version string `json:"version"`
}

// Open reads the file at path, if there is one, and opens it for more; without a path the results stay in memory.
// Version, where it is not empty, names the protocol that gave the results: a file that another one wrote is refused.
func Open[K comparable, R any](path, version string, key func(R) K) (*File[K, R], error) {
	f := &File[K, R]{key: key, known: map[K]bool{}, torn: -1}
	if path == "" {
		return f, nil
	}
	lines, err := f.read(path, version)
	if err != nil {
		return nil, err
	}
	if f.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
		return nil, err
	}
	if lines == 0 && version != "" {
		err = f.write(header{version})
	}
	return f, err
}

// write appends a line, in place of one that an interrupted program left torn.
func (f *File[K, R]) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil || f.file == nil {
		return err
	}
	if f.torn >= 0 {
		if err := f.file.Truncate(f.torn); err != nil {
			return err
		}
		f.torn = -1
	}
	n, err := f.file.Write(append(line, '\n'))
	if err != nil {
		f.tear(n)
	}
	return err
}

// tear notes that the n last bytes are no line, which a full disk leaves: another worker may find room again.
func (f *File[K, R]) tear(n int) {
	if end, err := f.file.Seek(0, io.SeekEnd); err == nil && n > 0 {
		f.torn = end - int64(n)
	}
}

// read takes the results of the file at path and tells how many whole lines it has.
func (f *File[K, R]) read(path, version string) (n int, err error) {
	in, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer in.Close()
	lines := bufio.NewReader(in)
	for at := int64(0); ; {
		line, err := lines.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF):
			if len(line) > 0 {
				f.torn = at
			}
			return n, nil
		case err != nil:
			return n, err
		}
		at += int64(len(line))
		n++
		if n == 1 && version != "" {
			var h header
			if err := json.Unmarshal(line, &h); err != nil || h.Version != version {
				return n, fmt.Errorf("%s has results of another version (%q, not %q): rm %s to start afresh, "+
					"or another file by -o", path, h.Version, version, path)
			}
			continue
		}
		var r R
		if err := json.Unmarshal(line, &r); err != nil {
			return n, fmt.Errorf("%s, line %d: %w; remove the line to compute it again", path, n, err)
		}
		if k := f.key(r); !f.known[k] { // a program may have begun when another one had just ended
			f.Results, f.known[k] = append(f.Results, r), true
		}
	}
}

// Close closes the file.
func (f *File[K, R]) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// Has reports whether there is a result with that key.
func (f *File[K, R]) Has(key K) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.known[key]
}

// Add keeps a result.
func (f *File[K, R]) Add(r R) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.write(r); err != nil {
		return err
	}
	f.Results = append(f.Results, r)
	f.known[f.key(r)] = true
	return nil
}

// A Task computes one result.
type Task[K comparable, R any] struct {
	Key K
	Run func(ctx context.Context) (R, error)
}

// Run runs the tasks that have no result yet, workers at a time, and calls done after each with the result, how many of
// the tasks have theirs and the time that the others will take at the pace so far. It returns the first error, after
// which no further task begins, or the cause why ctx ended and how to go on. While another program runs tasks for the
// same file it runs none.
func (f *File[K, R]) Run(ctx context.Context, tasks []Task[K, R], workers int,
	done func(r R, n int, left time.Duration)) error {
	if workers < 1 {
		return fmt.Errorf("%d runs at once: at least one", workers)
	}
	if f.file != nil {
		if err := lock(f.file); err != nil {
			return fmt.Errorf("another program adds to %s (%w): wait for it, or give another file by -o", f.file.Name(), err)
		}
	}
	var todo []Task[K, R]
	asked := map[K]bool{}
	for _, t := range tasks {
		if !f.Has(t.Key) && !asked[t.Key] {
			todo = append(todo, t)
		}
		asked[t.Key] = true
	}
	outer := ctx
	ctx, cancel := context.WithCancelCause(outer)
	defer cancel(nil)
	work := make(chan Task[K, R])
	var wg sync.WaitGroup
	var mu sync.Mutex // one report at a time
	began, ended := time.Now(), 0
	for range workers {
		wg.Go(func() {
			for t := range work {
				r, err := t.Run(ctx)
				if err == nil {
					err = f.Add(r)
				}
				if err != nil {
					cancel(fmt.Errorf("%v: %w", t.Key, err))
					continue
				}
				mu.Lock()
				ended++
				pace := time.Since(began) / time.Duration(ended)
				done(r, len(asked)-len(todo)+ended, pace*time.Duration(len(todo)-ended))
				mu.Unlock()
			}
		})
	}
	for _, t := range todo {
		if ctx.Err() != nil {
			break
		}
		work <- t
	}
	close(work)
	wg.Wait()
	if interrupted := context.Cause(outer); interrupted != nil && f.file != nil {
		return fmt.Errorf("%w: the same command goes on from %s", interrupted, f.file.Name())
	}
	return context.Cause(ctx)
}
