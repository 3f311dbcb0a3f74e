package study

import "fmt"

// Code says what kind of failure an error is; its number is the exit code of the
// program.
type Code int

// The codes, in the order of the manual's table.
const (
	Unexpected      Code = 1
	Usage           Code = 2 // usage error, invalid study file, unsupported lock kind
	Exhausted       Code = 3 // nothing to suggest: budget, target or finite space reached, and there is a result
	Conflict        Code = 4 // unknown trial, wrong tag, different value, reused key
	LockTimeout     Code = 5 // run again
	Damaged         Code = 6 // journal damaged, forked or rolled back; not written
	NotRecorded     Code = 7 // disk full, I/O error, permission, output not delivered
	PerhapsRecorded Code = 8 // sync failed or unverifiable; safe to run again
	Mismatch        Code = 9 // study file or version does not fit the journal

	No       Code = 10 // a normal "no" to a question
	NoResult Code = 11 // the study ended, or was ended by failures, without a complete feasible trial
)

// An Error carries the exit code and a hint: what to do about it.
type Error struct {
	Code Code
	Msg  string
	Hint string
	Err  error // cause, may be nil
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Msg + ": " + e.Err.Error()
	}
	return e.Msg
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error without a cause.
func Errorf(code Code, hint, format string, args ...any) *Error {
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...), Hint: hint}
}
