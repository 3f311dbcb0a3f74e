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

// Beats are signs of life of workers, beside the journal: in its store, or in files of
// the directory J.beats, one for each worker. They are a count and no time, and nothing
// is lost with them: each reader watches on its own clock whether a count changes.

// Beat says that a worker lives; count differs from that of its beat before.
func Beat(ctx context.Context, o Options, worker string, count uint64) error {
	o = o.defaults()
	if o.Store != nil {
		return o.Store.Beat(ctx, worker, count)
	}
	if err := os.MkdirAll(o.beatsDir(), 0o777); err != nil {
		return readFailure(&o, err)
	}
	name := o.beatFile(worker)
	err := os.WriteFile(name+".new", fmt.Appendf(nil, "%d %s\n", count, worker), 0o666)
	if err == nil {
		err = os.Rename(name+".new", name)
	}
	if err != nil {
		return notRecorded(&o, err)
	}
	return nil
}

// Beats are the last ones of the workers that have not left.
func Beats(ctx context.Context, o Options) (map[string]uint64, error) {
	o = o.defaults()
	if o.Store != nil {
		return o.Store.Beats(ctx)
	}
	files, err := os.ReadDir(o.beatsDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, readFailure(&o, err)
	}
	beats := map[string]uint64{}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(o.beatsDir(), f.Name()))
		count, worker, ok := strings.Cut(strings.TrimSuffix(string(text), "\n"), " ")
		n, parseErr := strconv.ParseUint(count, 10, 64)
		if err == nil && ok && parseErr == nil { // another may be leaving
			beats[worker] = n
		}
	}
	return beats, nil
}

// Leave removes the beat of a worker that ends.
func Leave(ctx context.Context, o Options, worker string) error {
	o = o.defaults()
	if o.Store != nil {
		return o.Store.Leave(ctx, worker)
	}
	_ = os.Remove(o.beatFile(worker)) // there may be none
	_ = os.Remove(o.beatsDir())       // fails, as it should, while others beat
	return nil
}

func (o *Options) beatsDir() string { return o.Path + ".beats" }

// beatFile is a file's name for any name of a worker.
func (o *Options) beatFile(worker string) string {
	return filepath.Join(o.beatsDir(), fmt.Sprintf("%x", sha256.Sum256([]byte(worker)))[:32])
}
