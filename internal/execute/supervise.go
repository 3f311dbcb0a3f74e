package execute

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
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

// execute starts the command in a process group of its own and waits for its end; when limited
// ends the group gets TERM, and KILL after the grace time, which is shorter when all ends. The
// error is nil when the command itself ended well, whatever it left behind; nothing of that is
// left when execute returns.
func (c *command) execute(all, limited context.Context, t *study.Trial, f files,
	began func(group int, in *cgroup) error) (took time.Duration, err error) {
	argv := []string{"/bin/sh", "-c", c.st.Run.Shell}
	if c.st.Run.Shell == "" {
		argv = c.argv.Expand(c.legLookup(t, lookup(c.st.Space, t.Config)))
	}
	cmd := exec.Command(c.program(argv[0]), argv[1:]...)
	cmd.Args[0] = argv[0]
	cmd.Dir = c.dir
	cmd.Env = c.environ(t, f.params, f.result)
	var p pipes
	defer p.close()
	out, errs := p.open(f.out), p.open(f.errs)
	if p.err != nil {
		return 0, fmt.Errorf("%w: %w", errNotStarted, p.err)
	}
	cmd.Stdout, cmd.Stderr = out, errs // files: Wait waits for the process alone
	since, in, forget, err := start(cmd, runMark(c.nonce))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errNotStarted, err)
	}
	p.copy()
	group := cmd.Process.Pid
	defer func() {
		p.wait(drainTime) // a child such as tee may have the last lines yet
		killGroup(group)
		if in == nil {
			killStrays(t.ID())
		}
		forget()
		p.wait(drainTime)
	}()
	if err := began(group, in); err != nil {
		killGroup(group)
		_ = cmd.Wait()
		return 0, fmt.Errorf("%w: %w", errNotStarted, err)
	}
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		took = time.Since(since)
		ended <- err
	}()
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

// endLeg ends the command of a trial that is to go no further: by TERM, or where the
// command looks for a file, only after a long time. However it ends, that is no
// failure.
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

// stopped waits for the end of a group that got TERM, and kills it when its grace
// is over.
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

// pipes carry a command's output to captures. A process that holds the other end delays nothing
// for longer than wait allows.
type pipes struct {
	readers, writers []*os.File
	captures         []*capture
	err              error
	copying          sync.WaitGroup
	done             chan struct{}
}

// open makes one more pipe and returns the end for the command.
func (p *pipes) open(c *capture) *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		p.err = errors.Join(p.err, err)
		return nil
	}
	p.readers, p.writers, p.captures = append(p.readers, r), append(p.writers, w), append(p.captures, c)
	return w
}

// copy begins to read. The command has its ends of the pipes now.
func (p *pipes) copy() {
	for i := range p.readers {
		_ = p.writers[i].Close()
		p.copying.Go(func() { _, _ = io.Copy(p.captures[i], p.readers[i]) })
	}
	p.writers, p.done = nil, make(chan struct{})
	go func() { p.copying.Wait(); close(p.done) }()
}

// wait waits for the end of all output, though not for long.
func (p *pipes) wait(d time.Duration) {
	select {
	case <-p.done:
	case <-time.After(d):
	}
}

// close ends the reading; the captures are not written to afterwards.
func (p *pipes) close() {
	for _, f := range append(p.readers, p.writers...) {
		_ = f.Close()
	}
	p.copying.Wait()
}
