package journal

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Beats are signs of life of workers, beside the journal: in its store, or in files. They are a
// count and no time, and nothing is lost with them: each reader watches on its own clock whether a
// count changes.
type Beats interface {
	// Beat says that a worker lives; count differs from that of its beat before.
	Beat(ctx context.Context, worker string, count uint64) error
	// Beats returns the last beat of each worker, except workers that ended well.
	Beats(ctx context.Context) (map[string]uint64, error)
	// Leave removes a worker's beat.
	Leave(ctx context.Context, worker string) error
}

// Beats are those beside a journal.
func (o Options) Beats() Beats {
	if o = o.defaults(); o.Store != nil {
		return o.Store
	}
	return &beatFiles{o, o.Path + ".beats"}
}

// beatFiles are beats in a directory, a file for each worker.
type beatFiles struct {
	Options
	dir string
}

func (o *beatFiles) Beat(_ context.Context, worker string, count uint64) error {
	if err := os.MkdirAll(o.dir, 0o777); err != nil {
		return readFailure(&o.Options, err)
	}
	name := o.file(worker)
	err := os.WriteFile(name+".new", fmt.Appendf(nil, "%d %s\n", count, worker), 0o666)
	if err == nil {
		err = os.Rename(name+".new", name)
	}
	if err != nil {
		return notRecorded(&o.Options, err)
	}
	return nil
}

func (o *beatFiles) Beats(context.Context) (map[string]uint64, error) {
	files, err := os.ReadDir(o.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, readFailure(&o.Options, err)
	}
	beats := map[string]uint64{}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(o.dir, f.Name()))
		count, worker, ok := strings.Cut(strings.TrimSuffix(string(text), "\n"), " ")
		n, parseErr := strconv.ParseUint(count, 10, 64)
		if err == nil && ok && parseErr == nil { // another may be leaving
			beats[worker] = n
		}
	}
	return beats, nil
}

func (o *beatFiles) Leave(_ context.Context, worker string) error {
	_ = os.Remove(o.file(worker)) // there may be none
	_ = os.Remove(o.dir)          // fails, as it should, while others beat
	return nil
}

// file is a file's name for any name of a worker.
func (o *beatFiles) file(worker string) string {
	return filepath.Join(o.dir, fmt.Sprintf("%x", sha256.Sum256([]byte(worker)))[:32])
}
