package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"bohier/internal/lazy"
	"bohier/internal/study"
)

// readFailure is an error that kept the journal from being read or opened.
func readFailure(o *Options, err error) error {
	hint := "Nothing was written; run the command again."
	if errors.Is(err, fs.ErrPermission) {
		hint = "Nothing was written; check the permissions of the file and its directory."
	}
	return study.Wrap(study.NotRecorded, err, hint, "journal %s cannot be opened", o.Path)
}

// notRecorded is a write that failed and was taken back.
func notRecorded(o *Options, err error) error {
	return study.Wrap(study.NotRecorded, err,
		"The journal is as it was; make room or lift the limit and run the command again.",
		"not recorded in %s", o.Path)
}

func perhapsRecorded(o *Options, err error) error {
	return study.Wrap(study.PerhapsRecorded, err,
		"Whether the record is on disk is unknown; running the same command again is safe.",
		"perhaps recorded in %s", o.Path)
}

// damaged turns what ended a scan into the error a user sees.
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
		fmt.Sprintf("Nothing was written. See what is left with: bohier journal verify --journal %s; then: bohier journal "+
			"repair --journal %[1]s", quote(o.Path)),
		"journal %s is damaged", filepath.Base(o.Path))
}

// ByCopy is how a damaged journal in a store is mended: nothing there is rewritten.
func ByCopy(location string) string {
	return fmt.Sprintf("It is mended in a file: bohier journal cat --journal %s > copy.jsonl; bohier journal repair "+
		"--journal copy.jsonl; "+
		"then it goes back under another name: bohier journal copy copy.jsonl %s", quote(location), quote(location+"-mended"))
}

var plainPath = lazy.Regexp(`^[A-Za-z0-9/._+,@-]*$`)

// quote makes a path safe to paste into a shell.
func quote(path string) string {
	if plainPath().MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
