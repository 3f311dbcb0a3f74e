package journal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"bohier/internal/study"
)

// FS is what a directory's file system can do for a journal.
type FS struct {
	Dir        string
	Type       string
	Network    bool          // other machines may share it
	Lock       string        // kind a new journal gets here
	Locks      bool          // open-file-description locks exclude other descriptions
	Links      bool          // link(2) creates a name once
	SyncDir    bool          // directories can be synced
	Sync       time.Duration // median cost of one append and fdatasync
	Experiment []string      // two lines to run on two hosts, when Network
	Problems   []string
}

// DescribeFS tries what a journal needs in dir, with temporary files that it
// removes.
func DescribeFS(ctx context.Context, dir string) (*FS, error) {
	dir = resolve(dir)
	d := &FS{Dir: dir, Lock: osFS{}.LockKind(dir)}
	var err error
	if d.Type, d.Network, err = fileSystemOf(dir); err != nil {
		return nil, study.Wrap(study.Usage, err, "", "%s cannot be examined", dir)
	}
	tmp, err := os.MkdirTemp(dir, ".bohier-doctor-")
	if err != nil {
		return nil, study.Wrap(study.NotRecorded, err, "", "nothing can be written in %s", dir)
	}
	defer os.RemoveAll(tmp)
	name := filepath.Join(tmp, "probe")
	if d.Locks, err = probeLocks(name); err != nil || !d.Locks {
		d.Problems = append(d.Problems, fmt.Sprintf("locks do not work: %v", err))
	}
	d.Links = os.Link(name, name+".link") == nil && os.Link(name, name+".link") != nil
	if !d.Links {
		d.Problems = append(d.Problems, "hard links do not work: no journal can be created here")
	}
	if err := (osFS{}).SyncDir(tmp); err == nil {
		d.SyncDir = true
	} else {
		d.Problems = append(d.Problems, fmt.Sprintf("directories cannot be synced: %v", err))
	}
	if d.Sync, err = probeSync(ctx, name); err != nil {
		d.Problems = append(d.Problems, fmt.Sprintf("sync fails: %v", err))
	}
	if d.Network {
		at := quote(filepath.Join(dir, "probe.journal.jsonl"))
		d.Experiment = []string{
			"on both hosts at once: for i in $(seq 100); do bohier suggest --journal " + at + " -o id; done > $(hostname).ids",
			"then anywhere: sort *.ids | uniq -d   # must print nothing",
		}
	}
	return d, nil
}

// probeLocks reports whether a second description of a file is kept out.
func probeLocks(name string) (bool, error) {
	var f [2]file
	for i := range f {
		var err error
		if f[i], err = (osFS{}).Open(name, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
			return false, err
		}
		defer f[i].Close()
	}
	first, err := f[0].TryLock(lockByte)
	if err != nil || !first {
		return false, err
	}
	second, err := f[1].TryLock(lockByte)
	if err != nil || second {
		return false, err
	}
	return true, nil
}

// probeSync is the median cost of an append with its sync.
func probeSync(ctx context.Context, name string) (time.Duration, error) {
	f, err := osFS{}.Open(name, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var times []time.Duration
	c := systemClock{}
	for range 15 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		start := c.Now()
		if _, err := f.Write(make([]byte, 300)); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		times = append(times, c.Now()-start)
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}
