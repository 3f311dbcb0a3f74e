package study

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// Code is the kind of failure of an error; its number is the exit code of the program.
type Code int

// The codes. Exits explains them.
const (
	Unexpected Code = iota + 1
	Usage
	Exhausted
	Conflict
	LockTimeout
	Damaged
	NotRecorded
	PerhapsRecorded
	Mismatch
	No
	NoResult
)

// An Exit is a row of the table of exit codes.
type Exit struct {
	Code    string
	Meaning string
}

// Exits is the table of exit codes that help, manual pages and the reference show.
var Exits = []Exit{
	{"0", "done, or already done"},
	{"1", "unexpected failure"},
	{"2", "usage error or invalid study file; nothing touched"},
	{"3", "nothing to suggest: budget used, target reached or space exhausted, with a result"},
	{"4", "conflict: unknown trial, wrong tag, different value, reused key"},
	{"5", "lock not obtained in time; run again"},
	{"6", "journal damaged, forked or rolled back; not written (see: bohier journal repair)"},
	{"7", "not recorded: refused by the system (disk full, for one) or output not delivered; run again"},
	{"8", "perhaps recorded; running again is safe (add, enqueue, --replicate: with --key)"},
	{"9", "study file or version does not fit this journal"},
	{"10", "the answer is no: the gate failed, or the trial should stop"},
	{"11", "no result: no complete, feasible trial, or ended by failures"},
	{"130", "interrupted (128 + signal); run again"},
}

// An Error carries the exit code and a hint, an imperative.
type Error struct {
	Code Code
	Msg  string
	Hint string
	Err  error // cause, which Msg includes; may be nil
}

func (e *Error) Error() string { return e.Msg }
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error. The last error among args is its cause, so that a refusal of the
// system stays one in any words.
func Errorf(code Code, hint, format string, args ...any) *Error {
	e := &Error{Code: code, Msg: fmt.Sprintf(format, args...), Hint: hint}
	for _, arg := range args {
		if cause, ok := arg.(error); ok {
			e.Err = cause
		}
	}
	return e
}

// Wrap makes an Error that ends with its cause.
func Wrap(code Code, err error, hint, format string, args ...any) *Error {
	return Errorf(code, hint, format+": %v", append(args, err)...)
}

// HasCode reports whether err is an Error with that code, or wraps one.
func HasCode(err error, code Code) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}

// scarce are the errors of a system that lacks the resource asked for: files, processes, memory, disk.
var scarce = []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.EAGAIN, syscall.ENOMEM, syscall.ENOSPC,
	syscall.EDQUOT, syscall.EFBIG, syscall.EIO}

// Refused reports whether an error is a refusal of the system, which neither the study nor
// the command is to blame for: something is used up, or the null device is not there.
func Refused(err error) bool {
	var errno syscall.Errno
	var path *fs.PathError
	return errors.As(err, &errno) && slices.Contains(scarce, errno) || errors.As(err, &path) && path.Path == os.DevNull
}

// Denied reports whether the system does not allow an operation on a file; a program that may not be run is not such a
// file.
func Denied(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && path.Op != "fork/exec" &&
		(errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS))
}

// Count is a number of things in words: "1 trial", "2 trials".
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// Clip is a text of at most so many characters, with an ellipsis in place of the others.
func Clip(text string, most int) string {
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return text
}
