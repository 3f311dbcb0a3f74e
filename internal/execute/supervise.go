package execute

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"bohier/internal/study"
)

// files are those of one execution.
type files struct {
	params, result string // paths; result is empty when the command prints it
	out, errs      *capture
}

// errLate is a command that was stopped because its own time was up.
var errLate = errors.New("the command took too long")

// execute starts the command in a process group of its own and waits for its end; when limited ends the group gets
// TERM, and KILL after the grace time, which is shorter when all ends. The error is nil when the command itself ended
// well, whatever it left behind; nothing of that is left when execute returns.
func (c *command) execute(all, limited context.Context, t *study.Trial, f files,
	began func(group int, in string) error) (took time.Duration, err error) {
	argv := []string{"/bin/sh", "-c", c.st.Run.Shell}
	if c.st.Run.Shell == "" {
		argv = c.argv.Expand(c.lookup(t))
	}
	cmd := exec.Command(c.program(argv[0]), argv[1:]...)
	cmd.Args[0] = argv[0]
	cmd.Dir = c.dir
	cmd.Env = c.environ(t, f.params, f.result)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = f.out, f.errs, drainTime
	ended, in, forget, err := start(cmd, runMark(c.nonce), &took)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errNotStarted, err)
	}
	group := cmd.Process.Pid
	defer func() {
		_ = cmd.Wait() // for its output: a child such as tee may have the last lines yet
		killGroup(group)
		if in == "" {
			killStrays(t.ID())
		}
		forget()
	}()
	if err := began(group, in); err != nil {
		killGroup(group)
		_ = <-ended //nolint:staticcheck // errcheck wants the blank
		return 0, fmt.Errorf("%w: %w", errNotStarted, err)
	}
	select {
	case err := <-ended:
		return took, err
	case <-limited.Done():
	}
	select {
	case err := <-ended: // at the same time, and before it was stopped
		return took, err
	default:
	}
	late := all.Err() == nil
	if errors.Is(context.Cause(limited), errVerdict) && late {
		return took, c.endLeg(all, ended, group)
	}
	stopGroup(group)
	err = c.stopped(all, ended, group)
	if late {
		err = errLate
	}
	return took, err
}

// endLeg ends the command of a trial that is to go no further: by TERM, or where the command looks for a file, only
// after a long time. However it ends, that is no failure.
func (c *command) endLeg(all context.Context, ended <-chan error, group int) error {
	if c.st.Run.Stop == "file" {
		select {
		case _ = <-ended: //nolint:staticcheck // errcheck wants the blank
			return errVerdict
		case <-time.After(3 * c.grace):
		case <-all.Done():
		}
	}
	stopGroup(group)
	_ = c.stopped(all, ended, group)
	return errVerdict
}

// stopped waits for the end of a group that got TERM, and kills it when its grace is over.
func (c *command) stopped(all context.Context, ended <-chan error, group int) error {
	grace, last := time.After(c.grace), (<-chan time.Time)(nil)
	late := false
	for stop := all.Done(); ; {
		select {
		case err := <-ended:
			if late {
				return errLate
			}
			return err
		case <-stop:
			stop, last = nil, time.After(c.last)
			continue
		case <-grace:
		case <-last:
		}
		killGroup(group)
		late, stop, grace, last = true, nil, nil, nil
	}
}

// A capture keeps a stream of output in a file, its first fileBytes and its last tailBytes, however much is written.
// Write never fails, so that a full disk here does not break the command; Close returns its error.
type capture struct {
	path    string
	file    *os.File
	room    int64 // bytes the file may still take
	last    []byte
	written int64
	err     error
	tee     io.Writer // reads along; nil: nobody does
}

func newCapture(path string) (*capture, error) {
	f, err := newFile(path)
	if err != nil {
		return nil, err
	}
	return &capture{path: path, file: f, room: fileBytes}, nil
}

// newFile creates a file, and replaces an old one: opening a pipe that somebody put there would not end.
func newFile(path string) (*os.File, error) {
	if err := removeIfThere(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// removeIfThere removes a file; that there is none is no error.
func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

func (c *capture) Write(b []byte) (int, error) {
	c.written += int64(len(b))
	if c.tee != nil {
		_, _ = c.tee.Write(b) // it never fails
	}
	c.last = append(c.last, b[max(0, len(b)-tailBytes):]...)
	if extra := len(c.last) - tailBytes; extra > tailBytes { // move seldom
		c.last = append(c.last[:0], c.last[extra:]...)
	}
	if n := min(int64(len(b)), c.room); n > 0 && c.err == nil {
		_, c.err = c.file.Write(b[:n])
		c.room -= n
	}
	return len(b), nil
}

// tail is the end of the output; a first line cut in two is left out.
func (c *capture) tail() string {
	if c.written <= tailBytes {
		return string(c.last)
	}
	text := string(c.last[max(0, len(c.last)-tailBytes):])
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		return rest
	}
	return ""
}

// Close completes the file; a second call does nothing.
func (c *capture) Close() error {
	if c.file == nil {
		return nil
	}
	if missing := c.written - fileBytes; missing > 0 && c.err == nil {
		end := []byte(c.tail())
		_, c.err = fmt.Fprintf(c.file, "\n[… %d bytes in all; the end follows …]\n%s", c.written, end)
	}
	if err := c.file.Close(); c.err == nil {
		c.err = err
	}
	c.file = nil
	return c.err
}

// readBounded reads the end of a file, as much as of a stream. A pipe or a device is refused: reading it might not end.
func readBounded(path string) (string, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info.Size() > tailBytes {
		if _, err := f.Seek(-tailBytes, io.SeekEnd); err != nil {
			return "", err
		}
	}
	b, err := io.ReadAll(io.LimitReader(f, tailBytes))
	return string(b), err
}
