package journal

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"bohier/internal/study"
)

// Lock kinds, fixed in the header of a journal.
const (
	LockPosix = "posix"       // open-file-description lock
	LockLease = "posix+lease" // and a lease file, for network file systems
)

// Options name a journal and its surroundings. Only Path is needed to read.
type Options struct {
	Path  string
	Store Store           // where the lines are; nil: in the file at Path. Path is then its name
	Space Space           // nil: configurations are not parsed and the space is not compared
	Study json.RawMessage // the study in normal form, for the header; nil: unknown
	Seed  *uint64         // the study's seed; nil: drawn when the journal is created

	Memory *Memory // keeps the state for the next call; nil: every call reads all

	// Supposed, unless nil, is the state that Read returns and Update changes in place of the journal:
	// nothing is written. It is Apart from other states.
	Supposed *State

	// Run is the run whose journal it must be, as in the header: one that holds another
	// run, or that is gone, is a conflict. Empty: any.
	Run string

	Lock        string        // kind for a new journal; empty: by the file system
	LockTimeout time.Duration // 0: 60 s
	Hold        *Hold         // keeps reservations while the caller computes; nil: they are free at once
	Coming      int           // for about so many new trials room is made at once, unless they are most of all

	// Aside is called by Archive when the journal has its new name beside the old
	// one, to move the files that belong to it; again if a process is killed before it ends.
	Aside func(s *State, to string)

	// AnySpace lets Update go on although the space differs from the journal's; Migrate sets it.
	AnySpace bool

	// Locked, unless nil, receives how long each lock of an Update was had.
	Locked func(had time.Duration)

	Now  func() time.Time // for the informative times only; nil: time.Now
	Host string           // shown to those who wait for the lock; empty: os.Hostname

	// bare has states without trials; Copy sets it.
	bare bool
	// each, unless nil, sees every record and the state after it, which it must not keep or change; a journal that has
	// to be read again from its header on. An error ends the reading.
	each func(s *State, r *Record) error
	// replaces lets acquire expect that the journal's file is replaced; Repair sets it.
	replaces bool

	fs    fileSystem // nil: the operating system's
	clock clock      // nil: the system's
	rand  io.Reader  // nil: crypto/rand
}

// defaults fills options that the caller left open, and resolves symbolic links in Path, so that a journal has one lock
// however it is called.
func (o Options) defaults() Options {
	o.LockTimeout = cmp.Or(o.LockTimeout, time.Minute)
	o.fs = cmp.Or[fileSystem](o.fs, osFS{})
	o.clock = cmp.Or[clock](o.clock, systemClock{})
	o.rand = cmp.Or(o.rand, rand.Reader)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Host == "" {
		o.Host, _ = os.Hostname()
	}
	if o.Store != nil {
		o.Path = o.Store.String()
	} else if _, ok := o.fs.(osFS); ok {
		o.Path = resolve(o.Path)
	}
	return o
}

func resolve(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// fromRoot is a path from the root, without links.
func fromRoot(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return resolve(path)
}

// at is the informative time of a record.
func (o *Options) at() string { return o.Now().UTC().Format("2006-01-02T15:04:05.000Z") }

func (o *Options) lockPath() string { return o.Path + ".lock" }

// letters of nonces and tags: no vowels, so no words; no 0, 1, l.
const letters = "23456789bcdfghjkmnpqrstvwxz"

// nonce is n random letters.
func (o *Options) nonce(n int) string {
	b := make([]byte, 0, n)
	for len(b) < n {
		if r := int(o.random()); r < 256/len(letters)*len(letters) {
			b = append(b, letters[r%len(letters)])
		}
	}
	return string(b)
}

func (o *Options) random() byte {
	var b [1]byte
	if _, err := io.ReadFull(o.rand, b[:]); err != nil {
		panic("journal: no randomness: " + err.Error())
	}
	return b[0]
}

// jitter is a random time below d.
func (o *Options) jitter(d time.Duration) time.Duration { return d * time.Duration(o.random()) / 256 }

// A clock measures spans on this machine's own time. It never steps, says nothing about other machines, and goes on
// while the machine sleeps: a lease grows old on a closed laptop too.
type clock interface {
	Now() time.Duration
	Sleep(ctx context.Context, d time.Duration) error
}

type systemClock struct{}

func (systemClock) Now() time.Duration { return uptime() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// readFailure is an error that kept the journal from being read or opened.
func readFailure(o *Options, err error) error {
	return study.Wrap(study.NotRecorded, err,
		"Nothing was written; "+remedy(err, "correct the path, or run the command again."),
		"journal %s cannot be opened", o.Path)
}

// remedy advises after an error of the system.
func remedy(err error, usual string) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "check the permissions of the file and its directory."
	case errors.Is(err, fs.ErrNotExist):
		return "make its directory, or correct the path."
	}
	return usual
}

// notRecorded is a write that failed and was taken back.
func notRecorded(o *Options, err error) error {
	return study.Wrap(study.NotRecorded, err,
		"The journal is as it was; "+remedy(err, "make room or lift the limit and run the command again."),
		"not recorded in %s", o.Path)
}

func perhapsRecorded(o *Options, err error) error {
	return study.Wrap(study.PerhapsRecorded, err,
		"Whether the record is on disk is unknown; running the same command again is safe.",
		"perhaps recorded in %s", o.Path)
}

// damaged turns the end of a scan into the error for users.
func damaged(o *Options, err error) error {
	switch {
	case errors.Is(err, errNewer):
		return study.Wrap(study.Mismatch, err, "Use the newer version of bohier that wrote it; nothing was changed.",
			"journal %s cannot be understood", o.Path)
	case !errors.As(err, new(*damage)):
		return readFailure(o, err)
	case o.Store != nil:
		return study.Wrap(study.Damaged, err, "Nothing was written. "+ByCopy(o.Path), "journal %s is damaged", o.Path)
	}
	return study.Wrap(study.Damaged, err,
		fmt.Sprintf("Nothing was written. Check the rest: bohier journal verify --journal %s; then: bohier journal "+
			"repair --journal %[1]s", study.ShellWord(o.Path)),
		"journal %s is damaged", filepath.Base(o.Path))
}

// ByCopy is how a damaged journal in a store is mended: nothing there is rewritten.
func ByCopy(location string) string {
	return fmt.Sprintf("It is mended in a file: bohier journal cat --journal %s > copy.jsonl; bohier journal repair "+
		"--journal copy.jsonl; then it goes back under another name: bohier journal copy copy.jsonl %s",
		study.ShellWord(location), study.ShellWord(location+"-mended"))
}
